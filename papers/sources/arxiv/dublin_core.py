"""Records in format ``oai_dc``: Dublin Core, which says least."""

from __future__ import annotations

from papers.sources.arxiv import authors as author_lists
from papers.sources.arxiv import fields, subjects
from papers.sources.arxiv.elements import Element, content_of, digest, header_identifier, local_name
from papers.sources.records import AuthorRecord, PaperRecord, PartialDate
from wovepaper.harvest.contracts import RawRecord
from wovepaper.lib import arxiv_id, dates


def parse(record: RawRecord, header: Element | None, metadata: Element) -> PaperRecord:
    """What the record says. Raises ``RecordRefused``."""
    said: dict[str, list[str]] = {}
    for child in metadata:
        if child.text and child.text.strip():
            said.setdefault(local_name(child), []).append(child.text.strip())
    addresses = [arxiv_id.normalise(value) for value in said.get("identifier", ())]
    own = next((address for address in addresses if address is not None), None)
    found = fields.read_identifier(header_identifier(header) or (own.value if own else ""))
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
        content_hash=digest(content_of(metadata), "oai_dc"),
        identifiers=identifiers,
        title=title,
        rank=fields.RANKS["oai_dc"],
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
