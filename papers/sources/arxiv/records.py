"""From a record as arXiv sent it to what it says: the formats ``arXiv``, ``arXivRaw``, ``oai_dc`` and the snapshot.

Ranks order what the formats of one paper say: ``arXiv`` first (its names are taken apart and in Unicode), then
``arXivRaw``, then the snapshot, then ``oai_dc``, which knows least. Dates and versions come from whichever knows them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from lxml import etree

from papers.sources.arxiv import authors as author_lists
from papers.sources.arxiv import fields, subjects
from papers.sources.records import AuthorRecord, PaperRecord, PartialDate
from wovepaper.harvest.contracts import RawRecord, RecordRefused
from wovepaper.lib import arxiv_id, dates

RANKS = {"arXiv": 10, "arXivRaw": 11, "snapshot": 12, "oai_dc": 40}
"""Precedence of the formats, lowest first. No two are equal, so no tie is left to break."""

_parser = etree.XMLParser(
    resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
)

Element = Any
"""An element of lxml, whose stubs do not agree on one class."""


def parse(record: RawRecord) -> PaperRecord:
    """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
    if record.format == "snapshot":
        return _parse_snapshot(record)
    try:
        root = etree.fromstring(record.payload, _parser)
    except etree.XMLSyntaxError as error:
        raise RecordRefused(f"The record is not well-formed XML: {error.msg}.") from error
    header, metadata = _parts(root)
    parser = _FORMATS.get(local_name(metadata)) if metadata is not None else None
    if parser is None or metadata is None:
        raise RecordRefused(_why_not(header, metadata))
    return parser(record, header, metadata)


def local_name(element: Element) -> str:
    """The name without its namespace: upstream documents disagree about namespaces."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _parts(root: Element) -> tuple[Element | None, Element | None]:
    """The header and the element inside ``<metadata>``."""
    header = metadata = None
    for child in root:
        name = local_name(child)
        if name == "header":
            header = child
        elif name == "metadata":
            metadata = next((inside for inside in child if isinstance(inside.tag, str)), None)
    if local_name(root) == "header":
        header = root
    return header, metadata


def _why_not(header: Element | None, metadata: Element | None) -> str:
    if metadata is not None:
        return (
            f"The metadata is in the format {local_name(metadata)[:40]!r}; arXiv's are {', '.join(_FORMATS)}. "
            "Is this a record of another repository?"
        )
    if header is not None and header.get("status") == "deleted":
        return "The repository says that this record is deleted; a paper once taken in stays."
    return "The record has a header but no metadata."


def _header_identifier(header: Element | None) -> str:
    if header is not None:
        for child in header:
            if local_name(child) == "identifier":
                return child.text or ""
    return ""


def _is_new_server(header: Element | None, metadata: Element, updated: str) -> bool:
    """Whether the record comes from the server of 2025, on which ``created`` is the current version's date.

    The record itself tells: the address of its schema, sets in three parts (``physics:physics:optics``), or, where
    those are missing, ``updated`` being the datestamp, which it always is there.
    """
    location = metadata.get("{http://www.w3.org/2001/XMLSchema-instance}schemaLocation") or ""
    if "oaipmh.arxiv.org" in location:
        return True
    stamp, sets = "", []
    for child in header if header is not None else ():
        name = local_name(child)
        if name == "datestamp":
            stamp = (child.text or "").strip()
        elif name == "setSpec":
            sets.append((child.text or "").strip())
    if any(spec.count(":") == 2 for spec in sets):
        return True
    if any(":" not in spec for spec in sets) or "arxiv.org/OAI/arXiv.xsd" in location:
        return False
    return bool(updated) and updated == stamp


def _texts(metadata: Element) -> dict[str, str]:
    """The text of every simple child by name; the first where there are several."""
    found: dict[str, str] = {}
    for child in metadata:
        name = local_name(child)
        if len(child) == 0:
            found.setdefault(name, child.text or "")
        elif name not in ("authors", "version"):  # markup where there should be none
            found.setdefault(name, "".join(child.itertext()))
    return found


def _hash(pieces: Iterator[str], kind: str) -> str:
    return hashlib.sha256("\x00".join((kind, *pieces)).encode("utf-8", "replace")).hexdigest()


def _content(metadata: Element, *, ignored: tuple[str, ...] = ()) -> Iterator[str]:
    """What the metadata says, element by element, white space folded."""
    for element in metadata.iter():
        name = local_name(element)
        if name and name not in ignored:
            yield name
            yield " ".join((element.text or "").split())
            if element.attrib and "version" in element.attrib:
                yield element.attrib["version"]


def _parse_arxiv(record: RawRecord, header: Element | None, metadata: Element) -> PaperRecord:
    said = _texts(metadata)
    found = fields.read_identifier(said.get("id", ""), header=_header_identifier(header))
    title = fields.read_title(said.get("title"))
    new_server = _is_new_server(header, metadata, said.get("updated", "").strip())
    comments, abstract = fields.read_text(said.get("comments")), fields.read_text(said.get("abstract"))
    categories = fields.read_categories(said.get("categories"))
    people: list[AuthorRecord] = []
    for child in metadata:
        if local_name(child) == "authors":
            for entry in child:
                people += _structured_author(entry)
            if len(child) == 0 and child.text:
                people += author_lists.read_string(child.text)
    # ``updated`` is the datestamp on one server and never shown from the other.
    digest = _hash(_content(metadata, ignored=("updated", "acm-class")), "new" if new_server else "classic")
    return PaperRecord(
        source=fields.NAME,
        format="arXiv",
        external_id=found.value,
        stamp=record.stamp,
        payload=record.payload,
        content_hash=digest,
        identifiers=fields.read_identifiers(found, said.get("doi")),
        title=title,
        rank=RANKS["arXiv"],
        abstract=abstract,
        kind="preprint",
        published=_created(found, said.get("created", ""), trusted=not new_server),
        primary_category=categories[0] if categories else "",
        categories=categories,
        authors=tuple(people),
        withdrawn=True if fields.says_withdrawn(comments, abstract) else None,
        licence=fields.read_text(said.get("license")),
        comments=comments,
        journal_reference=fields.read_text(said.get("journal-ref")),
        report_number=fields.read_text(said.get("report-no")),
    )


def _structured_author(entry: Element) -> list[AuthorRecord]:
    keyname = forenames = suffix = ""
    affiliations: list[str] = []
    for part in entry:
        name, value = local_name(part), part.text or ""
        if name == "keyname":
            keyname = value
        elif name == "forenames":
            forenames = value
        elif name == "suffix":
            suffix = value
        elif name == "affiliation":
            affiliations.append(value)
    if not len(entry):
        keyname = entry.text or ""
    return author_lists.read_structured(keyname, forenames, suffix, affiliations)


def _created(found: arxiv_id.ArxivId, created: str, *, trusted: bool) -> PartialDate:
    """The first version's date from ``created``, where that is what it means; else the month of the id."""
    if trusted:
        try:
            year, month, day = dates.parse_partial(created)
        except ValueError:
            return fields.month_of(found)
        return PartialDate(year, month, day)
    return fields.month_of(found)


def _parse_raw(record: RawRecord, header: Element | None, metadata: Element) -> PaperRecord:
    said = _texts(metadata)
    found = fields.read_identifier(said.get("id", ""), header=_header_identifier(header))
    title = fields.read_title(said.get("title"))
    comments, abstract = fields.read_text(said.get("comments")), fields.read_text(said.get("abstract"))
    categories = fields.read_categories(said.get("categories"))
    versions = []
    for child in metadata:
        if local_name(child) == "version":
            parts = _texts(child)
            versions.append(
                fields.read_version(
                    child.get("version"), parts.get("date"), parts.get("size"), parts.get("source_type")
                )
            )
    says_withdrawn = fields.says_withdrawn(comments, abstract)
    ordered = fields.order_versions(versions, withdrawn=says_withdrawn)
    return PaperRecord(
        source=fields.NAME,
        format="arXivRaw",
        external_id=found.value,
        stamp=record.stamp,
        payload=record.payload,
        content_hash=_hash(_content(metadata, ignored=("acm-class",)), "arXivRaw"),
        identifiers=fields.read_identifiers(found, said.get("doi")),
        title=title,
        rank=RANKS["arXivRaw"],
        abstract=abstract,
        kind="preprint",
        published=fields.first_published(found, ordered),
        primary_category=categories[0] if categories else "",
        categories=categories,
        authors=author_lists.read_string(said.get("authors", "")),
        versions=ordered,
        withdrawn=ordered[-1].withdrawn if ordered else says_withdrawn or None,
        licence=fields.read_text(said.get("license")),
        comments=comments,
        journal_reference=fields.read_text(said.get("journal-ref")),
        report_number=fields.read_text(said.get("report-no")),
    )


def _parse_dublin_core(record: RawRecord, header: Element | None, metadata: Element) -> PaperRecord:
    said: dict[str, list[str]] = {}
    for child in metadata:
        if child.text and child.text.strip():
            said.setdefault(local_name(child), []).append(child.text.strip())
    addresses = [arxiv_id.normalise(value) for value in said.get("identifier", ())]
    own = next((address for address in addresses if address is not None), None)
    found = fields.read_identifier(_header_identifier(header) or (own.value if own else ""))
    title = fields.read_title(" ".join(said.get("title", ())))
    abstract = comments = ""
    for description in said.get("description", ()):
        if description.startswith("Comment:"):
            comments = comments or fields.read_text(description.removeprefix("Comment:"))
        else:
            abstract = abstract or fields.read_text(description)
    identifiers = fields.read_identifiers(found, " ".join(said.get("identifier", ())))
    references = [
        value
        for value, address in zip(said.get("identifier", ()), addresses, strict=True)
        if address is None and not value.lower().startswith(("doi:", "http:", "https:", "10."))
    ]
    categories = subjects.read_subjects(said.get("subject", ()))
    people = [author for creator in said.get("creator", ()) for author in _dublin_core_author(creator)]
    return PaperRecord(
        source=fields.NAME,
        format="oai_dc",
        external_id=found.value,
        stamp=record.stamp,
        payload=record.payload,
        content_hash=_hash(_content(metadata), "oai_dc"),
        identifiers=identifiers,
        title=title,
        rank=RANKS["oai_dc"],
        abstract=abstract,
        kind="preprint",
        published=_earliest(found, said.get("date", ())),
        primary_category=categories[0] if categories else "",
        categories=categories,
        authors=tuple(people),
        withdrawn=True if fields.says_withdrawn(comments, abstract) else None,
        licence=fields.read_text(next(iter(said.get("rights", ())), "")),
        comments=comments,
        journal_reference=fields.read_text(next(iter(references), "")),
    )


def _dublin_core_author(creator: str) -> list[AuthorRecord]:
    family, _, given = creator.partition(",")
    suffix = ""
    if "," in given:
        given, _, suffix = given.partition(",")
    return author_lists.read_structured(family, given, suffix)


def _earliest(found: arxiv_id.ArxivId, said: list[str] | tuple[str, ...]) -> PartialDate:
    """The earliest date, if it can be the first version's: in the month of the id or the one before it."""
    read: list[tuple[int, int, int]] = []
    for value in said:
        try:
            year, month, day = dates.parse_partial(value)
        except ValueError:
            continue
        if month and day:
            read.append((year, month, day))
    if read:
        year, month, day = min(read)
        if 0 <= (found.year * 12 + found.month) - (year * 12 + month) <= 1:
            return PartialDate(year, month, day)
    return fields.month_of(found)


_Parser = Callable[[RawRecord, Element, Element], PaperRecord]
_FORMATS: dict[str, _Parser] = {"arXiv": _parse_arxiv, "arXivRaw": _parse_raw, "dc": _parse_dublin_core}


def _parse_snapshot(record: RawRecord) -> PaperRecord:
    try:
        said = json.loads(record.payload)
    except (ValueError, RecursionError) as error:
        raise RecordRefused(f"The record is not JSON: {error}.") from error
    if not isinstance(said, dict):
        raise RecordRefused("The record is not a JSON object.")
    found = fields.read_identifier(_said(said, "id"))
    title = fields.read_title(_said(said, "title"))
    comments, abstract = fields.read_text(_said(said, "comments")), fields.read_text(_said(said, "abstract"))
    categories = fields.read_categories(_said(said, "categories"))
    withdrawn = fields.says_withdrawn(comments, abstract)
    listed = said.get("versions")
    versions = fields.order_versions(
        [
            fields.read_version(_said(version, "version"), _said(version, "created"))
            for version in (listed if isinstance(listed, list) else ())
            if isinstance(version, dict)
        ],
        withdrawn=withdrawn,
    )
    canonical = json.dumps({key: said[key] for key in sorted(said) if key != "update_date"}, sort_keys=True)
    return PaperRecord(
        source=fields.NAME,
        format="snapshot",
        external_id=found.value,
        stamp=record.stamp,
        payload=record.payload,
        content_hash=_hash(iter((canonical,)), "snapshot"),
        identifiers=fields.read_identifiers(found, _said(said, "doi")),
        title=title,
        rank=RANKS["snapshot"],
        abstract=abstract,
        kind="preprint",
        published=fields.first_published(found, versions),
        primary_category=categories[0] if categories else "",
        categories=categories,
        authors=_snapshot_authors(said),
        versions=versions,
        withdrawn=withdrawn or None,
        licence=fields.read_text(_said(said, "license")),
        comments=comments,
        journal_reference=fields.read_text(_said(said, "journal-ref")),
        report_number=fields.read_text(_said(said, "report-no")),
    )


def _said(said: dict[str, Any], key: str) -> str:
    value = said.get(key)
    return value if isinstance(value, str) else "" if value is None else str(value)


def _snapshot_authors(said: dict[str, Any]) -> tuple[AuthorRecord, ...]:
    """Names from ``authors_parsed``; affiliations from the printed list where it has them, for that list's legend
    of numbers is lost in the parsed rows."""
    printed = _said(said, "authors")
    rows = said.get("authors_parsed")
    structured: list[AuthorRecord] = []
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, list) and row:
            texts = [value if isinstance(value, str) else "" for value in row]
            keyname, forenames, suffix, *affiliations = [*texts, "", ""][: max(len(texts), 3)]
            structured += author_lists.read_structured(keyname, forenames, suffix, affiliations)
    if not structured:
        return author_lists.read_string(printed)
    if "(" not in printed:
        return tuple(structured)
    read = author_lists.read_string(printed)
    if len(read) != len(structured):
        return tuple(structured)
    return tuple(
        AuthorRecord(
            author.name,
            author.given,
            author.family,
            author.suffix,
            affiliations=other.affiliations or author.affiliations,
            is_collaboration=author.is_collaboration,
        )
        for author, other in zip(structured, read, strict=True)
    )
