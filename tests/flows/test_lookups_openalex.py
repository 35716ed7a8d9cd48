"""OpenAlex asked about the papers that are here, and killed in the middle of it: the end is the same."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from django.db import connection

from papers.models import Paper, SourceRecord
from papers.services.ingest import ingest_records
from papers.sources.crossref import CrossrefSource
from papers.sources.openalex import OpenAlexSource
from tests.papers.services.state import TABLES, catalogue
from tests.papers.sources import crossref_documents
from tests.papers.sources.openalex_documents import work
from tests.upstreams.openalex import KEY, OpenAlexUpstream
from tests.wovepaper.harvest.conftest import FAST
from tests.wovepaper.harvest.processes import clear_engine, die_everywhere, digest, engine_digests
from wovepaper.harvest import hooks
from wovepaper.harvest.contracts import RawRecord
from wovepaper.harvest.models import Enrichment
from wovepaper.harvest.services import enrich_source

NAMES = ("at dawn", "in the evening", "under glass", "without thread", "by ear", "on paper", "in threes", "at last")


def doi(number: int) -> str:
    return f"10.5555/woven.{number}"


@pytest.fixture
def upstream(settings, monkeypatch):
    """It knows six of eight papers; one of them, known here by its old id only, is part of another work."""
    monkeypatch.setattr(hooks, "_callbacks", [])
    monkeypatch.setattr(OpenAlexSource, "host_interval", 0.0)
    monkeypatch.setattr(OpenAlexSource, "lookup_size", 3)
    with OpenAlexUpstream() as upstream:
        settings.OPENALEX_API_URL = upstream.url
        settings.OPENALEX_API_KEY = KEY
        settings.OPENALEX_DAILY_REQUESTS = 0
        upstream.works = [theirs(number) for number in range(1, 6)]
        upstream.works.append(theirs(900, doi=None, title="Weaving, told anew", ids={}))
        upstream.merged = {"W6": "W900"}
        yield upstream


def theirs(number: int, **values):
    said = {"doi": f"https://doi.org/{doi(number)}", "title": f"A lattice woven {NAMES[number % 8]}", "ids": {}}
    return work(number, **(said | values))


def begin() -> None:
    """Seven articles of Crossref, and one of OpenAlex that it has renamed since."""
    source = CrossrefSource()
    raws = []
    for number in (1, 2, 3, 4, 5, 7, 8):
        said = crossref_documents.work(DOI=doi(number), title=[f"A lattice woven {NAMES[number % 8]}"])
        raws.append(RawRecord(doi(number), "work", "2025-03-04T05:06:07Z", json.dumps(said).encode()))
    ingest_records([(raw, source.parse(raw)) for raw in raws])
    old = RawRecord("W6", "work", "2024-01-01", json.dumps(theirs(6, doi=None, updated_date="2024-01-01")).encode())
    ingest_records([(old, OpenAlexSource().parse(old))])
    # Else it would be too young to be asked about again.
    SourceRecord.objects.filter(external_id="W6").update(harvested_at=dt.datetime(2024, 1, 1, tzinfo=dt.UTC))


def clear() -> None:
    clear_engine()
    with connection.cursor() as cursor:
        tables = [table for table in TABLES if table != "papers_category"]
        cursor.execute(f"TRUNCATE harvest_enrichment, harvest_spending, {', '.join(tables)} CASCADE")


@pytest.mark.django_db(transaction=True)
def test_sigkill_in_the_middle_of_look_ups_leaves_nothing_behind(upstream):
    def look_up():
        begin()
        assert enrich_source(name="openalex", options=FAST).ok

    def state():
        kept = engine_digests() | catalogue()
        # What is left after a kill is put into other requests than it would have been: the answers are others.
        del kept["pages"]
        return kept | {
            "lookups": digest(
                "harvest_enrichment e", "p.doi, e.outcome, e.misses", "JOIN papers_paper p ON p.id = e.subject"
            )
        }

    clear()
    die_everywhere(look_up, state=state, clear=clear, points=8, seed=11)
    outcomes = dict(Enrichment.objects.values_list("subject", "outcome"))
    by_doi = {paper.doi: outcomes[paper.pk] for paper in Paper.objects.all()}
    assert by_doi == {doi(number): "found" for number in range(1, 6)} | {
        "": "found", doi(7): "unknown", doi(8): "unknown",
    }  # fmt: skip
    renamed = Paper.objects.get(doi="")
    assert set(renamed.identifiers.values_list("value", flat=True)) == {"W6", "W900"}
    clear()
