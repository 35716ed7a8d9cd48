"""Every real document of Semantic Scholar beside the checkout: read, or refused with a reason, in exact numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from papers.services.ingest.validation import check
from papers.sources.profiles import AuthorProfile
from papers.sources.records import PaperRecord
from papers.sources.semantic_scholar import SemanticScholarSource
from papers.sources.semantic_scholar.joining import join
from tests.shared_data import shared_data_dir
from wovepaper.harvest.contracts import PageRefused, RawRecord

pytestmark = pytest.mark.shared_data
SOURCE = SemanticScholarSource()


def files() -> Iterator[Path]:
    found = sorted(path for path in shared_data_dir("s2").rglob("*") if path.is_file())
    return (path for path in found if not path.name.endswith(".meta.json"))


def read(path: Path) -> tuple[list[RawRecord], list[str]]:
    records: list[RawRecord] = []
    reasons: list[str] = []
    try:
        for page in SOURCE.read_file(path):
            records += page.records
            reasons += [damaged.reason for damaged in page.damaged]
    except PageRefused as refused:
        reasons.append(refused.reason)
    return records, reasons


def test_every_document_is_read_or_refused_with_a_reason() -> None:
    papers: list[PaperRecord] = []
    authors: list[AuthorProfile] = []
    why: Counter[str] = Counter()
    number = 0
    for path in files():
        number += 1
        records, reasons = read(path)
        assert records or reasons, path
        assert all(reason.endswith(".") for reason in reasons), (path, reasons)
        why.update(" ".join(reason.split(" ")[1 + reason.startswith(("Item", "Line")) :]) for reason in reasons)
        for record in records:
            said = SOURCE.parse(record)
            if isinstance(said, AuthorProfile):
                assert said.author_id == record.external_id
                authors.append(said)
                continue
            if said.title:
                check(said)
            joined = join(None, "", record.payload, record.stamp)
            assert join(*joined, record.payload, record.stamp) == joined
            papers.append(said)
    assert (number, len(papers), len(authors)) == (41, 2_673, 122)
    assert Counter(paper.format for paper in papers) == {"paper": 2_573, "corpus": 100}
    assert sum(not paper.title for paper in papers) == 392, "answers that were asked for other fields"
    assert why == {
        "is a citation, and papers or authors are wanted.": 356,
        "is empty: the source does not know it.": 2,
        "answer holds no records: the search found nothing.": 1,
        "tells of an error: Author with id 0 not found.": 1,
        "tells of an error: No positive paper examples given.": 1,
        "tells of an error: Paper with id 0 not found.": 1,
        "tells of an error: Unrecognized or unsupported fields: [unknown].": 1,
    }
    assert all(author.h_index is not None for author in authors if author.works_count is not None)
    full = [paper for paper in papers if paper.authors]
    assert len(full) == 199
    for paper in papers:
        for value in (paper.title, paper.abstract, paper.venue, *(author.name for author in paper.authors)):
            assert value == " ".join(value.split())


def test_a_whole_paper_with_its_references() -> None:
    (record,), _ = read(shared_data_dir("s2", "objects", "Paper.json.gz"))
    said = SOURCE.parse(record)
    assert isinstance(said, PaperRecord)
    raw = json.loads(record.payload)
    assert said.reference_count == raw["referenceCount"] == 14
    assert len(said.references) == 14
    assert sum(bool(reference.identifiers) for reference in said.references) == 8
    assert said.citations is not None
    assert said.citations.count == raw["citationCount"]


def test_documents_cut_in_half_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    for path in files():
        if path.suffix != ".json" or path.stat().st_size < 200:
            continue
        half = tmp_path / "half.json"
        half.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        records, reasons = read(half)
        assert reasons, path
        assert len(records) <= len(read(path)[0])
