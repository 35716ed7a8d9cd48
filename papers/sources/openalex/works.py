"""From a work as OpenAlex sent it to what it says (https://docs.openalex.org/api-entities/works/work-object)."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from papers.sources.crossref.wording import plain
from papers.sources.openalex import people
from papers.sources.openalex.abstracts import abstract_of
from papers.sources.openalex.entities import FORMAT, normalise, stamp_of
from papers.sources.records import CitationCount, PaperRecord, PartialDate, ReferenceRecord
from papers.sources.standing import read_mark
from wovepaper.harvest.contracts import RawRecord, RecordRefused
from wovepaper.lib import arxiv_id, doi, text

NAME = "openalex"
"""The name of the source."""

RANK = 30
"""Precedence of an article: behind arXiv and Crossref, from which OpenAlex has most of what it knows."""
PREPRINT_RANK = 32
"""Precedence of a preprint: behind the article that it became."""

MOST_CITATIONS = 10_000_000
"""A larger count is damage."""
_MOST_REFERENCES = 20_000
_LONGEST_COLUMN = 64
_FIRST_YEAR, _LAST_YEAR = 1001, 2998

_KINDS = {
    "article": "article", "journal-article": "article", "review": "article", "letter": "article",
    "data-paper": "article", "software-paper": "article", "conference-paper": "proceedings-article",
    "proceedings-article": "proceedings-article", "preprint": "preprint", "posted-content": "preprint", "book": "book",
    "monograph": "book", "edited-book": "book", "reference-book": "book", "book-chapter": "book-chapter",
    "book-section": "book-chapter", "book-part": "book-chapter", "reference-entry": "book-chapter",
    "dissertation": "thesis", "report": "report", "dataset": "dataset",
}  # fmt: skip
_NO_PAPERS = frozenset(
    "paratext grant journal journal-volume journal-issue proceedings proceedings-series book-set book-series "
    "report-series standard-series component database".split()
)
_ENVELOPE = frozenset(
    "updated_date updated created_date cited_by_count counts_by_year cited_by_api_url fwci relevance_score "
    "citation_normalized_percentile cited_by_percentile_year related_works ngrams_url concepts concepts_count topics "
    "primary_topic keywords mesh sustainable_development_goals summary_stats @version @timestamp".split()
)
"""What changes without the work saying anything else: counts, and what OpenAlex guesses of all works anew."""
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_ARXIV_ADDRESS = re.compile(r"https?://(?:[a-z]+\.)?arxiv\.org/(?:abs|pdf)/(.+?)(?:\.pdf)?/?", re.IGNORECASE)
_PMID = re.compile(
    r"(?:https?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/)?([0-9]{1,10})/?"
)
_CREATIVE_COMMONS = re.compile(r"cc-(by(?:-nc)?(?:-nd|-sa)?)")


def parse(record: RawRecord) -> PaperRecord:
    """What the record says. Raises ``RecordRefused``."""
    try:
        said = json.loads(record.payload)
    except (ValueError, RecursionError) as error:
        raise RecordRefused(f"The record is not JSON: {error}.") from error
    if not isinstance(said, dict):
        raise RecordRefused("The record is not a JSON object.")
    name = normalise(said.get("id"), "W")
    if not name:
        raise RecordRefused('The record has no "id" of a work, so it is no work of OpenAlex.')
    place = said.get("primary_location") or said.get("host_venue")
    place = place if isinstance(place, dict) else {}
    kind = _kind(said, place)
    title = plain(said.get("title")) or plain(said.get("display_name"))
    if not title:
        raise RecordRefused("The work has no title.")
    is_retracted = said.get("is_retracted") is True
    standing = read_mark(title, is_known=is_retracted)
    venue, publisher = _venue(place)
    biblio = said.get("biblio")
    biblio = biblio if isinstance(biblio, dict) else {}
    return PaperRecord(
        source=NAME,
        format=FORMAT,
        external_id=name,
        stamp=stamp_of(said),
        payload=record.payload,
        content_hash=_digest(said),
        identifiers=tuple(dict.fromkeys(_identifiers(name, said))),
        title=standing.title,
        rank=PREPRINT_RANK if kind == "preprint" else RANK,
        abstract=abstract_of(said.get("abstract_inverted_index")),
        kind=kind,
        published=_published(said),
        authors=people.read_authors(said.get("authorships")),
        venue=venue,
        volume=_short(biblio.get("volume")),
        issue=_short(biblio.get("issue")),
        pages=_pages(biblio),
        publisher=publisher,
        licence=_licence(place.get("license")),
        withdrawn=True if standing.withdrawn else None,
        retracted=is_retracted or standing.retracted,
        references=_references(said.get("referenced_works")),
        reference_count=_reference_count(said.get("referenced_works_count")),
        citations=_citations(said),
    )


def _kind(said: dict[str, Any], place: dict[str, Any]) -> str:
    type_ = said.get("type")
    if not isinstance(type_, str):
        return "other"
    if said.get("is_paratext") is True or type_ in _NO_PAPERS:
        what = "paratext" if said.get("is_paratext") is True else type_.replace("-", " ")
        raise RecordRefused(f"The record describes {_article(what)}{what}, which is not a paper.")
    kind = _KINDS.get(type_, "other")
    source = place.get("source")
    conference = isinstance(source, dict) and source.get("type") == "conference"
    if kind == "article" and (
        conference or "proceedings-article" in (said.get("type_crossref"), place.get("raw_type"))
    ):
        return "proceedings-article"
    return kind


def _article(noun: str) -> str:
    return "" if noun in ("paratext", "proceedings") else "a "


def _identifiers(name: str, said: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Its own id first. An arXiv id only if all locations name the same one: several would not say which."""
    yield "openalex", name
    ids = said.get("ids")
    ids = ids if isinstance(ids, dict) else {}
    own = _as_identifier(said.get("doi") or ids.get("doi"))
    if own:
        yield own
    arxiv_ids = {found for one in _locations(said) for found in _arxiv_ids(one)}
    if len(arxiv_ids) == 1 and (own is None or own[0] != "arxiv"):
        yield "arxiv", arxiv_ids.pop()
    pmid = _PMID.fullmatch(str(ids.get("pmid")).strip())
    if pmid and int(pmid[1]):
        yield "pmid", str(int(pmid[1]))


def _locations(said: dict[str, Any]) -> Iterator[dict[str, Any]]:
    listed = said.get("locations")
    for one in (
        said.get("primary_location"),
        said.get("best_oa_location"),
        *(listed if isinstance(listed, list) else ()),
    ):
        if isinstance(one, dict):
            yield one


def _arxiv_ids(location: dict[str, Any]) -> Iterator[str]:
    for key in ("landing_page_url", "pdf_url", "doi"):
        value = location.get(key)
        if not isinstance(value, str):
            continue
        address = _ARXIV_ADDRESS.fullmatch(value.strip())
        found = arxiv_id.normalise(address[1]) if address else None
        if found:
            yield found.value
        elif (identifier := _as_identifier(value)) and identifier[0] == "arxiv":
            yield identifier[1]


def _as_identifier(said: Any) -> tuple[str, str] | None:
    name = doi.normalise(text.clean(said)) if isinstance(said, str) else None
    if name is None:
        return None
    match = _ARXIV_DOI.fullmatch(name)
    found = arxiv_id.normalise(match[1]) if match else None
    return ("arxiv", found.value) if found else ("doi", name)


def _published(said: dict[str, Any]) -> PartialDate | None:
    """OpenAlex writes the first day of a year or a month where it knows no more: then no more is taken from it."""
    value = said.get("publication_date")
    try:
        day = dt.date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        day = None
    if day is not None and _FIRST_YEAR <= day.year <= _LAST_YEAR:
        if day.day > 1:
            return PartialDate.of(day)
        return PartialDate(day.year, day.month) if day.month > 1 else PartialDate(day.year)
    year = said.get("publication_year")
    known = isinstance(year, int) and not isinstance(year, bool) and _FIRST_YEAR <= year <= _LAST_YEAR
    return PartialDate(year) if known else None  # type: ignore[arg-type]


def _venue(place: dict[str, Any]) -> tuple[str, str]:
    """Where it appeared, and with whom. A repository keeps works and publishes none."""
    given = place.get("source")
    source = given if isinstance(given, dict) else {}
    if source.get("type") == "repository":
        return "", ""
    venue = plain(source.get("display_name")) or plain(place.get("display_name")) or plain(place.get("raw_source_name"))
    publisher = plain(source.get("host_organization_name")) or plain(source.get("publisher"))
    return venue, publisher or plain(place.get("publisher"))


def _short(said: Any) -> str:
    words = plain(str(said) if isinstance(said, int) and not isinstance(said, bool) else said)
    return words if len(words) <= _LONGEST_COLUMN else f"{words[: _LONGEST_COLUMN - 1]}…"


def _pages(biblio: dict[str, Any]) -> str:
    first, last = _short(biblio.get("first_page")), _short(biblio.get("last_page"))
    return _short(f"{first}-{last}" if first and last and first != last else first or last)


def _licence(said: Any) -> str:
    """The name of an open licence: OpenAlex knows neither its version nor its address."""
    name = text.clean(said).lower() if isinstance(said, str) else ""
    if match := _CREATIVE_COMMONS.fullmatch(name):
        return f"CC {match[1].upper()}"
    return {"cc0": "CC0", "public-domain": "Public domain", "mit": "MIT"}.get(name, "")


def _citations(said: dict[str, Any]) -> CitationCount | None:
    count = said.get("cited_by_count")
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MOST_CITATIONS:
        return None
    try:
        return CitationCount(count, dt.date.fromisoformat(stamp_of(said)[:10]))
    except ValueError:
        return CitationCount(count)


def _references(said: Any) -> tuple[ReferenceRecord, ...]:
    """The works that OpenAlex found in the list of references, each once: their ids, and no more."""
    if not isinstance(said, list):
        return ()
    found = dict.fromkeys(name for one in said[:_MOST_REFERENCES] if (name := normalise(one, "W")))
    return tuple(ReferenceRecord((("openalex", name),)) for name in found)


def _reference_count(said: Any) -> int | None:
    """How many of the references OpenAlex knows; not how many there are."""
    return said if isinstance(said, int) and not isinstance(said, bool) and 0 <= said <= 1_000_000 else None


def _digest(said: dict[str, Any]) -> str:
    content = {key: value for key, value in said.items() if key not in _ENVELOPE}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode("utf-8", "replace")).hexdigest()
