"""From a paper as Semantic Scholar sent it to what it says.

Answers of the Graph API hold the fields that were asked for and no others, and ``null`` means that a field is unknown;
lines of the data sets have the same fields in lower case. What is not there is not said: see ``joining``.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from papers.sources.crossref import wording
from papers.sources.crossref.wording import plain
from papers.sources.records import AuthorRecord, CitationCount, PaperRecord, PartialDate, ReferenceRecord
from papers.sources.semantic_scholar.entities import CORPUS, DATASET, NAME, PAPER, hash_of, number_of
from wovepaper.harvest.contracts import RawRecord, RecordRefused
from wovepaper.lib import arxiv_id, doi, names, text

RANKS = {PAPER: 40, DATASET: 41, CORPUS: 42}
"""Precedence: behind arXiv, Crossref and OpenAlex, for the index takes most of what it knows from them; its answers
before its data sets, which are older."""

MOST_CITATIONS = 10_000_000
"""A larger count is damage."""
COUNTED_ON = "_counted_on"
"""The key under which a stored record keeps the day of its count."""

_LONGEST_COLUMN = 64
_LONGEST_SUFFIX = 64
_FIRST_YEAR, _LAST_YEAR = 1001, 2998
_LETTER = re.compile(r"[^\W\d_]")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_ARXIV_VENUE = re.compile(r"(?:arxiv(?:\.org)?|corr)(?: preprint.*)?", re.IGNORECASE)
_DBLP_KEY = re.compile(r"[a-z]+/[^\s/]+(?:/[^\s/]+)+")

_KINDS = (
    ("book", "book"), ("booksection", "book-chapter"), ("conference", "proceedings-article"), ("dataset", "dataset"),
    ("journalarticle", "article"), ("review", "article"), ("lettersandcomments", "article"), ("editorial", "article"),
    ("metaanalysis", "article"), ("study", "article"), ("casereport", "article"), ("clinicaltrial", "article"),
    ("news", "other"),
)  # fmt: skip
"""A paper has several types as a rule; proceedings are called books and journal articles as well."""

_ENVELOPE = frozenset(
    "citationCount citationcount influentialCitationCount influentialcitationcount inCitations citations embedding "
    "tldr citationStyles url s2Url matchScore isOpenAccess isopenaccess fieldsOfStudy s2FieldsOfStudy s2fieldsofstudy "
    "entities textAvailability updated".split()
)
"""What changes without the paper saying anything else: counts, and what is guessed of all papers anew."""

_CORPUS_KEYS = {
    "id": "paperId", "paperAbstract": "abstract", "outCitations": "references", "title": "title", "year": "year",
    "venue": "venue", "authors": "authors",
}  # fmt: skip
_DATASET_KEYS = {
    "corpusid": "corpusId", "externalids": "externalIds", "publicationdate": "publicationDate",
    "publicationtypes": "publicationTypes", "citationcount": "citationCount", "referencecount": "referenceCount",
}  # fmt: skip


def parse(record: RawRecord) -> PaperRecord:
    """What the record says; its title may be empty, for an answer need not hold one. Raises ``RecordRefused``."""
    said = load(record.payload)
    fields = _fields(said, record.format)
    identifiers = tuple(dict.fromkeys(_own_identifiers(fields)))
    if not identifiers:
        raise RecordRefused("The record has no id of Semantic Scholar.")
    external = tuple(dict.fromkeys(_external_identifiers(fields.get("externalIds"))))
    kind = _kind(fields, external)
    venue, volume, pages = _place(fields, kind)
    return PaperRecord(
        source=NAME,
        format=record.format,
        external_id=record.external_id,
        stamp=record.stamp,
        payload=record.payload,
        content_hash=digest(said),
        identifiers=(*identifiers, *external),
        title=plain(fields.get("title")),
        rank=RANKS[record.format],
        abstract=wording.abstract(fields.get("abstract")),
        kind=kind,
        published=_published(fields),
        authors=_authors(fields.get("authors")),
        venue=venue,
        volume=volume,
        pages=pages,
        references=tuple(_references(fields.get("references"))),
        reference_count=_count(fields.get("referenceCount")),
        citations=_citations(fields, record.stamp),
    )


def load(payload: bytes) -> dict[str, Any]:
    """The JSON object of a record. Raises ``RecordRefused``."""
    try:
        said = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise RecordRefused(f"The record is not JSON: {error}.") from error
    if not isinstance(said, dict):
        raise RecordRefused("The record is not a JSON object.")
    return said


def digest(said: Mapping[str, Any]) -> str:
    """SHA-256 of what the record says, without its envelope."""
    content = {
        key: value
        for key, value in said.items()
        if key not in _ENVELOPE and not key.startswith("_") and value not in (None, "", [], {})
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode("utf-8", "replace")).hexdigest()


def _fields(said: dict[str, Any], format_: str) -> dict[str, Any]:
    """The record with the names that the Graph API gives its fields."""
    if format_ == CORPUS:
        fields = {name: said.get(key) for key, name in _CORPUS_KEYS.items()}
        fields["externalIds"] = {"DOI": said.get("doi"), "PubMed": said.get("pmid"), "ArXiv": said.get("arxivId")}
        fields["journal"] = {
            "name": said.get("journalName"), "volume": said.get("journalVolume"), "pages": said.get("journalPages"),
        }  # fmt: skip
        return fields
    if format_ == DATASET:
        return {_DATASET_KEYS.get(key, key): value for key, value in said.items()}
    return said


def _own_identifiers(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The hash and the corpus id, whichever are there: answers know the first, data sets the second."""
    if name := hash_of(fields.get("paperId")):
        yield "s2", name
    external = fields.get("externalIds")
    corpus = fields.get("corpusId") or (external.get("CorpusId") if isinstance(external, dict) else None)
    if name := number_of(corpus):
        yield "s2", f"CorpusId:{name}"


def _external_identifiers(said: Any) -> Iterator[tuple[str, str]]:
    """A key can hold one name or a list of them."""
    if not isinstance(said, dict):
        return
    given = {str(key).casefold(): value for key, value in said.items()}
    for key in ("arxiv", "doi", "pubmed", "dblp"):
        value = given.get(key)
        for one in value if isinstance(value, list) else (value,):
            found = _identifier(key, text.clean(str(one))) if isinstance(one, str | int) else None
            if found:
                yield found


def _identifier(key: str, value: str) -> tuple[str, str] | None:
    if key == "arxiv":
        found = arxiv_id.normalise(value)
        return ("arxiv", found.value) if found else None
    if key == "doi":
        name = doi.normalise(value)
        match = _ARXIV_DOI.fullmatch(name) if name else None
        found = arxiv_id.normalise(match[1]) if match else None
        if found:
            return "arxiv", found.value
        return ("doi", name) if name else None
    if key == "pubmed":
        return ("pmid", str(int(value))) if value.isascii() and value.isdigit() and 0 < int(value) < 10**10 else None
    return ("dblp", value) if _DBLP_KEY.fullmatch(value) else None


def _kind(fields: Mapping[str, Any], external: tuple[tuple[str, str], ...]) -> str:
    """Nothing for what is on arXiv and, so far as is known, nowhere else; and for an answer that says nothing of it."""
    types = fields.get("publicationTypes")
    known = {str(one).casefold() for one in types} if isinstance(types, list) else set()
    on_arxiv = any(scheme == "arxiv" for scheme, _ in external)
    if on_arxiv and not _venue_names(fields):
        return ""
    if known & {"conference"}:
        return "proceedings-article"
    if known >= {"book", "journalarticle"}:
        return "article"
    for type_, kind in _KINDS:
        if type_ in known:
            return kind
    journal = fields.get("journal")
    return "article" if isinstance(journal, dict) and journal.get("name") and _venue_names(fields) else ""


def _venue_names(fields: Mapping[str, Any]) -> tuple[str, str] | tuple[()]:
    """The journal and the venue it is counted to, either may be empty; nothing where there are none but arXiv."""
    journal, venue, listed = fields.get("journal"), fields.get("venue"), fields.get("publicationVenue")
    printed = plain(journal.get("name")) if isinstance(journal, dict) else ""
    counted = plain(venue) or (plain(listed.get("name")) if isinstance(listed, dict) else "")
    found = tuple("" if _ARXIV_VENUE.fullmatch(name) else name for name in (printed, counted))
    return (found[0], found[1]) if any(found) else ()


def _place(fields: Mapping[str, Any], kind: str) -> tuple[str, str, str]:
    """Where it appeared, volume and pages. Of articles the journal as printed comes first, of talks the conference."""
    found = _venue_names(fields)
    if not found:
        return "", "", ""
    printed, counted = found
    venue = (counted or printed) if kind == "proceedings-article" else (printed or counted)
    journal = fields.get("journal")
    if not printed or not isinstance(journal, dict):
        return venue, "", ""
    return venue, _short(journal.get("volume")), _short(journal.get("pages"))


def _short(said: Any) -> str:
    words = plain(str(said) if isinstance(said, int) and not isinstance(said, bool) else said)
    return words if len(words) <= _LONGEST_COLUMN else f"{words[: _LONGEST_COLUMN - 1]}…"


def _published(fields: Mapping[str, Any]) -> PartialDate | None:
    """The first day of a year or a month may stand for all of it, so no more is taken from it."""
    value = fields.get("publicationDate")
    try:
        day = dt.date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        day = None
    if day is not None and _FIRST_YEAR <= day.year <= _LAST_YEAR:
        if day.day > 1:
            return PartialDate.of(day)
        return PartialDate(day.year, day.month) if day.month > 1 else PartialDate(day.year)
    year = _year(fields.get("year"))
    return PartialDate(year) if year else None


def _year(said: Any) -> int | None:
    known = isinstance(said, int) and not isinstance(said, bool) and _FIRST_YEAR <= said <= _LAST_YEAR
    return said if known else None


def _authors(said: Any) -> tuple[AuthorRecord, ...]:
    entries = [entry for entry in said if isinstance(entry, dict)] if isinstance(said, list) else []
    return tuple(author for entry in entries if (author := _author(entry)) is not None)


def _author(entry: dict[str, Any]) -> AuthorRecord | None:
    """One author; none without a name. Several ids for one name say nothing of who it is.

    Affiliations are those of the author's profile, whenever they were, and not of this paper: they are left out.
    """
    printed = names.join_initials(plain(entry.get("name")))
    if _LETTER.search(printed) is None:
        return None
    if names.is_collaboration(printed):
        return AuthorRecord(printed, is_collaboration=True)
    listed = entry.get("ids")
    given = listed[0] if isinstance(listed, list) and len(listed) == 1 else entry.get("authorId")
    parts = names.split_name(printed)
    suffix = parts.suffix if len(parts.suffix) <= _LONGEST_SUFFIX else ""
    shown = " ".join(part for part in (parts.given, parts.family, suffix) if part) if "," in printed else printed
    return AuthorRecord(
        shown,
        parts.given,
        parts.family,
        suffix,
        source_author_id=number_of(given),
    )


def _references(said: Any) -> Iterator[ReferenceRecord]:
    """Entries as far as they say anything: some have neither an id nor a title."""
    for entry in said if isinstance(said, list) else ():
        if isinstance(entry, str):
            if name := hash_of(entry):
                yield ReferenceRecord(identifiers=(("s2", name),))
            continue
        if isinstance(entry, dict) and isinstance(entry.get("citedPaper"), dict):
            entry = entry["citedPaper"]
        if not isinstance(entry, dict):
            continue
        own, external = _own_identifiers(entry), _external_identifiers(entry.get("externalIds"))
        reference = ReferenceRecord(
            identifiers=tuple(dict.fromkeys((*own, *external))),
            title=plain(entry.get("title")),
            authors=_as_text(_authors(entry.get("authors"))),
            year=_year(entry.get("year")),
            container=next(iter(_place(entry, "article"))),
        )
        if reference.identifiers or reference.title:
            yield reference


def _as_text(authors: tuple[AuthorRecord, ...]) -> str:
    if len(authors) > 3:
        return f"{authors[0].name} et al."
    return ", ".join(author.name for author in authors)


def _count(said: Any) -> int | None:
    known = isinstance(said, int) and not isinstance(said, bool) and 0 <= said <= MOST_CITATIONS
    return said if known else None


def _citations(fields: Mapping[str, Any], stamp: str) -> CitationCount | None:
    """Of the day it was asked for, where that is known."""
    count = _count(fields.get("citationCount"))
    if count is None:
        return None
    for day in (fields.get(COUNTED_ON), stamp):
        try:
            return CitationCount(count, dt.date.fromisoformat(str(day or "")[:10]))
        except ValueError:
            continue
    return CitationCount(count)
