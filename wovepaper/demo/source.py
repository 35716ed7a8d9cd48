"""The source ``demo``: documents of arXiv and Crossref, read by their own readers, invented here and marked as such."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from papers.sources.arxiv import ArxivSource
from papers.sources.arxiv import files as arxiv_files
from papers.sources.crossref import CrossrefSource
from papers.sources.crossref import documents as crossref_documents
from papers.sources.records import PaperRecord
from wovepaper.demo.aggregator import NOBODY
from wovepaper.demo.dates import Calendar, is_invented
from wovepaper.demo.documents import ENDPOINT, FORMATS, oai_page
from wovepaper.demo.papers import DemoPaper, generate
from wovepaper.demo.publications import DemoWork, articles, publication_of
from wovepaper.demo.recipe import Recipe
from wovepaper.demo.works import author_ids, work_line
from wovepaper.harvest import archives
from wovepaper.harvest.contracts import Page, PageRefused, PageRequest, RawRecord, RecordRefused, Window

NAME = "demo"
PAPERS_A_PAGE = 350
"""All records of so many papers are one page, and so one transaction; they are two to three for each paper."""
DOI_PREFIX = "10.5555/demo."
"""10.5555 is the prefix that Crossref keeps for examples."""


class DemoSource:
    """Reads recipes (and files that ``manage.py demo --write-to`` wrote); it is on no network."""

    name = NAME
    streams: tuple[str, ...] = ()
    """None: there is nothing to harvest from a network."""
    host_interval = 3.0
    earliest: dt.date = Calendar.OLD_START

    def __init__(self) -> None:
        self._reader = ArxivSource(ENDPOINT)
        self._works = CrossrefSource()

    def first_request(self, window: Window) -> PageRequest:
        """Raises ``PageRefused``: there is nobody to ask."""
        raise PageRefused("The demo catalogue is on no network: run `manage.py demo`.", retry=False)

    def next_request(self, window: Window, token: str) -> PageRequest:
        """Raises ``PageRefused``: there is nobody to ask."""
        return self.first_request(window)

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """A page as arXiv's server sends it."""
        return self._reader.read_page(body, stream=stream)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages that a recipe stands for, written and read one by one, or those of a file of documents.

        Raises ``PageRefused`` for a bad recipe.
        """
        try:
            recipe = Recipe.read(path)
        except (KeyError, ValueError, OSError) as error:
            raise PageRefused(f"The recipe cannot be followed: {error}", retry=False) from error
        if recipe is None:
            yield from archives.read_file(path, _read_document)
            return
        for batch, works in batches(recipe, PAPERS_A_PAGE):
            pages = [self.read_page(oai_page(batch, form=form, until=recipe.until), stream=form) for form in FORMATS]
            pages += crossref_documents.read_lines(map(work_line, works))
            yield Page(
                tuple(record for page in pages for record in page.records),
                tuple(damaged for page in pages for damaged in page.damaged),
            )

    def parse(self, record: RawRecord) -> PaperRecord:
        """What the parsers read, marked as invented. Raises ``RecordRefused``, also for a real paper's record."""
        is_work = record.format == crossref_documents.FORMAT
        parsed = (self._works if is_work else self._reader).parse(record)
        for scheme, value in parsed.identifiers:
            if not (is_invented(value) if scheme == "arxiv" else value.startswith(DOI_PREFIX)):
                of_source = "crossref" if is_work else "arxiv"
                raise RecordRefused(f"{value} may be a real paper: harvest it from the source {of_source}.")
        if is_work:
            parsed = _with_author_ids(parsed, record.payload)
        return replace(parsed, source=NAME, is_demo=True)


def _with_author_ids(parsed: PaperRecord, payload: bytes) -> PaperRecord:
    """With the aggregator's ids beside the authors; the one that is nobody's counts as none."""
    ids = author_ids(payload)
    if len(ids) != len(parsed.authors):
        return parsed
    known = ("" if one == NOBODY else one for one in ids)
    authors = (replace(author, source_author_id=one) for author, one in zip(parsed.authors, known, strict=True))
    return replace(parsed, authors=tuple(authors))


def batches(recipe: Recipe, size: int) -> Iterator[tuple[tuple[DemoPaper, ...], list[DemoWork]]]:
    """The papers in batches, each with what publishers made of them and the articles that fall into it."""
    seed, until = recipe.seed, recipe.until
    papers = generate(recipe.papers, seed=seed, until=until)
    done = 0
    while batch := tuple(itertools.islice(papers, size)):
        works = [work for paper in batch if (work := publication_of(paper, seed=seed, until=until))]
        works += articles(done + len(batch), seed=seed, until=until, start=done)
        yield batch, works
        done += len(batch)


def _read_document(open_stream: archives.OpenStream) -> Iterator[Page]:
    with open_stream() as stream:
        is_work = b'"DOI":' in stream.read(4096)
    return (crossref_documents if is_work else arxiv_files).read_document(open_stream)
