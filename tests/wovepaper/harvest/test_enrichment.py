"""Looking up by identifier, with a source and subjects that know no paper; and SIGKILL in the middle of it."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from celery import current_app
from django.conf import settings
from django.db import connection
from django.utils import timezone

from tests.upstreams import faults
from tests.upstreams.web import Reply, Seen, Upstream
from tests.wovepaper.harvest.conftest import FAST
from tests.wovepaper.harvest.fakes import CREATE, FakeSink, FakeSource, things
from tests.wovepaper.harvest.processes import clear_engine, die_everywhere, digest, engine_digests
from wovepaper.harvest import registry, tasks
from wovepaper.harvest.contracts import (
    Identifier,
    LookupAnswer,
    Lookups,
    Merged,
    PageRequest,
    Quota,
    RawRecord,
    Subject,
    Subjects,
)
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.errors import HarvestError
from wovepaper.harvest.models import (
    Enrichment,
    HarvestRun,
    QuarantinedRecord,
    RawPage,
    SourceState,
    Spending,
    Watermark,
)
from wovepaper.harvest.reporter import SilentReporter
from wovepaper.harvest.services import enrich_source, has_lookups_to_do, pause_source, source_overview
from wovepaper.harvest.services.enrichment import enrol

HOUR = dt.timedelta(hours=1)
KNOWN = 40


class Library(Upstream):
    """Knows the things 1 to ``KNOWN``; asked by POST, with a key in a header. Odd ones have a second name, ``b``."""

    path = "/batch"

    def answer(self, seen: Seen) -> Reply:
        asked = json.loads(seen.body)["names"]
        said = [{"name": name, "title": f"Thing {name}"} if int(name[1:]) <= KNOWN else None for name in asked]
        return Reply(json.dumps(said).encode(), 200, {"x-key": seen.headers["x-key"]}, "application/json")


@dataclass
class LibrarySource(FakeSource):
    """Asked by name; ``streams`` are none."""

    streams: tuple[str, ...] = ()
    lookup_schemes: tuple[str, ...] = ("first", "second")
    lookup_size: int = 5
    lookups_configured: bool = True
    account: str = "fake"
    daily_requests: int | None = None

    @property
    def base_url(self) -> str:
        return self.url

    def lookup_request(self, identifiers: Sequence[Identifier]) -> PageRequest:
        body = {"names": [each.value for each in identifiers]}
        return PageRequest(self.url, method="POST", json_body=body, secret_headers={"X-Key": "a secret of ours"})

    def read_lookup(self, body: bytes, identifiers: Sequence[Identifier], *, status: int) -> LookupAnswer:
        said = json.loads(body)
        records, merged = [], []
        for asked, item in zip(identifiers, said, strict=True):
            if item is not None:
                records.append(RawRecord(item["name"], "line", "2025", json.dumps({**item, "stamp": ""}).encode()))
                if item["name"] != asked.value:
                    merged.append(Merged(asked, Identifier(asked.scheme, item["name"])))
        unknown = tuple(asked for asked, item in zip(identifiers, said, strict=True) if item is None)
        return LookupAnswer(tuple(records), unknown=unknown, merged=tuple(merged))

    def read_quota(self, headers, *, now) -> Quota | None:
        return None


@dataclass
class Numbers:
    """The numbers from 1; one in seven is gone, and one in five has no name."""

    noun: str = "numbers"
    last: int = 47
    merged: list[Merged] = field(default_factory=list)

    def after(self, last: int, limit: int) -> Sequence[int]:
        return list(range(last + 1, self.last + 1))[:limit]

    def describe(self, ids: Sequence[int], *, source: str) -> Sequence[Subject]:
        return [Subject(each, self._names(each)) for each in reversed(ids) if each % 7]

    @staticmethod
    def _names(number: int) -> tuple[Identifier, ...]:
        if number % 5 == 0:
            return (Identifier("other", "x"),)
        # Every third is known by its second name only.
        first = Identifier("first", f"a{number + 1000 if number % 3 == 0 else number}")
        return (first, Identifier("second", f"b{number}"))

    def note_merged(self, merged: Sequence[Merged], *, source: str) -> None:
        self.merged += merged


@pytest.fixture
def library():
    with Library() as library:
        yield library


@pytest.fixture
def numbers():
    return Numbers()


@pytest.fixture
def source(library, sink, numbers, fresh_registry, table):
    source = LibrarySource(library.url)
    registry.register(source, sink=sink, subjects=numbers)
    return source


def enrich(**changes: Any):
    return enrich_source(name="fake", options=replace(FAST, **changes.pop("options", {})), **changes)


def outcomes() -> dict[int, str]:
    return dict(Enrichment.objects.values_list("subject", "outcome"))


def expected(last: int) -> dict[int, str]:
    return {
        each: "nameless" if each % 5 == 0 else "found" if each <= KNOWN else "unknown"
        for each in range(1, last + 1)
        if each % 7
    }


def test_the_fakes_keep_the_contract(source, numbers):
    assert isinstance(source, Lookups)
    subjects: Subjects = numbers
    assert subjects.after(45, 9) == [46, 47]


def test_all_are_asked_about_by_the_best_name_that_is_known(source, library):
    summary = enrich()

    assert summary.ok
    assert outcomes() == expected(47)
    named = {f"{'b' if each % 3 == 0 else 'a'}{each}" for each, said in expected(47).items() if said == "found"}
    assert {name for _, name in things()} == named
    assert summary.counts.new == len(named)
    sizes = [len(json.loads(seen.body)["names"]) for seen in library.requests]
    assert max(sizes) == 5
    assert [seen.method for seen in library.requests] == ["POST"] * len(sizes)
    library.requests.clear()
    assert enrich().counts.seen == 0
    assert library.requests == []


def test_the_key_is_sent_and_kept_nowhere(source, library):
    enrich(limit=6)
    assert {seen.headers["x-key"] for seen in library.requests} == {"a secret of ours"}
    for page in RawPage.objects.all():
        assert "secret" not in repr((page.url, page.headers, page.body))
    assert "secret" not in repr(source.lookup_request([Identifier("first", "a1")]))


def test_new_ones_come_first_and_then_what_is_due_longest(source, library, numbers):
    numbers.last = 4
    enrich()
    now = timezone.now()
    for subject, hours in ((1, 2), (2, 9), (4, 1)):
        Enrichment.objects.filter(subject=subject).update(due_at=now - hours * HOUR, asked_at=now - 99 * HOUR)
    numbers.last = 8
    source.lookup_size = 1
    library.requests.clear()

    enrich()

    asked = [json.loads(seen.body)["names"][0] for seen in library.requests]
    assert [name for name in asked if int(name[1:]) < 1000] == ["a8", "a2", "b6", "a1", "a4"]


def test_what_an_answer_says_is_merged_is_told_before_its_records_go_in(source, library, numbers, sink):
    def renamed(_seen, reply):
        said = json.loads(reply().body)
        return reply().with_body(json.dumps([item and {**item, "name": "a30"} for item in said]).encode())

    numbers.last = 1
    library.faults.append(faults.Fault(renamed))
    enrich()
    assert numbers.merged == [Merged(Identifier("first", "a1"), Identifier("first", "a30"))]
    assert things() == [("line", "a30")]


def test_records_that_cannot_be_used_are_set_apart_and_a_flood_of_them_stops_the_run(source, library, numbers):
    def nameless(_seen, reply):
        said = json.loads(reply().body)
        return reply().with_body(json.dumps([item and {**item, "title": ""} for item in said]).encode())

    library.faults.append(faults.Fault(nameless))
    summary = enrich(options={"brake_records": 5})
    assert "were refused: the source's format may have changed" in summary.problems[0]
    (page,) = RawPage.objects.exclude(refused_because="")
    assert (page.kind, page.refused_because) == ("lookup", summary.problems[0].partition(": ")[2])
    assert QuarantinedRecord.objects.count() == summary.counts.quarantined < 5
    assert enrich(options={"brake_records": 99}).counts.seen > 0
    found = sum(outcome == "found" for outcome in expected(47).values())
    assert QuarantinedRecord.objects.count() == found


def test_requests_are_charged_before_they_are_sent(source, library):
    library.faults.append(faults.broken_off())
    source.daily_requests = 3
    summary = enrich()
    assert "The day's budget of fake, 3 requests, is spent" in summary.problems[0]
    assert len(library.requests) == 3
    assert Spending.objects.get().requests == 3


def test_a_budget_is_one_of_the_account(source, library, sink, numbers):
    registry.register(LibrarySource(library.url, name="other", daily_requests=3), sink=sink, subjects=numbers)
    source.daily_requests = 3
    enrich()
    with pytest.raises(HarvestError, match="is not to be asked again before"):
        enrich_source(name="other", options=FAST)
    assert len(library.requests) == 3


def test_nothing_is_enrolled_twice_or_left_out(source, numbers):
    enrol(source="fake", subjects=numbers)
    numbers.last = 60
    enrol(source="fake", subjects=numbers)
    assert sorted(outcomes()) == list(range(1, 61))
    assert SourceState.objects.get().enrolled_until == 60


def test_a_source_that_cannot_be_asked_says_so(sink, fresh_registry, table):
    registry.register(FakeSource(), sink=sink)
    with pytest.raises(HarvestError, match="fake cannot be asked by identifier"):
        enrich()
    assert not has_lookups_to_do("fake")


def test_a_pause_ends_it(source):
    class Pausing(SilentReporter):
        def page(self, counts: Counts) -> None:
            pause_source(name="fake")

    summary = enrich(reporter=Pausing())
    assert summary.problems == ("fake was paused.",)
    assert "waiting" in outcomes().values()


# --- in the background ---------------------------------------------------------------------------------------


@pytest.fixture
def queued(monkeypatch):
    names: list[str] = []
    monkeypatch.setattr(tasks.enrich_source, "delay", lambda name: names.append(f"enrich {name}"))
    monkeypatch.setattr(tasks.harvest_source, "delay", lambda name: names.append(f"harvest {name}"))
    return names


def test_beat_asks_at_once_about_what_is_new_and_later_about_what_is_old(source, numbers, queued):
    tasks.enrich_sources()
    assert queued == ["enrich fake"]
    tasks.enrich_source("fake")
    queued.clear()
    tasks.enrich_sources()
    assert queued == [], "There is nothing to do."
    numbers.last += 1
    tasks.enrich_sources()
    assert queued == ["enrich fake"]
    tasks.enrich_source("fake")
    Enrichment.objects.filter(subject=1).update(due_at=timezone.now())
    tasks.enrich_sources()
    assert queued == ["enrich fake"] * 2


def test_beat_asks_nobody_who_is_not_set_up_or_rests(source, queued):
    source.lookups_configured = False
    tasks.enrich_sources()
    source.lookups_configured = True
    pause_source(name="fake")
    tasks.enrich_sources()
    SourceState.objects.update(paused_at=None, not_before=timezone.now() + HOUR)
    tasks.enrich_sources()
    assert queued == []


def test_what_was_postponed_is_taken_up_again(source, queued):
    SourceState.objects.create(name="fake", not_before=timezone.now() - HOUR)
    tasks.harvest_postponed()
    assert queued == ["enrich fake"]


def test_a_run_in_the_background_ends_so_that_others_get_their_turn(source, settings):
    settings.HARVEST = {**settings.HARVEST, "background_lookups": 6}
    tasks.enrich_source("fake")
    assert sum(outcome != "waiting" for outcome in outcomes().values()) == 5  # the sixth was gone


def test_a_source_that_is_followed_once_a_month(source, queued):
    source.streams = ("arXiv",)
    source.follow_every_days = 30
    Watermark.objects.create(source="fake", day=timezone.now().date())
    tasks.follow_sources()
    assert queued == ["harvest fake"]
    run = HarvestRun.objects.create(
        source="fake", kind="network", outcome="completed", pass_started_at=timezone.now(), started_at=timezone.now()
    )
    tasks.follow_sources()
    assert queued == ["harvest fake"]
    HarvestRun.objects.filter(pk=run.pk).update(started_at=timezone.now() - dt.timedelta(days=30) + HOUR)
    tasks.follow_sources()
    assert queued == ["harvest fake"] * 2


def test_every_task_of_beat_exists_and_expires():
    current_app.loader.import_default_modules()
    for name, entry in settings.CELERY_BEAT_SCHEDULE.items():
        assert entry["task"] in current_app.tasks, name
        if entry["task"].startswith("wovepaper.harvest."):
            assert entry["options"]["expires"] > 0, name


def test_the_overview_tells_of_budget_and_progress(source):
    source.daily_requests = 100
    enrich(limit=20)
    (overview,) = source_overview(options=FAST)
    lookups = overview.lookups
    assert lookups is not None
    assert (lookups.total, lookups.asked, lookups.waiting, lookups.due) == (44, 17, 27, 0)
    assert lookups.found + lookups.unknown + lookups.nameless == 17
    assert lookups.percent == 38
    assert (overview.spent, overview.budget, overview.account) == (Spending.objects.get().requests, 100, "fake")


# --- SIGKILL -------------------------------------------------------------------------------------------------


@pytest.fixture
def things_table(transactional_db):
    with connection.cursor() as cursor:
        cursor.execute(CREATE)
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE fake_things")


@pytest.mark.django_db(transaction=True)
def test_killed_anywhere_it_ends_in_the_same_state(library, fresh_registry, things_table):
    numbers = Numbers(last=30)
    registry.register(LibrarySource(library.url), sink=FakeSink(), subjects=numbers)

    def state():
        kept = engine_digests() | {"things": digest("fake_things", "format, name, stamp, hash")}
        # What is left after a kill is put into other requests than it would have been: the answers are others.
        del kept["pages"]
        return kept | {
            "lookups": digest("harvest_enrichment", "source, subject, outcome, misses, asked_at IS NULL"),
            "enrolled": digest("harvest_sourcestate", "name, enrolled_until"),
        }

    def clear():
        clear_engine()
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE harvest_enrichment, harvest_spending, fake_things")

    die_everywhere(enrich, state=state, clear=clear, points=8, seed=5)
