"""OpenAlex over the loopback: by days, by identifiers, with all that its API gets wrong."""

from __future__ import annotations

import datetime as dt
import json
import logging
from dataclasses import replace

import pytest
from django.utils import timezone

from papers.models import Paper, PaperIdentifier, SourceRecord
from papers.services.ingest import ingest_records
from papers.services.ingest.identity import title_key
from papers.sources.openalex import OpenAlexSource
from tests.papers.sources.openalex_documents import ARXIV, work
from tests.upstreams import faults
from tests.upstreams.openalex import KEY, OpenAlexUpstream, continuing, looking_up, nothing_known
from tests.upstreams.web import Fault, Reply
from tests.wovepaper.harvest.conftest import FAST
from wovepaper.harvest.contracts import RawRecord
from wovepaper.harvest.errors import SourcePostponed
from wovepaper.harvest.models import Enrichment, HarvestRun, HarvestWindow, RawPage, SourceState, Spending, Watermark
from wovepaper.harvest.services import enrich_source, harvest_source, replay_pages

DAY = dt.date(2025, 3, 4)
TODAY = dt.date(2025, 3, 10)
pytestmark = pytest.mark.django_db


def numbered(number: int, **values):
    """A work of its own: title, DOI and dates."""
    return work(
        number,
        doi=f"https://doi.org/10.5555/woven.{number}",
        ids={"openalex": f"https://openalex.org/W{number}"},
        title=f"A woven lattice of the order {number}",
        created_date="2025-03-04",
        **values,
    )


@pytest.fixture
def upstream(settings):
    with OpenAlexUpstream(page_size=7) as upstream:
        settings.OPENALEX_API_URL = upstream.url
        settings.OPENALEX_API_KEY = KEY
        settings.OPENALEX_FILTER = ""
        settings.OPENALEX_DAILY_REQUESTS = 0
        yield upstream


def harvest(**changes):
    options = replace(FAST, **changes.pop("options", {}))
    return harvest_source(name="openalex", first_day=DAY, last_day=DAY, today=TODAY, options=options, **changes)


def enrich(**changes):
    return enrich_source(name="openalex", options=replace(FAST, **changes.pop("options", {})), **changes)


def put(*said):
    """Have these works taken in, as if they had come from a file, two months ago."""
    source = OpenAlexSource()
    raws = [
        RawRecord(one["id"].rpartition("/")[2], "work", one["updated_date"], json.dumps(one).encode()) for one in said
    ]
    ingest_records([(raw, source.parse(raw)) for raw in raws])
    SourceRecord.objects.update(harvested_at=timezone.now() - dt.timedelta(days=60))


@pytest.fixture
def make_papers():
    def make(number):
        titles = [f"A woven lattice of the order {each}" for each in range(1, number + 1)]
        made = [Paper.objects.create(title=each, sort_date=DAY, title_key=title_key(each)) for each in titles]
        PaperIdentifier.objects.bulk_create(
            PaperIdentifier(paper=paper, scheme="doi", value=f"10.5555/woven.{each}")
            for each, paper in enumerate(made, start=1)
        )
        return made

    return make


# --- by days -------------------------------------------------------------------------------------------------


def test_the_changes_of_a_day_come_page_by_page(upstream):
    upstream.works = [numbered(number) for number in range(1, 17)]
    upstream.works.append(numbered(99, updated_date="2025-03-05"))

    summary = harvest()

    assert summary.line == "openalex: seen 16, new 16, changed 0, unchanged 0, quarantined 0"
    assert summary.problems == summary.warnings == ()
    assert [seen.params["cursor"] for seen in upstream.requests] == ["*", "*", "Ils7", "Ils14", "Ils21"]
    assert upstream.requests[1].params["filter"] == "from_updated_date:2025-03-04,to_updated_date:2025-03-04"
    assert upstream.requests[1].params["per_page"] == "100"
    assert Watermark.objects.get().day == DAY
    assert harvest().line == "openalex: seen 16, new 0, changed 0, unchanged 16, quarantined 0"


def test_only_a_part_is_followed(upstream, settings):
    settings.OPENALEX_FILTER = "locations.source.id:S1"
    harvest()
    harvest(set_spec="pmid:5")
    filters = [seen.params["filter"].partition(",to_updated_date:2025-03-04,")[2] for seen in upstream.requests]
    assert filters == ["locations.source.id:S1", "locations.source.id:S1", "locations.source.id:S1", "pmid:5"]


def test_a_set_that_is_no_filter_is_refused_before_anything_is_asked(upstream):
    from wovepaper.harvest.errors import BadSet

    with pytest.raises(BadSet, match="'physics' is no filter of OpenAlex's works"):
        harvest(set_spec="physics")
    assert upstream.requests == []


def test_a_key_that_may_not_ask_for_changes_gets_what_is_new(upstream):
    upstream.may_ask_for_changes = False
    upstream.works = [numbered(1), numbered(2, updated_date="2025-03-09")]

    summary = harvest()

    assert summary.line == "openalex: seen 2, new 2, changed 0, unchanged 0, quarantined 0"
    assert summary.ok
    (warning,) = summary.warnings
    assert "only 'created' is harvested by day" in warning
    assert "from_updated_date needs another plan" in warning
    assert HarvestWindow.objects.get().stream == "created"
    assert Watermark.objects.get().day == DAY


def test_a_key_that_may_ask_for_neither_is_told_of_look_ups(upstream):
    upstream.may_ask_for_changes = upstream.may_ask_for_news = False
    summary = harvest()
    assert not summary.ok
    assert (
        "cannot be followed by day from here; what is here is kept fresh by look-ups: use --enrich"
        in summary.problems[0]
    )
    assert len(upstream.requests) == 2


def test_a_cursor_that_dies_begins_the_day_again(upstream):
    upstream.works = [numbered(number) for number in range(1, 17)]

    def die(seen, reply):
        upstream.dead_cursors = True
        answer = reply()
        upstream.dead_cursors = False
        return answer

    upstream.faults.append(Fault(die, lambda seen: seen.params.get("cursor") == "Ils14", 1))

    summary = harvest()

    assert summary.ok
    assert summary.line == "openalex: seen 30, new 16, changed 0, unchanged 14, quarantined 0"
    assert HarvestWindow.objects.get().attempt == 2


@pytest.mark.parametrize(
    "fault",
    [
        faults.html_with_200(continuing),
        faults.empty_object(continuing),
        faults.status(500, continuing),
        faults.status(503, continuing, retry_after=0),
        faults.status(429, continuing),
        faults.broken_off(continuing),
        faults.packed_and_cut(continuing),
        Fault(lambda _seen, reply: reply().with_body(reply().body[:500]), continuing, 1),
    ],
    ids=["html", "empty object", "500", "503", "429", "broken off", "half a packed one", "half a document"],
)
def test_what_passes_by_is_asked_for_again(upstream, fault):
    upstream.works = [numbered(number) for number in range(1, 11)]
    upstream.faults.append(replace(fault, met=0))

    summary = harvest()

    assert summary.ok
    assert summary.line == "openalex: seen 10, new 10, changed 0, unchanged 0, quarantined 0"
    assert len(upstream.requests) == 5


def test_nulls_in_a_list_are_set_apart(upstream):
    upstream.works = [numbered(number) for number in range(1, 4)]
    upstream.faults.append(nothing_known(lambda seen: seen.number == 2, 1))
    summary = harvest()
    assert "Item 1 is empty" in summary.problems[0]


def test_a_quota_that_is_used_up_ends_the_run_until_it_is_renewed(upstream):
    upstream.works = [numbered(number) for number in range(1, 30)]
    upstream.calls_left = 3
    before = timezone.now()

    summary = harvest()

    assert summary.outcome == HarvestRun.Outcome.POSTPONED
    assert summary.counts.seen == 14
    assert "openalex has no calls left until" in summary.problems[0]
    assert len(upstream.requests) == 3, "Nothing is asked for that would be refused."
    state = SourceState.objects.get(name="openalex")
    assert dt.timedelta(hours=14.9) < state.not_before - before < dt.timedelta(hours=15.1)
    assert state.allowance["remaining"] == 0
    with pytest.raises(SourcePostponed):
        harvest()
    SourceState.objects.update(not_before=timezone.now())
    upstream.calls_left = 100
    assert harvest().line == "openalex: seen 15, new 15, changed 0, unchanged 0, quarantined 0"


def test_fifteen_hours_of_retry_after_are_not_slept_out(upstream):
    upstream.works = [numbered(1)]
    upstream.faults.append(faults.status(429, retry_after=54_000))
    summary = harvest()
    assert summary.outcome == HarvestRun.Outcome.POSTPONED
    assert "It asks for a pause until" in summary.problems[0]


# --- the key -------------------------------------------------------------------------------------------------


def test_nobody_sees_the_key(upstream, caplog):
    caplog.set_level(logging.DEBUG)
    upstream.works = [numbered(1), numbered(2)]
    upstream.merged = {"W2": "W1"}
    put(numbered(2))

    def repeat(_seen, reply):
        answer = reply()
        said = json.loads(answer.body) | {"asked": f"/works?api_key={KEY}"}
        return Reply(json.dumps(said).encode(), 200, {**answer.headers, "X-RateLimit-Key": KEY}, "application/json")

    upstream.faults.append(Fault(repeat, lambda seen: seen.path == "/works"))
    harvest()
    enrich()
    upstream.key = "another"
    summary = harvest()

    assert {seen.params["api_key"] for seen in upstream.requests} == {KEY}
    assert "API key *** not found" in summary.problems[0]
    pages = list(RawPage.objects.all())
    assert len(pages) == 4
    kept = [(page.url, json.dumps(page.headers), page.body.decode()) for page in pages]
    runs = list(HarvestRun.objects.values_list("message", "warnings"))
    states = list(SourceState.objects.values_list("quota", "allowance", "postponed_because"))
    assert KEY not in repr((kept, runs, states, summary))
    assert KEY not in caplog.text


# --- by identifier -------------------------------------------------------------------------------------------


def test_papers_are_asked_about_in_batches(upstream, make_papers, django_assert_max_num_queries):
    upstream.page_size = 100
    papers = make_papers(250)
    upstream.works = [numbered(number) for number in range(1, 241)]

    summary = enrich()

    assert summary.ok, summary.problems
    assert summary.line == "openalex: seen 240, new 240, changed 0, unchanged 0, quarantined 0"
    assert [seen.params["filter"].count("|") + 1 for seen in upstream.requests] == [100, 100, 50]
    assert upstream.requests[0].params["filter"].startswith(f"doi:10.5555/woven.{250}|"), "the newest first"
    assert Paper.objects.count() == 250
    outcomes = dict(Enrichment.objects.values_list("subject", "outcome"))
    assert outcomes == {paper.pk: "found" if number < 240 else "unknown" for number, paper in enumerate(papers)}
    upstream.requests.clear()
    assert enrich().counts.seen == 0
    assert upstream.requests == []


def test_what_is_unknown_is_asked_for_at_growing_distances(upstream, make_papers):
    make_papers(1)
    distances = []
    for _ in range(4):
        Enrichment.objects.update(due_at=timezone.now(), asked_at=timezone.now() - dt.timedelta(days=1))
        enrich(options={"unknown_days_max": 20})
        row = Enrichment.objects.get()
        distances.append((row.outcome, row.misses, round((row.due_at - timezone.now()).total_seconds() / 86_400)))
    assert distances == [("unknown", 1, 3), ("unknown", 2, 6), ("unknown", 3, 12), ("unknown", 4, 20)]
    upstream.works = [numbered(1)]
    Enrichment.objects.update(due_at=timezone.now(), asked_at=timezone.now() - dt.timedelta(days=1))
    enrich()
    row = Enrichment.objects.get()
    assert (row.outcome, row.misses, round((row.due_at - timezone.now()).total_seconds() / 86_400)) == ("found", 0, 30)


def test_one_that_is_unknown_by_its_doi_is_tried_by_its_arxiv_id(upstream, make_papers):
    (paper,) = make_papers(1)
    PaperIdentifier.objects.create(paper=paper, scheme="arxiv", value="2401.00001")
    upstream.works = [work(5, doi="https://doi.org/10.48550/arXiv.2401.00001", ids={}, locations=[ARXIV],
                           primary_location=ARXIV)]  # fmt: skip

    assert enrich().line == "openalex: seen 1, new 1, changed 0, unchanged 0, quarantined 0"

    assert [seen.path for seen in upstream.requests] == [
        "/works/doi:10.5555/woven.1",
        "/works/doi:10.48550/arxiv.2401.00001",
    ]
    assert list(paper.identifiers.values_list("scheme", "value").order_by("scheme"))[-1] == ("openalex", "W5")
    assert Enrichment.objects.get().outcome == "found"


def test_a_merged_work_is_followed_and_joins_the_paper_that_had_its_old_id(upstream):
    put(numbered(1), numbered(2))
    paper = Paper.objects.get(identifiers__value="W1")
    # The work it became part of has neither its DOI nor its title.
    upstream.works = [numbered(2), work(900, doi=None, ids={}, title="Something else entirely, and longer")]
    upstream.merged = {"W1": "W900"}

    summary = enrich()

    assert summary.ok, summary.problems
    assert [seen.path for seen in upstream.requests] == ["/works", "/works/W1", "/works/W900"]
    assert set(paper.identifiers.filter(scheme="openalex").values_list("value", flat=True)) == {"W1", "W900"}
    assert Paper.objects.count() == 2
    assert set(Enrichment.objects.values_list("outcome", flat=True)) == {"found"}


def test_a_deleted_work_is_unknown(upstream):
    put(numbered(1))
    PaperIdentifier.objects.filter(scheme="doi").delete()
    enrich()
    assert Enrichment.objects.get().outcome == "unknown"


def test_a_redirect_to_another_host_is_not_followed(upstream):
    put(numbered(1))
    upstream.faults.append(faults.redirect("https://example.org/works/W1", looking_up))
    summary = enrich()
    assert "https://example.org:443 is not a host of this source" in summary.problems[0]
    assert Enrichment.objects.get().outcome == "waiting"


def test_invented_and_fresh_papers_and_those_without_names_are_not_asked_about(upstream, make_papers):
    demo, nameless = make_papers(2)
    Paper.objects.filter(pk=demo.pk).update(is_demo=True)
    nameless.identifiers.all().delete()
    put(numbered(7))
    SourceRecord.objects.update(harvested_at=timezone.now() - dt.timedelta(days=3))

    assert enrich().ok

    assert upstream.requests == []
    fresh = Paper.objects.get(identifiers__value="W7")
    rows = dict(Enrichment.objects.values_list("subject", "outcome"))
    assert rows == {nameless.pk: "nameless", fresh.pk: "found"}
    due_in = Enrichment.objects.get(subject=fresh.pk).due_at - timezone.now()
    assert round(due_in.total_seconds() / 86_400) == 27
    upstream.works = [numbered(7)]
    assert enrich(restart=True).counts.seen == 1


def test_the_budget_of_the_day_is_kept_and_the_rest_follows(upstream, make_papers, settings):
    settings.OPENALEX_DAILY_REQUESTS = 2
    upstream.page_size = 100
    make_papers(250)
    upstream.works = [numbered(number) for number in range(1, 251)]

    summary = enrich()

    assert summary.outcome == HarvestRun.Outcome.POSTPONED
    assert "The day's budget of openalex, 2 requests, is spent" in summary.problems[0]
    assert summary.counts.seen == 200
    assert Spending.objects.get().requests == 2
    state = SourceState.objects.get()
    assert state.not_before.time() == dt.time(0)
    assert state.postponed_because == summary.problems[0]
    with pytest.raises(SourcePostponed):
        enrich()
    SourceState.objects.update(not_before=timezone.now())
    Spending.objects.update(day=dt.date(2025, 1, 1))
    assert enrich().counts.seen == 50


@pytest.mark.parametrize(
    "fault",
    [
        faults.html_with_200(looking_up),
        faults.empty_object(looking_up),
        faults.status(500, looking_up),
        faults.status(429, looking_up, retry_after=0),
        faults.broken_off(looking_up),
    ],
    ids=["html", "empty object", "500", "429", "broken off"],
)
def test_what_passes_by_is_looked_up_again(upstream, make_papers, fault):
    make_papers(3)
    upstream.works = [numbered(number) for number in range(1, 4)]
    upstream.faults.append(replace(fault, met=0))
    summary = enrich()
    assert summary.line == "openalex: seen 3, new 3, changed 0, unchanged 0, quarantined 0"
    assert len(upstream.requests) == 2


def test_html_for_ever_ends_the_run_and_loses_nothing(upstream, make_papers):
    make_papers(3)
    upstream.faults.append(faults.html_with_200(times=None))
    summary = enrich()
    assert "The answer is not JSON" in summary.problems[0]
    assert set(Enrichment.objects.values_list("outcome", flat=True)) == {"waiting"}
    upstream.faults.clear()
    upstream.works = [numbered(number) for number in range(1, 4)]
    assert enrich().counts.new == 3


def test_an_identifier_that_breaks_the_server_stands_alone_in_the_end(upstream, make_papers):
    papers = make_papers(6)
    upstream.works = [numbered(number) for number in range(1, 7)]

    def breaks(seen):
        return "woven.4" in seen.params.get("filter", "") + seen.path

    upstream.faults.append(faults.status(500, breaks, None))

    summary = enrich()

    assert summary.ok
    assert summary.counts.new == 5
    assert "doi 10.5555/woven.4 cannot be looked up: " in summary.warnings[0]
    rows = dict(Enrichment.objects.values_list("subject", "outcome"))
    assert [rows[paper.pk] for paper in papers] == ["found", "found", "found", "unknown", "found", "found"]


def test_dois_that_no_filter_can_hold_are_asked_for_one_by_one(upstream, make_papers):
    papers = make_papers(2)
    papers[0].identifiers.update(value="10.5555/a,b|c")
    upstream.works = [numbered(2), work(9, doi="https://doi.org/10.5555/a,b|c", ids={})]
    summary = enrich()
    assert summary.counts.new == 2, summary
    assert [seen.path for seen in upstream.requests] == ["/works", "/works/doi:10.5555/a%2Cb%7Cc"]


def test_a_limit_is_one_of_papers(upstream, make_papers):
    make_papers(5)
    summary = enrich(limit=2)
    assert summary.outcome == HarvestRun.Outcome.LIMITED
    assert Enrichment.objects.exclude(outcome="waiting").count() == 2
    enrich(limit=2)
    assert Enrichment.objects.exclude(outcome="waiting").count() == 4


def test_answers_to_look_ups_can_be_replayed(upstream, make_papers):
    make_papers(3)
    upstream.works = [numbered(number) for number in range(1, 3)]
    enrich()
    (page,) = RawPage.objects.all()
    assert (page.kind, page.status, len(page.asked)) == ("lookup", 200, 3)
    upstream.requests.clear()
    assert replay_pages(name="openalex").line == "openalex: seen 2, new 0, changed 0, unchanged 2, quarantined 0"
    assert upstream.requests == []
