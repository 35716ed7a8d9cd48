"""The stage at which papers get their researchers: wired here, in one place."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from django.db import connection

from researchers.services.arrays import bigints
from researchers.services.attribution import LARGE, attribute_papers
from wovepaper.lib.progress_bar import progress_step
from wovepaper.pipeline import registry
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.planner_statistics import refresh_statistics
from wovepaper.pipeline.registry import Stage

logger = logging.getLogger(__name__)

NAME = "attribute"
KIND = "paper"
BATCH = 150_000
"""Papers at once. A whole catalogue in one go costs a third of what it costs in twenty, and its names are told apart
by all that there is instead of by what came first; memory is bounded by authorships, in the service."""
ASKED_AGAIN = ("decision", "undo", "split", "merge")
"""Reasons for which the model looks at a paper again although no source has changed it."""
LOGGED_EVERY = 30.0
"""Seconds between two lines of the log about one large batch."""


def attribute(ids: Sequence[int]) -> None:
    """Decide whose the authors of these papers are; after many, the database is told how the tables look now."""
    again = WorkItem.objects.filter(stage=NAME, kind=KIND, object_id__in=ids, reason__in=ASKED_AGAIN)
    numbers = set(again.values_list("object_id", flat=True))
    if len(ids) < LARGE:
        report = attribute_papers(papers=ids, again=numbers)
    else:
        with _told(ids) as advance:
            report = attribute_papers(papers=ids, again=numbers, advance=advance)
    refresh_statistics(app="researchers", changed=report.written)


@contextmanager
def _told(ids: Sequence[int]) -> Iterator[Callable[[int], None]]:
    """Let those who watch a large batch see how far it is, and the log tell it of a worker's."""
    authors = _authors_of(ids)
    began = logged = time.monotonic()
    done = 0
    logger.info("Attributing the %s authors of %s papers.", authors, len(ids))
    with progress_step("authors", total=authors) as advance:

        def count(number: int) -> None:
            nonlocal done, logged
            done += number
            advance(number)
            if time.monotonic() - logged >= LOGGED_EVERY:
                logged = time.monotonic()
                logger.info("Attributing: %s of %s authors decided.", done, authors)

        yield count
    logger.info("Attributed the authors of %s papers in %.0f s.", len(ids), time.monotonic() - began)


def _authors_of(ids: Sequence[int]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(author_count), 0) FROM papers_paper WHERE id = ANY(%s::bigint[])", [bigints(ids)]
        )
        return int(cursor.fetchone()[0])


def register_stages() -> None:
    """Called once all apps are loaded."""
    registry.register(Stage(NAME, KIND, attribute, batch_size=BATCH))
