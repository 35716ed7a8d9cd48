"""OpenAlex's works from files into the catalogue, beside arXiv's preprints and Crossref's articles."""

from __future__ import annotations

import datetime as dt
import gzip
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from papers.asserted_affiliations import read_asserted
from papers.models import Affiliation, Authorship, Paper, PaperMetric, SourceAuthorship, SourceRecord
from researchers.models import ResearcherIdentifier, ResearcherMetric
from tests.papers.services.state import fingerprint
from tests.papers.sources import crossref_documents, openalex_documents
from tests.papers.sources.arxiv_documents import arxiv, list_records, oai_record
from tests.papers.sources.openalex_documents import ARXIV, BASE, authorship, lines, location
from wovepaper.harvest import hooks
from wovepaper.harvest.models import QuarantinedRecord
from wovepaper.harvest.services import replay_pages
from wovepaper.pipeline.services import drain

pytestmark = pytest.mark.django_db
ORCID = "0000-0002-1825-0097"


@pytest.fixture(autouse=True)
def _without_the_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "_callbacks", [])


def harvest(path: Path, body: bytes, source: str = "openalex") -> None:
    path.write_bytes(body)
    call_command("harvest", source, "--file", str(path))


def work(number: int = 700, **values: Any) -> dict[str, Any]:
    return openalex_documents.work(number, **values)


def test_works_become_papers_and_what_is_none_waits_in_quarantine(tmp_path, capsys):
    knots = [{"raw_affiliation_string": "Institute of Knots", "institution_ids": [f"{BASE}I9"]}]
    first = authorship(
        "Zo\u00eb Vek", 501, raw_affiliation_strings=["Institute of Knots"], affiliations=knots, raw_orcid=ORCID,
        institutions=[{"id": f"{BASE}I9", "ror": "https://ror.org/02mhbdp94"}],
    )  # fmt: skip
    body = lines(work(authorships=[first]), work(701, type="grant"), {"id": f"{BASE}S501"}) + b"{\n"
    harvest(tmp_path / "part_000.gz", gzip.compress(body))

    assert capsys.readouterr().out.splitlines() == ["openalex: seen 4, new 1, changed 0, unchanged 0, quarantined 3"]
    paper = Paper.objects.get()
    assert (paper.title, paper.kind, paper.doi) == ("A woven lattice", "article", "10.5555/woven.1")
    assert (paper.citation_count, paper.citation_source, paper.cited_as_of) == (3, "openalex", dt.date(2025, 3, 4))
    printed = SourceAuthorship.objects.get()
    assert (printed.name, printed.source_author_id, printed.orcid) == ("Zoë Vek", "A501", ORCID)
    assert Affiliation.objects.get().text == "Institute of Knots"
    assert list(read_asserted(bytes(SourceRecord.objects.get().payload)).values()) == [("02mhbdp94",)]
    assert {row.reason.split(":")[0] for row in QuarantinedRecord.objects.all()} == {
        "The record describes a grant, which is not a paper.",
        "Line 3 is a source, and works or authors are wanted.",
        "Line 4 is not JSON",
    }


def test_a_second_reading_and_a_replay_change_nothing(tmp_path, capsys):
    harvest(tmp_path / "works", lines(work(), work(701, title="Second", doi=None, ids=None, locations=None)))
    known = fingerprint()
    harvest(tmp_path / "again", lines(work(), work(701, title="Second", doi=None, ids=None, locations=None)))
    assert capsys.readouterr().out.splitlines()[1] == "openalex: seen 2, new 0, changed 0, unchanged 2, quarantined 0"
    assert fingerprint() == known
    assert replay_pages(name="openalex").counts.changed == 0
    assert fingerprint() == known


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_preprint_its_article_and_the_index_are_one_paper_in_every_order(tmp_path, order):
    preprint = arxiv(
        identifier="2401.00001",
        title="A woven lattice (preprint)",
        more="<doi>10.5555/woven.1</doi>",
        authors="".join(
            f"<author><keyname>{family}</keyname><forenames>{given}</forenames></author>"
            for family, given in (("Vek", "Zo\u00eb"), ("Thorn", "Ansel"))
        ),
    )
    article = crossref_documents.work(is_referenced_by_count=2)
    index = work(
        locations=[location(), ARXIV],
        authorships=[authorship("Thorn, A.", 502), authorship("Z. Vek", 501)],
        cited_by_count=9,
        title="A woven lattice, as indexed",
    )
    steps = [
        ("arxiv", list_records(oai_record(preprint, identifier="2401.00001"))),
        ("crossref", crossref_documents.lines(article)),
        ("openalex", lines(index)),
    ]
    for number in order:
        source, body = steps[number]
        harvest(tmp_path / f"{source}.of", body, source)

    paper = Paper.objects.get()
    assert (paper.arxiv_id, paper.doi) == ("2401.00001", "10.5555/woven.1")
    assert paper.title == "A woven lattice (preprint)"
    assert (paper.venue, paper.publisher, paper.kind) == ("Journal of Invented Research", "Nowhere Press", "article")
    assert paper.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert [row.name for row in Authorship.objects.order_by("position")] == ["Zoë Vek", "Ansel Thorn"]
    assert list(
        SourceAuthorship.objects.filter(source_record__source="openalex")
        .order_by("authorship__position")
        .values_list("authorship__position", "name", "source_author_id")
    ) == [(1, "Z. Vek", "A501"), (2, "A. Thorn", "A502")]
    assert dict(PaperMetric.objects.values_list("source", "cited_by_count")) == {"crossref": 2, "openalex": 9}
    assert (paper.citation_count, paper.citation_source) == (9, "openalex")
    assert sorted(paper.identifiers.values_list("scheme", "value")) == [
        ("arxiv", "2401.00001"), ("doi", "10.5555/woven.1"), ("openalex", "W700"),
    ]  # fmt: skip


def test_authors_that_openalex_numbers_anew_stay_in_their_places(tmp_path):
    harvest(tmp_path / "works", lines(work()))
    places = list(Authorship.objects.order_by("position").values_list("pk", "name"))
    anew = [authorship("Zo\u00eb Vek", 888), authorship("Ansel Thorn", 5317838346)]
    harvest(tmp_path / "later", lines(work(authorships=anew, updated_date="2026-01-01")))
    assert list(Authorship.objects.order_by("position").values_list("pk", "name")) == places
    assert list(SourceAuthorship.objects.order_by("position").values_list("source_author_id", flat=True)) == [
        "A888",
        "",
    ]


def test_a_work_that_was_merged_into_another_stays_the_same_paper(tmp_path):
    """What asks for a merged id is sent to the work that took it in, which has the same DOI."""
    harvest(tmp_path / "works", lines(work(700)))
    harvest(tmp_path / "later", openalex_documents.answer(work(800, updated_date="2026-01-01")))
    assert sorted(Paper.objects.get().identifiers.filter(scheme="openalex").values_list("value", flat=True)) == [
        "W700", "W800",
    ]  # fmt: skip


def test_a_retraction_is_shown_whatever_other_sources_leave_unsaid(tmp_path):
    harvest(tmp_path / "works", lines(work(is_retracted=True)))
    harvest(tmp_path / "article", crossref_documents.lines(crossref_documents.work()), "crossref")
    assert Paper.objects.get().status == "retracted"


def test_authors_and_lists_of_merged_ids_come_in_by_the_same_command(tmp_path, capsys):
    harvest(tmp_path / "works", lines(work(authorships=[authorship("Zo\u00eb Vek", 501)])))
    drain(stages={"affiliate", "attribute"})
    profile = {
        "id": f"{BASE}A502", "display_name": "Zo\u00eb Vek", "works_count": 12, "cited_by_count": 340,
        "summary_stats": {"h_index": 6}, "updated_date": "2026-05-01",
    }  # fmt: skip
    harvest(tmp_path / "authors.gz", gzip.compress(lines(profile, profile | {"id": f"{BASE}A5317838346"})))
    harvest(tmp_path / "merged.csv.gz", gzip.compress(b"merge_date,id,merge_into_id\n2026-04-01,A501,A502\n"))
    harvest(tmp_path / "again.csv", b"merge_date,id,merge_into_id\n2026-04-01,A501,A502\n", "openalex-authors")
    assert capsys.readouterr().out.splitlines()[1:] == [
        "openalex: seen 2, new 1, changed 0, unchanged 0, quarantined 1",
        "openalex: seen 1, new 1, changed 0, unchanged 0, quarantined 0",
        "openalex-authors: seen 1, new 0, changed 0, unchanged 1, quarantined 0",
    ]
    drain(stages={"index"})
    assert set(ResearcherIdentifier.objects.values_list("value", "state")) == {
        ("A501", "deprecated"), ("A502", "claimed"),
    }  # fmt: skip
    metric = ResearcherMetric.objects.get()
    assert (metric.source, metric.h_index, metric.cited_by_count, metric.works_count, metric.as_of) == (
        "openalex", 6, 340, 12, dt.date(2026, 5, 1),
    )  # fmt: skip
