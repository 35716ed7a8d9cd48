"""Recipes are read as files, their papers are marked, and real papers are kept out."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from wovepaper.demo.catalogue import write_files
from wovepaper.demo.dates import is_invented
from wovepaper.demo.documents import snapshot_line
from wovepaper.demo.papers import generate
from wovepaper.demo.recipe import Recipe
from wovepaper.demo.source import PAPERS_A_PAGE, DemoSource
from wovepaper.harvest import registry
from wovepaper.harvest.contracts import PageRefused, RawRecord, RecordRefused

UNTIL = dt.date(2026, 3, 16)


def test_a_recipe_is_read_page_by_page(tmp_path: Path) -> None:
    recipe = Recipe(PAPERS_A_PAGE + 30, 5, UNTIL)
    pages = list(DemoSource().read_file(recipe.write(tmp_path)))
    assert [len(page.records) for page in pages] == [2 * PAPERS_A_PAGE, 60]
    assert not any(page.damaged for page in pages)
    expected = [paper.arxiv_id for paper in generate(PAPERS_A_PAGE + 30, seed=5, until=UNTIL)]
    for form in ("arXiv", "arXivRaw"):
        assert [r.external_id for page in pages for r in page.records if r.format == form] == expected


def test_what_is_parsed_is_marked_and_says_what_the_paper_says(tmp_path: Path) -> None:
    papers = {paper.arxiv_id: paper for paper in generate(200, seed=5, until=UNTIL)}
    source = DemoSource()
    seen = 0
    for page in source.read_file(Recipe(200, 5, UNTIL).write(tmp_path)):
        for raw in page.records:
            record, paper = source.parse(raw), papers[raw.external_id]
            assert (record.source, record.is_demo) == ("demo", True)
            assert record.categories == paper.categories
            assert record.comments == paper.comments
            assert [author.name for author in record.authors if not author.is_collaboration] == [
                author.printed.text for author in paper.authors
            ]
            if raw.format == "arXivRaw":
                assert [version.number for version in record.versions] == [v.number for v in paper.versions]
                assert record.withdrawn is paper.withdrawn
            seen += 1
    assert seen == 400


def test_written_files_hold_the_same_records_as_the_recipe(tmp_path: Path) -> None:
    recipe = Recipe(120, 2, UNTIL)
    paths = list(write_files(recipe, tmp_path / "out", papers_a_file=50))
    assert [path.name for path in paths] == [
        *(f"oai-{form}-{number:04d}.xml" for number in (1, 2, 3) for form in ("arXiv", "arXivRaw")),
        "snapshot.jsonl.gz",
    ]
    source = DemoSource()

    def hashes(*files: Path) -> set[tuple[str, str, str]]:
        parsed = [source.parse(raw) for path in files for page in source.read_file(path) for raw in page.records]
        return {(record.format, record.external_id, record.content_hash) for record in parsed}

    assert hashes(*paths[:-1]) == hashes(recipe.write(tmp_path))
    assert len(hashes(paths[-1])) == 120


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    recipe = Recipe(30, 2, UNTIL)
    first = [path.read_bytes() for path in write_files(recipe, tmp_path / "a")]
    assert first == [path.read_bytes() for path in write_files(recipe, tmp_path / "b")]


def test_a_record_that_may_be_real_is_refused() -> None:
    paper = next(generate(1, seed=1, until=UNTIL))
    line = snapshot_line(paper).replace(paper.arxiv_id.encode(), b"2603.01234")
    with pytest.raises(RecordRefused, match=r"2603\.01234 may be a real paper"):
        DemoSource().parse(RawRecord("2603.01234", "snapshot", "2026-03-10", line))


@pytest.mark.parametrize(
    ("arxiv_id", "invented"),
    [
        ("2603.40000", True),
        ("2603.99999", True),
        ("2603.39999", False),
        ("0704.0001", False),
        ("0704.9999", False),
        ("hep-th/9901900", True),
        ("hep-th/9901899", False),
        ("nonsense", False),
    ],
)
def test_invented_identifiers_are_told_from_real_ones(arxiv_id: str, invented: bool) -> None:
    assert is_invented(arxiv_id) is invented


@pytest.mark.parametrize("text", ['{"demo_papers": 0, "seed": 1, "until": "2026-03-16"}', '{"demo_papers": 5}'])
def test_a_bad_recipe_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "recipe.json"
    path.write_text(text)
    with pytest.raises(PageRefused, match="The recipe cannot be followed"):
        list(DemoSource().read_file(path))


def test_the_source_is_registered_and_on_no_network() -> None:
    source = registry.get("demo").source
    assert isinstance(source, DemoSource)
    assert source.streams == ()
