"""Semantic Scholar asked about the papers and authors that are here, with everything real but the network."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from papers.models import Paper, PaperMetric, SourceAuthorship, SourceRecord
from papers.sources.semantic_scholar import SemanticScholarAuthors, SemanticScholarSource
from researchers.models import ResearcherIdentifier, ResearcherMetric, SourceAuthor
from tests.papers.services.state import fingerprint
from tests.papers.sources import crossref_documents
from tests.papers.sources.semantic_scholar_documents import HASH, author, lines, paper, reference
from tests.upstreams import semantic_scholar as faults
from tests.upstreams.semantic_scholar import KEY, SemanticScholarUpstream
from wovepaper.harvest import hooks
from wovepaper.harvest.models import Enrichment, QuarantinedRecord, RawPage, SourceState
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.services import RunSummary, enrich_source, replay_pages
from wovepaper.pipeline.services import drain

pytestmark = pytest.mark.django_db
FAST = HarvestOptions(attempts=3, wait_initial=0.001, wait_max=0.002, wait_jitter=0.001)
NAME = "semantic-scholar"
LINE = NAME + ": seen {}, new {}, changed {}, unchanged {}, quarantined {}"


@pytest.fixture
def upstream(monkeypatch, settings) -> Iterator[SemanticScholarUpstream]:
    """It knows three papers of the ones that are here, and their authors; no waiting, and no pipeline by itself."""
    monkeypatch.setattr(SemanticScholarSource, "host_interval", 0.0)
    monkeypatch.setattr(hooks, "_callbacks", [])
    known = [theirs(number) for number in (1, 2, 3)]
    with SemanticScholarUpstream(known, [author(501), author(502, name="A. Thorn", hIndex=2)]) as upstream:
        settings.S2_API_URL = upstream.url
        settings.S2_API_KEY = KEY
        yield upstream


def theirs(number: int, **values: Any) -> dict[str, Any]:
    return paper(
        700 + number,
        title=f"The woven lattice of order {number}",
        externalIds={
            "DOI": f"10.5555/WOVEN.{number}",
            "CorpusId": 700 + number,
            "DBLP": ["conf/a/B1", "journals/a/C2"],
        },
        **values,
    )


@pytest.fixture
def here(tmp_path) -> None:
    """Four papers, of which one is unknown there."""
    works = [
        crossref_documents.work(
            DOI=f"10.5555/woven.{number}",
            title=[f"The woven lattice of order {number}"],
            author=[crossref_documents.person("Zo\u00eb", "Vek"), crossref_documents.person("Ansel", "Thorn")],
        )
        for number in (1, 2, 3, 4)
    ]
    path = tmp_path / "works"
    path.write_bytes(crossref_documents.lines(*works))
    call_command("harvest", "crossref", "--file", str(path))


def enrich(name: str = NAME, **changes: Any) -> RunSummary:
    return enrich_source(name=name, options=replace(FAST, **changes.pop("options", {})), **changes)


def outcomes(name: str = NAME) -> list[str]:
    return sorted(Enrichment.objects.filter(source=name).values_list("outcome", flat=True))


def test_papers_that_are_here_are_asked_about_with_one_request(upstream, here, capsys):
    upstream.papers[0]["references"] = [reference(9)]
    summary = enrich()

    assert summary.ok, summary.problems
    assert summary.line == LINE.format(3, 3, 0, 0, 0)
    (seen,) = upstream.requests
    assert (seen.method, seen.path, seen.headers["x-api-key"]) == ("POST", "/graph/v1/paper/batch", KEY)
    assert sorted(json.loads(seen.body)["ids"]) == [f"DOI:10.5555/woven.{number}" for number in (1, 2, 3, 4)]
    assert {"externalIds", "authors", "citationCount", "references.externalIds"} <= set(
        seen.params["fields"].split(",")
    )
    assert outcomes() == ["found", "found", "found", "unknown"]
    assert Paper.objects.count() == 4
    first = Paper.objects.get(doi="10.5555/woven.1")
    assert set(first.identifiers.values_list("scheme", "value")) >= {
        ("s2", HASH.format(701)), ("s2", "CorpusId:701"), ("dblp", "conf/a/B1"), ("dblp", "journals/a/C2"),
    }  # fmt: skip
    assert first.metrics.get(source=NAME).cited_by_count == 3
    ids = SourceAuthorship.objects.filter(source_record__source=NAME).values_list("source_author_id", flat=True)
    assert set(ids) == {"501", "502"}
    assert QuarantinedRecord.objects.count() == 0, "what it does not know is no fault"


def test_nothing_is_asked_twice_and_an_unchanged_answer_changes_nothing(upstream, here):
    enrich()
    assert enrich().line == LINE.format(0, 0, 0, 0, 0)
    assert len(upstream.requests) == 1
    before = dict(SourceRecord.objects.filter(source=NAME).values_list("external_id", "harvested_at"))
    assert enrich(restart=True).line == LINE.format(3, 0, 0, 3, 0)
    assert dict(SourceRecord.objects.filter(source=NAME).values_list("external_id", "harvested_at")) == before


def test_a_count_is_of_the_day_on_which_it_was_asked_for_last(upstream, here):
    enrich()
    long_ago = dt.date(2026, 1, 1)
    SourceRecord.objects.filter(source=NAME).update(counted_on=long_ago, stamp="2026-01-01T00:00:00+00:00")
    PaperMetric.objects.filter(source=NAME).update(as_of=long_ago)
    before = dict(SourceRecord.objects.filter(source=NAME).values_list("external_id", "hash"))
    assert enrich(restart=True).line == LINE.format(3, 0, 0, 3, 0)
    today = timezone.now().date()
    assert set(PaperMetric.objects.filter(source=NAME).values_list("cited_by_count", "as_of")) == {(3, today)}
    assert dict(SourceRecord.objects.filter(source=NAME).values_list("external_id", "hash")) == before


def test_a_replay_of_all_answers_changes_nothing(upstream, here):
    enrich()
    for one in upstream.papers:
        one.update(title=f"{one['title']}, corrected", citationCount=9)
    assert enrich(restart=True).line == LINE.format(3, 0, 3, 0, 0)
    known = fingerprint()
    assert replay_pages(name=NAME).line == LINE.format(6, 0, 0, 6, 0)
    assert fingerprint() == known
    assert set(PaperMetric.objects.filter(source=NAME).values_list("cited_by_count", flat=True)) == {9}


def test_an_answer_without_what_an_earlier_one_said_takes_nothing_away(upstream, here):
    enrich()
    for one in upstream.papers:
        one.update(authors=None, abstract=None, citationCount=9)
    assert enrich(restart=True).line == LINE.format(3, 0, 3, 0, 0)
    assert SourceAuthorship.objects.filter(source_record__source=NAME).count() == 6
    assert Paper.objects.get(doi="10.5555/woven.1").metrics.get(source=NAME).cited_by_count == 9


def test_a_batch_of_which_nothing_is_known_is_no_fault(upstream, here):
    upstream.papers, upstream.tells_when_none_is_known = [], True
    assert enrich().line == LINE.format(0, 0, 0, 0, 0)
    assert outcomes() == ["unknown"] * 4


def test_where_the_answer_would_be_too_large_half_as_many_are_asked_for(upstream, here):
    upstream.most_answered = 2
    assert enrich().line == LINE.format(3, 3, 0, 0, 0)
    assert [len(json.loads(seen.body)["ids"]) for seen in upstream.requests] == [4, 2, 2]


@pytest.mark.parametrize(
    "fault",
    [
        faults.too_many_requests(),
        faults.answers({"message": "Endpoint request timed out"}, 504),
        faults.answers({"message": "Internal server error"}, 500),
        faults.answers({"message": "Too Many Requests", "code": "429"}, 200),
        faults.page_of_html(),
        faults.answers({}),
        faults.answers([]),
        faults.changed(lambda said: said[:-1]),
    ],
    ids=["429", "504", "500", "429 with 200", "html", "empty object", "empty list", "one short"],
)
def test_it_asks_again_after(upstream, here, fault):
    fault.met = 0
    upstream.faults.append(fault)
    summary = enrich()
    assert summary.line == LINE.format(3, 3, 0, 0, 0), summary.problems
    assert len(upstream.requests) == 2


def test_an_hour_of_peace_is_kept_and_not_slept_out(upstream, here):
    upstream.faults.append(faults.too_many_requests(times=None, retry_after="3600"))
    summary = enrich()
    assert not summary.ok
    assert len(upstream.requests) == 1
    assert SourceState.objects.get(name=NAME).not_before is not None
    assert outcomes() == ["waiting"] * 4


def test_a_wrong_key_ends_the_run_and_appears_nowhere(upstream, here, settings, caplog):
    settings.S2_API_KEY = "a-wrong-key"
    summary = enrich()
    assert not summary.ok
    assert len(upstream.requests) == 1
    said = " ".join([*summary.problems, caplog.text, str(list(RawPage.objects.values()))])
    assert "403" in said
    assert "a-wrong-key" not in said
    assert Enrichment.objects.filter(outcome="waiting").count() == 4


def test_what_is_no_paper_in_an_answer_waits_in_quarantine(upstream, here):
    upstream.faults.append(faults.changed(lambda said: [{"paperId": None, "title": "x"}, 7, *said[2:]]))
    summary = enrich()
    assert summary.counts.quarantined == 2
    reasons = {row.reason.split(" ", 4)[-1] for row in QuarantinedRecord.objects.all()}
    assert reasons == {
        'has no usable "paperId": Semantic Scholar did not tell which paper it means.',
        "is none of what was asked for.",
    }


def test_a_paper_that_became_part_of_another_there_stays_one_here(upstream, here):
    enrich()
    upstream.merged[HASH.format(701)] = HASH.format(801)
    upstream.papers[0] = theirs(1) | {"paperId": HASH.format(801), "corpusId": 801}
    Paper.objects.get(doi="10.5555/woven.1").identifiers.filter(scheme="doi").delete()
    enrich(restart=True)
    assert Paper.objects.count() == 4
    assert ("s2", HASH.format(801)) in set(
        Paper.objects.get(title="The woven lattice of order 1").identifiers.values_list("scheme", "value")
    )


def test_authors_are_asked_about_after_their_papers(upstream, here):
    enrich()
    report = drain(stages={"affiliate", "attribute"})
    assert report.failed == {}
    assert set(ResearcherIdentifier.objects.filter(scheme="s2").values_list("value", flat=True)) == {"501", "502"}
    summary = enrich(f"{NAME}-authors")
    assert summary.line == f"{NAME}-authors: seen 2, new 2, changed 0, unchanged 0, quarantined 0"
    seen = upstream.requests[-1]
    assert (seen.path, sorted(json.loads(seen.body)["ids"])) == ("/graph/v1/author/batch", ["501", "502"])
    assert seen.params == {"fields": "authorId,name,externalIds,paperCount,citationCount,hIndex"}
    assert dict(SourceAuthor.objects.values_list("author_id", "h_index")) == {"501": 6, "502": 2}

    drain(stages={"index"})
    assert set(ResearcherMetric.objects.values_list("source", "h_index", "cited_by_count", "works_count")) == {
        (NAME, 6, 340, 12), (NAME, 2, 340, 12),
    }  # fmt: skip
    assert enrich(f"{NAME}-authors").line == f"{NAME}-authors: seen 0, new 0, changed 0, unchanged 0, quarantined 0"


def test_ids_of_invented_people_are_not_asked_about(upstream, here):
    enrich()
    drain(stages={"affiliate", "attribute"})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE papers_paper SET is_demo = true")
    asked = len(upstream.requests)
    assert enrich(f"{NAME}-authors").line == f"{NAME}-authors: seen 0, new 0, changed 0, unchanged 0, quarantined 0"
    assert len(upstream.requests) == asked


def test_authors_in_files_come_in_by_either_name(upstream, here, tmp_path, capsys):
    enrich()
    drain(stages={"affiliate", "attribute"})
    path = tmp_path / "authors.jsonl"
    path.write_bytes(lines(author(501), author(502), author(503, hIndex=None, paperCount=None, citationCount=None)))
    call_command("harvest", NAME, "--file", str(path))
    call_command("harvest", f"{NAME}-authors", "--file", str(path))
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"{NAME}: seen 3, new 3, changed 0, unchanged 0, quarantined 0",
        f"{NAME}-authors: seen 3, new 0, changed 0, unchanged 3, quarantined 0",
    ]
    drain(stages={"index"})
    assert ResearcherMetric.objects.count() == 2


def test_it_is_asked_in_the_background_only_with_a_key_or_at_an_address_of_its_own(settings):
    for source in (SemanticScholarSource, SemanticScholarAuthors):
        made = source(lambda: settings.S2_API_URL, key=lambda: settings.S2_API_KEY)
        settings.S2_API_URL, settings.S2_API_KEY = "https://api.semanticscholar.org/graph/v1", ""
        assert made.lookups_configured is False
        settings.S2_API_KEY = "k"
        assert made.lookups_configured is True
        settings.S2_API_URL, settings.S2_API_KEY = "http://127.0.0.1:9/graph/v1", ""
        assert made.lookups_configured is True
