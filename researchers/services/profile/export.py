"""All papers of a person as references, read in batches that are small whatever the papers are."""

from __future__ import annotations

from collections.abc import Iterator

from papers.citations import CitationData, citation_prefetches, from_paper
from papers.models import Paper
from researchers.services.profile.works import papers_of

PAPERS_AT_A_TIME = 50
AUTHORS_AT_A_TIME = 4_000
"""A batch ends before it has more of either; a single paper with more authors is a batch of its own."""
PAPERS_OF_A_SHORT_FILE = 200
AUTHORS_OF_A_SHORT_FILE = 10_000
"""A file with more of either takes long to write: authors, as those of a large collaboration, cost like papers do."""


def is_long(root: int) -> bool:
    """Whether the references of a root's papers take long to write. One query, short whatever the papers are."""
    counts = list(papers_of(root).values_list("author_count", flat=True)[: PAPERS_OF_A_SHORT_FILE + 1])
    return len(counts) > PAPERS_OF_A_SHORT_FILE or sum(counts) > AUTHORS_OF_A_SHORT_FILE


def citations_of(root: int, *, site_url: str) -> Iterator[list[CitationData]]:
    """The references of a root's papers, newest first."""
    rows = papers_of(root).newest().values_list("pk", "author_count")
    for numbers in _batches(list(rows)):
        papers = Paper.objects.visible().prefetch_related(*citation_prefetches()).in_bulk(numbers)
        batch = []
        for number in numbers:
            if (paper := papers.get(number)) is None:  # merged meanwhile
                continue
            batch.append(from_paper(paper, site_url=site_url))
        yield batch


def _batches(rows: list[tuple[int, int]]) -> Iterator[list[int]]:
    batch: list[int] = []
    authors = 0
    for number, count in rows:
        if batch and (len(batch) == PAPERS_AT_A_TIME or authors + count > AUTHORS_AT_A_TIME):
            yield batch
            batch, authors = [], 0
        batch.append(number)
        authors += count
    if batch:
        yield batch
