"""Which of some papers do the searches find that readers follow?"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import parse_qsl

from haystack.query import SQ, SearchQuerySet

from accounts.models import SavedSearch
from institutions.services.finding import find_numbers
from papers.models import Paper
from papers.search_query import ParsedQuery, parse_query
from papers.searching import WITHOUT_WORDS, SearchDown

FIELDS = {
    "year": "year", "category": "categories", "country": "countries", "institution": "institutions", "kind": "kind",
    "status": "status",
}  # fmt: skip
"""Filters of a search as addresses call them, and as the index does."""


def match_searches(papers: Collection[int]) -> list[tuple[int, int]]:
    """Pairs of a followed search and a paper among these that it finds.

    Searches that ask the same, however many readers follow them, are asked once; each is asked for all papers
    together. A paper must have all the words, where a list of hits also shows some that have most of them.
    Raises ``SearchDown``.
    """
    if not papers:
        return []
    followed = SavedSearch.objects.filter(
        follows__paused_at=None,
        follows__isnull=False,
        user__is_active=True,
        user__alerts_paused_at=None,
    ).values_list("pk", "key", "query")
    alike: dict[str, tuple[str, list[int]]] = {}
    for search, key, query in followed:
        alike.setdefault(key, (query, []))[1].append(search)
    numbers = sorted(papers)
    return [
        (search, paper)
        for query, searches in alike.values()
        for paper in find_among(query, numbers)
        for search in searches
    ]


def find_among(query: str, papers: Collection[int]) -> list[int]:
    """Those of these papers that a saved search finds, rising. Raises ``SearchDown``."""
    given = dict(parse_qsl(query))
    results = SearchQuerySet().models(Paper).filter(pk__in=[str(number) for number in papers])
    condition = _all_words(parse_query(given.pop("q", "")).with_institutions(find_numbers))
    if condition is not None:
        results = results.filter(condition)
    for name, value in given.items():
        if name not in FIELDS:
            continue
        field = FIELDS[name] if FIELDS[name] in WITHOUT_WORDS else f"{FIELDS[name]}_exact"
        plain = value.replace("\\", "").replace('"', "")
        results = results.narrow(f'{field}:"{plain}"')
    try:
        return sorted(int(row.pk) for row in results[0 : len(papers)])
    except Exception as error:
        # Engines raise what they like.
        raise SearchDown(f"The search engine did not answer for saved searches: {error}") from error


def _all_words(query: ParsedQuery) -> SQ | None:
    condition: SQ | None = None
    for group in query.groups:
        either: SQ | None = None
        for term in group:
            one = term.as_condition()
            either = one if either is None else either | one
        if either is not None:
            condition = either if condition is None else condition & either
    return condition
