from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from papers.sources.openalex import OpenAlexSource
from tests.papers.sources.openalex_documents import answer, lines, work
from wovepaper.harvest.contracts import Page, PageRefused

SOURCE = OpenAlexSource()


def read(path: Path, body: bytes) -> tuple[list[str], list[str]]:
    """The ids of the works, and the reasons for all that is none."""
    path.write_bytes(body)
    pages = list(SOURCE.read_file(path))
    ids = [record.external_id for page in pages for record in page.records]
    return ids, [damaged.reason for page in pages for damaged in page.damaged]


@pytest.mark.parametrize(
    ("body", "ids"),
    [
        (lines(work(1), work(2)), ["W1", "W2"]),
        (b"\xef\xbb\xbf" + lines(work(1)) + b"\n\n" + lines(work(2)), ["W1", "W2"]),
        (gzip.compress(lines(work(1), work(2))), ["W1", "W2"]),
        (json.dumps(work(1)).encode(), ["W1"]),
        (json.dumps(work(1), indent=2).encode(), ["W1"]),
        (answer(work(1), work(2)), ["W1", "W2"]),
        (json.dumps(json.loads(answer(work(1), work(2))), indent=1).encode(), ["W1", "W2"]),
        (answer(work(1)) + b"\n" + answer(work(2)), ["W1", "W2"]),
        (json.dumps([work(1), work(2)]).encode(), ["W1", "W2"]),
        (answer(), []),
    ],
    ids=[
        "lines", "with a mark", "gzip", "single", "single, indented", "answer", "answer, indented", "answers",
        "array", "the last page",
    ],
)  # fmt: skip
def test_every_form_is_read(tmp_path: Path, body: bytes, ids: list[str]) -> None:
    assert read(tmp_path / "part_000.gz", body) == (ids, [])


def test_a_record_carries_its_stamp_and_its_own_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(lines(work(1)))
    (page,) = SOURCE.read_file(path)
    (record,) = page.records
    assert (record.format, record.stamp) == ("work", "2025-03-04T05:06:07.123456")
    assert record.payload == lines(work(1)).strip()


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"id": "https://openalex.org/S7"}, "The object is a source, and works or authors are wanted."),
        ({"id": "https://openalex.org/I9"}, "The object is an institution, and works or authors are wanted."),
        ({"id": "https://openalex.org/fields/17"},
         "The object is no work of OpenAlex: its id is 'https://openalex.org/fields/17'."),
        ({"title": "T"}, 'The object has no "id", so it is no work of OpenAlex.'),
        ({"meta": {"count": 3}, "group_by": [{"key": "article", "count": 3}]},
         "The answer counts works and holds none."),
        ({"entries": [{"url": "s3://x"}]}, 'The answer has no "id", so it is no work of OpenAlex.'),
    ],
)  # fmt: skip
def test_what_is_no_work_is_told(tmp_path: Path, said: dict[str, Any], reason: str) -> None:
    assert read(tmp_path / "x", json.dumps(said, indent=1).encode()) == ([], [reason])
    with pytest.raises(PageRefused) as refused:
        SOURCE.read_page(json.dumps(said).encode(), stream="any")
    assert (refused.value.reason, refused.value.retry) == (reason, False)


def test_an_error_is_told_in_its_own_words(tmp_path: Path) -> None:
    said = json.dumps({"error": "Invalid query", "message": "There is no such filter."}).encode()
    assert read(tmp_path / "x", said) == ([], ["Line 1 tells of an error: There is no such filter."])
    with pytest.raises(PageRefused) as refused:
        SOURCE.read_page(said, stream="any")
    assert (refused.value.reason, refused.value.retry) == ("OpenAlex refuses: There is no such filter.", False)


def test_damage_costs_what_is_damaged(tmp_path: Path) -> None:
    body = lines(work(1)) + b'{"id": \n' + lines(work(2)) + b"7\n" + b"[" * 100_000 + b"\n" + lines(work(3))
    ids, reasons = read(tmp_path / "lines", body)
    assert ids == ["W1", "W2", "W3"]
    assert [reason.split(":")[0] for reason in reasons] == [
        "Line 2 is not JSON", "Line 4 is not a JSON object.", "Line 5 is not JSON",
    ]  # fmt: skip
    ids, reasons = read(tmp_path / "answer", answer(work(1), None, work(2))[:-400])
    assert ids == ["W1"]
    assert reasons[0] == "Item 2 is empty: the source does not know it."
    assert reasons[1].startswith("The JSON is damaged")


def test_long_files_come_page_by_page(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(lines(*({"id": f"W{number}"} for number in range(1, 1_202))))
    assert [len(page.records) for page in SOURCE.read_file(path)] == [500, 500, 201]


def test_an_answer_and_its_end() -> None:
    assert [record.external_id for record in SOURCE.read_page(answer(work(7)), stream="any").records] == ["W7"]
    assert SOURCE.read_page(answer(), stream="any") == Page((), (), "abc", 0)
    with pytest.raises(PageRefused, match="begins with '<html>'") as refused:
        SOURCE.read_page(b"<html>", stream="any")
    assert refused.value.retry is True


def test_notes_are_no_works(tmp_path: Path) -> None:
    path = tmp_path / "RELEASE_NOTES.txt"
    path.write_bytes(b"RELEASE 2024-01-01\n- added works\n")
    with pytest.raises(PageRefused, match="The file is not JSON: works and authors come as parts of OpenAlex's snap"):
        list(SOURCE.read_file(path))
