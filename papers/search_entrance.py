"""Papers on the search page: identifiers that lead straight to one, and the tab of papers."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse
from haystack.query import SearchQuerySet

from papers.addresses import find_pasted
from papers.models import Paper
from papers.search_query import parse_query
from wovepaper.lib import arxiv_id, doi
from wovepaper.search.entrances import Landing, Tab, register_jump, register_tab
from wovepaper.search.services import total_hits

TAB = "papers"


def register_search() -> None:
    """Called once the app is ready."""
    register_jump("papers", find_paper_landing)
    register_tab(Tab(name=TAB, label="Papers", address=search_address, count=count_papers, rank=1))


def find_paper_landing(text: str) -> Landing | None:
    """The paper with a pasted arXiv id or DOI, or the sentence that there is none."""
    paper = find_pasted(text)
    if paper is not None:
        return Landing(url=paper.get_absolute_url())
    if arxiv_id.normalise(text) or doi.normalise(text):
        return Landing(
            remark="This looks like an identifier, but no paper here has it: these are papers that mention it."
        )
    return None


def search_address(text: str) -> str:
    """The search for papers with this text."""
    return f"{reverse('papers:search')}?{urlencode({'q': text})}"


def count_papers(text: str) -> int:
    """How many papers the search finds. Raises what the engine raises."""
    condition = parse_query(text).as_condition()
    results = SearchQuerySet().models(Paper)
    return total_hits(results if condition is None else results.filter(condition))
