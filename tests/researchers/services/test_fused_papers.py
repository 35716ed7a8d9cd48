"""What people decided about authors follows them where papers become one, and comes back where they part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from papers import curating
from papers.models import Authorship, Paper, PaperMergeEvent
from papers.services.ingest import ingest_records
from researchers.models import Attribution, Decision, Researcher
from researchers.services.attribution import attribute_papers
from researchers.services.decisions import decide_is, decide_is_not
from tests.admin_people import user_with
from tests.papers.services.invented import NAME, InventedSource, arxiv_record, pairs, paper_record
from wovepaper.harvest import registry

pytestmark = pytest.mark.django_db

ARXIV, DOI = "2001.00001", "10.1/x"
TITLE = "A sufficiently long title on invented matters"


@pytest.fixture(autouse=True)
def _sources() -> Iterator[None]:
    names = (NAME, "invented-2")
    for name in names:
        registry.register(InventedSource(name), sink=ingest_records)
    yield
    for name in names:
        registry.forget(name)


@pytest.fixture
def curator() -> Any:
    return user_with(is_superuser=True)


def two_papers() -> tuple[Paper, Paper]:
    """A preprint and its article, whose records print the names differently; attributed."""
    ingest_records(pairs(arxiv_record(ARXIV, rank=10, title=TITLE, authors=["Ada Exampleby", "Bert Sampleton"])))
    article = paper_record(
        source="invented-2", external_id=DOI, identifiers=[("doi", DOI)], title=f"{TITLE}, revised", rank=40,
        authors=["Sampleton, B.", "A. Exampleby"], kind="article",
    )  # fmt: skip
    ingest_records(pairs(article))
    preprint, published = Paper.objects.order_by("pk")
    attribute()
    return preprint, published


def tie() -> None:
    record = paper_record(
        source="invented-2", external_id="tie", identifiers=[("arxiv", ARXIV), ("doi", DOI)], title=TITLE, rank=90,
        authors=["Ada Exampleby", "Bert Sampleton"],
    )  # fmt: skip
    ingest_records(pairs(record))


def attribute() -> None:
    attribute_papers(papers=list(Paper.objects.values_list("pk", flat=True)))


def author(paper: Paper, name: str) -> Authorship:
    return Authorship.objects.get(paper=paper, name=name)


def base_of(paper: Paper, name: str) -> tuple[int, str]:
    return Attribution.objects.values_list("base", "decided_by").get(authorship=author(paper, name))


def test_decisions_of_both_papers_hold_on_the_one_and_part_again(curator: Any) -> None:
    preprint, published = two_papers()
    somebody = Researcher.objects.create(display_name="Ada Exampleby")
    wrong = Attribution.objects.get(authorship=author(published, "Sampleton, B.")).base_id
    decide_is(
        authorship=author(published, "A. Exampleby").pk, researcher=somebody.pk, actor=curator, reason="She says so"
    )
    decide_is_not(authorship=author(published, "Sampleton, B.").pk, researcher=wrong, actor=curator, reason="Not him")
    tie()
    assert Paper.objects.visible().get() == preprint
    attribute()
    assert base_of(preprint, "Ada Exampleby") == (somebody.pk, "human")
    held = Attribution.objects.filter(authorship=author(preprint, "Bert Sampleton")).values_list("root", flat=True)
    assert wrong not in held
    assert set(Decision.objects.values_list("authorship__paper", "paper")) == {(preprint.pk, published.pk)}
    assert Attribution.objects.filter(paper=published).count() == 0

    event = PaperMergeEvent.objects.get()
    curating.undo_event(event=event.pk, actor=curator, reason="Two works", key="a" * 32)
    attribute()
    assert base_of(published, "A. Exampleby") == (somebody.pk, "human")
    assert base_of(preprint, "Ada Exampleby")[1] != "human"
    assert set(Decision.objects.values_list("authorship__paper", "paper")) == {(published.pk, published.pk)}
    held = Attribution.objects.filter(authorship=author(published, "Sampleton, B.")).values_list("root", flat=True)
    assert wrong not in held


def test_a_decision_of_the_survivor_stands_against_the_other_s(curator: Any) -> None:
    preprint, published = two_papers()
    one, other = (Researcher.objects.create(display_name="Ada Exampleby") for _ in range(2))
    decide_is(authorship=author(preprint, "Ada Exampleby").pk, researcher=one.pk, actor=curator, reason="so")
    decide_is(authorship=author(published, "A. Exampleby").pk, researcher=other.pk, actor=curator, reason="so")
    tie()
    attribute()
    assert base_of(preprint, "Ada Exampleby") == (one.pk, "human")
    waiting = Decision.objects.get(researcher=other)
    assert (waiting.authorship, waiting.revoked, waiting.paper) == (None, False, published)
    curating.undo_event(event=PaperMergeEvent.objects.get().pk, actor=curator, reason="Two works", key="a" * 32)
    attribute()
    assert base_of(published, "A. Exampleby") == (other.pk, "human")
    assert base_of(preprint, "Ada Exampleby") == (one.pk, "human")


def test_everybody_is_counted_once(curator: Any) -> None:
    preprint, published = two_papers()
    tie()
    attribute()
    assert Attribution.objects.filter(paper=preprint).count() == 2
    counted = dict(Researcher.objects.values_list("pk", "paper_count"))
    assert sum(counted.values()) == 2
    assert {row.root_id for row in Attribution.objects.all()} == {pk for pk, count in counted.items() if count}
    assert not Attribution.objects.filter(paper=published).exists()
