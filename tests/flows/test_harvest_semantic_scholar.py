"""Semantic Scholar's papers from files into the catalogue, whole and in part, beside those of the other sources."""

from __future__ import annotations

import datetime as dt
import json
from itertools import permutations
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from papers.models import Authorship, Paper, PaperMetric, SourceAuthorship, SourceRecord
from tests.papers.services.state import fingerprint
from tests.papers.sources import crossref_documents, openalex_documents
from tests.papers.sources.arxiv_documents import arxiv, list_records, oai_record
from tests.papers.sources.openalex_documents import ARXIV, location
from tests.papers.sources.semantic_scholar_documents import (
    HASH,
    answer,
    corpus_paper,
    dataset_abstract,
    dataset_paper,
    lines,
    paper,
    reference,
)
from wovepaper.harvest import hooks
from wovepaper.harvest.models import QuarantinedRecord
from wovepaper.harvest.services import replay_pages

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _without_the_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "_callbacks", [])


def harvest(path: Path, body: bytes, source: str = "semantic-scholar") -> None:
    path.write_bytes(body)
    call_command("harvest", source, "--file", str(path))


def stored() -> dict[str, object]:
    said: dict[str, object] = json.loads(bytes(SourceRecord.objects.get().payload))
    return said


def test_papers_come_in_and_what_is_none_waits_in_quarantine(tmp_path, capsys):
    body = lines(
        paper(references=[reference(9), reference(10, paperId=None, title="", externalIds=None, corpusId=None)]),
        paper(701, title=None),
        {"paperId": HASH.format(702), "title": "A title"},
        {"citingcorpusid": 1, "citedcorpusid": 2},
        {"error": "Paper with id 0 not found"},
    )
    harvest(tmp_path / "papers.jsonl", body)

    assert capsys.readouterr().out.splitlines() == [
        "semantic-scholar: seen 5, new 1, changed 0, unchanged 0, quarantined 4"
    ]
    kept = Paper.objects.get()
    assert (kept.title, kept.abstract, kept.kind, kept.doi) == (
        "A woven lattice", "We weave.", "article", "10.5555/woven.1",
    )  # fmt: skip
    assert (kept.venue, kept.volume, kept.pages) == ("Journal of Invented Research", "7", "1-9")
    assert (kept.citation_count, kept.citation_source) == (3, "semantic-scholar")
    assert kept.cited_as_of == timezone.now().date()
    assert sorted(kept.identifiers.values_list("scheme", "value")) == [
        ("dblp", "journals/knots/VekT24"), ("doi", "10.5555/woven.1"), ("s2", HASH.format(700)), ("s2", "CorpusId:700"),
    ]  # fmt: skip
    printed = SourceAuthorship.objects.order_by("position").values_list("name", "source_author_id", "orcid")
    assert list(printed) == [("Zoë Vek", "501", ""), ("A. Thorn", "502", "")]
    assert {row.reason for row in QuarantinedRecord.objects.all()} == {
        "The answer holds no title, and no earlier one did: ask for title, authors, date and external ids as well.",
        "Nothing but a title tells which paper this is: ask for title, authors, date and external ids as well.",
        "Line 4 is a citation, and papers or authors are wanted.",
        "Line 5 tells of an error: Paper with id 0 not found.",
    }


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_parts_of_a_paper_come_together_in_every_order(tmp_path, order):
    parts = [
        paper(abstract=None, citationCount=None),
        {"paperId": HASH.format(700), "title": "A woven lattice", "abstract": "We weave.", "year": 2024, "venue": ""},
        {"paperId": HASH.format(700), "title": "A woven lattice", "year": 2024, "citationCount": 8, "authors": None},
    ]
    for number in order:
        harvest(tmp_path / f"{number}.json", json.dumps(parts[number]).encode())
    kept = Paper.objects.get()
    assert (kept.title, kept.abstract, kept.venue) == ("A woven lattice", "We weave.", "Journal of Invented Research")
    assert (kept.citation_count, kept.doi) == (8, "10.5555/woven.1")
    assert [row.name for row in Authorship.objects.order_by("position")] == ["Zoë Vek", "A. Thorn"]


def test_a_later_answer_corrects_what_it_says_and_leaves_the_rest(tmp_path, capsys):
    harvest(tmp_path / "full.json", json.dumps(paper()).encode())
    later = {"paperId": HASH.format(700), "title": "A woven lattice, corrected", "citationCount": 5, "abstract": None}
    harvest(tmp_path / "part.json", json.dumps(later).encode())
    kept = Paper.objects.get()
    assert (kept.title, kept.abstract, kept.citation_count) == ("A woven lattice, corrected", "We weave.", 5)
    known = fingerprint()

    harvest(tmp_path / "full.json", json.dumps(paper()).encode())
    harvest(tmp_path / "part.json", json.dumps(later).encode())
    assert capsys.readouterr().out.splitlines() == [
        "semantic-scholar: seen 1, new 1, changed 0, unchanged 0, quarantined 0",
        "semantic-scholar: seen 1, new 0, changed 1, unchanged 0, quarantined 0",
        "semantic-scholar: seen 1, new 0, changed 0, unchanged 1, quarantined 0",
        "semantic-scholar: seen 1, new 0, changed 0, unchanged 1, quarantined 0",
    ]
    assert fingerprint() == known
    assert replay_pages(name="semantic-scholar").counts.changed == 0
    assert fingerprint() == known


def test_states_of_one_paper_in_one_page_go_in_one_after_the_other(tmp_path, capsys):
    part = {"paperId": HASH.format(700), "title": "A woven lattice, corrected"}
    harvest(tmp_path / "both.json", answer(paper(), part, {"paperId": HASH.format(700), "citationCount": 4}))
    assert capsys.readouterr().out.splitlines() == [
        "semantic-scholar: seen 3, new 1, changed 0, unchanged 2, quarantined 0"
    ]
    kept = Paper.objects.get()
    assert (kept.title, kept.abstract, kept.citation_count) == ("A woven lattice, corrected", "We weave.", 4)


def test_a_count_alone_changes_nothing_but_the_count(tmp_path, capsys):
    harvest(tmp_path / "full.json", json.dumps(paper()).encode())
    before = Paper.objects.get()
    harvest(tmp_path / "count.json", answer({"paperId": HASH.format(700), "citationCount": 4}))
    assert capsys.readouterr().out.splitlines()[1] == (
        "semantic-scholar: seen 1, new 0, changed 1, unchanged 0, quarantined 0"
    )
    assert Paper.objects.get().citation_count == 4
    assert Paper.objects.get().title == before.title
    assert stored()["abstract"] == "We weave."


def test_lines_of_papers_and_of_abstracts_are_one_record(tmp_path, capsys):
    harvest(tmp_path / "papers", lines(dataset_paper()))
    harvest(tmp_path / "abstracts", lines(dataset_abstract(), dataset_abstract(701)))
    assert capsys.readouterr().out.splitlines()[1] == (
        "semantic-scholar: seen 2, new 0, changed 1, unchanged 0, quarantined 1"
    )
    kept = Paper.objects.get()
    assert (kept.abstract, kept.arxiv_id, kept.title) == ("We weave.", "2401.00001", "A woven lattice")
    assert SourceRecord.objects.get().external_id == "700"


def test_the_former_data_set_is_read_and_gives_way_to_the_answers(tmp_path):
    harvest(tmp_path / "corpus", lines(corpus_paper(title="A Woven Lattice.")))
    first = Paper.objects.get()
    assert (first.doi, first.venue, first.abstract) == ("10.5555/woven.1", "Journal of Invented Research", "We weave.")
    assert [row.source_author_id for row in SourceAuthorship.objects.order_by("position")] == ["501", ""]
    harvest(tmp_path / "answers", answer(paper()))
    assert Paper.objects.get().title == "A woven lattice"
    assert sorted(SourceRecord.objects.values_list("format", flat=True)) == ["corpus", "paper"]


@pytest.mark.parametrize("order", list(permutations(range(4)))[::5])
def test_four_records_of_one_paper_are_one_whatever_comes_first(tmp_path, order):
    preprint = arxiv(
        identifier="2401.00001", title="A woven lattice (preprint)", more="<doi>10.5555/woven.1</doi>",
        authors="<author><keyname>Vek</keyname><forenames>Zo\u00eb</forenames></author>"
        "<author><keyname>Thorn</keyname><forenames>Ansel</forenames></author>",
    )  # fmt: skip
    steps = [
        ("arxiv", list_records(oai_record(preprint, identifier="2401.00001"))),
        ("crossref", crossref_documents.lines(crossref_documents.work())),
        ("openalex", openalex_documents.lines(openalex_documents.work(locations=[location(), ARXIV]))),
        ("semantic-scholar", answer(paper(externalIds={"ArXiv": "2401.00001", "DOI": "10.5555/WOVEN.1"}))),
    ]
    for number in order:
        source, body = steps[number]
        harvest(tmp_path / f"{source}.of", body, source)
    kept = Paper.objects.get()
    assert (kept.title, kept.arxiv_id, kept.doi) == ("A woven lattice (preprint)", "2401.00001", "10.5555/woven.1")
    assert ("s2", HASH.format(700)) in set(kept.identifiers.values_list("scheme", "value"))
    assert [row.name for row in Authorship.objects.order_by("position")] == ["Zoë Vek", "Ansel Thorn"]
    assert PaperMetric.objects.get(source="semantic-scholar").cited_by_count == 3
    assert PaperMetric.objects.get(source="semantic-scholar").as_of <= dt.datetime.now(dt.UTC).date()
