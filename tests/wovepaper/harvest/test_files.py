"""Harvests from files."""

from __future__ import annotations

import json

import pytest

from tests.wovepaper.harvest.fakes import things
from wovepaper.harvest.errors import HarvestInterrupted
from wovepaper.harvest.models import HarvestFile, HarvestRun, QuarantinedRecord, RawPage
from wovepaper.harvest.services import harvest_files


def line(name, title="A title", stamp="2025-06-02"):
    return json.dumps({"name": name, "title": title, "stamp": stamp}) + "\n"


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def harvest(source, fast):
    return lambda *paths, **changes: harvest_files(name="fake", paths=paths, options=fast, **changes)


def test_a_file_is_taken_in_part_by_part_and_kept(harvest, write):
    path = write("things.jsonl", "".join(line(f"t{number:02}") for number in range(25)))

    summary = harvest(path)

    assert summary.line == "fake: seen 25, new 25, changed 0, unchanged 0, quarantined 0"
    assert summary.ok
    file = HarvestFile.objects.get()
    assert (file.name, file.state, file.pages, file.seen, file.size) == (
        "things.jsonl",
        "done",
        3,
        25,
        path.stat().st_size,
    )
    assert list(RawPage.objects.order_by("number").values_list("number", "kind", "record_count")) == [
        (1, "records", 10),
        (2, "records", 10),
        (3, "records", 5),
    ]


def test_the_same_content_is_unchanged_and_stored_once_whatever_its_name(harvest, write):
    text = "".join(line(f"t{number:02}") for number in range(25))
    harvest(write("one.jsonl", text))
    before = set(RawPage.objects.values_list("pk", flat=True))

    summary = harvest(write("two.jsonl", text))

    assert summary.line == "fake: seen 25, new 0, changed 0, unchanged 25, quarantined 0"
    assert set(RawPage.objects.values_list("pk", flat=True)) == before
    assert HarvestFile.objects.get().name == "two.jsonl"


def test_larger_pages_are_split(source, fast, write, monkeypatch):
    from dataclasses import replace

    path = write("things.jsonl", "".join(line(f"t{number:02}") for number in range(20)) + "rubbish\n" * 5)
    options = replace(fast, file_page_records=4)

    assert harvest_files(name="fake", paths=[path], options=options).counts.seen == 25
    # Pages of ten are cut into 4 + 4 + 2; what is no record comes in a part of its own.
    assert list(RawPage.objects.order_by("number").values_list("record_count", flat=True)) == [4, 4, 2, 4, 4, 2, 4, 1]


def test_damaged_pieces_and_refused_records_go_into_quarantine(harvest, write):
    path = write("things.jsonl", line("a") + "rubbish\n" + line("b", title="") + line("bug") + line("c"))

    summary = harvest(path)

    assert summary.line == "fake: seen 5, new 2, changed 0, unchanged 0, quarantined 3"
    assert summary.ok
    rows = QuarantinedRecord.objects.order_by("external_id").values_list("external_id", "reason", "damaged")
    assert list(rows) == [
        ("", "This is no JSON object with a name.", True),
        ("b", "It has no title.", False),
        ("bug", "The parser failed on this record (KeyError: 'nothing').", False),
    ]


def test_a_file_of_mostly_rubbish_still_gives_what_is_good(harvest, write):
    """The volume brake guards the network: whoever hands in a file means it."""
    path = write("things.jsonl", "".join(f"rubbish {number}\n" for number in range(40)) + line("a"))

    assert harvest(path).line == "fake: seen 41, new 1, changed 0, unchanged 0, quarantined 40"


def test_a_sink_that_fails_on_everything_ends_the_run(harvest, write, sink, source, fast):
    from dataclasses import replace

    names = [f"t{number:02}" for number in range(30)]
    sink.breaks_on = set(names)
    path = write("things.jsonl", "".join(line(name) for name in names))
    options = replace(fast, brake_records=10)

    summary = harvest_files(name="fake", paths=[path], options=options)

    assert summary.outcome == "failed"
    assert "parser or sink failed on 10 of 10 records" in summary.problems[0]
    assert "division by zero" in summary.problems[0]
    assert not QuarantinedRecord.objects.exists()


def test_what_breaks_the_sink_is_logged_once_a_page(harvest, write, sink, caplog):
    sink.breaks_on = {"t03", "t07", "t09"}
    harvest(write("things.jsonl", "".join(line(f"t{number:02}") for number in range(10))))

    (logged,) = [record for record in caplog.records if record.exc_info]
    assert logged.getMessage() == "fake could not take in t03, the first of 3 such records of the page."


def test_what_breaks_the_parser_is_logged_once_a_page(harvest, write, caplog):
    harvest(write("things.jsonl", line("a") + line("bug") + line("bug") + line("c")))

    (logged,) = [record for record in caplog.records if record.exc_info]
    assert logged.getMessage() == "The parser of fake failed on bug, the first of 2 such records of the page."


def test_one_record_that_breaks_the_sink_is_set_apart(harvest, write, sink):
    sink.breaks_on = {"t07"}
    path = write("things.jsonl", "".join(line(f"t{number:02}") for number in range(10)))

    assert harvest(path).line == "fake: seen 10, new 9, changed 0, unchanged 0, quarantined 1"
    row = QuarantinedRecord.objects.get()
    assert (row.external_id, row.reason) == (
        "t07",
        "The record could not be taken in (DataError: division by zero).",
    )
    assert ("line", "t07") not in things()


def test_folders_and_files_that_cannot_be_read_are_named_and_the_others_go_on(harvest, write, tmp_path):
    good = write("good.jsonl", line("a"))
    missing = tmp_path / "missing.jsonl"
    broken = write("broken.jsonl", "".join(line(f"t{number:02}") for number in range(15)) + "!\n")

    summary = harvest(tmp_path, missing, broken, good)

    assert summary.outcome == "failed"
    assert summary.problems == (
        f"{tmp_path}: This is a folder: name the files in it, for example with a * at the end.",
        f"{missing}: There is no such file.",
        f"{broken}: The file is broken from here on. What was read before, 1 parts with 10 records, was taken in.",
    )
    assert summary.counts.new == 11
    assert HarvestFile.objects.get(name="broken.jsonl").state == "stopped"


def test_an_interrupted_file_is_gone_on_with(harvest, write, sink):
    path = write("things.jsonl", "".join(line(f"t{number:02}") for number in range(40)))

    class Interrupting:
        pages = 0
        begin = working_on = waiting = step_done = lambda *_a, **_k: None

        def page(self, _counts):
            self.pages += 1
            if self.pages == 2:
                raise HarvestInterrupted("Enough.")

    assert harvest(path, reporter=Interrupting()).counts.seen == 20
    assert HarvestFile.objects.get().pages == 2
    sink.calls.clear()

    summary = harvest(path)

    assert summary.line == "fake: seen 20, new 20, changed 0, unchanged 0, quarantined 0"
    assert sink.calls == [10, 10]
    assert HarvestFile.objects.get().seen == 40


def test_restart_reads_an_interrupted_file_from_its_beginning(harvest, write):
    path = write("things.jsonl", "".join(line(f"t{number:02}") for number in range(40)))
    harvest(path, limit=20)

    assert harvest(path, restart=True).line == "fake: seen 40, new 20, changed 0, unchanged 20, quarantined 0"


def test_a_limit_is_exact(harvest, write):
    path = write("things.jsonl", "".join(line(f"t{number:02}") for number in range(40)))

    summary = harvest(path, limit=13)

    assert (summary.outcome, summary.counts.seen) == ("limited", 13)
    assert HarvestRun.objects.get().seen == 13
    assert harvest(path).counts.new == 27


def test_a_file_that_ends_exactly_at_the_limit_is_done(harvest, write):
    path = write("things.jsonl", "".join(line(f"t{number:02}") for number in range(13)))

    assert harvest(path, limit=13).outcome == "completed"
    assert HarvestFile.objects.get().state == "done"


def test_files_done_before_an_interruption_are_not_read_again(harvest, write):
    first = write("first.jsonl", "".join(line(f"f{number:02}") for number in range(10)))
    second = write("second.jsonl", "".join(line(f"s{number:02}") for number in range(20)))
    assert harvest(first, second, limit=20).outcome == "limited"

    summary = harvest(first, second)

    assert summary.line == "fake: seen 10, new 10, changed 0, unchanged 0, quarantined 0"
    assert summary.warnings == ("1 of 2 files were done before the interruption.",)
    assert harvest(first, second).counts.unchanged == 30


def test_the_same_content_twice_in_one_call_is_read_twice(harvest, write):
    one, two = write("one.jsonl", line("a")), write("two.jsonl", line("a"))

    assert harvest(one, two).line == "fake: seen 2, new 1, changed 0, unchanged 1, quarantined 0"
