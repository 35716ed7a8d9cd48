"""All papers of a person as references, read in batches that are small whatever the papers are."""

from __future__ import annotations

from collections.abc import Iterator

from papers.citations import CitationData
from papers.citations.reading import read_citations
from researchers.services.profile.works import papers_of

PAPERS_OF_A_SHORT_FILE = 200
AUTHORS_OF_A_SHORT_FILE = 10_000
"""A file with more of either takes long to write: authors, as those of a large collaboration, cost like papers do."""


def is_long(root: int) -> bool:
    """Whether the references of a root's papers take long to write. One query, short whatever the papers are."""
    counts = list(papers_of(root).values_list("author_count", flat=True)[: PAPERS_OF_A_SHORT_FILE + 1])
    return len(counts) > PAPERS_OF_A_SHORT_FILE or sum(counts) > AUTHORS_OF_A_SHORT_FILE


def citations_of(root: int, *, site_url: str) -> Iterator[list[CitationData]]:
    """The references of a root's papers, newest first."""
    return read_citations(list(papers_of(root).newest().values_list("pk", "author_count")), site_url=site_url)
