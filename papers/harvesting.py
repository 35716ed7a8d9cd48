"""The sources that papers come from: wired here, in one place."""

from __future__ import annotations

from django.conf import settings

from papers.enriching import PaperSubjects, RecordsHere
from papers.services.ingest import ingest_again, ingest_records
from papers.services.ingest.names_only import KnownNamesSink
from papers.services.ingest.partial import JoiningSink
from papers.sources.arxiv import ArxivSource
from papers.sources.crossref import CrossrefSource
from papers.sources.openalex import API, OpenAlexSource
from papers.sources.records import PaperRecord
from papers.sources.semantic_scholar import SemanticScholarSource, joining, papers
from wovepaper.harvest import registry
from wovepaper.harvest.contracts import Sink
from wovepaper.harvest.sorting import SortingSink

_sorting: list[SortingSink] = []
"""Of the sources that keep profiles of authors."""
_others: dict[type, Sink] = {}


def register_sources() -> None:
    """Called once all apps are loaded. Base URLs are read when a request is made, so that settings can change."""
    papers_here = PaperSubjects()
    registry.register(
        ArxivSource(lambda: settings.ARXIV_OAI_URL),
        sink=ingest_records,
        replay_sink=ingest_again,
        holdings=RecordsHere(),
    )
    registry.register(
        CrossrefSource(lambda: settings.CROSSREF_API_URL, lambda: settings.CONTACT_EMAIL),
        sink=ingest_records,
        replay_sink=ingest_again,
        subjects=papers_here,
    )
    registry.register(
        OpenAlexSource(
            lambda: settings.OPENALEX_API_URL,
            key=lambda: settings.OPENALEX_API_KEY,
            part=lambda: settings.OPENALEX_FILTER,
            configured=lambda: settings.OPENALEX_API_URL != API,
            daily_requests=lambda: settings.OPENALEX_DAILY_REQUESTS or None,
        ),
        sink=_sorted(KnownNamesSink(ingest_records)),
        replay_sink=_sorted(KnownNamesSink(ingest_again)),
        subjects=papers_here,
    )
    registry.register(
        SemanticScholarSource(lambda: settings.S2_API_URL, key=lambda: settings.S2_API_KEY),
        sink=_sorted(JoiningSink(papers.parse, joining.join, ingest_records)),
        replay_sink=_sorted(JoiningSink(papers.parse, joining.join, ingest_again)),
        subjects=papers_here,
    )


def take_also(kind: type, sink: Sink) -> None:
    """Records of ``kind`` that these sources bring beside papers go to ``sink``, whichever app is ready first."""
    _others[kind] = sink
    for each in _sorting:
        each.add(kind, sink)


def _sorted(sink: Sink) -> SortingSink:
    _sorting.append(SortingSink({PaperRecord: sink, **_others}))
    return _sorting[-1]
