"""Attribution of whole catalogues: what was never decided, and all of it from the beginning."""

from __future__ import annotations

from collections.abc import Callable

from django.db import connection, transaction

from researchers.services.attribution.alone import lock_stage
from researchers.services.attribution.batch import attribute_grown, attribute_papers
from researchers.services.attribution.growth import forget_growth
from researchers.services.attribution.memory import forget_population
from researchers.services.attribution.report import Report
from wovepaper.pipeline.services import enqueue

PAPERS_AT_ONCE = 150_000
"""Papers that are decided together from the beginning; of more, those that come later join what is there by then."""
ENQUEUED_AT_ONCE = 10_000


def enqueue_unattributed() -> int:
    """Let papers wait whose authors were never decided; returns how many there were. Those that wait already, wait."""
    total, last = 0, 0
    while True:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT paper.id FROM papers_paper AS paper WHERE paper.id > %s AND paper.redirect_to_id IS NULL"
                " AND paper.author_count > 0"
                " AND NOT EXISTS (SELECT FROM researchers_attributedpaper AS done WHERE done.paper_id = paper.id)"
                " AND NOT EXISTS (SELECT FROM pipeline_workitem AS item WHERE item.object_id = paper.id"
                " AND item.kind = 'paper' AND item.stage IN ('affiliate', 'attribute'))"
                " ORDER BY paper.id LIMIT %s",
                [last, ENQUEUED_AT_ONCE],
            )
            ids = [row[0] for row in cursor.fetchall()]
            if not ids:
                return total
            enqueue(kind="paper", ids=ids, stage="attribute", reason="attribute")
        total, last = total + len(ids), ids[-1]


def attribute_everything(*, advance: Callable[[int], None] | None = None) -> Report:
    """Decide anew all that a model decided, in the order of papers' numbers; what people decided stands.

    Researchers whose papers stay together mostly keep their numbers. Up to ``PAPERS_AT_ONCE`` papers are decided from
    nothing and together, in one transaction; of a larger catalogue each further part joins what the parts before it
    left. Readers see the former attributions until a part is done. ``advance`` is called with numbers of authors.
    """
    report = Report()
    last = 0
    while True:
        with transaction.atomic():
            lock_stage()
            ids = _next_papers(last)
            if not ids:
                break
            if not last:
                forget_population()
                forget_growth()
            report.add(attribute_papers(papers=ids, again=ids, may_join=True, until=last, advance=advance))
            last = ids[-1]
    return report


def attribute_all_grown(*, advance: Callable[[int], None] | None = None) -> Report:
    """Tell the bearers of all names that have grown apart anew, some names to a transaction; see ``growth``."""
    report = Report()
    while (part := attribute_grown(advance=advance)) is not None:
        report.add(part)
    return report


def count_authors() -> int:
    """Authors that ``attribute_everything`` will look at, about."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(sum(author_count), 0) FROM papers_paper WHERE redirect_to_id IS NULL")
        return int(cursor.fetchone()[0])


def _next_papers(last: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM papers_paper WHERE id > %s AND redirect_to_id IS NULL ORDER BY id LIMIT %s",
            [last, PAPERS_AT_ONCE],
        )
        return [row[0] for row in cursor.fetchall()]
