from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from django.db import connection

from tests.wovepaper.harvest.fakes import CREATE, FakeSink, FakeSource
from wovepaper.harvest import registry
from wovepaper.harvest.options import HarvestOptions

FAST = HarvestOptions(attempts=3, wait_initial=0.001, wait_max=0.002, wait_jitter=0.001, read_timeout=2.0)
DAY = dt.date(2025, 6, 2)
TODAY = dt.date(2025, 6, 10)


@pytest.fixture
def fast():
    """Options that wait for next to nothing."""
    return FAST


@pytest.fixture
def table(db):
    """The sink's table, within the test's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(CREATE)


@pytest.fixture
def fresh_registry(monkeypatch):
    monkeypatch.setattr(registry, "_registrations", {})


@pytest.fixture
def sink():
    return FakeSink()


@pytest.fixture
def source(arxiv_upstream, sink, fresh_registry, table):
    """The fake source over the loopback server, registered as ``fake``."""
    source = FakeSource(arxiv_upstream.url)
    registry.register(source, sink=sink)
    return source


@pytest.fixture
def harvest(source, fast):
    """Harvest the fake source: by default the one day on which ``invented_papers`` puts its papers."""
    from wovepaper.harvest.services import harvest_source

    def run(first_day=DAY, last_day=DAY, *, options=None, **changes):
        chosen = replace(fast, **options) if options else fast
        return harvest_source(
            name=source.name, first_day=first_day, last_day=last_day, options=chosen, today=TODAY, **changes
        )

    return run
