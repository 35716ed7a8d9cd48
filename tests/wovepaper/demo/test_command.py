"""``manage.py demo`` brings a catalogue in, twice the same, never among real papers; and makes accounts."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from papers.models import Authorship, Paper, PaperVersion, SourceRecord
from wovepaper.demo.papers import generate
from wovepaper.demo.publications import articles, publication_of
from wovepaper.demo.recipe import Recipe
from wovepaper.demo.source import batches
from wovepaper.demo.users import ensure_demo_users, password_for
from wovepaper.pipeline.services import waiting

pytestmark = pytest.mark.django_db
UNTIL = dt.date(2026, 3, 16)


def records(papers: int, seed: int = 1) -> int:
    """How many a catalogue has: two of each paper, and one of each publication."""
    return 2 * papers + sum(len(works) for _, works in batches(Recipe(papers, seed, UNTIL), papers))


ALL = records(60)


def run(**options: object) -> str:
    out = StringIO()
    call_command("demo", **{"papers": 60, "until": UNTIL, "stdout": out, **options})
    return out.getvalue()


@pytest.fixture(autouse=True)
def own_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import haystack

    with monkeypatch.context() as patch:
        patch.setitem(haystack.connections.connections_info["default"], "PATH", str(tmp_path / "search"))
        haystack.connections.reload("default")
        yield
    haystack.connections.reload("default")


def test_the_catalogue_is_brought_in_through_the_pipeline() -> None:
    said = run()
    assert said.splitlines()[0] == f"demo: seen {ALL}, new {ALL}, changed 0, unchanged 0, quarantined 0"
    expected = {paper.arxiv_id: paper for paper in generate(60, seed=1, until=UNTIL)}
    papers = {paper.arxiv_id: paper for paper in Paper.objects.exclude(arxiv_id="")}
    assert papers.keys() == expected.keys()
    assert set(Paper.objects.filter(arxiv_id="").values_list("doi", flat=True)) == {
        work.doi for work in articles(60, seed=1, until=UNTIL)
    }
    assert not Paper.objects.filter(is_demo=False).exists()
    assert SourceRecord.objects.filter(source="demo").count() == ALL
    for arxiv_id, paper in papers.items():
        names = list(
            Authorship.objects.filter(paper=paper, is_collaboration=False)
            .order_by("position")
            .values_list("name", flat=True)
        )
        assert names == [author.printed.text for author in expected[arxiv_id].authors]
        assert PaperVersion.objects.filter(paper=paper).count() == len(expected[arxiv_id].versions)
        work = publication_of(expected[arxiv_id], seed=1, until=UNTIL)
        assert (paper.venue, paper.kind == "preprint") == (work.venue.name if work else "", work is None)
    assert not waiting().exists()


def test_a_second_run_finds_everything_unchanged_and_writes_no_paper() -> None:
    run()
    with CaptureQueriesContext(connection) as captured:
        said = run()
    assert f"seen {ALL}, new 0, changed 0, unchanged {ALL}, quarantined 0" in said
    writing = [
        query["sql"]
        for query in captured.captured_queries
        if "papers_" in query["sql"] and query["sql"].startswith(("INSERT", "UPDATE", "DELETE", "COPY"))
    ]
    assert writing == []


def test_a_later_run_without_a_day_keeps_the_day_of_the_catalogue() -> None:
    run()
    assert f"new 0, changed 0, unchanged {ALL}" in run(until=None)


def test_a_larger_catalogue_adds_to_the_smaller() -> None:
    run(papers=20)
    assert f"new {ALL - records(20)}, changed 0, unchanged {records(20)}" in run(papers=60)


def test_real_papers_are_not_mixed_with_invented_ones() -> None:
    Paper.objects.create(title="A paper that exists")
    with pytest.raises(CommandError, match=r"holds real papers.*--force"):
        run()
    assert Paper.objects.count() == 1
    assert f"new {ALL}" in run(force=True)


@pytest.mark.parametrize("papers", [0, 1_000_001])
def test_a_size_out_of_bounds_is_an_error_in_one_sentence(papers: int) -> None:
    with pytest.raises(CommandError, match="from 1 to 1,000,000"):
        run(papers=papers)


def test_the_command_line() -> None:
    out = StringIO()
    call_command("demo", "--papers", "5", "--seed", "9", "--until", "2026-03-16", stdout=out)
    assert f"seen {records(5, 9)}, new {records(5, 9)}" in out.getvalue()
    titles = {paper.title for paper in generate(5, seed=9, until=UNTIL)}
    assert set(Paper.objects.values_list("title", flat=True)) == titles
    with pytest.raises(CommandError, match="'yesterday' is not a day: write it like 2026-03-16"):
        call_command("demo", "--until", "yesterday")


def test_writing_files_touches_no_database(tmp_path: Path) -> None:
    said = run(papers=15, write_to=tmp_path / "files")
    assert said.startswith("15 papers, seed 1, until 2026-03-16: 4 files in ")
    assert not Paper.objects.exists()
    assert not User.objects.exists()


def test_the_truth_is_written_in_either_form_and_touches_no_database(tmp_path: Path) -> None:
    said = run(papers=15, truth=tmp_path / "truth.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert said == f"{len(rows)} authorships of 15 papers, seed 1, in {tmp_path / 'truth.jsonl'}\n"
    assert {row["arxiv_id"] or row["doi"] for row in rows} == {
        *(paper.arxiv_id for paper in generate(15, seed=1, until=UNTIL)),
        *(work.doi for work in articles(15, seed=1, until=UNTIL)),
    }
    run(papers=15, truth=tmp_path / "truth.tsv.gz")
    header, *lines = gzip.decompress((tmp_path / "truth.tsv.gz").read_bytes()).decode().splitlines()
    assert header == "doi\tposition\ttier\tperson"
    assert {tuple(line.split("\t")) for line in lines} == {
        (row["doi"], str(row["position"]), tier, str(row["person"]))
        for row in rows
        for tier in row["tiers"]
        if row["doi"]
    }
    assert lines
    with pytest.raises(CommandError, match="Cannot write"):
        run(papers=15, truth=tmp_path / "no" / "folder")
    assert not Paper.objects.exists()


def test_accounts_to_sign_in_as() -> None:
    said = run(accounts=True)
    for name in ("admin", "curator", "reader"):
        email = f"{name}@demo.example"
        assert f"{email}  {password_for(email)}" in said
        assert EmailAddress.objects.get(email=email).verified
        assert authenticate(request=None, username=email, password=password_for(email)) is not None
    staff, curator, reader = (User.objects.get(email=f"{name}@demo.example") for name in ("admin", "curator", "reader"))
    assert (staff.is_staff, staff.is_superuser) == (True, True)
    assert (curator.is_staff, curator.is_superuser) == (True, False)
    assert curator.has_perms(["papers.pin_paper", "papers.view_paper", "harvest.view_quarantinedrecord"])
    assert not curator.has_perm("accounts.change_user")
    assert (reader.is_staff, reader.is_superuser) == (False, False)


def test_an_account_whose_password_was_changed_keeps_it() -> None:
    ensure_demo_users()
    reader = User.objects.get(email="reader@demo.example")
    reader.set_password("something else entirely")
    reader.save()
    assert [user.password for user in ensure_demo_users()][2] == ""
    assert User.objects.count() == 3
    reader.refresh_from_db()
    assert reader.check_password("something else entirely")


def test_another_instance_has_other_passwords(settings: object) -> None:
    before = password_for("admin@demo.example")
    settings.SECRET_KEY = "another secret key of another instance"  # type: ignore[attr-defined]
    assert password_for("admin@demo.example") != before
    assert len(before) >= 20


def test_a_site_that_is_configured_gets_no_accounts(settings: object) -> None:
    settings.SINGLE_MACHINE = False  # type: ignore[attr-defined]
    said = run(accounts=True)
    assert "No demo accounts" in said
    assert not User.objects.exists()
