"""Records of the metadata snapshot: one JSON object each."""

from __future__ import annotations

import json
from typing import Any

from papers.sources.arxiv import authors as author_lists
from papers.sources.arxiv import fields
from papers.sources.arxiv.elements import digest
from papers.sources.records import AuthorRecord, PaperRecord
from wovepaper.harvest.contracts import RawRecord, RecordRefused


def parse(record: RawRecord) -> PaperRecord:
    """What the record says. Raises ``RecordRefused``."""
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
        content_hash=digest(iter((canonical,)), "snapshot"),
        identifiers=fields.read_identifiers(found, _said(said, "doi")),
        title=title,
        rank=fields.RANKS["snapshot"],
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
