"""Attribution while others merge, harvest or attribute, in real transactions at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from django.db import connection, transaction

from papers.models import Authorship, Paper
from papers.services.ingest import ingest_records
from researchers.models import AttributedPaper, Attribution, PopulationPart, Researcher
from researchers.services.attribution import attribute_papers, memory
from researchers.services.attribution.evidence import load_papers
from tests.papers.services.invented import pairs
from tests.researchers.harvested import harvest, many_people, researcher, sources, who, work
from tests.researchers.people import curator, faults, merge, undo
from tests.researchers.test_concurrency import at_once, waits_for_a_lock
from tests.wovepaper.harvest.processes import Executioner, ended, fork
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import drain

pytestmark = pytest.mark.django_db(transaction=True)
TABLES = (
    "researchers_attribution, researchers_attributedpaper, researchers_populationpart, researchers_candidate,"
    " researchers_researcheridentifier, researchers_researchername, researchers_researcher, pipeline_workitem"
)


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    with sources():
        yield
    WorkItem.objects.all().delete()


def paper(*names: str) -> Paper:
    made = Paper.objects.create(title="looms", author_count=len(names))
    for position, name in enumerate(names, start=1):
        Authorship.objects.create(paper=made, position=position, name=name)
    return made


def test_two_batches_at_once_make_one_new_researcher_of_one_new_person() -> None:
    many_people()
    papers = [paper("Ada Weaver", "Bo Spindle") for _ in range(8)]
    works = [lambda some=papers[first::4]: attribute_papers(papers=[one.pk for one in some]) for first in range(4)]
    reports = at_once(*works)
    assert sum(report.newcomers for report in reports) == 2
    assert Researcher.objects.count() == 2
    assert Attribution.objects.count() == 16
    assert len({who(one) for one in papers}) == 1
    assert AttributedPaper.objects.count() == 8
    assert faults() == []


def test_a_batch_waits_for_a_merge_and_shows_what_it_writes_under_the_survivor() -> None:
    many_people()
    actor = curator()
    of_a, of_b = harvest(work("Ada Weaver"), work("Ida Spindle"))
    a, b = researcher(who(of_a)), researcher(who(of_b))
    fresh = paper("Ada Weaver")
    with transaction.atomic():
        event = merge(a, b, actor).event
        thread = waits_for_a_lock(lambda: attribute_papers(papers=[fresh.pk]))
    thread.join(60)
    assert Attribution.objects.filter(paper=fresh).values_list("base", "root").get() == (a.pk, b.pk)
    assert faults() == []
    undo(event, actor)
    assert who(fresh) == a.pk


def test_a_merge_waits_for_a_batch_and_moves_what_it_wrote() -> None:
    many_people()
    actor = curator()
    of_a, of_b = harvest(work("Ada Weaver"), work("Ida Spindle"))
    a, b = researcher(who(of_a)), researcher(who(of_b))
    fresh = paper("Ada Weaver")
    with transaction.atomic():
        attribute_papers(papers=[fresh.pk])
        thread = waits_for_a_lock(lambda: merge(a, b, actor))
    thread.join(60)
    assert Attribution.objects.filter(paper=fresh).values_list("base", "root").get() == (a.pk, b.pk)
    assert faults() == []


def test_merges_undos_harvests_and_batches_all_at_once_leave_no_wrong_row() -> None:
    many_people()
    actor = curator()
    names = [f"{given} {family}" for given in ("Ada", "Bo", "Cy") for family in ("Weaver", "Spindle")]
    people = [researcher(who(one)) for one in harvest(*(work(name) for name in names))]
    stop = threading.Event()

    def curate() -> None:
        for turn in range(10):
            one, other = people[turn % 6], people[(turn * 5 + 1) % 6]
            try:
                event = merge(one, other, actor).event
            except Exception as error:
                assert type(error).__name__ in {"Conflict", "NotMergeable", "Blocked"}, error  # noqa: PT017
                continue
            if turn % 2:
                undo(event, actor)

    def bring() -> None:
        for turn in range(10):
            pick = [names[(turn + step) % 6] for step in range(1 + turn % 3)]
            ingest_records(pairs(work(*pick, doi=f"10.5555/turn.{turn % 4}", stamp=f"2021-01-{turn + 1:02}")))
        stop.set()

    def attribute() -> None:
        while not stop.is_set():
            drain(stages={"affiliate", "attribute"})
        drain(stages={"affiliate", "attribute"})

    assert at_once(curate, bring, attribute, attribute) == [None] * 4
    drain(stages={"affiliate", "attribute"})
    assert not WorkItem.objects.filter(stage="attribute").exists()
    assert Attribution.objects.count() == Authorship.objects.count()
    assert faults() == []


def everything() -> dict[str, object]:
    """What attribution leaves, without surrogate keys and times."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT row.authorship_id, row.paper_id, row.decided_by, row.score, row.evidence::text, base.display_name,"
            " base.paper_count, dense_rank() OVER (ORDER BY row.base_id) FROM researchers_attribution AS row"
            " JOIN researchers_researcher AS base ON base.id = row.base_id ORDER BY row.authorship_id"
        )
        attributions = cursor.fetchall()
        cursor.execute("SELECT value, match_keys, script, source FROM researchers_researchername ORDER BY 1, id")
        names = cursor.fetchall()
        cursor.execute(
            "SELECT paper_id, evidence_hash, authorships, prints FROM researchers_attributedpaper ORDER BY 1"
        )
        papers = cursor.fetchall()
        cursor.execute("SELECT kind, score, reasons::text FROM researchers_candidate ORDER BY 1, 2, 3")
        candidates = cursor.fetchall()
        cursor.execute("SELECT scheme, value, state FROM researchers_researcheridentifier ORDER BY 1, 2, 3")
        identifiers = cursor.fetchall()
        cursor.execute("SELECT DISTINCT kind, stage, object_id FROM pipeline_workitem WHERE kind = 'paper' ORDER BY 3")
        waiting = cursor.fetchall()
    return {
        "attributions": attributions,
        "names": names,
        "papers": papers,
        "candidates": candidates,
        "identifiers": identifiers,
        "waiting": waiting,
        "people": Researcher.objects.count(),
        "population": memory.KeptPopulation.read().to_bytes(),
    }


def test_killed_at_any_statement_and_started_again_it_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["Ada Weaver", "A. Weaver", "Li Qing", "Qing Li", "Bo Spindle", "Bo Spindel"]
    ingest_records(pairs(*(work(names[number], names[(number + 2) % 6]) for number in range(6))))
    ids = list(Paper.objects.order_by("pk").values_list("pk", flat=True))
    loaded = load_papers(ids)
    assert len(list(loaded.people())) == 12

    def begin() -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {TABLES} CASCADE")
            cursor.execute(
                "INSERT INTO pipeline_workitem (kind, object_id, stage, reason, attempts, available_at, error,"
                " enqueued_at) SELECT 'paper', unnest(%s::bigint[]), 'attribute', '', 0, now(), '', now()",
                [ids],
            )
        many_people()

    def attribute() -> None:
        drain(stages={"affiliate", "attribute"})

    def run(work_: Callable[[], object]) -> None:
        assert ended(fork(work_)) == 0

    begin()
    with Executioner() as counted:
        attribute()
    expected = everything()
    assert len(expected["attributions"]) == 12  # type: ignore[arg-type]
    for at in range(3, counted.count + 1, max(1, counted.count // 9)):
        begin()

        def die(at: int = at) -> None:
            with Executioner(at, after=at % 2 == 0):
                attribute()

        assert ended(fork(die)) == -9
        run(attribute)
        assert everything() == expected, f"killed at statement {at} of {counted.count}"
        assert PopulationPart.objects.count() == 2
