"""Papers by what a person types into the search box of the admin."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from haystack.query import SearchQuerySet

from papers.addresses import find_pasted
from papers.models import Paper
from papers.search_query import parse_query
from wovepaper.lib import arxiv_id, doi
from wovepaper.lib.text import title_fingerprint

logger = logging.getLogger(__name__)

MOST_HITS = 200
"""The best of them; whoever is looking for one paper types another word."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Numbers of papers, and what the person should be told of how they were found."""

    ids: list[int]
    remark: str = ""


def find_papers(text: str) -> Finding:
    """An arXiv id, a DOI, an address of either, the number of a paper, or words. Never raises."""
    text = text.strip()
    if arxiv_id.normalise(text) or doi.normalise(text):
        paper = find_pasted(text)
        return Finding([paper.pk]) if paper else Finding([], f"No paper has the identifier {text}.")
    numbered = [int(text)] if text.isdecimal() and text.isascii() and len(text) <= 18 else []
    try:
        return Finding([*numbered, *_by_words(text)])
    except Exception:  # engines raise what they like
        logger.exception("The search does not answer")
        exact = Paper.objects.visible().filter(title_key=title_fingerprint(text)).exclude(title_key="")
        return Finding(
            [*numbered, *exact.values_list("pk", flat=True)[:MOST_HITS]],
            "The search engine does not answer: only papers with exactly this title are listed.",
        )


def _by_words(text: str) -> list[int]:
    condition = parse_query(text).as_condition()
    if condition is None:
        return []
    rows = SearchQuerySet().models(Paper).filter(condition)[:MOST_HITS]
    return [int(row.pk) for row in rows]
