"""After a bulk load, and only then, the tables are analysed."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.models import Paper
from papers.pipeline import analyse_after_bulk
from researchers import pipeline
from researchers.services.attribution.batch import Report
from wovepaper.harvest import hooks
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.hooks import FinishedRun
from wovepaper.pipeline.planner_statistics import BULK, refresh_statistics

pytestmark = pytest.mark.django_db


def analysed(queries: CaptureQueriesContext) -> list[str]:
    return [query["sql"] for query in queries.captured_queries if query["sql"].startswith("ANALYZE")]


def finished(**counts: int) -> FinishedRun:
    return FinishedRun(run_id=1, source="arxiv", outcome="complete", counts=Counts(**counts))


@pytest.mark.parametrize(
    ("counts", "times"),
    [
        ({"new": BULK}, 0),
        ({"unchanged": 10 * BULK, "quarantined": 10 * BULK}, 0),
        ({"new": BULK, "changed": 1}, 1),
        ({"changed": BULK + 1}, 1),
    ],
)
def test_a_harvest_of_many_records_is_followed_by_it(counts: dict[str, int], times: int) -> None:
    with CaptureQueriesContext(connection) as queries:
        analyse_after_bulk(finished(**counts))
    statements = analysed(queries)
    assert len(statements) == times
    for statement in statements:
        assert {'"papers_paper"', '"papers_authorship"', '"papers_sourcerecord"'} <= set(
            statement.removeprefix("ANALYZE ").split(", ")
        )
        assert "researchers_" not in statement


def test_it_comes_before_the_stages() -> None:
    names = [callback.__name__ for callback in hooks._callbacks]
    assert names.index("analyse_after_bulk") < names.index("pass_on_after_harvest")


@pytest.mark.parametrize(("written", "times"), [(0, 0), (BULK, 0), (BULK + 1, 1)])
def test_a_batch_of_many_attributions_is_followed_by_it(
    written: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "attribute_papers", lambda **_: Report(written=written))
    with CaptureQueriesContext(connection) as queries:
        pipeline.attribute([1])
    statements = analysed(queries)
    assert len(statements) == times
    for statement in statements:
        assert '"researchers_attribution"' in statement
        assert '"researchers_researcher"' in statement
        assert "papers_" not in statement


def test_the_database_knows_the_rows_afterwards() -> None:
    def estimate() -> float:
        with connection.cursor() as cursor:
            cursor.execute("SELECT reltuples FROM pg_class WHERE oid = 'papers_paper'::regclass")
            return cursor.fetchone()[0]

    refresh_statistics(app="papers", changed=BULK + 1)
    before = estimate()
    Paper.objects.bulk_create([Paper(title=f"Weaving {number}") for number in range(40)])
    refresh_statistics(app="papers", changed=BULK)
    assert estimate() == before
    assert "papers_paper" in refresh_statistics(app="papers", changed=BULK + 1)
    assert estimate() == before + 40
