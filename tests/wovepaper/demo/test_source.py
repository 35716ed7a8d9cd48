"""Recipes are read as files, their papers are marked, and real papers are kept out."""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from pathlib import Path

import pytest

from papers.sources.records import CitationCount
from wovepaper.demo.aggregator import NOBODY
from wovepaper.demo.catalogue import write_files
from wovepaper.demo.dates import is_invented
from wovepaper.demo.documents import snapshot_line
from wovepaper.demo.papers import generate
from wovepaper.demo.recipe import Recipe
from wovepaper.demo.source import PAPERS_A_PAGE, DemoSource, batches
from wovepaper.demo.works import work_line
from wovepaper.harvest import registry
from wovepaper.harvest.contracts import PageRefused, RawRecord, RecordRefused
from wovepaper.lib.orcid import normalise

UNTIL = dt.date(2026, 3, 16)


def test_a_recipe_is_read_page_by_page(tmp_path: Path) -> None:
    recipe = Recipe(PAPERS_A_PAGE + 30, 5, UNTIL)
    pages = list(DemoSource().read_file(recipe.write(tmp_path)))
    records = [[record.format for record in page.records] for page in pages]
    assert [page.count("arXiv") for page in records] == [PAPERS_A_PAGE, 30]
    assert [page.count("arXivRaw") for page in records] == [PAPERS_A_PAGE, 30]
    works = [len(batch) for _, batch in batches(recipe, PAPERS_A_PAGE)]
    assert [page.count("work") for page in records] == works
    assert not any(page.damaged for page in pages)
    expected = [paper.arxiv_id for paper in generate(PAPERS_A_PAGE + 30, seed=5, until=UNTIL)]
    for form in ("arXiv", "arXivRaw"):
        assert [r.external_id for page in pages for r in page.records if r.format == form] == expected


def test_works_are_read_as_the_publisher_printed_them(tmp_path: Path) -> None:
    recipe = Recipe(120, 5, UNTIL)
    works = {work.doi: work for _, batch in batches(recipe, 120) for work in batch}
    source = DemoSource()
    parsed = [
        source.parse(raw)
        for page in source.read_file(recipe.write(tmp_path))
        for raw in page.records
        if raw.format == "work"
    ]
    assert {record.external_id for record in parsed} == works.keys()
    for record in parsed:
        work = works[record.external_id]
        assert (record.source, record.is_demo, record.rank) == ("demo", True, 20)
        assert (record.title, record.abstract) == (work.title.replace("<i>", "").replace("</i>", ""), work.abstract)
        assert (record.venue, record.publisher, record.pages) == (work.venue.name, work.venue.publisher, work.pages)
        assert str(record.published) == "-".join(f"{part:02d}" for part in work.published)
        people = [author for author in record.authors if not author.is_collaboration]
        assert [author.name for author in people] == [author.printed.text for author in work.authors]
        assert [author.affiliations for author in people] == [author.affiliations for author in work.authors]
        assert [author.orcid for author in people] == [
            author.orcid if normalise(author.orcid) else "" for author in work.authors
        ]
        assert dict(record.identifiers).get("arxiv", "") == work.arxiv_id
    assert sum(bool(author.orcid) for record in parsed for author in record.authors) > 20


def test_an_aggregators_ids_are_mostly_right() -> None:
    works = [work for _, batch in batches(Recipe(3_000, 5, UNTIL), 3_000) for work in batch]
    people: defaultdict[str, set[str]] = defaultdict(set)
    ids: defaultdict[str, set[str]] = defaultdict(set)
    taken_away = none = right = 0
    for work in works:
        parsed = DemoSource().parse(RawRecord(work.doi, "work", "", work_line(work)))
        authors = [author for author in parsed.authors if not author.is_collaboration]
        for author, true in zip(authors, work.authors, strict=True):
            assert author.source_author_id == ("" if true.author_id == NOBODY else true.author_id)
            taken_away += true.author_id == NOBODY
            none += not true.author_id
            if author.source_author_id:
                people[author.source_author_id].add(true.author.person.key)
                ids[true.author.person.key].add(author.source_author_id)
                right += 1
    assert right > 4_500
    assert 0.02 < taken_away / right < 0.05
    assert 0.03 < none / right < 0.08
    assert sum(len(several) == 2 for several in ids.values()) > 50
    assert max(map(len, ids.values())) == 2
    together = [several for several in people.values() if len(several) > 1]
    assert len(together) >= 5
    assert len(together) < len(people) / 50


def test_works_say_how_often_they_are_cited() -> None:
    works = [work for _, batch in batches(Recipe(3_000, 5, UNTIL), 3_000) for work in batch]
    counts = [DemoSource().parse(RawRecord(work.doi, "work", "", work_line(work))).citations for work in works]
    assert counts == [CitationCount(work.cited_by, work.indexed) for work in works]
    of_years = [
        sorted(work.cited_by for work in works if first <= work.published[0] <= last)
        for first, last in ((2000, 2019), (2020, 2023), (2025, 2026))
    ]
    figures = [(len(some), some[0], some[len(some) // 2], some[-1]) for some in of_years]
    assert figures == [(242, 0, 10, 863), (566, 0, 6, 2746), (469, 0, 1, 128)]
    assert dt.timedelta() <= UNTIL - max(work.indexed for work in works)
    assert UNTIL - min(work.indexed for work in works) < dt.timedelta(days=90)


def test_what_is_parsed_is_marked_and_says_what_the_paper_says(tmp_path: Path) -> None:
    papers = {paper.arxiv_id: paper for paper in generate(200, seed=5, until=UNTIL)}
    source = DemoSource()
    seen = 0
    for page in source.read_file(Recipe(200, 5, UNTIL).write(tmp_path)):
        for raw in page.records:
            if raw.format == "work":
                continue
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
        "works.jsonl.gz",
    ]
    source = DemoSource()

    def hashes(*files: Path) -> set[tuple[str, str, str]]:
        parsed = [source.parse(raw) for path in files for page in source.read_file(path) for raw in page.records]
        return {(record.format, record.external_id, record.content_hash) for record in parsed}

    assert hashes(*paths[:-2], paths[-1]) == hashes(recipe.write(tmp_path))
    assert len(hashes(paths[-2])) == 120
    assert {form for form, _, _ in hashes(paths[-1])} == {"work"}


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
    ("said", "named"),
    [
        ({"DOI": "10.1234/real"}, r"10\.1234/real may be a real paper"),
        (
            {
                "DOI": "10.5555/demo.1",
                "relation": {"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2401.00001"}]},
            },
            r"2401\.00001 may be a real paper",
        ),
    ],
)
def test_a_work_that_may_be_real_is_refused(said: dict[str, object], named: str) -> None:
    payload = json.dumps({"title": ["T"], **said}).encode()
    with pytest.raises(RecordRefused, match=f"{named}: harvest it from the source crossref"):
        DemoSource().parse(RawRecord("x", "work", "", payload))


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
