"""From a day's papers to the notifications of everybody who follows something of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import Notification, PaperEvent
from accounts.services.notifications import notify_of_papers
from papers.models import Authorship, Category, Paper
from researchers.models import Researcher
from tests.benchmarks.conftest import Record
from tests.benchmarks.databases import own_database
from tests.benchmarks.measure import Result, seconds

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(1_200)]
GROUP = "Alerts"
READERS, PEOPLE, PAPERS, RUNS, BATCH = 10_000, 20_000, 1_500, 3, 1_000
LIMIT = 3.0


@pytest.fixture
def followed(django_db_blocker: DjangoDbBlocker) -> Iterator[list[int]]:
    """100,000 follows, of eight researchers and two categories each, and the numbers of a day's papers."""
    with django_db_blocker.unblock(), own_database("alerts_fan_out"):
        codes = list(Category.objects.filter(canonical=None).order_by("pk").values_list("pk", flat=True))[:150]
        Researcher.objects.bulk_create(
            [Researcher(id=one, root_id=one, display_name=f"Ada {one}") for one in range(1, PEOPLE + 1)]
        )
        today = timezone.now().date()
        papers = Paper.objects.bulk_create(
            [
                Paper(
                    title=f"Loom {number}", announced_on=today, arxiv_id=f"2611.{number:05}",
                    primary_category_id=codes[number % 150], categories=[codes[number % 150]],
                )
                for number in range(PAPERS)
            ]
        )  # fmt: skip
        Authorship.objects.bulk_create(
            [Authorship(paper=paper, position=position, name="Ada") for paper in papers for position in range(1, 5)]
        )
        with connection.cursor() as cursor:
            cursor.execute(_ATTRIBUTED, [PEOPLE])
            cursor.execute(_READERS, [READERS])
            cursor.execute(_FOLLOWS_OF_PEOPLE, [PEOPLE])
            cursor.execute(_FOLLOWS_OF_CATEGORIES, [codes])
            cursor.execute("SELECT count(*) FROM accounts_follow")
            assert cursor.fetchone() == (100_000,)
            cursor.execute("ANALYZE")
        yield [paper.pk for paper in papers]


def test_what_it_costs_to_tell_all(followed: list[int], record: Record) -> None:
    ratios, told = [], 0
    for _ in range(RUNS):
        ours = seconds(lambda: [notify_of_papers(papers=followed[at : at + BATCH]) for at in range(0, PAPERS, BATCH)])
        told = Notification.objects.count()
        ratios.append(ours / seconds(_bare()))
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE accounts_paperevent CASCADE")
    assert PaperEvent.objects.count() == 0
    ratios.sort()
    record(
        Result(
            GROUP,
            "telling the followers of a day’s papers over a bare INSERT … SELECT of the same rows",
            ratios[RUNS // 2],
            ratios[0],
            ratios[-1],
            LIMIT,
            note=f"100,000 follows, {PAPERS:,} papers with four authors, {told:,} notifications.",
        )
    )


def _bare() -> Callable[[], None]:
    """Insert the same rows again into the empty table, with its keys and indexes; nothing else."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE told AS SELECT * FROM accounts_notification")
        cursor.execute("TRUNCATE accounts_notification")

    def insert() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("INSERT INTO accounts_notification SELECT * FROM told")
            cursor.execute("DROP TABLE told")

    return insert


_ATTRIBUTED = """
    INSERT INTO researchers_attribution
           (authorship_id, paper_id, base_id, root_id, decided_by, evidence, model_version, decided_at)
    SELECT id, paper_id, place, place, 'model', '[]', '', now()
      FROM (SELECT id, paper_id, (row_number() OVER (ORDER BY id) * 3) %% %s + 1 AS place
              FROM papers_authorship) AS places
"""
_READERS = """
    INSERT INTO accounts_user
           (email, password, is_superuser, is_staff, is_active, date_joined, display_name, time_zone, onboarding,
            cadence, delivery_hour, mail_refusal)
    SELECT number || '@papers.test', '!', false, false, true, now(), '', 'UTC', 'done', 'daily', 7, ''
      FROM generate_series(1, %s) AS number
"""
_FOLLOW = """
    INSERT INTO accounts_follow
           (user_id, {column}, new, cross_list, revision, withdrawal, publication, citation, cadence, created_at)
    SELECT reader.id, {value}, true, false, false, false, false, false, '', now() - interval '9 days'
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM accounts_user) AS reader,
           generate_series(1, {each}) AS turn
"""
_FOLLOWS_OF_PEOPLE = _FOLLOW.format(column="researcher_id", value="(number * 7 + turn * 1237) %% %s + 1", each=8)
_FOLLOWS_OF_CATEGORIES = _FOLLOW.format(
    column="category_id", value="(%s::text[])[(number * 5 + turn * 31) %% 150 + 1]", each=2
)
