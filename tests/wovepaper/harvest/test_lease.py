"""The rhythm of requests to a host, over processes and after a crash."""

from __future__ import annotations

import os
import signal
import time

import pytest
from django.db import connection

from tests.upstreams.catalogue import invented_papers
from tests.wovepaper.harvest.conftest import DAY, FAST, TODAY
from tests.wovepaper.harvest.fakes import CREATE, FakeSink, FakeSource
from tests.wovepaper.harvest.processes import ended, fork
from wovepaper.harvest import registry
from wovepaper.harvest.lease import MARGIN, HostTurn, host_turn
from wovepaper.harvest.models import HostLease
from wovepaper.harvest.services import harvest_source

INTERVAL = 0.1


@pytest.mark.django_db(transaction=True)
def test_four_processes_never_ask_one_host_sooner_than_its_interval(arxiv_upstream, fresh_registry):
    with connection.cursor() as cursor:
        cursor.execute(CREATE)
    try:
        arxiv_upstream.papers = invented_papers(40)
        names = [f"fake{number}" for number in range(4)]
        for name in names:
            source = FakeSource(arxiv_upstream.url, name=name, host_interval=INTERVAL)
            registry.register(source, sink=FakeSink())

        def work(name):
            options = {"first_day": DAY, "last_day": DAY, "options": FAST, "today": TODAY}
            assert harvest_source(name=name, **options).ok

        children = [fork(lambda name=name: work(name)) for name in names]
        assert [ended(child) for child in children] == [0, 0, 0, 0]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE fake_things")

    assert len(arxiv_upstream.requests) == 16
    assert arxiv_upstream.smallest_gap() >= INTERVAL


@pytest.mark.django_db(transaction=True)
def test_a_process_that_dies_in_its_turn_neither_blocks_the_next_nor_lets_it_in_early():
    reading, writing = os.pipe()

    def die():
        with host_turn("host:80", interval=0.2):
            os.write(writing, repr(time.monotonic()).encode())
            os.kill(os.getpid(), signal.SIGKILL)

    assert ended(fork(die)) == -signal.SIGKILL
    died = float(os.read(reading, 40))

    with host_turn("host:80", interval=0.2):
        assert time.monotonic() - died >= 0.2


def test_turns_of_different_hosts_do_not_wait_for_each_other(db):
    def never(seconds):
        pytest.fail(f"It would wait for {seconds} seconds.")

    for number in range(5):
        with host_turn(f"host{number}:80", interval=5, wait=never):
            pass
    assert HostLease.objects.count() == 5


def test_a_turn_that_is_given_up_while_waiting_sends_nothing(db):
    with host_turn("host:80", interval=30):
        pass

    def give_up(seconds):
        raise TimeoutError(f"{seconds:.0f}")

    with pytest.raises(TimeoutError, match="30"), host_turn("host:80", interval=30, wait=give_up):
        pytest.fail("The turn must not come.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        assert cursor.fetchone() == (0,)


def test_the_interval_counts_from_when_the_request_can_have_arrived_at_the_latest():
    turn = HostTurn()
    turn.sent()
    sent = time.monotonic()
    assert turn.latest_arrival == pytest.approx(sent + MARGIN, abs=0.01)
    turn.arrived()
    arrived = turn.latest_arrival
    assert arrived == pytest.approx(sent, abs=0.01)
    turn.arrived()
    assert turn.latest_arrival == arrived
