"""OpenAlex's authors, and the lists of ids that became part of others."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from papers.sources.openalex import OpenAlexSource
from papers.sources.openalex.author_source import OpenAlexAuthors
from papers.sources.profiles import AuthorProfile, MergedAuthor
from papers.sources.records import PaperRecord
from tests.papers.sources.openalex_documents import BASE, authorship
from tests.shared_data import shared_data_dir
from wovepaper.harvest.contracts import Identifier, RawRecord, RecordRefused

SOURCE = OpenAlexSource()
ORCID = "0000-0002-1825-0097"


def author(number: int = 501, **values: Any) -> dict[str, Any]:
    return {
        "id": f"{BASE}A{number}", "orcid": f"https://orcid.org/{ORCID}", "display_name": "Zo\u00eb Vek",
        "display_name_alternatives": ["Z. Vek"], "works_count": 12, "cited_by_count": 340,
        "summary_stats": {"h_index": 6, "i10_index": 4}, "ids": {"openalex": f"{BASE}A{number}"},
        "last_known_institutions": [], "updated_date": "2026-05-01T07:00:00.5", **values,
    }  # fmt: skip


def parse(said: dict[str, Any]) -> Any:
    return SOURCE.parse(RawRecord("A501", "author", "", json.dumps(said).encode()))


def taken_apart(path: Path, body: bytes) -> tuple[list[tuple[str, str, str]], list[str]]:
    path.write_bytes(body)
    pages = list(SOURCE.read_file(path))
    return (
        [(record.format, record.external_id, record.stamp) for page in pages for record in page.records],
        [damaged.reason for page in pages for damaged in page.damaged],
    )


def test_a_profile() -> None:
    assert parse(author()) == AuthorProfile(
        "openalex", "A501", "2026-05-01T07:00:00.5", "Zoë Vek", ORCID, 6, 340, 12, dt.date(2026, 5, 1)
    )


@pytest.mark.parametrize(
    "values",
    [
        {"orcid": None, "summary_stats": None, "works_count": None, "cited_by_count": None, "updated_date": None},
        {"orcid": "0000", "summary_stats": [], "works_count": -1, "cited_by_count": True, "updated_date": 7},
        {"orcid": 5, "summary_stats": {"h_index": "6"}, "works_count": "12", "cited_by_count": 1.5, "updated_date": ""},
    ],
)
def test_what_is_not_said_or_makes_no_sense_stays_empty(values: dict[str, Any]) -> None:
    assert parse(author(**values)) == AuthorProfile("openalex", "A501", name="Zoë Vek")


@pytest.mark.parametrize("number", [5317838346, 4317838346])
def test_the_deleted_author_is_nobody(number: int) -> None:
    with pytest.raises(RecordRefused, match=f"A{number} stands for all authors whose profiles were taken away"):
        parse(author(number))
    work = {"id": f"{BASE}W1", "title": "T", "authorships": [authorship("Ida Moor", number)]}
    (printed,) = SOURCE.parse(RawRecord("W1", "work", "", json.dumps(work).encode())).authors  # type: ignore[union-attr]
    assert (printed.name, printed.source_author_id) == ("Ida Moor", "")


def test_authors_and_works_may_stand_in_one_file(tmp_path: Path) -> None:
    body = b"".join(json.dumps(one).encode() + b"\n" for one in (author(), {"id": f"{BASE}W1", "title": "T"}))
    found, reasons = taken_apart(tmp_path / "lines", body)
    assert found == [("author", "A501", "2026-05-01T07:00:00.5"), ("work", "W1", "")]
    assert reasons == []
    answer = json.dumps({"meta": {"count": 1}, "results": [author()]}).encode()
    assert taken_apart(tmp_path / "answer", answer)[0] == [("author", "A501", "2026-05-01T07:00:00.5")]


def test_lists_of_merged_ids(tmp_path: Path) -> None:
    body = (
        b"merge_date,id,merge_into_id\r\n2024-01-01,A1,A2\r\n\n2024-01-02,https://openalex.org/A3,A5317838346\n"
        b"x,A4,A1\n2024-01-01,W1,W2\n2024-01-01,S7,S8\n2024-01-01,A5\n2024-01-01,A6,A6\n"
    )
    path = tmp_path / "2024-01-01.csv"
    path.write_bytes(body)
    pages = list(SOURCE.read_file(path))
    said = []
    for page in pages:
        for record in page.records:
            try:
                parsed = SOURCE.parse(record)
                said.append(parsed.identifiers if isinstance(parsed, PaperRecord) else parsed)
            except RecordRefused as refused:
                said.append(str(refused))  # type: ignore[arg-type]
    assert said == [
        MergedAuthor("openalex", "A1", "A2", dt.date(2024, 1, 1)),
        MergedAuthor("openalex", "A3", "", dt.date(2024, 1, 2)),
        MergedAuthor("openalex", "A4", "A1"),
        (("openalex", "W1"), ("openalex", "W2")),
        "S7 is neither a work nor an author: of merged ids only those of works and authors are followed.",
        "A6 became part of 'A6', which is no other author.",
    ]
    assert [damaged.reason for page in pages for damaged in page.damaged] == [
        "Line 8: This is no line of a date, an id and the id it became part of."
    ]


def test_authors_are_asked_for_by_id_with_the_key_of_the_works() -> None:
    source = OpenAlexAuthors(lambda: "http://127.0.0.1:9", key=lambda: "k", daily_requests=lambda: 7)
    asked = [Identifier("openalex", "A501"), Identifier("openalex", "A502")]
    made = source.lookup_request(asked)
    assert (made.url, made.params["filter"], made.secret_params) == (
        "http://127.0.0.1:9/authors", "openalex:A501|A502", {"api_key": "k"},
    )  # fmt: skip
    body = json.dumps({"meta": {"count": 1}, "results": [author()]}).encode()
    found = source.read_lookup(body, asked, status=200)
    assert [(record.format, record.external_id) for record in found.records] == [("author", "A501")]
    assert found.singly == (asked[1],)
    alone = source.read_lookup(json.dumps(author(777)).encode(), asked[1:], status=200)
    assert [(merged.old.value, merged.new.value) for merged in alone.merged] == [("A502", "A777")]
    assert source.read_lookup(b"<html>", asked[1:], status=404).unknown == (asked[1],)
    assert (source.account, source.daily_requests, source.lookups_configured) == ("openalex", 7, True)
    assert OpenAlexAuthors().lookups_configured is False


@pytest.mark.shared_data
def test_every_real_author_is_read() -> None:
    found = []
    for path in sorted(shared_data_dir("openalex", "authors").iterdir()):
        for page in SOURCE.read_file(path):
            assert page.damaged == ()
            found += [SOURCE.parse(record) for record in page.records]
    assert [(one.author_id, one.h_index, one.cited_by_count, one.works_count, bool(one.orcid)) for one in found] == [  # type: ignore[union-attr]
        ("A5023888391", 17, 3890, 62, True), ("A5023888391", 17, 4245, 60, True), ("A4347464006", 0, 0, 0, False),
    ]  # fmt: skip
