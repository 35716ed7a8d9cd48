"""From a record as arXiv sent it to what it says: the formats ``arXiv``, ``arXivRaw``, ``oai_dc`` and the snapshot.

Ranks order what the formats of one paper say: ``arXiv`` first (its names are taken apart and in Unicode), then
``arXivRaw``, then the snapshot, then ``oai_dc``, which knows least. Dates and versions come from whichever knows them.
"""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree

from papers.sources.arxiv import authors as author_lists
from papers.sources.arxiv import dublin_core, fields, snapshot_records
from papers.sources.arxiv.elements import (
    PARSER,
    Element,
    content_of,
    digest,
    header_identifier,
    local_name,
    parts_of,
    texts_of,
)
from papers.sources.records import AuthorRecord, PaperRecord, PartialDate
from wovepaper.harvest.contracts import RawRecord, RecordRefused
from wovepaper.lib import arxiv_id, dates


def parse(record: RawRecord) -> PaperRecord:
    """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
    if record.format == "snapshot":
        return snapshot_records.parse(record)
    try:
        root = etree.fromstring(record.payload, PARSER)
    except etree.XMLSyntaxError as error:
        raise RecordRefused(f"The record is not well-formed XML: {error.msg}.") from error
    header, metadata = parts_of(root)
    parser = _FORMATS.get(local_name(metadata)) if metadata is not None else None
    if parser is None or metadata is None:
        raise RecordRefused(_why_not(header, metadata))
    return parser(record, header, metadata)


def _why_not(header: Element | None, metadata: Element | None) -> str:
    if metadata is not None:
        return (
            f"The metadata is in the format {local_name(metadata)[:40]!r}; arXiv's are {', '.join(_FORMATS)}. "
            "Is this a record of another repository?"
        )
    if header is not None and header.get("status") == "deleted":
        return "The repository says that this record is deleted; a paper once taken in stays."
    return "The record has a header but no metadata."


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


def _parse_arxiv(record: RawRecord, header: Element | None, metadata: Element) -> PaperRecord:
    said = texts_of(metadata)
    found = fields.read_identifier(said.get("id", ""), header=header_identifier(header))
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
    content_hash = digest(content_of(metadata, ignored=("updated", "acm-class")), "new" if new_server else "classic")
    return PaperRecord(
        source=fields.NAME,
        format="arXiv",
        external_id=found.value,
        stamp=record.stamp,
        payload=record.payload,
        content_hash=content_hash,
        identifiers=fields.read_identifiers(found, said.get("doi")),
        title=title,
        rank=fields.RANKS["arXiv"],
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
    said = texts_of(metadata)
    found = fields.read_identifier(said.get("id", ""), header=header_identifier(header))
    title = fields.read_title(said.get("title"))
    comments, abstract = fields.read_text(said.get("comments")), fields.read_text(said.get("abstract"))
    categories = fields.read_categories(said.get("categories"))
    versions = []
    for child in metadata:
        if local_name(child) == "version":
            parts = texts_of(child)
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
        content_hash=digest(content_of(metadata, ignored=("acm-class",)), "arXivRaw"),
        identifiers=fields.read_identifiers(found, said.get("doi")),
        title=title,
        rank=fields.RANKS["arXivRaw"],
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


_Parser = Callable[[RawRecord, Element, Element], PaperRecord]
_FORMATS: dict[str, _Parser] = {"arXiv": _parse_arxiv, "arXivRaw": _parse_raw, "dc": dublin_core.parse}
