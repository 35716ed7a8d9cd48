"""Papers that come in through ingest and the pipeline, and what became of their authors."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from papers.models import Authorship, Paper
from papers.services.ingest import ingest_records
from papers.sources.records import PaperRecord
from researchers.models import Attribution, Candidate, PopulationPart, Researcher, ResearcherIdentifier
from tests.papers.services.invented import InventedSource, author, pairs, paper_record
from tests.researchers.matching.building import population
from wovepaper.harvest import registry
from wovepaper.pipeline.services import drain

SOURCES = ("invented", "openalex", "arxiv-like")
ORCID = "0000-0002-1825-0097"
OTHER_ORCID = "0000-0001-5109-3700"
_numbers = itertools.count(1)


@contextmanager
def sources() -> Iterator[None]:
    """The sources are known, so that what is stored can be parsed again; those of the same names step aside."""
    real = {name: registry.get(name) for name in SOURCES if name in registry.names()}
    for name in SOURCES:
        registry.forget(name)
        registry.register(InventedSource(name), sink=ingest_records)
    try:
        yield
    finally:
        for name in SOURCES:
            registry.forget(name)
        for one in real.values():
            registry.register(one.source, sink=one.sink, replay_sink=one.replay_sink, subjects=one.subjects)


def many_people(*names: str) -> None:
    """So many other people are counted that every name is rare, or these, which make some common."""
    PopulationPart.objects.create(counts=population(*names).to_bytes())


def work(*authors: Any, doi: str = "", **values: Any) -> PaperRecord:
    """A paper; authors are names or ``author(…)``. Each is about something else, and ``stamp`` dates the record."""
    number = next(_numbers)
    doi = doi or f"10.5555/woven.{number}"
    return paper_record(
        **{
            "external_id": doi,
            "identifiers": [("doi", doi)],
            "title": f"loom{number} thread{number}",  # no word in common with another
            "authors": list(authors),
            "published": {"year": 2020},
            **values,
        }
    )


def at(name: str, affiliation: str, **values: Any) -> Any:
    """An author with an affiliation."""
    return author(name, affiliations=(affiliation,), **values)


def harvest(*records: PaperRecord) -> list[Paper]:
    """Take them in and attribute their authors; the search index stays out of it."""
    counts = ingest_records(pairs(*records))
    assert counts.refused == ()
    report = drain(stages={"affiliate", "attribute"})
    assert (report.failed, report.stopped) == ({}, {})
    return [Paper.objects.get(source_records__external_id=one.external_id, source_records__source=one.source)
            for one in records]  # fmt: skip


def place(paper: Paper, position: int = 1) -> Authorship:
    return Authorship.objects.get(paper=paper, position=position)


def who(paper: Paper, position: int = 1) -> int | None:
    """Whom the paper names at a place."""
    rows = Attribution.objects.filter(authorship__paper=paper, authorship__position=position)
    return rows.values_list("root_id", flat=True).first()


def decided_by(paper: Paper, position: int = 1) -> str:
    return Attribution.objects.get(authorship=place(paper, position)).decided_by


def researcher(number: int | None) -> Researcher:
    return Researcher.objects.get(pk=number)


def names_of(number: int | None) -> list[str]:
    return list(Researcher.objects.get(pk=number).names.order_by("value").values_list("value", flat=True))


def listed(kind: str = "pair") -> set[tuple[int, ...]]:
    """The open items of a kind."""
    return {tuple(row.members) for row in Candidate.objects.filter(kind=kind, state="open")}


def pair(one: int | None, other: int | None) -> set[tuple[int, ...]]:
    return {tuple(sorted((one or 0, other or 0)))}


def identifiers(scheme: str = "orcid") -> set[tuple[int, str, str]]:
    rows = ResearcherIdentifier.objects.filter(scheme=scheme)
    return set(rows.values_list("researcher", "value", "state"))


def shown() -> Iterable[int]:
    """Everybody on a list."""
    return set(Researcher.objects.visible().values_list("pk", flat=True))
