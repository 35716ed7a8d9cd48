"""Every real document of OpenAlex beside the checkout: nothing crashes, and every refusal says why."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from papers.services.ingest.validation import check
from papers.sources.openalex import OpenAlexSource
from papers.sources.records import PaperRecord
from tests.shared_data import shared_data_dir
from wovepaper.harvest.contracts import PageRefused, RecordRefused

pytestmark = pytest.mark.shared_data
SOURCE = OpenAlexSource()

LISTS = {"works_cursor_last_empty.json"}
"""Answers that rightly hold nothing."""


def files(*parts: str) -> Iterator[Path]:
    return (path for path in sorted(shared_data_dir("openalex", *parts).rglob("*")) if path.is_file())


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
                    if not isinstance(paper, PaperRecord):
                        reasons.append("The record is of an author, or of an id of one.")
                        continue
                    check(paper)
                except RecordRefused as refused:
                    reasons.append(str(refused))
                else:
                    assert record.external_id == paper.external_id
                    papers.append(paper)
    except PageRefused as refused:
        reasons.append(refused.reason)
    return papers, reasons


def test_every_document_is_read_or_refused_with_a_reason() -> None:
    papers: list[PaperRecord] = []
    why: Counter[str] = Counter()
    for path in files():
        found, reasons = read(path)
        papers += found
        why.update(reason.split(":")[0] for reason in reasons)
        assert found or reasons or path.name in LISTS, path
        assert all(reason.endswith(".") for reason in reasons), (path, reasons)
        if path.parent.name != "works":
            assert found == [], path
    assert len(papers) >= 200
    kinds = Counter(paper.kind for paper in papers)
    assert {"article", "preprint", "book", "book-chapter", "report", "thesis"} <= kinds.keys()
    assert sum(paper.citations is not None for paper in papers) == len(papers)
    assert sum(bool(paper.abstract) for paper in papers) >= 40
    authors = [author for paper in papers for author in paper.authors]
    assert sum(bool(author.source_author_id) for author in authors) >= 0.9 * len(authors)
    assert sum(bool(author.affiliations) for author in authors) >= 100
    for paper in papers:
        assert paper.identifiers[0] == ("openalex", paper.external_id)
        assert paper.stamp
        assert "A5317838346" not in {author.source_author_id for author in paper.authors}
        for value in (paper.title, paper.abstract, paper.venue, *(author.name for author in paper.authors)):
            assert value == " ".join(value.split())
    assert why["The record describes a grant, which is not a paper."] >= 20
    assert why["The record is of an author, or of an id of one."] == 7


def test_documents_cut_in_half_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    for path in files("works"):
        if path.suffix != ".json" or path.name.endswith(".meta.json"):
            continue
        body = path.read_bytes()
        other = tmp_path / "half.json"
        other.write_bytes(body[: len(body) // 2])
        papers, reasons = read(other)
        assert reasons, path
        assert len(papers) <= len(read(path)[0])


def test_odd_strings_pass_through_every_field() -> None:
    path = shared_data_dir("strings", "nasty_strings.jsonl")
    strings = [json.loads(line)["value"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(strings) >= 1000
    for value in (each[:1500] for each in strings):
        said = {
            "id": "https://openalex.org/W7",
            "doi": value,
            "title": f"T {value}",
            "publication_date": value,
            "updated_date": value,
            "abstract_inverted_index": {value: [0, 1]},
            "primary_location": {"source": {"display_name": value, "host_organization_name": value}, "license": value},
            "locations": [{"landing_page_url": value, "pdf_url": value}],
            "biblio": {"volume": value, "issue": value, "first_page": value, "last_page": value},
            "ids": {"pmid": value},
            "authorships": [
                {
                    "raw_author_name": value,
                    "author": {"id": value, "display_name": value, "orcid": value},
                    "raw_affiliation_strings": [value],
                }
            ],
        }
        (record,) = SOURCE.read_page(json.dumps(said).encode(), stream="any").records
        paper = SOURCE.parse(record)
        assert paper.title.startswith("T")
        check(paper)
