"""Many papers as references, read in batches that are small whatever the papers are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papers.citations.data import CitationData, citation_prefetches, from_paper
from papers.models import Paper

PAPERS_AT_A_TIME = 50
AUTHORS_AT_A_TIME = 4_000
"""A batch ends before it has more of either; a single paper with more authors is a batch of its own."""


def read_citations(rows: Sequence[tuple[int, int]], *, site_url: str) -> Iterator[list[CitationData]]:
    """The references of papers given by number and count of authors, in this order.

    Those without a page are left out: they were merged meanwhile.
    """
    for numbers in batches(rows):
        papers = Paper.objects.visible().prefetch_related(*citation_prefetches()).in_bulk(numbers)
        yield [from_paper(papers[number], site_url=site_url) for number in numbers if number in papers]


def batches(rows: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """The numbers in batches that are small by papers and by authors."""
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
