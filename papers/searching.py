"""Asks the search engine for papers, and brings back the papers themselves."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from haystack.query import SearchQuerySet

from papers.listed import ListedPaper, read_listed
from papers.meaning import nearest_papers, nearness_to
from papers.models import Paper
from papers.search_query import ParsedQuery
from wovepaper.lib.markup import render_title
from wovepaper.search.meaning.encoders import EncoderUnavailable, current_encoder
from wovepaper.search.services import total_hits

logger = logging.getLogger(__name__)

PAGE_SIZE = 24
LAST_PAGE = 40
"""Nobody reads further, and the engine would have to rank all the pages before."""
FACETS = ("year", "categories", "countries", "institutions", "kind", "status")
WITHOUT_WORDS = frozenset({"researchers", "institutions", "countries"})
"""Filters by fields that have no analysed form; researchers and institutions are given by the number of the root."""
MODES = ("lexical", "hybrid", "meaning")
"""How relevance is told: by words, by words and meaning, or by meaning alone."""
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
    """One page of hits, how many there are in all, and how they divide.

    ``total`` have all the words that were asked for; ``reachable``, which can be more, can be paged through.
    """

    hits: list[Hit]
    total: int
    reachable: int
    facets: Mapping[str, list[tuple[str, int]]] = field(default_factory=dict)
    suggestion: str = ""


def default_mode() -> str:
    """How relevance is told unless someone asks for another way: by meaning too once it was learnt from the catalogue.

    Never raises: an encoder that is not there has learnt nothing.
    """
    try:
        return "hybrid" if current_encoder().is_trained else "lexical"
    except EncoderUnavailable as error:
        logger.warning("Searches go by words alone: %s", error)
        return "lexical"


def search_papers(
    query: ParsedQuery,
    *,
    filters: Mapping[str, str],
    sort: str = "relevance",
    mode: str = "lexical",
    start: int = 0,
    limit: int = PAGE_SIZE,
) -> Found:
    """``limit`` hits from number ``start`` (from 0) on. ``mode`` matters for the order by relevance only.

    Raises ``SearchDown``, and ``EncoderUnavailable`` where ``mode`` asks for meaning alone and nothing can tell it.
    """
    try:
        return _search(query, filters, sort, mode, start, start + limit)
    except EncoderUnavailable:
        if mode == "meaning":
            raise
        logger.exception("The encoder does not answer; this search goes by words alone")
        return search_papers(query, filters=filters, sort=sort, start=start, limit=limit)
    except Exception as error:
        # Engines raise what they like; whatever it is, the page is there without it.
        logger.exception("The search does not answer")
        raise SearchDown from error


def search_numbers(
    query: ParsedQuery, *, filters: Mapping[str, str], sort: str = "relevance", mode: str = "lexical", most: int
) -> list[int]:
    """The numbers of the first ``most`` papers in the order of ``search_papers``; the engine gives 10,000 at most.

    Papers that have all the words only: what merely comes near is for readers to judge. Raises ``SearchDown``, and
    ``EncoderUnavailable`` where ``mode`` asks for meaning alone and nothing can tell it.
    """
    try:
        results, near = _asked(query, filters, sort, mode)
        if near:
            rows = sorted(results[0 : len(near)], key=lambda row: -near[str(row.pk)])[:most]
        else:
            rows = results[0:most][: total_hits(results)]
        return [int(row.pk) for row in rows]
    except EncoderUnavailable:
        if mode == "meaning":
            raise
        logger.exception("The encoder does not answer; this search goes by words alone")
        return search_numbers(query, filters=filters, sort=sort, most=most)
    except Exception as error:
        logger.exception("The search does not answer")
        raise SearchDown from error


def _asked(
    query: ParsedQuery, filters: Mapping[str, str], sort: str, mode: str
) -> tuple[SearchQuerySet, dict[str, float]]:
    """What is sought, filtered and in order; and how near each is in meaning, where that alone tells the order."""
    results = SearchQuerySet().models(Paper)
    words = query.ranked_words if sort == "relevance" else ""
    near: dict[str, float] = {}
    if mode == "meaning" and words:
        near = {str(paper_id): value for paper_id, value in nearest_papers(words, current_encoder())}
        query = query.without_words()
        results = results.filter(pk__in=list(near) or ["0"])
    condition = query.as_condition()
    if condition is not None:
        results = results.filter(condition)
    if mode == "hybrid" and words and hasattr(results.query, "nearness"):
        results.query.nearness = nearness_to(words, current_encoder())
    for name, value in filters.items():
        # The unanalysed twin of the field: "article" shall not find proceedings articles.
        field_name = name if name in WITHOUT_WORDS else f"{name}_exact"
        results = results.narrow(f'{field_name}:"{value}"')
    order = SORTS[sort] or ("-sort_date" if condition is None and not near else "")
    return (results.order_by(order) if order else results), near


def _search(query: ParsedQuery, filters: Mapping[str, str], sort: str, mode: str, start: int, end: int) -> Found:
    results, near = _asked(query, filters, sort, mode)
    for name in FACETS:
        results = results.facet(name)
    results = results.highlight(fields=("title", "abstract", "authors"), tag="mark", max_length=240)
    results = results.set_spelling_query(query.words)
    rows = results[0 : len(near)] if near else results[start:end]
    if near:
        rows = sorted(rows, key=lambda row: -near[str(row.pk)])[start:end]
    total = total_hits(results)
    fields = (results.facet_counts() or {}).get("fields", {})
    suggestion = (results.query.get_spelling_suggestion() or "") if query.words else ""
    return Found(_hits(rows), total, max(total, results.count()), fields, suggestion)


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
