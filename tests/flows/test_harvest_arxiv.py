"""From arXiv's servers and files into the catalogue, with everything real but the network."""

from __future__ import annotations

import datetime as dt
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection

from papers.models import Paper, SourceRecord
from papers.sources.arxiv import ArxivSource
from tests.papers.services.state import TABLES, catalogue, fingerprint, row_versions
from tests.shared_data import shared_data_dir
from tests.upstreams import faults
from tests.upstreams.catalogue import Author, Version, invented_papers
from tests.upstreams.web import Reply, Upstream
from tests.wovepaper.harvest.processes import clear_engine, die_everywhere, engine_digests
from wovepaper.harvest import hooks
from wovepaper.harvest.models import HarvestWindow, QuarantinedRecord, RawPage, Watermark
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.services import harvest_files, harvest_source, replay_pages

DAY = dt.date(2025, 6, 2)
LAST = dt.date(2025, 6, 3)
TODAY = dt.date(2025, 6, 10)
FAST = HarvestOptions(attempts=3, wait_initial=0.001, wait_max=0.002, wait_jitter=0.001)


@pytest.fixture(autouse=True)
def _quick(monkeypatch, settings, arxiv_upstream):
    """No waiting for a server that is not arXiv, and the pipeline stays out of it."""
    monkeypatch.setattr(ArxivSource, "host_interval", 0.0)
    monkeypatch.setattr(hooks, "_callbacks", [])
    settings.ARXIV_OAI_URL = arxiv_upstream.url


@pytest.fixture
def papers(arxiv_upstream):
    """44 papers over two days, some of them with all that arXiv's records can hold."""
    several = (
        Version(1, dt.datetime(2024, 1, 9, 3, 4, 5, tzinfo=dt.UTC)),
        Version(2, dt.datetime(2025, 6, 1, 13, 4, 5, tzinfo=dt.UTC), 0, "I"),
    )
    papers = invented_papers(44, days=2)
    papers[1] = replace(papers[1], arxiv_id="2401.00002", versions=several, comments="Withdrawn: it is wrong.")
    papers[2] = replace(papers[2], doi="10.5555/woven.1 10.5555/woven.2", journal_ref="J. Inv. Res. 4 (2025) 12")
    papers[3] = replace(
        papers[3], title="A naïve lattice", title_tex=r"A na\"{\i}ve lattice", categories=("hep-th", "math.CO")
    )
    papers[4] = replace(papers[4], authors=(Author("Vek", "Č.", "Jr.", ("Nowhere University",)),))
    arxiv_upstream.papers = papers
    return papers


def harvest(**changes):
    options = {"first_day": DAY, "last_day": LAST, "options": FAST, "today": TODAY}
    return harvest_source(name="arxiv", **(options | changes))


def clear():
    clear_engine()
    with connection.cursor() as cursor:
        kept = "papers_category"
        cursor.execute(f"TRUNCATE {', '.join(table for table in TABLES if table != kept)} CASCADE")


@pytest.mark.django_db
@pytest.mark.parametrize("flavour", ["new", "classic"])
def test_both_servers_fill_the_catalogue_and_a_second_run_writes_nothing(arxiv_upstream, papers, flavour):
    arxiv_upstream.flavour = flavour

    assert harvest().line == "arxiv: seen 88, new 88, changed 0, unchanged 0, quarantined 0"
    assert Paper.objects.count() == 44
    assert SourceRecord.objects.count() == 88
    withdrawn = Paper.objects.get(arxiv_id="2401.00002")
    assert (withdrawn.status, withdrawn.version_count, withdrawn.published_on) == (
        "withdrawn",
        2,
        dt.date(2024, 1, 9),
    )
    assert Paper.objects.get(arxiv_id=papers[3].arxiv_id).title == "A naïve lattice"
    assert Watermark.objects.get().day == LAST

    before = row_versions()
    assert harvest().line == "arxiv: seen 88, new 0, changed 0, unchanged 88, quarantined 0"
    assert row_versions() == before


@pytest.mark.django_db
@pytest.mark.parametrize("flavour", ["new", "classic"])
def test_the_same_pages_as_files_give_the_same_catalogue(arxiv_upstream, papers, flavour, tmp_path):
    arxiv_upstream.flavour = flavour
    harvest()
    served = fingerprint()
    for page in RawPage.objects.order_by("pk"):
        (tmp_path / f"{page.pk:09}.xml").write_bytes(page.body)
    clear()
    assert catalogue()["papers"] == []
    paths = sorted(tmp_path.iterdir(), reverse=True)

    summary = harvest_files(name="arxiv", paths=paths, options=FAST)

    assert summary.line == "arxiv: seen 88, new 88, changed 0, unchanged 0, quarantined 0"
    assert fingerprint() == served
    before = row_versions()
    assert harvest_files(name="arxiv", paths=paths, options=FAST).counts.unchanged == 88
    assert row_versions() == before


@pytest.mark.django_db
def test_a_replay_finds_everything_unchanged(papers):
    harvest()
    before = row_versions()

    assert replay_pages(name="arxiv").line == "arxiv: seen 88, new 0, changed 0, unchanged 88, quarantined 0"
    assert row_versions() == before


@pytest.mark.django_db
def test_a_set_is_harvested_by_itself(arxiv_upstream, papers):
    assert harvest(set_spec="cs:cs:AI").counts.seen == 30
    assert set(Paper.objects.values_list("primary_category", flat=True)) == {"cs.AI"}


SURVIVED = "arxiv: seen 88, new 88, changed 0, unchanged 0, quarantined 0"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fault",
    [
        faults.truncated_xml(on=faults.continuing),
        faults.garbage_after_xml(on=faults.continuing, times=1),
        faults.html_with_200(on=faults.continuing),
        faults.empty_object(on=faults.continuing),
        faults.empty_body(),
        faults.status(500),
        faults.status(503, retry_after=0),
        faults.status(429),
        faults.packed(),
        faults.packed_and_cut(),
        faults.broken_off(),
        faults.out_of_order(),
    ],
    ids=lambda fault: fault.spoil.__qualname__.split(".")[0],
)
def test_passing_faults_change_nothing_of_the_outcome(arxiv_upstream, papers, fault):
    harvest()
    expected = fingerprint()
    clear()
    arxiv_upstream.faults.append(fault)

    summary = harvest()

    assert (summary.line, summary.problems) == (SURVIVED, ())
    assert fingerprint() == expected


@pytest.mark.django_db
@pytest.mark.parametrize("flavour", ["new", "classic"])
def test_an_expired_token_changes_nothing_of_the_outcome(arxiv_upstream, papers, flavour):
    arxiv_upstream.flavour = flavour
    harvest()
    expected = fingerprint()
    clear()
    arxiv_upstream.faults.append(faults.expired_token())

    summary = harvest()

    assert (summary.counts.new, summary.counts.unchanged, summary.problems) == (88, 10, ())
    assert fingerprint() == expected


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (faults.same_page_for_ever, "Page 3 has the same records as page 2: the source goes round in circles."),
        (faults.own_token_for_ever, "Page 2 names its own token as the next one."),
    ],
)
def test_a_server_that_goes_round_in_circles_is_stopped(arxiv_upstream, papers, fault, reason):
    arxiv_upstream.faults.append(fault())

    summary = harvest(last_day=DAY)

    assert summary.outcome == "failed"
    assert summary.problems[0] == f"arxiv arXiv {DAY}: {reason}"
    assert not Watermark.objects.exists()


@pytest.mark.django_db
def test_a_record_without_metadata_is_quarantined_and_the_rest_taken_in(arxiv_upstream, papers):
    arxiv_upstream.faults.append(faults.damaged_records(2, times=1))

    summary = harvest()

    assert summary.line == "arxiv: seen 88, new 86, changed 0, unchanged 0, quarantined 2"
    assert summary.ok
    assert sorted(QuarantinedRecord.objects.values_list("external_id", flat=True)) == ["2401.00002", "2506.00001"]
    arxiv_upstream.faults.clear()
    assert harvest().counts.new == 2
    assert not QuarantinedRecord.objects.filter(format="arXiv").unresolved().exists()


@pytest.mark.django_db
def test_a_record_the_server_chokes_on_costs_that_record_only(arxiv_upstream, papers):
    bad = papers[14]
    arxiv_upstream.faults.append(faults.internal_error_on_record(bad.oai_id))

    summary = harvest()

    assert summary.problems == ()
    assert summary.line == "arxiv: seen 88, new 86, changed 0, unchanged 0, quarantined 2"
    assert summary.ok
    assert sorted(Paper.objects.values_list("arxiv_id", flat=True)) == sorted(
        paper.arxiv_id for paper in papers if paper is not bad
    )
    assert sorted(QuarantinedRecord.objects.values_list("external_id", "format")) == [
        (bad.arxiv_id, "arXiv"),
        (bad.arxiv_id, "arXivRaw"),
    ]
    arxiv_upstream.faults.clear()
    assert harvest().counts.new == 2
    assert not QuarantinedRecord.objects.unresolved().exists()


@pytest.mark.django_db
def test_authors_that_vanish_everywhere_stop_the_window(arxiv_upstream, papers):
    arxiv_upstream.page_size = 30
    harvest()
    harvest(restart=True)
    arxiv_upstream.faults.append(faults.field_vanishes("authors"))
    before = fingerprint()

    summary = harvest(restart=True, last_day=DAY)

    assert not summary.ok
    assert "'authors'" in summary.problems[0]
    assert fingerprint() == before


@pytest.mark.django_db
def test_a_paper_with_three_thousand_authors_and_one_without_any(arxiv_upstream):
    crowd = tuple(Author(f"Name{number}", "A.") for number in range(3000))
    two = invented_papers(2)
    arxiv_upstream.papers = [replace(two[0], authors=crowd), replace(two[1], authors=())]

    assert harvest(last_day=DAY).line == "arxiv: seen 4, new 4, changed 0, unchanged 0, quarantined 0"
    assert list(Paper.objects.order_by("arxiv_id").values_list("author_count", flat=True)) == [3000, 0]


@pytest.mark.django_db(transaction=True)
def test_sigkill_at_thirty_points_of_a_harvest_leaves_nothing_behind(arxiv_upstream, papers):
    arxiv_upstream.papers = papers[:8] + papers[22:30]
    arxiv_upstream.page_size = 4
    arxiv_upstream.faults.append(faults.damaged_records(1))

    def work():
        assert harvest().outcome == "completed"

    def state():
        return engine_digests() | catalogue() | {"waiting": waiting()}

    clear()
    die_everywhere(work, state=state, clear=clear, points=30, seed=2025)
    clear()


def waiting():
    """Which papers wait for which stage, once each."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT p.arxiv_id, w.stage FROM pipeline_workitem w JOIN papers_paper p ON p.id = w.object_id"
        )
        return sorted(cursor.fetchall())


# --- the command, in a process of its own --------------------------------------------------------------------


@pytest.fixture
def command(arxiv_upstream):
    def start(*arguments):
        database = connection.settings_dict["NAME"]
        environment = os.environ | {
            "DATABASE_URL": re.sub(r"/postgres(?=\?|$)", f"/{database}", os.environ["DATABASE_URL"]),
            "ARXIV_OAI_URL": arxiv_upstream.url,
            "CONTACT_EMAIL": "keeper@example.org",
            "http_proxy": "http://127.0.0.1:1",
        }
        return subprocess.Popen(
            [sys.executable, "manage.py", "harvest", "arxiv", *arguments],
            cwd=django_settings.BASE_DIR,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.mark.django_db(transaction=True)
def test_ctrl_c_ends_the_command_cleanly_and_it_goes_on_in_arxivs_rhythm(arxiv_upstream, papers, command):
    arxiv_upstream.page_size = 30
    range_ = ("--from", str(DAY), "--until", str(DAY))
    process = command(*range_)
    while not HarvestWindow.objects.filter(state="done").exists() and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)

    assert out == "arxiv: seen 22, new 22, changed 0, unchanged 0, quarantined 0\n"
    assert err == (
        "CommandError: Interrupted; everything up to the last page is kept. "
        "Run the same command again to go on from there.\n"
    )
    assert process.returncode == 130

    process = command(*range_, "--limit", "22")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "arxiv: seen 22, new 22, changed 0, unchanged 0, quarantined 0\n")
    assert arxiv_upstream.smallest_gap() >= 3.0
    assert "mailto:keeper@example.org" in arxiv_upstream.requests[0].headers["user-agent"]
    clear()


# --- real documents ------------------------------------------------------------------------------------------


_NOTHING = b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error code="noRecordsMatch">-</error></OAI-PMH>'


class _Documents(Upstream):
    """Serves one document for each day from the first, as arXiv's server would, and nothing in other formats."""

    path = "/oai"

    def __init__(self, documents):
        super().__init__()
        self.documents = documents

    def answer(self, seen):
        number = (dt.date.fromisoformat(seen.params["from"]) - DAY).days
        if seen.params["metadataPrefix"] != "arXiv" or number >= len(self.documents):
            return Reply(_NOTHING)
        return Reply(re.sub(rb"<resumptionToken[^>]*>[^<]*</resumptionToken>", b"", self.documents[number]))


def _documents(*folders):
    return [
        path
        for folder in folders
        for path in sorted(shared_data_dir("arxiv", folder).iterdir())
        if path.is_file() and not path.name.endswith(".meta.json")
    ]


@pytest.mark.shared_data
@pytest.mark.django_db
def test_every_real_document_is_taken_in_or_refused_with_a_reason(capsys):
    paths = _documents("oai", "snapshot")

    first = harvest_files(name="arxiv", paths=paths, options=FAST)

    assert first.counts.new > 200
    # Documents that are an error and nothing else, as their names say.
    refused = {Path(problem.split(": ", 1)[0]).name for problem in first.problems}
    assert refused <= {
        path.name for path in paths if path.name.startswith("error_") or "404" in path.name or "by_id" in path.name
    }
    assert all(row.reason for row in QuarantinedRecord.objects.all())

    before = row_versions()
    second = harvest_files(name="arxiv", paths=paths, options=FAST)
    assert (second.counts.new, second.counts.changed) == (0, 0)
    assert second.counts.seen == first.counts.seen
    assert second.counts.quarantined == first.counts.quarantined
    assert row_versions() == before


@pytest.mark.shared_data
@pytest.mark.django_db
def test_real_pages_served_by_a_server_give_the_catalogue_that_the_files_give(settings):
    # An error is no page: a server that answers it is not believed, while a file of it only says so.
    paths = [path for path in _documents("oai") if b"<error code=" not in path.read_bytes()]
    assert harvest_files(name="arxiv", paths=paths, options=FAST).ok
    from_files = fingerprint()
    clear()
    documents = [path.read_bytes() for path in paths]

    with _Documents(documents) as upstream:
        settings.ARXIV_OAI_URL = upstream.url
        last = DAY + dt.timedelta(days=len(documents))
        summary = harvest(last_day=last, today=last + dt.timedelta(days=1))

    assert summary.problems == ()
    assert fingerprint() == from_files


@pytest.mark.shared_data
@pytest.mark.django_db
def test_the_command_takes_real_files(capsys):
    paths = _documents("snapshot")

    call_command("harvest", "arxiv", "--file", *map(str, paths))

    assert re.fullmatch(r"arxiv: seen \d+, new \d+, changed 0, unchanged 0, quarantined \d+\n", capsys.readouterr().out)
