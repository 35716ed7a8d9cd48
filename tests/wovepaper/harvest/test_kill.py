"""SIGKILL at any statement of a harvest, then the same command again: the end is the same.

Here the engine alone, with a source and sink that know no paper; ``tests/flows`` does the same with arXiv.
"""

from __future__ import annotations

import json
import random

import pytest
from django.db import connection

from tests.upstreams import faults
from tests.upstreams.catalogue import invented_papers
from tests.wovepaper.harvest.conftest import DAY, FAST, TODAY
from tests.wovepaper.harvest.fakes import CREATE, FakeSink, FakeSource
from tests.wovepaper.harvest.processes import (
    Executioner,
    clear_engine,
    die_everywhere,
    digest,
    ended,
    engine_digests,
    fork,
)
from wovepaper.harvest import registry
from wovepaper.harvest.models import HarvestRun
from wovepaper.harvest.services import harvest_files, harvest_source

POINTS = 8
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def things_table(transactional_db):
    with connection.cursor() as cursor:
        cursor.execute(CREATE)
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE fake_things")


@pytest.fixture
def source(arxiv_upstream, fresh_registry, things_table):
    arxiv_upstream.page_size = 7
    arxiv_upstream.papers = invented_papers(44, days=3)
    # Some records are damaged in every page, so that the quarantine takes part.
    arxiv_upstream.faults.append(faults.damaged_records(2))
    source = FakeSource(arxiv_upstream.url, streams=("arXiv", "arXivRaw"))
    registry.register(source, sink=FakeSink())
    return source


def state():
    return engine_digests() | {"things": digest("fake_things", "format, name, stamp, hash")}


def clear():
    clear_engine()
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE fake_things")


def finished():
    return HarvestRun.objects.filter(outcome="completed").exists()


def test_a_killed_harvest_ends_like_an_uninterrupted_one(source):
    last = DAY.replace(day=DAY.day + 2)

    def work():
        summary = harvest_source(name="fake", first_day=DAY, last_day=last, options=FAST, today=TODAY)
        assert summary.outcome == "completed"

    die_everywhere(work, state=state, clear=clear, points=POINTS, seed=20250602, finished=finished)


def test_a_harvest_killed_again_and_again_ends_like_an_uninterrupted_one(source):
    last = DAY.replace(day=DAY.day + 2)

    def work():
        harvest_source(name="fake", first_day=DAY, last_day=last, options=FAST, today=TODAY)

    assert ended(fork(work)) == 0
    expected = state()
    clear()
    chosen = random.Random(4)
    deaths = 0
    # Killed right after its end a harvest has ended; the next would be another, and read the last days anew.
    while not finished():
        at = chosen.randrange(30, 90)

        def die(at=at):
            with Executioner(at, after=True):
                work()

        if ended(fork(die)) == 0:
            break
        deaths += 1
    assert deaths > 4
    assert state() == expected


def test_a_killed_harvest_of_files_ends_like_an_uninterrupted_one(source, tmp_path):
    paths = []
    for number in range(2):
        path = tmp_path / f"{number}.jsonl"
        records = [{"name": f"{number}-{each}", "title": "T" * (each % 9), "stamp": ""} for each in range(55)]
        path.write_text("".join(f"{json.dumps(each)}\n" for each in records) + "rubbish\n")
        paths.append(path)

    def work():
        assert harvest_files(name="fake", paths=paths, options=FAST).outcome == "completed"

    die_everywhere(work, state=state, clear=clear, points=6, seed=7, finished=finished)
