"""Every real document of arXiv beside the checkout: nothing crashes, and every refusal says why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from papers.sources.arxiv.authors import read_string, read_structured
from papers.sources.arxiv.source import ArxivSource
from papers.sources.records import PaperRecord
from tests.shared_data import shared_data_dir
from wovepaper.harvest.contracts import DamagedRecord, PageRefused, RawRecord, RecordRefused

pytestmark = pytest.mark.shared_data
SOURCE = ArxivSource("http://127.0.0.1/oai")


def files(*parts: str) -> Iterator[Path]:
    return (path for path in sorted(shared_data_dir(*parts).rglob("*")) if path.is_file())


class Reading:
    """What became of one file."""

    def __init__(self, path: Path) -> None:
        self.papers: list[PaperRecord] = []
        self.raw: list[RawRecord] = []
        self.damaged: list[DamagedRecord] = []
        self.refusals: list[str] = []
        self.refused = ""
        try:
            for page in SOURCE.read_file(path):
                assert len(page.records) + len(page.damaged) <= 1000
                self.raw += page.records
                self.damaged += page.damaged
        except PageRefused as refused:
            self.refused = refused.reason
        for record in self.raw:
            try:
                self.papers.append(SOURCE.parse(record))
            except RecordRefused as refused:
                self.refusals.append(str(refused))


def test_every_document_of_arxiv_is_read() -> None:
    count = 0
    for path in [*files("arxiv", "oai"), *files("arxiv", "snapshot")]:
        read = Reading(path)
        count += len(read.papers)
        assert read.refused == "", path
        assert read.refusals == [], path
        is_paper = (
            not path.name.startswith("error_") and not path.name.endswith(".meta.json") and "404" not in path.name
        )
        assert bool(read.papers) is is_paper, path
        assert bool(read.damaged) is (not is_paper and "norecordsmatch" not in path.name.lower()), path
        assert all(damaged.reason.endswith(".") for damaged in read.damaged), path
        for paper in read.papers:
            assert paper.identifiers[0] == ("arxiv", paper.external_id)
            assert paper.categories
            assert paper.published is not None
            for value in (paper.title, paper.abstract, paper.comments, *(author.name for author in paper.authors)):
                assert value == " ".join(value.split())
                assert "\x00" not in value
    assert count >= 400


def test_the_same_answer_from_the_network_gives_the_same_records() -> None:
    compared = 0
    for path in files("arxiv", "oai"):
        if path.suffix != ".xml":
            continue
        read = Reading(path)
        if read.refused or read.damaged:
            with pytest.raises(PageRefused):
                SOURCE.read_page(path.read_bytes(), stream="arXiv")
            continue
        assert SOURCE.read_page(path.read_bytes(), stream="arXiv").records == tuple(read.raw)
        compared += 1
    assert compared >= 20


def test_documents_of_other_repositories_are_refused_with_a_reason() -> None:
    refusals = 0
    for path in files("oai_generic"):
        read = Reading(path)
        assert read.papers == [], path
        assert all(len(reason) > 20 for reason in read.refusals), path
        assert all(damaged.reason for damaged in read.damaged), path
        refusals += len(read.refusals) + len(read.damaged) + bool(read.refused)
    assert refusals >= 500


def test_documents_of_other_kinds_are_refused_with_a_reason() -> None:
    for path in [*files("arxiv", "atom"), *files("arxiv", "docmeta"), *files("crossref"), *files("openalex", "errors")]:
        read = Reading(path)
        assert read.papers == [], path
        assert read.refused or read.refusals or read.damaged, path


def test_names_in_the_printed_list_agree_with_those_taken_apart_upstream() -> None:
    read = agreeing = 0
    for path in files("arxiv", "snapshot"):
        for line in path.read_text(encoding="utf-8").splitlines():
            said = json.loads(line)
            printed = [author.family for author in read_string(said["authors"])]
            parsed = [author.family for row in said["authors_parsed"] for author in read_structured(*row[:3])]
            read += 1
            agreeing += printed == parsed
    assert read >= 200
    assert agreeing / read > 0.99


def test_odd_strings_pass_through_every_field() -> None:
    strings = [
        json.loads(line)["value"]
        for line in shared_data_dir("strings", "nasty_strings.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len(strings) >= 1000
    for value in strings:
        said = {
            "id": "0704.0001",
            "title": f"T {value}",
            "abstract": value,
            "comments": value,
            "authors": value,
            "journal-ref": value,
            "doi": value,
            "categories": "math.CO",
            "authors_parsed": [[value, value, "", value]],
        }
        parsed = SOURCE.parse(RawRecord("0704.0001", "snapshot", "", json.dumps(said).encode()))
        assert parsed.title.startswith("T")
        for text in (parsed.title, parsed.abstract, *(author.name for author in parsed.authors)):
            text.encode()
            assert "\x00" not in text
