"""Asks the search engine for papers, and brings back the papers themselves."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from haystack.query import SearchQuerySet

from papers.listed import ListedPaper, read_listed
from papers.models import Paper
from papers.search_query import ParsedQuery
from wovepaper.lib.markup import render_title
from wovepaper.search.services import total_hits

logger = logging.getLogger(__name__)

PAGE_SIZE = 24
LAST_PAGE = 40
"""Nobody reads further, and the engine would have to rank all the pages before."""
FACETS = ("year", "categories", "countries", "institutions", "kind", "status")
WITHOUT_WORDS = frozenset({"researchers", "institutions", "countries"})
"""Filters by fields that have no analysed form; researchers and institutions are given by the number of the root."""
SORTS = {"relevance": "", "newest": "-sort_date", "oldest": "sort_date", "cited": "-citation_order"}


class SearchDown(Exception):
    """The search engine does not answer."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper that was found, with the piece of text that says why."""

    paper: ListedPaper
    snippet: str = ""
    """HTML, made by the engine: escaped text and ``<mark>``."""
    matched_in: str = ""
    title: str = ""
    """HTML of the title with what was matched in it; empty where nothing was, or where the title has mathematics."""


@dataclass(frozen=True, slots=True)
class Found:
    """One page of hits, how many there are in all, and how they divide."""

    hits: list[Hit]
    total: int
    facets: Mapping[str, list[tuple[str, int]]] = field(default_factory=dict)
    suggestion: str = ""


def search_papers(query: ParsedQuery, *, filters: Mapping[str, str], sort: str, page: int) -> Found:
    """The hits on ``page`` (from 1). Raises ``SearchDown``."""
    try:
        return _search(query, filters, sort, page)
    except Exception as error:
        # Engines raise what they like; whatever it is, the page is there without it.
        logger.exception("The search does not answer")
        raise SearchDown from error


def _search(query: ParsedQuery, filters: Mapping[str, str], sort: str, page: int) -> Found:
    results = SearchQuerySet().models(Paper)
    condition = query.as_condition()
    if condition is not None:
        results = results.filter(condition)
    for name, value in filters.items():
        # The unanalysed twin of the field: "article" shall not find proceedings articles.
        field_name = name if name in WITHOUT_WORDS else f"{name}_exact"
        results = results.narrow(f'{field_name}:"{value}"')
    for name in FACETS:
        results = results.facet(name)
    order = SORTS[sort] or ("-sort_date" if condition is None else "")
    if order:
        results = results.order_by(order)
    results = results.highlight(fields=("title", "abstract", "authors"), tag="mark", max_length=240)
    results = results.set_spelling_query(query.words)
    start = (page - 1) * PAGE_SIZE
    rows = results[start : start + PAGE_SIZE]
    total = total_hits(results)
    fields = (results.facet_counts() or {}).get("fields", {})
    suggestion = (results.query.get_spelling_suggestion() or "") if query.words else ""
    return Found(_hits(rows), total, fields, suggestion)


def _hits(rows: list[Any]) -> list[Hit]:
    numbers = [int(row.pk) for row in rows]
    papers = {paper.id: paper for paper in read_listed(Paper.objects.visible().filter(pk__in=numbers))}
    # What was merged or removed since it was indexed has no page to lead to.
    return [
        Hit(papers[number], *_why(row), _marked_title(row, papers[number].title))
        for number, row in zip(numbers, rows, strict=True)
        if number in papers
    ]


def _marked_title(row: Any, title: str) -> str:
    """The title as the engine marked it, if that is but for the marks what a page shows of it."""
    pieces = (getattr(row, "highlighted", None) or {}).get("title") or ("",)
    piece = str(pieces[0])
    bare = piece.replace("<mark>", "").replace("</mark>", "")
    return piece if piece and bare == render_title(title) else ""


def _why(row: Any) -> tuple[str, str]:
    highlighted = getattr(row, "highlighted", None) or {}
    for name, where in (("abstract", "abstract"), ("authors", "authors")):
        for piece in highlighted.get(name) or ():
            if "<mark>" in piece:
                return piece, where
    return "", ""
