"""The registry of institutions from the network, with everything real but the network, and what can go wrong."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from institutions.models import Institution
from institutions.sources.ror import RorSource
from institutions.sources.ror.dumps import NEWEST
from tests.institutions.organisations import name, organisation, ror_id
from tests.upstreams import faults
from tests.upstreams.ror import RorUpstream
from wovepaper.harvest import hooks
from wovepaper.harvest.contracts import Window
from wovepaper.harvest.errors import BadRange, BadSet
from wovepaper.harvest.models import HarvestRun, HarvestWindow, RawPage, Watermark
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.services import RunSummary, harvest_source

pytestmark = pytest.mark.django_db
TODAY = dt.date(2025, 6, 10)
YESTERDAY = dt.date(2025, 6, 9)
FAST = HarvestOptions(attempts=3, wait_initial=0.001, wait_max=0.002, wait_jitter=0.001)
LINE = "ror: seen {}, new {}, changed {}, unchanged {}, quarantined {}"


@pytest.fixture
def upstream(monkeypatch, settings) -> Iterator[RorUpstream]:
    """45 organisations, two of them no longer active; no waiting, and the pipeline stays out of it."""
    monkeypatch.setattr(RorSource, "host_interval", 0.0)
    monkeypatch.setattr(hooks, "_callbacks", [])
    records = [organisation(number) for number in range(1, 46)]
    records[3]["status"], records[4]["status"] = "inactive", "withdrawn"
    with RorUpstream(records) as upstream:
        settings.ROR_API_URL = upstream.url
        settings.ROR_DUMP_URL = ""
        settings.ROR_CLIENT_ID = ""
        yield upstream


@pytest.fixture
def by_dump(upstream, settings) -> RorUpstream:
    settings.ROR_DUMP_URL = upstream.record_url
    return upstream


def harvest(today: dt.date = TODAY, **changes: Any) -> RunSummary:
    options = replace(FAST, **changes.pop("options", {}))
    return harvest_source(name="ror", options=options, today=today, **changes)


def versions() -> list[tuple[Any, ...]]:
    """Every row of institutions with the transaction that wrote it."""
    found: list[tuple[Any, ...]] = []
    with connection.cursor() as cursor:
        for table in ("institution", "institutionname", "institutionidentifier", "institutionrelation"):
            cursor.execute(f"SELECT '{table}', id, xmin::text FROM institutions_{table} ORDER BY id")
            found += cursor.fetchall()
    return found


# --- the list of the API -------------------------------------------------------------------------------------


def test_the_list_of_another_api_is_read_page_by_page(upstream):
    summary = harvest()

    assert summary.ok, summary.problems
    assert summary.line == LINE.format(45, 45, 0, 0, 0)
    assert [seen.params for seen in upstream.requests] == [
        {"all_status": "true", "page": str(number)} for number in (1, 2, 3, 4)
    ]
    assert all("client-id" not in seen.headers for seen in upstream.requests)
    assert Institution.objects.filter(status="inactive").count() == 1
    assert Watermark.objects.get().day == YESTERDAY


def test_a_client_id_is_sent_and_kept_nowhere(upstream, settings):
    settings.ROR_CLIENT_ID = "secret-loom"
    upstream.organisations = upstream.organisations[:3]

    assert harvest().ok
    (seen,) = upstream.requests
    assert seen.headers["client-id"] == "secret-loom"
    page = RawPage.objects.get()
    assert "secret-loom" not in f"{page.url}{page.headers}{page.body!r}"


@pytest.mark.parametrize(("client", "interval"), [("", 6.0), ("an id", 0.15)])
def test_the_pace_is_that_of_the_limits(client, interval):
    assert RorSource(client_id=lambda: client).host_interval == interval


def test_a_second_reading_writes_no_row(upstream):
    harvest()
    known = versions()
    assert len(known) > 45

    later = harvest(TODAY + dt.timedelta(days=30))

    assert later.line == LINE.format(45, 0, 0, 45, 0)
    assert versions() == known
    assert Watermark.objects.get().day == YESTERDAY + dt.timedelta(days=30)
    assert later.warnings == ()


def test_what_changed_upstream_changes_here(upstream):
    harvest()
    upstream.organisations[7] = organisation(8, name("Woven Academy"), changed="2025-06-20")

    assert harvest().line == LINE.format(45, 0, 1, 44, 0)
    assert Institution.objects.get(ror_id=ror_id(8)).display_name == "Woven Academy"


def test_a_list_longer_than_the_api_shows_is_not_read_in_part(upstream):
    upstream.total = 112_345

    summary = harvest()

    assert summary.outcome == "failed"
    assert "lists 10000 organisations at most, and there are 112345" in summary.problems[0]
    assert "--file" in summary.problems[0]
    assert len(upstream.requests) == 1
    assert not Institution.objects.exists()


def test_days_and_sets_mean_nothing_to_it(upstream):
    with pytest.raises(BadRange, match="always taken as a whole"):
        harvest(first_day=YESTERDAY)
    with pytest.raises(BadSet, match="no sets"):
        harvest(set_spec="GB")
    with pytest.raises(CommandError, match="leave out --from and --until"):
        call_command("harvest", "ror", "--until", "2025-06-01")
    assert upstream.requests == []


@pytest.mark.parametrize(
    "fault",
    [faults.html_with_200, faults.empty_object, faults.empty_body, faults.broken_off, faults.packed_and_cut],
    ids=lambda fault: fault.__name__,
)
def test_a_spoilt_answer_is_asked_for_again(upstream, fault):
    upstream.faults.append(fault(on=faults.mentions("2")))

    assert harvest().line == LINE.format(45, 45, 0, 0, 0)
    assert len(upstream.requests) == 5


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_passing_error_is_waited_out(upstream, code):
    upstream.faults.append(faults.status(code, times=2))

    assert harvest().line == LINE.format(45, 45, 0, 0, 0)


def test_a_retry_after_of_hours_is_not_slept_out(upstream):
    upstream.faults.append(faults.status(429, retry_after=7_200, times=None))

    assert (harvest().outcome, len(upstream.requests)) == ("postponed", 1)


def test_the_same_page_for_ever_is_noticed(upstream):
    upstream.faults.append(
        faults.Fault(lambda seen, _reply: upstream._list({**seen.params, "page": "1"}), lambda _seen: True)
    )

    assert "Page 2 has the same records as page 1" in harvest().problems[0]
    assert HarvestWindow.objects.get().state == "stopped"


def test_what_the_api_complains_of_is_said(upstream):
    upstream.faults.append(faults.Fault(lambda _seen, _reply: upstream._list({"page": "501"}), lambda _seen: True))
    assert "ROR refuses: page '501' outside of range 1-500." in harvest().problems[0]


# --- the dump ------------------------------------------------------------------------------------------------


def test_the_newest_dump_is_found_and_taken(by_dump):
    by_dump.extra_files = ["v9.9-2025-06-01-ror-data.csv", "notes.txt"]

    summary = harvest()

    assert summary.ok, summary.problems
    assert summary.line == LINE.format(45, 45, 0, 0, 0)
    assert [seen.path for seen in by_dump.requests] == [
        "/api/records/1",
        "/api/records/7",
        "/files/v9.9-2025-06-01-ror-data.zip",
    ]
    assert list(HarvestRun.objects.order_by("id").values_list("kind", "outcome")) == [
        ("network", "completed"),
        ("files", "completed"),
    ]
    assert HarvestRun.objects.get(kind="network").requests == 3
    assert Watermark.objects.get().day == YESTERDAY
    known = versions()

    assert harvest(TODAY + dt.timedelta(days=30)).line == LINE.format(45, 0, 0, 45, 0)
    assert versions() == known


def test_the_address_of_a_dump_itself_will_do(by_dump, settings, capsys):
    settings.ROR_DUMP_URL = by_dump.dump_url

    call_command("harvest", "ror")

    assert capsys.readouterr().out == f"{LINE.format(45, 45, 0, 0, 0)}\n"
    assert len(by_dump.requests) == 1


def test_a_dump_of_more_than_an_ordinary_page_is_taken(by_dump):
    assert harvest(options={"max_packed": 1_000, "max_unpacked": 1_000}).ok


def test_a_limit_holds_for_the_dump_too(by_dump):
    summary = harvest(limit=10)

    assert (summary.outcome, summary.counts.seen) == ("limited", 10)
    assert not Watermark.objects.exists()


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (
            faults.html_with_200,
            "The answer is neither a dump of ROR nor the record of one, but begins '<!DOCTYPE",
        ),
        (faults.empty_object, "The answer is neither a dump of ROR nor a record that names its files."),
        (lambda times: faults.status(404, times=times), "127.0.0.1 answered with status 404 Not Found."),
    ],
    ids=["HTML", "an empty object", "nothing there"],
)
def test_a_dump_that_cannot_be_had_is_said_so(by_dump, fault, reason):
    by_dump.faults.append(fault(times=None))

    summary = harvest()

    assert summary.outcome == "failed"
    assert summary.problems[0].startswith(f"The dump of ror cannot be had: {reason}")
    assert not Institution.objects.exists()
    assert not Watermark.objects.exists()


def test_a_dump_cut_short_is_fetched_again(by_dump):
    by_dump.faults.append(faults.broken_off(on=lambda seen: seen.path.startswith("/files/")))

    assert harvest().line == LINE.format(45, 45, 0, 0, 0)
    assert len(by_dump.requests) == 4


def test_a_record_that_leads_elsewhere_is_not_followed(by_dump):
    with RorUpstream() as foreign:
        by_dump.faults.append(faults.redirect(foreign.url, times=None))

        assert "is not a host of this source" in harvest().problems[0]
        assert foreign.requests == []


def test_by_default_the_newest_release_is_taken():
    request = RorSource().dump_request()

    assert request is not None
    assert request.url == NEWEST
    assert RorSource(lambda: "http://localhost/v2").dump_request() is None
    assert RorSource(lambda: "http://localhost/v2", lambda: "http://localhost/dump").dump_request() is not None
    assert RorSource().first_request(Window("v2", YESTERDAY, YESTERDAY)).url == "https://api.ror.org/v2/organizations"
