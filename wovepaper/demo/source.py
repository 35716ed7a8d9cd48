"""The source ``demo``: arXiv's documents, read by arXiv's own reader, invented here and marked as such."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from papers.sources.arxiv import ArxivSource
from papers.sources.records import PaperRecord
from wovepaper.demo.dates import Calendar, is_invented
from wovepaper.demo.documents import ENDPOINT, FORMATS, oai_page
from wovepaper.demo.papers import generate
from wovepaper.demo.recipe import Recipe
from wovepaper.harvest.contracts import Page, PageRefused, PageRequest, RawRecord, RecordRefused, Window

NAME = "demo"
PAPERS_A_PAGE = 400
"""Both records of so many papers are one page, and so one transaction."""


class DemoSource:
    """Reads recipes (and files that ``manage.py demo --write-to`` wrote); it is on no network."""

    name = NAME
    streams: tuple[str, ...] = ()
    """None: there is nothing to harvest from a network."""
    host_interval = 3.0
    earliest: dt.date = Calendar.OLD_START

    def __init__(self) -> None:
        self._reader = ArxivSource(ENDPOINT)

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
            yield from self._reader.read_file(path)
            return
        papers = generate(recipe.papers, seed=recipe.seed, until=recipe.until)
        while batch := tuple(itertools.islice(papers, PAPERS_A_PAGE)):
            pages = [self.read_page(oai_page(batch, form=form, until=recipe.until), stream=form) for form in FORMATS]
            yield Page(
                tuple(record for page in pages for record in page.records),
                tuple(damaged for page in pages for damaged in page.damaged),
            )

    def parse(self, record: RawRecord) -> PaperRecord:
        """What arXiv's parser reads, marked as invented. Raises ``RecordRefused``, also for a real paper's record."""
        parsed = self._reader.parse(record)
        if not is_invented(parsed.external_id):
            raise RecordRefused(f"{parsed.external_id} may be a real paper: harvest it from the source arxiv.")
        return replace(parsed, source=NAME, is_demo=True)
