"""The values a paper shows, chosen from all its records. Pure and independent of the order of the records.

Records are ordered by rank, then format, then external id; for each field the first record that says something is
followed. Exceptions are written at the functions. A value that a curator pinned wins over all of it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papers.models import Paper
from papers.services.ingest.alignment import Place, align
from papers.services.ingest.identity import title_key
from papers.services.ingest.listings import Listing, announced, appearances
from papers.services.ingest.notice_rows import NoticeRow, dois_of, standing, told_notices
from papers.services.ingest.occasions import shown_dates, shown_event
from papers.services.ingest.pinned import pinned_columns
from papers.services.ingest.references import ReferenceRow, shown_references
from papers.sources.records import AuthorRecord, PaperRecord, PartialDate, VersionRecord

PAPER_COLUMNS: dict[str, str] = {
    "title": "text",
    "abstract": "text",
    "kind": "text",
    "status": "text",
    "published_on": "date",
    "published_precision": "text",
    "dates": "jsonb",
    "event": "jsonb",
    "announced_on": "date",
    "sort_date": "date",
    "primary_category_id": "text",
    "categories": "varchar[]",
    "venue": "text",
    "volume": "text",
    "issue": "text",
    "pages": "text",
    "publisher": "text",
    "licence": "text",
    "comments": "text",
    "journal_reference": "text",
    "report_number": "text",
    "arxiv_id": "text",
    "doi": "text",
    "title_key": "text",
    "author_count": "integer",
    "version_count": "integer",
    "last_version_on": "date",
    "reference_count": "integer",
    "listed_reference_count": "integer",
    "doi_reference_count": "integer",
    "references_digest": "text",
    "notice_count": "integer",
    "is_demo": "boolean",
}
"""The columns of a paper that follow from its records, with their types in the database."""

UNDATED = dt.date(1, 1, 1)
"""Where a paper without any date is sorted."""

_TEXT_FIELDS = ("comments", "journal_reference", "report_number")
_PUBLICATION_FIELDS = ("venue", "volume", "issue", "pages", "publisher", "licence", "kind")
"""Of these the record of a publication is followed before those of a preprint, whatever their ranks."""
_PRECISIONS = {"day": 0, "month": 1, "year": 2}


@dataclass(frozen=True, slots=True)
class PrintedAuthor:
    """An entry of one record's author list, and the entry of the shown list it stands for (from 0)."""

    record: int
    position: int
    shown: int
    author: AuthorRecord


@dataclass(frozen=True, slots=True)
class ShownAuthor:
    """An entry of the shown author list."""

    name: str
    is_collaboration: bool
    corresponding: bool
    affiliations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """All that a paper shows. ``printed`` refers to the records by their place in the order of precedence."""

    columns: dict[str, Any]
    authors: tuple[ShownAuthor, ...]
    printed: tuple[PrintedAuthor, ...]
    versions: tuple[VersionRecord, ...]
    identifiers: tuple[tuple[str, str], ...]
    listings: frozenset[Listing]
    references: tuple[ReferenceRow, ...] = ()
    notices: tuple[NoticeRow, ...] = ()
    """What the records of this paper tell, of itself and of others."""


def precedence(record: PaperRecord) -> tuple[Any, ...]:
    """Sort key of the records of one paper."""
    return (record.rank, record.format, record.external_id, record.source)


def identifiers_of(records: Sequence[PaperRecord]) -> tuple[tuple[str, str], ...]:
    """All identifiers that the records name, in the order of precedence."""
    return tuple(dict.fromkeys(identifier for record in records for identifier in record.identifiers))


def resolve(
    records: Sequence[PaperRecord], pinned: Mapping[str, Any], told_by_others: Sequence[NoticeRow] = ()
) -> Shown:
    """The shown values. ``records`` is not empty and in the order of ``precedence``.

    ``told_by_others`` are notices about this paper that records of other papers tell of.
    """
    versions = _versions(records)
    identifiers = identifiers_of(records)
    arxiv_id = next((value for scheme, value in identifiers if scheme == "arxiv"), "")
    title = _first(records, "title")
    published = _published(records, versions)
    categories = _categories(records)
    announced_on = announced(versions, _published_on_arxiv(records, versions)) if arxiv_id else None
    authors, printed = _authors(records)
    latest = versions[-1] if versions else None
    references = shown_references(records)
    told = told_notices(records)
    about_it = [*told_by_others]
    if told:
        own = dois_of(identifiers)
        about_it.extend(notice for notice in told if notice.work in own)
    published_first = sorted(records, key=_is_of_preprint) if len(records) > 1 else records
    columns: dict[str, Any] = {
        "title": title,
        "abstract": _first(records, "abstract"),
        "status": standing(records, about_it, withdrawn=_is_withdrawn(records)).value,
        "published_on": published.first_day if published else None,
        "published_precision": published.precision if published else "day",
        "dates": shown_dates(published_first),
        "event": shown_event(published_first),
        "announced_on": announced_on,
        "primary_category_id": categories[0] if categories else None,
        "categories": list(categories),
        "arxiv_id": arxiv_id,
        "doi": next((value for scheme, value in identifiers if scheme == "doi"), ""),
        "title_key": title_key(title),
        "author_count": len(authors),
        "version_count": len(versions),
        "last_version_on": latest.submitted_at.date() if latest and latest.submitted_at else None,
        **references.columns,
        "notice_count": len({*told, *told_by_others}),
        "is_demo": any(record.is_demo for record in records),
    }
    for name in _TEXT_FIELDS:
        columns[name] = _first(records, name)
    for name in _PUBLICATION_FIELDS:
        columns[name] = _first(published_first, name)
    columns["kind"] = columns["kind"] or Paper.Kind.PREPRINT.value
    if pinned:
        columns |= pinned_columns(pinned)
    columns["sort_date"] = columns["published_on"] or UNDATED
    return Shown(
        columns=columns,
        authors=authors,
        printed=printed,
        versions=versions,
        identifiers=identifiers,
        listings=appearances(categories, versions, announced_on),
        references=references.rows,
        notices=told,
    )


def _first(records: Sequence[PaperRecord], name: str) -> str:
    for record in records:
        value: str = getattr(record, name)
        if value:
            return value
    return ""


def _categories(records: Sequence[PaperRecord]) -> tuple[str, ...]:
    """Primary first, each once. The primary one may come from a record that does not list it."""
    primary = _first(records, "primary_category")
    listed: Iterable[str] = next((record.categories for record in records if record.categories), ())
    return tuple(dict.fromkeys((primary, *listed) if primary else listed))


def _versions(records: Sequence[PaperRecord]) -> tuple[VersionRecord, ...]:
    """Every version any record knows, by number, each value from the first record that has it."""
    with_versions = [record for record in records if record.versions]
    if not with_versions:
        return ()
    if len(with_versions) == 1:
        return tuple(sorted((_in_utc(version) for version in with_versions[0].versions), key=lambda v: v.number))
    merged: dict[int, VersionRecord] = {}
    for record in with_versions:
        for version in record.versions:
            known = merged.get(version.number)
            merged[version.number] = _in_utc(version) if known is None else _merge(known, _in_utc(version))
    return tuple(merged[number] for number in sorted(merged))


def _in_utc(version: VersionRecord) -> VersionRecord:
    moment = version.submitted_at
    if moment is None or moment.tzinfo is dt.UTC:
        return version
    moment = moment.replace(tzinfo=dt.UTC) if moment.tzinfo is None else moment.astimezone(dt.UTC)
    return VersionRecord(version.number, moment, version.size, version.source_type, version.withdrawn)


def _merge(one: VersionRecord, other: VersionRecord) -> VersionRecord:
    return VersionRecord(
        number=one.number,
        submitted_at=one.submitted_at or other.submitted_at,
        size=other.size if one.size is None else one.size,
        source_type=one.source_type or other.source_type,
        withdrawn=one.withdrawn or other.withdrawn,
    )


def _published(records: Sequence[PaperRecord], versions: Sequence[VersionRecord]) -> PartialDate | None:
    """The day of the first version; else the most precise date any record gives, the earliest of those."""
    if versions and versions[0].number == 1 and versions[0].submitted_at is not None:
        return PartialDate.of(versions[0].submitted_at.date())
    dates = [record.published for record in records if record.published is not None]
    return min(dates, key=lambda date: (_PRECISIONS[date.precision], date.first_day), default=None)


def _published_on_arxiv(records: Sequence[PaperRecord], versions: Sequence[VersionRecord]) -> PartialDate | None:
    """The date by the records that know the paper's categories: those of publishers mean another date."""
    return _published([record for record in records if record.categories], versions)


def _is_of_preprint(record: PaperRecord) -> bool:
    return record.kind in ("", _PREPRINT)


def _is_withdrawn(records: Sequence[PaperRecord]) -> bool:
    """By the records that know something of it, by a latest version or by saying so: of each source the newest ones."""
    newest: dict[str, tuple[str, bool]] = {}
    for record in records:
        latest = max(record.versions, key=lambda version: version.number, default=None)
        if latest is None and record.withdrawn is None:
            continue
        withdrawn = bool(record.withdrawn) or (latest is not None and latest.withdrawn)
        stamp, known = newest.get(record.source, ("", False))
        if record.stamp > stamp:
            newest[record.source] = (record.stamp, withdrawn)
        elif record.stamp == stamp:
            newest[record.source] = (stamp, known or withdrawn)
    return any(withdrawn for _, withdrawn in newest.values())


def _authors(records: Sequence[PaperRecord]) -> tuple[tuple[ShownAuthor, ...], tuple[PrintedAuthor, ...]]:
    """The list of the first record that has one, and every record's entries aligned to it.

    An entry that has no counterpart in the shown list is left out: there is no place it could stand for.
    """
    best = next((index for index, record in enumerate(records) if record.authors), None)
    if best is None:
        return (), ()
    shown = records[best].authors
    if not any(record.authors for record in records[best + 1 :]):
        return (
            tuple(_shown(author, (author,)) for author in shown),
            tuple(PrintedAuthor(best, index + 1, index, author) for index, author in enumerate(shown)),
        )
    places = places_of(records[best])
    printed: list[PrintedAuthor] = []
    aligned: list[list[AuthorRecord]] = [[] for _ in shown]
    for number, record in enumerate(records):
        if number == best:
            counterparts: Sequence[int | None] = range(len(shown))
        elif record.authors:
            counterparts = align(places, places_of(record), same_work=True)
        else:
            continue
        for position, (counterpart, author) in enumerate(zip(counterparts, record.authors, strict=True), start=1):
            if counterpart is not None:
                printed.append(PrintedAuthor(number, position, counterpart, author))
                aligned[counterpart].append(author)
    return (
        tuple(_shown(author, entries) for author, entries in zip(shown, aligned, strict=True)),
        tuple(printed),
    )


def _shown(author: AuthorRecord, entries: Sequence[AuthorRecord]) -> ShownAuthor:
    """An author of the shown list with what all records say of that author, ``entries``."""
    return ShownAuthor(
        name=author.name,
        is_collaboration=author.is_collaboration,
        corresponding=any(entry.corresponding for entry in entries),
        affiliations=tuple(dict.fromkeys([text for entry in entries for text in entry.affiliations if text])),
    )


def places_of(record: PaperRecord) -> list[Place]:
    """The author list as alignment sees it."""
    return [
        Place(
            author.name,
            frozenset((author.orcid,)) if author.orcid else _NOTHING,
            frozenset(((record.source, author.source_author_id),)) if author.source_author_id else _NOTHING,
        )
        for author in record.authors
    ]


_PREPRINT = Paper.Kind.PREPRINT.value
_NOTHING: frozenset[Any] = frozenset()
