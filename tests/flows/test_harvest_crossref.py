"""Crossref's works from files into the catalogue, beside arXiv's preprints."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from papers.models import Authorship, Paper, PaperIdentifier, PaperMetric, SourceAuthorship, SourceRecord
from researchers.metrics import badges
from researchers.models import Attribution, Researcher
from tests.papers.services.state import fingerprint
from tests.papers.sources.arxiv_documents import arxiv, list_records, oai_record
from tests.papers.sources.crossref_documents import lines, person, work
from wovepaper.harvest import hooks
from wovepaper.harvest.models import QuarantinedRecord
from wovepaper.harvest.services import replay_pages
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import drain

ORCID = "0000-0002-1825-0097"


@pytest.fixture(autouse=True)
def _without_the_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "_callbacks", [])


def harvest(path: Path, body: bytes, source: str = "crossref") -> None:
    path.write_bytes(body)
    call_command("harvest", source, "--file", str(path))


@pytest.mark.django_db
def test_works_become_papers_and_what_is_no_paper_waits_in_quarantine(tmp_path, capsys):
    body = lines(
        work(author=[person("Zoë", "Vek", ORCID=f"http://orcid.org/{ORCID}"), {"name": "LOOM Collaboration"}]),
        work(DOI="10.5555/woven.2", title=["Second"], published={"date-parts": [[None]]}, issued=None),
        work(DOI="10.5555/woven.3", title=[]),
        work(DOI="10.5555/woven.4", type="journal-issue"),
    )
    harvest(tmp_path / "works.jsonl.gz", gzip.compress(body + b"{damaged\n"))

    assert capsys.readouterr().out == "crossref: seen 5, new 2, changed 0, unchanged 0, quarantined 3\n"
    paper = Paper.objects.get(doi="10.5555/woven.1")
    assert (paper.kind, paper.title, paper.is_demo, paper.arxiv_id) == ("article", "A woven lattice", False, "")
    assert (paper.venue, paper.volume, paper.issue, paper.pages) == ("Journal of Invented Research", "7", "2", "11-29")
    assert (paper.published_on, paper.published_precision) == (dt.date(2024, 12, 1), "month")
    assert paper.announced_on is None
    assert paper.get_absolute_url() == f"/papers/{paper.pk}-a-woven-lattice"
    assert list(paper.authorships.values_list("position", "name", "is_collaboration")) == [
        (1, "Zoë Vek", False),
        (2, "LOOM Collaboration", True),
    ]
    assert SourceAuthorship.objects.get(orcid=ORCID).authorship.name == "Zoë Vek"
    second = Paper.objects.get(doi="10.5555/woven.2")
    assert (second.published_on, second.sort_date) == (None, dt.date(1, 1, 1))
    assert {row.reason.split(":")[0] for row in QuarantinedRecord.objects.all()} == {
        "The work has no title.",
        "The record describes a journal issue, which is not a paper.",
        "Line 5 is not JSON",
    }


@pytest.mark.django_db
def test_a_second_reading_and_a_replay_change_nothing(tmp_path, capsys):
    body = json.dumps({"items": [work(), work(DOI="10.5555/woven.2", title=["Second"])]}).encode()
    harvest(tmp_path / "works.json", body)
    known = fingerprint()
    harvest(tmp_path / "works.json", body)
    later = work(indexed={"date-time": "2026-01-01T00:00:00Z"})
    harvest(tmp_path / "later.json", lines(later))

    assert capsys.readouterr().out.splitlines()[1:] == [
        "crossref: seen 2, new 0, changed 0, unchanged 2, quarantined 0",
        "crossref: seen 1, new 0, changed 0, unchanged 1, quarantined 0",
    ]
    assert SourceRecord.objects.get(external_id="10.5555/woven.1").stamp == "2026-01-01T00:00:00Z"
    day = dt.date(2025, 3, 4)
    SourceRecord.objects.filter(stamp="2026-01-01T00:00:00Z").update(
        stamp="2025-03-04T05:06:07Z", payload=json.dumps(work()).encode(), counted_on=day
    )
    first = Paper.objects.filter(doi="10.5555/woven.1")
    assert first.update(cited_as_of=day) == PaperMetric.objects.filter(paper__in=first).update(as_of=day) == 1
    assert fingerprint() == known
    assert replay_pages(name="crossref").counts.changed == 0


@pytest.mark.django_db
def test_another_count_reaches_the_paper_and_its_authors_and_nothing_else_happens(tmp_path, capsys):
    harvest(tmp_path / "works.json", lines(work(is_referenced_by_count=3)))
    paper = Paper.objects.get()
    assert (paper.citation_count, paper.citation_source, paper.cited_as_of) == (3, "crossref", dt.date(2025, 3, 4))
    drain()
    author = Researcher.objects.get(names__value="Zoë Vek")
    attributions = list(Attribution.objects.values())
    author.refresh_from_db()
    assert (author.citation_count, author.h_index) == (3, 1)

    later = {"date-parts": [[2026, 1, 2]], "date-time": "2026-01-02T00:00:00Z"}
    harvest(tmp_path / "later.json", lines(work(indexed=later, is_referenced_by_count=9)))
    assert not WorkItem.objects.exclude(stage="index").exists()
    drain()
    paper.refresh_from_db()
    author.refresh_from_db()
    assert capsys.readouterr().out.splitlines()[1] == "crossref: seen 1, new 0, changed 1, unchanged 0, quarantined 0"
    assert (paper.citation_count, paper.citation_source, paper.cited_as_of) == (9, "crossref", dt.date(2026, 1, 2))
    assert (author.citation_count, author.h_index) == (9, 1)
    assert badges(author)[1].scope == "Citations of the papers here with a known citation count (1 of 1)."
    assert list(Attribution.objects.values()) == attributions
    # What is older, and read again, says nothing.
    harvest(tmp_path / "works.json", lines(work(is_referenced_by_count=3)))
    paper.refresh_from_db()
    assert paper.citation_count == 9


@pytest.mark.django_db
@pytest.mark.parametrize("article_first", [True, False])
@pytest.mark.parametrize(
    ("on_the_preprint", "on_the_article"),
    [
        ("10.5555/woven.1", None),
        ("", {"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2401.00001"}]}),
    ],
    ids=["arXiv names the article", "the article names arXiv"],
)
def test_a_preprint_and_its_article_are_one_paper(tmp_path, article_first, on_the_preprint, on_the_article):
    """Five authors and six, in another order and with initials: one work, one list, and what each source printed."""
    names = [("Vek", "Zoë"), ("Thorn", "Ansel"), ("Müller", "Ute"), ("Ibarra", "Inés"), ("Okoro", "Chidi")]
    doi = f"<doi>{on_the_preprint}</doi>" if on_the_preprint else ""
    preprint = arxiv(
        identifier="2401.00001",
        title="A woven lattice (preprint)",
        more=f"{doi}<license>http://arxiv.org/licenses/nonexclusive-distrib/1.0/</license>",
        authors="".join(
            f"<author><keyname>{family}</keyname><forenames>{given}</forenames></author>" for family, given in names
        ),
    )
    printed = [("U.", "Muller"), ("Z.", "Vek"), ("A.", "Thorn"), ("I.", "Ibarra"), ("C.", "Okoro"), ("New", "Weaver")]
    article = work(relation=on_the_article, author=[person(given, family) for given, family in printed])
    steps = [
        lambda: harvest(tmp_path / "arxiv.xml", list_records(oai_record(preprint, identifier="2401.00001")), "arxiv"),
        lambda: harvest(tmp_path / "crossref.jsonl", lines(article)),
    ]
    for step in reversed(steps) if article_first else steps:
        step()

    paper = Paper.objects.get()
    assert (paper.arxiv_id, paper.doi) == ("2401.00001", "10.5555/woven.1")
    assert paper.title == "A woven lattice (preprint)"
    assert (paper.kind, paper.venue, paper.pages) == ("article", "Journal of Invented Research", "11-29")
    assert paper.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert [authorship.name for authorship in Authorship.objects.all()] == [
        f"{given} {family}" for family, given in names
    ]
    pairs = SourceAuthorship.objects.filter(source_record__source="crossref").values_list("name", "authorship__name")
    assert dict(pairs) == {
        "U. Muller": "Ute Müller",
        "Z. Vek": "Zoë Vek",
        "A. Thorn": "Ansel Thorn",
        "I. Ibarra": "Inés Ibarra",
        "C. Okoro": "Chidi Okoro",
    }
    assert set(PaperIdentifier.objects.values_list("scheme", "value")) == {
        ("arxiv", "2401.00001"),
        ("doi", "10.5555/woven.1"),
    }


@pytest.mark.django_db
def test_posted_content_and_its_article_are_one_paper_with_the_articles_doi_first(tmp_path):
    preprint = work(
        DOI="10.5555/posted.1",
        type="posted-content",
        container_title=[],
        relation={"is-preprint-of": [{"id-type": "doi", "id": "10.5555/woven.1"}]},
    )
    harvest(tmp_path / "works.jsonl", lines(preprint, work(title=["A woven lattice at last"])))

    paper = Paper.objects.get()
    assert (paper.doi, paper.title, paper.kind) == ("10.5555/woven.1", "A woven lattice at last", "article")
    assert set(paper.identifiers.values_list("value", flat=True)) == {"10.5555/woven.1", "10.5555/posted.1"}
