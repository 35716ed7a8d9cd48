"""``manage.py harvest`` and ``manage.py replay``: what they print, and how they end."""

from __future__ import annotations

import datetime as dt
import io
import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from rich.console import Console

from tests.upstreams import faults
from tests.upstreams.catalogue import invented_papers
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.errors import HarvestInterrupted
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import HarvestRun, SourceState
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.progress import progress_bar

RANGE = ("--from", "2025-06-02", "--until", "2025-06-02")


@pytest.fixture(autouse=True)
def _quick(settings, source, arxiv_upstream):
    settings.HARVEST = {"attempts": 2, "wait_initial": 0.001, "wait_max": 0.002, "wait_jitter": 0.001}
    arxiv_upstream.papers = invented_papers(25)


def run(*arguments):
    """(standard output, standard error, the error) of a command."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*arguments, stdout=out, stderr=err)
    except CommandError as error:
        return out.getvalue(), err.getvalue(), error
    return out.getvalue(), err.getvalue(), None


def test_harvest_ends_with_the_summary():
    out, err, error = run("harvest", "fake", *RANGE)

    assert out == "fake: seen 25, new 25, changed 0, unchanged 0, quarantined 0\n"
    assert (err, error) == ("", None)


def test_a_failure_is_one_sentence_and_a_code_that_is_not_zero(arxiv_upstream):
    arxiv_upstream.faults.append(faults.html_with_200(on=faults.continuing, times=None))

    out, _err, error = run("harvest", "fake", *RANGE)

    assert out == "fake: seen 10, new 10, changed 0, unchanged 0, quarantined 0\n"
    assert str(error).startswith("fake arXiv 2025-06-02: page 2: This is no")
    assert error.returncode == 1


def test_an_interruption_says_how_to_go_on(monkeypatch):
    checks = iter([False] * 4)

    def check(_self):
        if next(checks, True):
            raise HarvestInterrupted("Interrupted; everything up to the last page is kept.")

    monkeypatch.setattr(Interruption, "check", check)

    out, _err, error = run("harvest", "fake", *RANGE)

    assert out.startswith("fake: seen 10, ")
    assert str(error) == (
        "Interrupted; everything up to the last page is kept. Run the same command again to go on from there."
    )
    assert error.returncode == 130


def test_warnings_go_to_standard_error():
    out, err, error = run("harvest", "fake", *RANGE, "--limit", "5")

    assert out == "fake: seen 5, new 5, changed 0, unchanged 0, quarantined 0\n"
    assert err == "Stopped at the limit of 5 records.\n"
    assert error is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "There is no source 'nowhere'; known: fake."),
        (
            ["fake", "--from", "yesterday"],
            "Error: argument --from: 'yesterday' is not a day: write it like 2025-07-31.",
        ),
        (["fake", "--limit", "0"], "Error: argument --limit: '0' is not a number of records: give 1 or more."),
        (["fake", "--limit", "-3"], "Error: argument --limit: '-3' is not a number of records: give 1 or more."),
        (["fake", "--until", "2999-01-01"], "2999-01-01 is not over yet"),
        (["fake", "--from", "2025-06-03", "--until", "2025-06-02"], "The first day (2025-06-03) is after the last"),
        (["fake", "--file", "x", "--set", "cs"], "--from, --until and --set choose what to ask the network for"),
        (["fake", "--enrich", "--from", "2025-06-03"], "--enrich and --compare are about what is here: leave out"),
        (["fake", "--compare", "--file", "x"], "--enrich and --compare are about what is here: leave out"),
        (["fake", "--compare", "--limit", "5"], "--compare goes through a whole list: leave out --enrich and --limit."),
        (["fake", "--enrich", "--compare"], "--compare goes through a whole list: leave out --enrich and --limit."),
        (["fake", "--enrich"], "fake cannot be asked by identifier."),
        (["fake", "--compare"], "fake cannot be compared: it has no list of ids."),
    ],
)
def test_bad_input_says_what_to_do(arguments, message, arxiv_upstream):
    out, _err, error = run("harvest", *arguments)

    assert str(error).startswith(message)
    assert out == ""
    assert arxiv_upstream.requests == []
    assert not HarvestRun.objects.exists()


def test_a_pause_of_the_source_is_named_with_its_end():
    SourceState.objects.create(name="fake", not_before=timezone.now() + dt.timedelta(hours=15))

    assert "is not to be asked again before" in str(run("harvest", "fake", *RANGE)[2])


def test_an_unknown_option_of_the_installation_is_refused(settings):
    from django.core.exceptions import ImproperlyConfigured

    settings.HARVEST = {"atempts": 2}
    with pytest.raises(ImproperlyConfigured, match="HARVEST has no option atempts"):
        HarvestOptions.from_settings()
    settings.HARVEST = {"attempts": 2}
    assert HarvestOptions.from_settings() == replace(HarvestOptions(), attempts=2)


def test_files_and_folders(tmp_path):
    good = tmp_path / "good.jsonl"
    good.write_text(json.dumps({"name": "a", "title": "A title", "stamp": ""}) + "\n")

    out, err, error = run("harvest", "fake", "--file", str(tmp_path / "no.jsonl"), str(tmp_path), str(good))

    assert out == "fake: seen 1, new 1, changed 0, unchanged 0, quarantined 0\n"
    assert err == f"{tmp_path / 'no.jsonl'}: There is no such file.\n"
    assert str(error).startswith(f"{tmp_path}: This is a folder")
    assert error.returncode == 1


def test_replay_says_the_same_things(arxiv_upstream, sink):
    sink.refuses = {"oai:arXiv.org:2506.00001"}
    run("harvest", "fake", *RANGE)
    sink.refuses.clear()

    assert run("replay", "fake", "--quarantined") == (
        "fake: seen 1, new 1, changed 0, unchanged 0, quarantined 0\n",
        "",
        None,
    )
    assert run("replay", "fake")[0] == "fake: seen 25, new 0, changed 0, unchanged 25, quarantined 0\n"
    assert str(run("replay", "nowhere")[2]) == "There is no source 'nowhere'; known: fake."


def test_there_is_a_progress_bar_on_a_terminal_and_none_elsewhere():
    def shown(*, terminal):
        screen = io.StringIO()
        with progress_bar(Console(file=screen, force_terminal=terminal, width=160)) as reporter:
            reporter.begin(total=4, what="windows")
            reporter.working_on("2025-06-02 arXiv")
            reporter.page(Counts(new=7, quarantined=1))
            reporter.waiting(30, "busy [bold]")
            reporter.step_done()
        return screen.getvalue()

    assert shown(terminal=False) == ""
    assert "1/4" in shown(terminal=True)
    assert "seen 8, new 7" in shown(terminal=True)
    assert "waits 30 s: busy [bold]" in shown(terminal=True)
