"""Every real document of Crossref beside the checkout: nothing crashes, and every refusal says why."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from papers.services.ingest.validation import check
from papers.sources.crossref import CrossrefSource
from papers.sources.records import PaperRecord
from tests.shared_data import shared_data_dir
from wovepaper.harvest.contracts import PageRefused, RawRecord, RecordRefused

pytestmark = pytest.mark.shared_data
SOURCE = CrossrefSource()

MARKUP = re.compile(r"</|&(?:lt|gt|amp|#)|<(?:i|b|p|sub|sup|jats:|mml:)")
REASONS = (
    "The work has no title.",
    "The record describes a ",
    'The object has no "DOI"',
    'Item 1 has no "DOI"',
    "The answer is a ",
    "The answer tells of an error: ",
    "The file is ",
)


def files(*parts: str) -> Iterator[Path]:
    return (path for path in sorted(shared_data_dir("crossref", *parts).rglob("*")) if path.is_file())


def read(path: Path) -> tuple[list[PaperRecord], list[str]]:
    """The papers of a file, and the reasons for all that is none."""
    papers: list[PaperRecord] = []
    reasons: list[str] = []
    try:
        for page in SOURCE.read_file(path):
            reasons += [damaged.reason for damaged in page.damaged]
            for record in page.records:
                try:
                    paper = SOURCE.parse(record)
                    check(paper)
                except RecordRefused as refused:
                    reasons.append(str(refused))
                else:
                    papers.append(paper)
    except PageRefused as refused:
        reasons.append(refused.reason)
    return papers, reasons


def works_of(path: Path) -> list[Any]:
    """What the standard library makes of a file, all at once."""
    body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    try:
        said = [json.loads(body)]
    except ValueError:
        said = [json.loads(line) for line in body.splitlines() if line.startswith(b"{")]
    found = []
    for each in said:
        message = each.get("message", each)
        found += message.get("items", [message]) if isinstance(message, dict) else []
    return found


def is_paper(said: Any) -> bool:
    return bool(
        said.get("DOI")
        and any(title.strip() for title in [*(said.get("title") or []), *(said.get("original-title") or [])])
        and said.get("type") not in ("journal", "journal-issue", "component")
    )


def test_every_document_is_read_or_refused_with_a_reason() -> None:
    kinds: Counter[str] = Counter()
    total = 0
    for path in files():
        papers, reasons = read(path)
        total += len(papers)
        kinds.update(paper.kind for paper in papers)
        assert papers or reasons, path
        for reason in reasons:
            assert reason.startswith(REASONS), (path, reason)
            assert reason.endswith("."), (path, reason)
        assert len(papers) == sum(map(is_paper, works_of(path))), path
        for paper in papers:
            assert paper.identifiers[0] == ("doi", paper.external_id)
            for value in (paper.title, paper.abstract, paper.venue, *(author.name for author in paper.authors)):
                assert value == " ".join(value.split())
                assert MARKUP.search(value) is None, (paper.external_id, value)
    assert total >= 3500
    assert {"article", "book-chapter", "proceedings-article", "preprint", "report", "dataset"} <= set(kinds)


def test_the_documents_of_errors_are_refused() -> None:
    for path in files("errors"):
        papers, reasons = read(path)
        assert papers == []
        assert len(reasons) == 1, path


def test_openly_damaged_documents_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    """Every one cut in half, and with a byte that breaks it."""
    for path in files("works"):
        if path.suffix != ".json" or path.name.endswith(".meta.json"):
            continue
        body = path.read_bytes()
        whole = len(read(path)[0])
        for number, damaged in enumerate(
            (body[: len(body) // 2], body[: len(body) // 2] + b"\x00\xff" + body[len(body) // 2 :])
        ):
            other = tmp_path / f"{number}.json"
            other.write_bytes(damaged)
            papers, reasons = read(other)
            assert reasons, path
            assert all(reason.endswith(".") for reason in reasons), (path, reasons)
            assert len(papers) <= whole


def test_odd_strings_pass_through_every_field() -> None:
    strings = [
        json.loads(line)["value"]
        for line in shared_data_dir("strings", "nasty_strings.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len(strings) >= 1000
    for value in (each[:1500] for each in strings):
        said = {
            "DOI": "10.5555/x",
            "title": [f"T {value}"],
            "subtitle": [value],
            "abstract": value,
            "container-title": [value],
            "volume": value,
            "page": value,
            "publisher": value,
            "author": [
                {"given": value, "family": value, "suffix": value, "ORCID": value, "affiliation": [{"name": value}]}
            ],
        }
        record = SOURCE.parse(RawRecord("10.5555/x", "work", "", json.dumps(said).encode()))
        assert record.title.startswith("T")
        check(record)
