"""Asks the search engine for researchers, and brings back the researchers themselves."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_
from typing import Any

from haystack.inputs import Clean
from haystack.query import SQ, SearchQuerySet

from papers.searching import SearchDown
from researchers.models import Researcher
from researchers.search_names import NameQuery, name_terms, read_name_query
from wovepaper.lib import orcid
from wovepaper.search.services import total_hits

logger = logging.getLogger(__name__)

PAGE_SIZE = 24
LAST_PAGE = 40
"""Nobody reads further, and the engine would have to rank all the pages before."""
FACETS = {"category": "categories", "country": "countries"}
"""What hits are counted by, and what the index calls it."""
FILTERS = ("category", "country", "first_year", "last_year", "affiliation")
SORTS = {
    "relevance": ("-score", "-paper_count"),
    "papers": ("-paper_count", "sort_name"),
    "citations": ("-citation_count", "-paper_count"),
    "h-index": ("-h_index", "-paper_count"),
    "name": ("sort_name", "-paper_count"),
}
"""Orders by what the index calls the fields. Whose figure is unknown comes last."""
_EARLIEST, _LATEST = 1800, 2100


@dataclass(frozen=True, slots=True)
class ResearcherHit:
    """Somebody who was found, and the name they were found by where it is not the one shown."""

    researcher: Researcher
    matched_name: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """One page of hits, how many there are in all, and how they divide: by ``FACETS``, the most frequent first."""

    hits: list[ResearcherHit]
    total: int
    facets: Mapping[str, list[tuple[str, int]]] = field(default_factory=dict)


def search_researchers(
    query: str,
    *,
    filters: Mapping[str, str] | None = None,
    sort: str,
    page: int = 1,
    start: int | None = None,
    limit: int = PAGE_SIZE,
) -> Found:
    """The hits on ``page`` (from 1), or ``limit`` hits from number ``start`` (from 0) on.

    ``query`` is a name: whole words in any order, initials, accents and hyphens as you like; or an ORCID iD. Without
    any word it is everybody. ``filters`` takes the keys of ``FILTERS``: those who published between the years, both
    included. Raises ``SearchDown``, and ``ValueError`` for another filter, sort, or a year that is none.
    """
    given = {name: value for name, value in (filters or {}).items() if value}
    if unknown := given.keys() - set(FILTERS):
        raise ValueError(f"Unknown filters {sorted(unknown)}; filters are {', '.join(FILTERS)}.")
    if sort not in SORTS:
        raise ValueError(f"Unknown sort {sort!r}; sorts are {', '.join(SORTS)}.")
    years = _years(given)
    try:
        return _search(query, given, years, sort, (page - 1) * PAGE_SIZE if start is None else start, limit)
    except Exception as error:
        # Engines raise what they like; whatever it is, the page is there without it.
        logger.exception("The search does not answer")
        raise SearchDown from error


def count_researchers(query: str) -> int:
    """How many researchers ``search_researchers`` finds by these words, unfiltered. Raises what the engine does."""
    _, results = _matching(query)
    return 0 if results is None else total_hits(results)


def _matching(query: str) -> tuple[NameQuery, SearchQuerySet | None]:
    """The words that were read, and who is called so; ``None`` where nobody can be."""
    results = SearchQuerySet().models(Researcher)
    asked = read_name_query(query)
    if identifier := orcid.normalise(query):
        return NameQuery(()), results.filter(SQ(orcids__exact=identifier))
    if asked.words:
        return asked, results.filter(_condition(asked))
    return asked, None if query.strip() else results


def _search(query: str, filters: Mapping[str, str], years: range | None, sort: str, start: int, limit: int) -> Found:
    asked, results = _matching(query)
    if results is None:
        return Found([], 0)
    if "category" in filters:
        results = results.filter(SQ(categories_exact__exact=filters["category"]))
    if "country" in filters:
        results = results.filter(SQ(countries__exact=filters["country"]))
    if years is not None:
        results = results.filter(SQ(years__in=list(map(str, years))))
    if "affiliation" in filters:
        results = results.filter(SQ(affiliations=Clean(filters["affiliation"])))
    for name in FACETS.values():
        results = results.facet(name)
    # A single word is met by all alike.
    order = SORTS["papers" if sort == "relevance" and len(asked.words) < 2 else sort]
    results = results.order_by(*order)
    rows = results[start : start + limit]
    counted = (results.facet_counts() or {}).get("fields", {})
    return Found(_hits(rows, asked), total_hits(results), {name: counted.get(key, []) for name, key in FACETS.items()})


def _condition(asked: NameQuery) -> SQ:
    """Every word in one of its spellings. Each that is met counts the same, and being called just so counts more."""
    readings = [
        reduce(and_, (SQ(name_terms__in=list(spellings)) for spellings in reading)) for reading in asked.readings()
    ]
    return reduce(or_, [*readings, SQ(name_terms__in=[asked.whole])])


def _years(filters: Mapping[str, str]) -> range | None:
    if "first_year" not in filters and "last_year" not in filters:
        return None
    try:
        first, last = int(filters.get("first_year", _EARLIEST)), int(filters.get("last_year", _LATEST))
    except ValueError:
        raise ValueError("Years are written in figures, like 2019.") from None
    return range(max(first, _EARLIEST), min(last, _LATEST) + 1)


def _hits(rows: list[Any], asked: NameQuery) -> list[ResearcherHit]:
    numbers = [int(row.pk) for row in rows]
    people = {person.pk: person for person in Researcher.objects.visible().filter(pk__in=numbers)}
    # Who was merged or erased since they were indexed has no page to lead to.
    return [
        ResearcherHit(people[number], _matched(row, asked, people[number]))
        for number, row in zip(numbers, rows, strict=True)
        if number in people
    ]


def _matched(row: Any, asked: NameQuery, person: Researcher) -> str:
    if not asked.words or asked.is_met_by(name_terms([person.display_name])):
        return ""
    return next((name for name in row.names or () if asked.is_met_by(name_terms([name]))), "")
