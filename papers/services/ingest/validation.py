"""Whether a record fits the columns it is meant for, and the pages it is shown on.

What does not fit is refused by itself, before any statement. Texts have room for many times the longest that any
source is known to hold; what is longer is damage, and would make every page that lists the paper heavy.
"""

from __future__ import annotations

import re
from collections.abc import Sized
from itertools import chain

from papers.models import (
    Category,
    Notice,
    Paper,
    PaperIdentifier,
    PaperVersion,
    Reference,
    SourceAuthorship,
    SourceRecord,
)
from papers.services.ingest.columns import width
from papers.services.ingest.references import SCHEME_COLUMNS
from papers.sources.records import PaperRecord, PartialDate
from wovepaper.harvest.contracts import RecordRefused

FIRST_YEAR = 1000
LAST_YEAR = 2999
"""Dates outside these years are damage, not information."""

_TEXTS = (
    "source", "format", "external_id", "stamp", "content_hash", "title", "abstract", "kind", "primary_category",
    "venue", "volume", "issue", "pages", "publisher", "licence", "comments", "journal_reference", "report_number",
)  # fmt: skip


_TEXT_LIMITS = {
    "title": 10_000, "abstract": 200_000, "venue": 5_000, "publisher": 5_000, "licence": 2_000, "comments": 50_000,
    "journal_reference": 20_000, "report_number": 20_000,
}  # fmt: skip
_NO_CATEGORY = re.compile(r"\.{1,2}|.*/.*", re.DOTALL)
"""What no address can hold as one of its parts."""
_MOST_CATEGORIES = 100
_MOST_AUTHORS = 20_000
_NAME_LENGTH = 5_000
_AFFILIATION_LENGTH = 20_000
_MOST_AFFILIATIONS = 1_000
"""Of one author."""
_MOST_VERSIONS = 2_000
_MOST_REFERENCES = 20_000
_REFERENCE_LENGTH = 25_000
_MOST_NOTICES = 1_000
_EVENT_LENGTH = 2_000
_CATEGORY_LENGTH = width(Category, "code")
_LIMITS = {
    **{name: width(SourceRecord, name) for name in ("source", "format", "external_id", "stamp")},
    "content_hash": width(SourceRecord, "hash"),
    "primary_category": _CATEGORY_LENGTH,
    **{name: width(Paper, name) for name in ("volume", "issue", "pages")},
    **_TEXT_LIMITS,
}
_AUTHOR_LIMITS = {name: width(SourceAuthorship, name) for name in ("suffix", "orcid", "source_author_id")}
_SOURCE_TYPE_LENGTH = width(PaperVersion, "source_type")
_LARGEST_VERSION = 2**15 - 1
_LARGEST_SIZE = 2**63 - 1
_MOST_CITATIONS = 2**31 - 1
_REFERENCE_LIMITS = {scheme: width(Reference, column) for scheme, column in SCHEME_COLUMNS.items()}
_NOTICE_LIMITS = {name: width(Notice, name) for name in ("work", "notice", "asserted_by")}
_SCHEMES = frozenset(PaperIdentifier.Scheme.values)
_ARXIV_ID_LENGTH = width(Paper, "arxiv_id")
_IDENTIFIER_LENGTH = width(PaperIdentifier, "value")


def check(record: PaperRecord) -> None:
    """Raises ``RecordRefused`` with the reason for the first thing that no column or page can hold."""
    for name in ("source", "format", "external_id", "content_hash", "title"):
        if not getattr(record, name) and not (name == "title" and record.names_only):
            raise RecordRefused(f"The record has no {name.replace('_', ' ')}.")
    for name, limit in _LIMITS.items():
        if len(getattr(record, name)) > limit:
            _check_length(getattr(record, name), limit, name.replace("_", " "))
    if record.kind and record.kind not in Paper.Kind.values:
        raise RecordRefused(f"The kind {record.kind!r} is unknown; known are {', '.join(Paper.Kind.values)}.")
    _check_count(record.categories, _MOST_CATEGORIES, "categories")
    for code in record.categories:
        if not code:
            raise RecordRefused("The record has an empty category.")
        _check_length(code, _CATEGORY_LENGTH, "category")
        # A code that the taxonomy does not know becomes a category of its own, with a page of its own.
        if _NO_CATEGORY.fullmatch(code):
            raise RecordRefused(f"The category {code!r} can have no page: a code has no slash and more than dots.")
    for scheme, value in record.identifiers:
        if scheme not in _SCHEMES:
            raise RecordRefused(f"The identifier scheme {scheme!r} is unknown; known are {', '.join(_SCHEMES)}.")
        if not value:
            raise RecordRefused(f"The record has an empty {scheme} identifier.")
        _check_length(value, _ARXIV_ID_LENGTH if scheme == "arxiv" else _IDENTIFIER_LENGTH, f"{scheme} identifier")
    _check_authors(record)
    _check_versions(record)
    if record.published is not None:
        _check_date(record.published)
    if record.references:
        _check_references(record)
    if record.dates or record.event is not None or record.notices:
        _check_occasions(record)
    if record.reference_count is not None and not 0 <= record.reference_count <= _MOST_CITATIONS:
        raise RecordRefused(f"A paper cannot have {record.reference_count} references.")
    if record.citations is not None and not 0 <= record.citations.count <= _MOST_CITATIONS:
        raise RecordRefused(f"A paper cannot be cited {record.citations.count} times.")
    _check_text(record)


def _check_length(value: str, limit: int, what: str) -> None:
    if len(value) > limit:
        raise RecordRefused(f"The {what} has {len(value)} characters, at most {limit} can be kept: {value[:60]!r}…")


def _check_references(record: PaperRecord) -> None:
    _check_count(record.references, _MOST_REFERENCES, "references")
    for position, one in enumerate(record.references, start=1):
        for scheme, value in one.identifiers:
            if scheme not in _SCHEMES:
                raise RecordRefused(f"The identifier scheme {scheme!r} of reference {position} is unknown.")
            limit = _REFERENCE_LIMITS.get(scheme, _IDENTIFIER_LENGTH)
            _check_length(value, limit, f"{scheme} identifier of reference {position}")
        if len(one.text) + len(one.title) + len(one.authors) + len(one.container) > _REFERENCE_LENGTH:
            _check_length(one.shown_text, _REFERENCE_LENGTH, f"text of reference {position}")


def _check_occasions(record: PaperRecord) -> None:
    """Dates of all kinds, the conference, and notices."""
    for _, date in record.dates:
        _check_date(date)
    if record.event is not None:
        for end in (record.event.start, record.event.end):
            if end is not None:
                _check_date(end)
        for name in ("name", "acronym", "place"):
            _check_length(getattr(record.event, name), _EVENT_LENGTH, f"{name} of the event")
    _check_count(record.notices, _MOST_NOTICES, "notices")
    for notice in record.notices:
        if notice.kind not in Notice.Kind.values:
            raise RecordRefused(f"The kind of notice {notice.kind!r} is unknown.")
        for name, limit in _NOTICE_LIMITS.items():
            _check_length(getattr(notice, name), limit, f"{name.replace('_', ' ')} of a notice")
        if notice.date is not None:
            _check_date(notice.date)


def _check_count(values: Sized, limit: int, what: str) -> None:
    if len(values) > limit:
        raise RecordRefused(f"The record has {len(values)} {what}, at most {limit} can be kept.")


def _check_authors(record: PaperRecord) -> None:
    _check_count(record.authors, _MOST_AUTHORS, "authors")
    for position, author in enumerate(record.authors, start=1):
        if not author.name:
            raise RecordRefused(f"Author {position} has no name.")
        # The given and the family name are parts of a name that is counted whole.
        if len(author.name) + len(author.given) + len(author.family) > _NAME_LENGTH:
            _check_length(f"{author.name}{author.given}{author.family}", _NAME_LENGTH, f"name of author {position}")
        if author.affiliations:
            _check_count(author.affiliations, _MOST_AFFILIATIONS, f"affiliations of author {position}")
            for affiliation in author.affiliations:
                _check_length(affiliation, _AFFILIATION_LENGTH, f"affiliation of author {position}")
        if author.suffix or author.orcid or author.source_author_id:
            for name, limit in _AUTHOR_LIMITS.items():
                _check_length(getattr(author, name), limit, f"{name.replace('_', ' ')} of author {position}")


def _check_versions(record: PaperRecord) -> None:
    _check_count(record.versions, _MOST_VERSIONS, "versions")
    numbers = set()
    for version in record.versions:
        if not 1 <= version.number <= _LARGEST_VERSION:
            raise RecordRefused(f"{version.number} is no number of a version.")
        if version.number in numbers:
            raise RecordRefused(f"Version {version.number} is given twice.")
        numbers.add(version.number)
        if version.size is not None and not 0 <= version.size <= _LARGEST_SIZE:
            raise RecordRefused(f"Version {version.number} cannot have a size of {version.size} bytes.")
        if version.submitted_at is not None and not FIRST_YEAR < version.submitted_at.year < LAST_YEAR:
            raise RecordRefused(f"Version {version.number} cannot be of the year {version.submitted_at.year}.")
        _check_length(version.source_type, _SOURCE_TYPE_LENGTH, f"source type of version {version.number}")


def _check_date(date: PartialDate) -> None:
    if not FIRST_YEAR < date.year < LAST_YEAR:
        raise RecordRefused(f"The record cannot be published in the year {date.year}.")
    try:
        _ = date.first_day
    except ValueError:
        raise RecordRefused(f"The day {date.year}-{date.month}-{date.day} does not exist.") from None


def _check_text(record: PaperRecord) -> None:
    """PostgreSQL keeps neither NUL nor an unpaired surrogate."""
    everything = "\n".join(
        chain(
            [getattr(record, name) for name in _TEXTS],
            record.categories,
            chain.from_iterable(record.identifiers),
            [version.source_type for version in record.versions],
            chain.from_iterable(
                (a.name, a.given, a.family, a.suffix, a.orcid, a.source_author_id, *a.affiliations)
                for a in record.authors
            ),
            chain.from_iterable(
                (r.title, r.authors, r.container, r.volume, r.first_page, r.text, *chain.from_iterable(r.identifiers))
                for r in record.references
            ),
            (record.event.name, record.event.acronym, record.event.place) if record.event else (),
            chain.from_iterable((n.work, n.notice, n.asserted_by) for n in record.notices),
        )
    )
    if "\x00" in everything:
        raise RecordRefused("The record holds a NUL character, which no text can.")
    if not everything.isascii():
        try:
            everything.encode()
        except UnicodeEncodeError as error:
            piece = everything[max(0, error.start - 20) : error.start]
            raise RecordRefused(f"The record holds half a character (an unpaired surrogate) after {piece!r}.") from None
