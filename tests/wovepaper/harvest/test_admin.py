"""The harvest console: what it shows, and what can be done there by whom."""

from __future__ import annotations

import datetime as dt
import zlib

import pytest
import zstandard
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.admin_people import client_of, statuses, user_with
from tests.html import get
from tests.upstreams.catalogue import invented_papers
from tests.wovepaper.harvest.fakes import FakeSource, FakeSourceOfSingles, things
from wovepaper.harvest import registry
from wovepaper.harvest.contracts import RecordRefused
from wovepaper.harvest.models import (
    Enrichment,
    FieldProfile,
    GoneRecord,
    HarvestFile,
    HarvestRun,
    HarvestWindow,
    HostLease,
    QuarantinedRecord,
    RawPage,
    SourceState,
    Spending,
)
from wovepaper.harvest.services.runs import SOURCE_LOCKS

pytestmark = pytest.mark.django_db
CONSOLE = "/admin/harvest/sourcestate/"
QUARANTINE = "/admin/harvest/quarantinedrecord/"
SCRIPT = "<script>alert(1)</script>"
NOW = dt.datetime(2025, 6, 3, 5, tzinfo=dt.UTC)
VIEWS = (
    "harvest.view_sourcestate", "harvest.view_quarantinedrecord", "harvest.view_harvestrun",
    "harvest.view_harvestwindow", "harvest.view_harvestfile", "harvest.view_rawpage",
)  # fmt: skip


@pytest.fixture
def viewer():
    return client_of(user_with(*VIEWS))


@pytest.fixture
def keeper():
    return client_of(user_with(*VIEWS, "harvest.change_sourcestate", "harvest.change_quarantinedrecord"))


def quarantined(number: int = 1, **values) -> QuarantinedRecord:
    payload = values.pop("payload", b"<record/>")
    return QuarantinedRecord.objects.create(**{
        "source": "fake", "format": "arXiv", "external_id": f"oai:{number}", "reason": "It has no title.",
        "payload_zstd": zstandard.compress(payload), "payload_sha256": f"{number:064}", "first_seen_at": NOW,
        "last_seen_at": NOW, **values,
    })  # fmt: skip


def facts(page, source: str) -> dict[str, str]:
    names = page.texts(f"//li[@id='source-{source}']//dt")
    return dict(zip(names, page.texts(f"//li[@id='source-{source}']//dd"), strict=True))


def messages(client, url: str = CONSOLE) -> list[str]:
    return get(client, url).texts("//ul[@class='messagelist']/li")


# --- the console ------------------------------------------------------------------------------------------------------


def test_a_source_that_was_harvested(viewer, arxiv_upstream, harvest, source):
    arxiv_upstream.papers = invented_papers(3)
    harvest()
    run = HarvestRun.objects.get()
    page = get(viewer, CONSOLE)
    assert page.one("//li[@id='source-fake']/h3") == "fake ready"
    found = facts(page, "fake")
    days = (timezone.now().date() - dt.date(2025, 6, 2)).days - 1
    assert found["Lag"] == f"{days} days"
    assert found["Harvested up to"] == "2025-06-02"
    assert found["Last run"] == f"{run.started_at:%Y-%m-%d %H:%M} completed"
    assert found["Last success"] == f"{run.ended_at:%Y-%m-%d %H:%M} UTC"
    assert found["Next allowed"] == "now"
    assert found["Today"].startswith("1 request, ")
    assert (found["Quarantine"], found["Windows"]) == ("0 waiting", "0 stopped")
    assert page.texts("//section[h2[@id='runs']]//tbody/tr/*") == [
        f"{run.started_at:%Y-%m-%d %H:%M}", "fake", "from the network", "completed", "3", "3", "0", "0", "0", "",
    ]  # fmt: skip
    host = arxiv_upstream.url.split("/")[2]
    assert page.texts("//section[h2[@id='hosts']]//tbody/tr/*") == [host, "now"]
    assert page.all("//form[contains(@action, '/pause/') or contains(@action, '/resume/')]") == []


class Asked(FakeSource):
    """Can be asked by identifier, and shares an account."""

    base_url = "http://127.0.0.1:9"
    lookup_schemes = ("doi",)
    lookup_size = 10
    lookups_configured = False
    account = "shared"
    daily_requests = 9_000

    def lookup_request(self, identifiers):
        raise NotImplementedError

    read_lookup = read_quota = lookup_request


def test_budgets_quotas_and_how_far_look_ups_are(viewer, sink, fresh_registry):
    registry.register(Asked(), sink=sink)
    later = timezone.now() + dt.timedelta(hours=3)
    page = get(viewer, CONSOLE)
    assert facts(page, "fake")["Budget of the day"] == "0 of 9,000 requests spent, shared with shared"
    assert "run manage.py harvest fake --enrich" in page.one("//li[@id='source-fake']")
    assert "Not asked in the background" in page.one("//li[@id='source-fake']")

    SourceState.objects.create(
        name="shared", not_before=later, postponed_because="The day's budget is spent.",
        allowance={"remaining": 1220, "limit": 10000, "resets_at": later.isoformat(), "unit": "calls"},
    )  # fmt: skip
    Spending.objects.create(account="shared", day=timezone.now().date(), requests=9_000)
    outcomes = ["waiting", "found", "found", "unknown", "nameless"] * 300
    Enrichment.objects.bulk_create(
        Enrichment(source="fake", subject=number, outcome=outcome, due_at=later if number % 2 else NOW)
        for number, outcome in enumerate(outcomes)
    )
    page = get(viewer, CONSOLE)
    found = facts(page, "fake")
    assert page.one("//li[@id='source-fake']/h3") == "fake resting"
    assert "The day's budget is spent." in page.one("//li[@id='source-fake']")
    assert found["Budget of the day"] == "9,000 of 9,000 requests spent, shared with shared"
    assert found["Its own limit"] == f"1,220 of 10,000 calls left, renewed {later:%Y-%m-%d %H:%M} UTC"
    assert page.value("//li[@id='source-fake']//progress/@value") == "80"
    assert (
        "1,200 of 1,500 asked about: 600 found, 300 not known there, 300 without an identifier. "
        "300 waiting, 600 due again."
    ) in page.one("//li[@id='source-fake']")


def test_resuming_frees_the_account_that_a_source_shares(keeper, sink, fresh_registry):
    registry.register(Asked(), sink=sink)
    SourceState.objects.create(name="shared", not_before=timezone.now() + dt.timedelta(hours=3))
    assert keeper.post(f"{CONSOLE}fake/resume/").status_code == 302
    assert SourceState.objects.get(name="shared").not_before is None


def test_what_is_gone_upstream_is_listed(viewer, sink, fresh_registry, arxiv_upstream):
    class Holdings:
        lacking = stamped = None

    registry.register(FakeSourceOfSingles(arxiv_upstream.url), sink=sink, holdings=Holdings())
    assert facts(get(viewer, CONSOLE), "fake")["Compared with its list"] == "not yet"
    SourceState.objects.create(name="fake", reconciled_at=NOW)
    GoneRecord.objects.create(source="fake", external_id="oai:7", noticed_at=NOW)
    GoneRecord.objects.create(source="old", external_id="oai:8", noticed_at=NOW)
    page = get(viewer, CONSOLE)
    assert facts(page, "fake")["Compared with its list"] == "2025-06-03 05:00 UTC, 1 gone there"
    link = page.value("//li[@id='source-fake']//dd/a[contains(@href, 'gonerecord')]/@href")
    assert get(client_of(user_with("harvest.view_gonerecord")), link).texts("//tbody/tr/th") == ["oai:7"]


def test_pauses_rests_quotas_and_stopped_windows(viewer, source):
    later = timezone.now() + dt.timedelta(hours=15)
    SourceState.objects.create(name="fake", not_before=later, quota={"x-ratelimit-remaining": "7"})
    SourceState.objects.create(name="old", paused_at=NOW, paused_because="Closed for ever.")
    HostLease.objects.create(host="slow.test:443", next_allowed_at=later)
    window = HarvestWindow.objects.create(
        source="fake", stream="arXiv", first_day="2025-06-02", last_day="2025-06-03", state="stopped",
        reason="The page never ends.", started_at=NOW, checkpoint_at=NOW, pages=4,
    )  # fmt: skip
    quarantined()
    page = get(viewer, CONSOLE)
    assert page.one("//li[@id='source-fake']/h3") == "fake resting"
    assert page.one("//li[@id='source-old']/h3") == "old paused"
    assert "Paused on 2025-06-03 05:00 UTC: Closed for ever." in page.one("//li[@id='source-old']")
    found = facts(page, "fake")
    assert found["Next allowed"] == f"{later:%Y-%m-%d %H:%M} UTC"
    assert found["x-ratelimit-remaining"] == "7"
    assert (found["Quarantine"], found["Windows"]) == ("1 waiting", "1 stopped")
    assert page.texts("//section[h2[@id='stopped']]//tbody/tr") == [
        "2025-06-02 to 2025-06-03 fake arXiv The page never ends. 4"
    ]
    assert page.texts("//section[h2[@id='hosts']]//tbody/tr/*") == ["slow.test:443", f"{later:%Y-%m-%d %H:%M:%S}"]
    links = page.all("//li[@id='source-fake']//dd/a/@href")
    assert [len(get(viewer, link).all("//table[@id='result_list']/tbody/tr")) for link in links] == [1, 1]
    assert get(viewer, f"/admin/harvest/harvestwindow/{window.pk}/change/").text.count("The page never ends.") == 1


def test_a_source_is_paused_and_resumed(keeper, source):
    assert keeper.post(f"{CONSOLE}fake/pause/", {"reason": "  Their disk\n is full. "}).headers["Location"] == CONSOLE
    state = SourceState.objects.get(name="fake")
    assert state.paused_at is not None
    assert state.paused_because == "Their disk is full."
    assert messages(keeper) == ["The source fake is paused. A run under way ends at its next page."]
    page = get(keeper, CONSOLE)
    assert page.texts("//li[@id='source-fake']//button") == ["Resume fake", "Learn anew what fake sends"]
    assert keeper.post(f"{CONSOLE}fake/resume/").status_code == 302
    state.refresh_from_db()
    assert (state.paused_at, state.paused_because) == (None, "")
    assert [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")] == [
        "Paused: Their disk is full.",
        "Resumed.",
    ]


def test_a_pause_needs_a_reason(keeper, source):
    keeper.post(f"{CONSOLE}fake/pause/", {"reason": " "})
    assert messages(keeper) == ["The source fake was not paused: say why, for those who come later."]
    assert SourceState.objects.filter(paused_at__isnull=False).count() == 0


def test_the_volume_brake_learns_anew(keeper, source):
    FieldProfile.objects.create(source="fake", stream="arXiv", records=3, filled={"title": 3})
    FieldProfile.objects.create(source="other", stream="arXiv")
    assert keeper.post(f"{CONSOLE}fake/forget-profile/").status_code == 302
    assert list(FieldProfile.objects.values_list("source", flat=True)) == ["other"]


@pytest.mark.parametrize("action", ["pause", "resume", "forget-profile"])
def test_who_may_do_it_and_how(source, action):
    url = f"{CONSOLE}fake/{action}/"
    seen = statuses("post", url, *VIEWS, acting="harvest.change_sourcestate")
    assert seen == {
        "anonymous": 302, "reader": 302, "staff": 403, "viewer": 403, "actor": 302, "superuser": 302,
    }  # fmt: skip
    admin = client_of(user_with(is_superuser=True))
    for method in ("get", "head", "put", "delete"):
        assert getattr(admin, method)(url).status_code == 405
    assert admin.post(f"{CONSOLE}nobody/{action}/").status_code == 404
    assert not SourceState.objects.filter(name="nobody").exists()


def test_a_forged_form_is_refused(source):
    client = Client(enforce_csrf_checks=True)
    client.force_login(user_with(is_superuser=True))
    assert client.post(f"{CONSOLE}fake/pause/", {"reason": "x"}).status_code == 403
    assert not SourceState.objects.filter(paused_at__isnull=False).exists()


PAGES = (
    CONSOLE,
    QUARANTINE,
    *(f"/admin/harvest/{name}/" for name in ("harvestrun", "harvestwindow", "harvestfile", "rawpage")),
)


@pytest.mark.parametrize("url", PAGES)
def test_who_may_look(url):
    seen = statuses("get", url, *VIEWS, acting="harvest.change_sourcestate")
    assert seen == {
        "anonymous": 302, "reader": 302, "staff": 403, "viewer": 200, "actor": 200, "superuser": 200,
    }  # fmt: skip
    admin = client_of(user_with(is_superuser=True))
    assert admin.get(f"{url}add/").status_code in {302, 403}
    assert admin.post(CONSOLE).status_code == 405


def test_queries_of_the_console_do_not_grow_with_the_rows(viewer, source):
    def rows(count: int) -> None:
        for number in range(count):
            HarvestRun.objects.create(source="fake", kind="files", pass_started_at=NOW, started_at=NOW)
            quarantined(QuarantinedRecord.objects.count())
            HarvestWindow.objects.create(
                source="fake", stream="arXiv", set_spec=str(HarvestWindow.objects.count()), state="stopped",
                first_day="2025-06-02", last_day="2025-06-02", started_at=NOW, reason=str(number),
            )  # fmt: skip

    counts = []
    for count in (1, 15):
        rows(count)
        with CaptureQueriesContext(connection) as queries:
            get(viewer, CONSOLE)
        counts.append(len(queries))
    assert counts[0] == counts[1]


# --- runs, windows, files, answers ------------------------------------------------------------------------------------


def test_runs_windows_and_answers_can_be_looked_through(viewer, arxiv_upstream, harvest):
    arxiv_upstream.papers = invented_papers(3)
    harvest()
    run, window, answer = HarvestRun.objects.get(), HarvestWindow.objects.get(), RawPage.objects.get()
    for model, row, shown in (
        ("harvestrun", run, "completed"),
        ("harvestwindow", window, "2025-06-02"),
        ("rawpage", answer, "answer of the source"),
    ):
        listed = get(viewer, f"/admin/harvest/{model}/?source=fake")
        [text] = listed.texts("//table[@id='result_list']/tbody/tr")
        assert shown in text
        assert get(viewer, f"/admin/harvest/{model}/?source=other").all("//table[@id='result_list']/tbody/tr") == []
        get(viewer, f"/admin/harvest/{model}/{row.pk}/change/")
    body = get(viewer, f"/admin/harvest/rawpage/{answer.pk}/change/").texts("//pre[@class='payload']")[-1]
    assert "<OAI-PMH" in body
    assert "oai:arXiv.org:2506.00001" in body


def test_files_and_refused_answers(viewer):
    HarvestFile.objects.create(source="fake", sha256="0" * 64, name=f"{SCRIPT}.xml", size=3, started_at=NOW)
    for number, reason in ((1, ""), (2, f"This is no XML: {SCRIPT}")):
        RawPage.objects.create(
            source="fake", number=number, kind="answer", fetched_at=NOW, sha256="0", size=3, refused_because=reason,
            body_zstd=zstandard.compress(SCRIPT.encode()), headers={"X": SCRIPT},
        )  # fmt: skip
    assert SCRIPT in get(viewer, "/admin/harvest/harvestfile/").one("//table[@id='result_list']/tbody/tr")
    refused = get(viewer, "/admin/harvest/rawpage/?use=refused")
    assert (
        refused.one("//table[@id='result_list']/tbody/tr/td[@class='field-refused_because']")
        == f"This is no XML: {SCRIPT}"
    )
    assert len(get(viewer, "/admin/harvest/rawpage/?use=taken").all("//table[@id='result_list']/tbody/tr")) == 1
    page = get(viewer, refused.value("//table[@id='result_list']/tbody/tr//a/@href"))
    assert page.texts("//pre[@class='payload']") == [f"X: {SCRIPT}", SCRIPT]
    assert [
        script for script in page.all("//script") if not script.get("src", "").startswith(("/static/", "/admin/jsi18n"))
    ] == []


@pytest.mark.parametrize("url", PAGES[1:])
def test_lists_take_the_same_queries_for_many_rows(viewer, url):
    counts = []
    for number in range(2):
        for copy in range(1 + 6 * number):
            key = f"{number}{copy}"
            quarantined(int(key))
            HarvestRun.objects.create(source="fake", kind="files", pass_started_at=NOW, started_at=NOW)
            HarvestFile.objects.create(source="fake", sha256=key, name=key, size=3, started_at=NOW)
            HarvestWindow.objects.create(
                source="fake", stream=key, first_day="2025-06-02", last_day="2025-06-02", started_at=NOW
            )
            RawPage.objects.create(
                source="fake", number=1, kind="answer", fetched_at=NOW, sha256=key, size=1, body_zstd=b"x"
            )
        with CaptureQueriesContext(connection) as queries:
            page = get(viewer, url)
        assert len(page.all("//table[@id='result_list']/tbody/tr")) == 1 + 7 * number
        assert not [query for query in queries.captured_queries if "_zstd" in query["sql"]]
        counts.append(len(queries))
    assert counts[0] == counts[1]


# --- quarantine -------------------------------------------------------------------------------------------------------


def test_the_quarantine_shows_what_waits_and_why(viewer):
    quarantined(1)
    quarantined(2, resolved_at=NOW)
    quarantined(3, external_id="", damaged=True, reason="Half a record.")

    def reasons(query: str = "") -> list[str]:
        return get(viewer, QUARANTINE + query).texts("//table[@id='result_list']/tbody/tr/td[@class='field-reason']")

    assert reasons() == ["Half a record.", "It has no title."]
    assert len(reasons("?state=all")) == 3
    assert len(reasons("?state=resolved")) == 1
    assert reasons("?damaged__exact=1") == ["Half a record."]
    assert reasons("?q=oai:1") == ["It has no title."]
    assert reasons("?source=other") == []
    names = get(viewer, QUARANTINE).texts("//table[@id='result_list']/tbody/tr/th")
    assert names == [f"piece {3:064}"[:18], "oai:1"]


def test_a_payload_is_text(viewer):
    record = quarantined(
        payload=f"<record><title>x</title>{SCRIPT}</record>".encode(), reason=SCRIPT, external_id=SCRIPT
    )
    page = get(viewer, f"{QUARANTINE}{record.pk}/change/")
    assert page.value("//pre[@class='payload']/text()") == (
        "<record>\n  <title>x</title>\n  <script>alert(1)</script>\n</record>"
    )
    assert SCRIPT in page.one("//div[contains(@class, 'field-reason')]")
    assert [script for script in page.all("//script") if "alert" in (script.text or "")] == []
    assert page.texts("//button[text()='Try again']") == []


@pytest.fixture
def refused(arxiv_upstream, harvest, monkeypatch):
    """A record that a fault of the parser kept out; the fault is mended."""
    arxiv_upstream.papers = invented_papers(3)
    good = FakeSource.parse

    def parse(self, record):
        thing = good(self, record)
        if thing.title.endswith("3"):
            raise RecordRefused("I do not like 3.")
        return thing

    monkeypatch.setattr(FakeSource, "parse", parse)
    harvest()
    monkeypatch.setattr(FakeSource, "parse", good)
    return QuarantinedRecord.objects.get()


def test_a_record_is_tried_again_from_its_page(keeper, refused):
    url = f"{QUARANTINE}{refused.pk}/change/"
    page = get(keeper, url)
    assert page.texts("//button[text()='Try again']") == ["Try again"]
    response = keeper.post(page.value("//form[button[text()='Try again']]/@action"))
    assert (response.status_code, response["Location"]) == (302, url)
    refused.refresh_from_db()
    assert refused.resolved_at is not None
    assert ("arXiv", "oai:arXiv.org:2506.00003") in things()
    assert messages(keeper, url) == ["1 of 1 records of fake could now be used, 0 still cannot."]
    run = HarvestRun.objects.latest("pk")
    assert (run.kind, run.outcome, run.new) == ("replay", "completed", 1)
    assert get(keeper, url).texts("//button[text()='Try again']") == []
    keeper.post(f"{QUARANTINE}{refused.pk}/replay/")
    assert messages(keeper, url) == ["This record was resolved before: there is nothing to try again."]


def test_chosen_records_are_tried_again_from_the_list(keeper, refused):
    still = quarantined(7, payload=b"<record xmlns='x'><header/></record>")
    data = {"action": "try_again", "_selected_action": [refused.pk, still.pk]}
    response = keeper.post(QUARANTINE, data)
    assert (response.status_code, response["Location"]) == (302, QUARANTINE)
    assert messages(keeper, QUARANTINE) == ["1 of 2 records of fake could now be used, 1 still cannot."]
    assert list(QuarantinedRecord.objects.unresolved()) == [still]
    still.refresh_from_db()
    assert (still.attempts, still.reason) == (2, "It has no title.")


def test_why_it_cannot_be_tried_is_said(keeper, source):
    gone = quarantined(8, source="gone")
    keeper.post(f"{QUARANTINE}{gone.pk}/replay/")
    [message] = messages(keeper, QUARANTINE)
    assert message.startswith("There is no source 'gone'; known: fake.")


def test_who_may_try_again_and_how(source):
    record = quarantined(resolved_at=NOW)
    url = f"{QUARANTINE}{record.pk}/replay/"
    seen = statuses("post", url, *VIEWS, acting="harvest.change_quarantinedrecord")
    assert seen == {
        "anonymous": 302, "reader": 302, "staff": 403, "viewer": 403, "actor": 302, "superuser": 302,
    }  # fmt: skip
    admin = client_of(user_with(is_superuser=True))
    assert admin.get(url).status_code == 405
    assert admin.post(f"{QUARANTINE}0/replay/").status_code == 404
    quarantined(2)
    page = get(client_of(user_with(*VIEWS)), QUARANTINE)
    assert page.all("//select[@name='action']/option[@value='try_again']") == []


def test_while_a_harvest_runs_it_is_said(keeper, refused):
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [SOURCE_LOCKS, zlib.crc32(b"fake") - 2**31])
        keeper.post(f"{QUARANTINE}{refused.pk}/replay/")
    finally:
        other.close()
    assert messages(keeper, QUARANTINE) == ["Fake is being harvested by another process: wait for it to end."]
    refused.refresh_from_db()
    assert refused.resolved_at is None
