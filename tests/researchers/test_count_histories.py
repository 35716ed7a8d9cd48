"""Random histories of people and papers: counted step by step, the figures are those counted from scratch."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

from papers.changes import announce_changes
from papers.models import Paper
from papers.services.citation_counts import record_citation_counts
from researchers.counts import KIND, find_wrong, recount
from researchers.models import Attribution, Researcher
from tests.researchers.people import faults
from tests.researchers.test_histories import PICK, ROUNDS, Histories, pick
from wovepaper.pipeline.models import WorkItem

CODES = ["cs.CL", "cs.LG", "math.CO"]


class FigureHistories(Histories):
    """All that happens to people, and what happens to papers between."""

    def paper(self, number: int) -> Paper:
        return pick(list(Paper.objects.order_by("pk")), number)

    @rule(number=PICK, year=st.none() | st.integers(1990, 2026), codes=st.lists(st.sampled_from(CODES), unique=True))
    def paper_is_resolved_anew(self, number: int, year: int | None, codes: list[str]) -> None:
        paper = self.paper(number)
        day = dt.date(year, 7, 1) if year else None
        Paper.objects.filter(pk=paper.pk).update(published_on=day, categories=codes, author_count=1 + number % 3)
        announce_changes([paper.pk])

    @rule(number=PICK, count=st.integers(0, 4), source=st.sampled_from(["openalex", "crossref"]))
    def paper_is_cited(self, number: int, count: int, source: str) -> None:
        record_citation_counts(source=source, counts={self.paper(number).pk: count}, as_of=dt.date(2026, 1, 1))

    @rule(number=PICK, other=PICK)
    def paper_turns_out_to_be_another(self, number: int, other: int) -> None:
        paper, target = self.paper(number), self.paper(other)
        Paper.objects.filter(pk=paper.pk).update(redirect_to=None if target.pk == paper.pk else target)
        announce_changes([paper.pk])
        self.recount()

    def recount(self) -> None:
        """Whoever waits, as the pipeline would, and nobody else."""
        waiting = WorkItem.objects.filter(kind=KIND, stage="index")
        ids = set(waiting.values_list("object_id", flat=True))
        recount(ids | set(Researcher.objects.filter(pk__in=ids).values_list("root_id", flat=True)))
        waiting.delete()

    @invariant()
    def figures_are_those_from_scratch(self) -> None:
        if hasattr(self, "actor"):
            self.recount()
            assert find_wrong(Researcher.objects.values_list("pk", flat=True)) == []
            assert faults() == []
            for person in Researcher.objects.roots():
                cited = sorted(
                    Attribution.objects.of(person.pk)
                    .filter(paper__redirect_to=None, paper__citation_count__isnull=False)
                    .values_list("paper__citation_count", flat=True),
                    reverse=True,
                )
                assert person.cited_paper_count == len(cited)
                assert person.citation_count == (sum(cited) if cited else None)
                rising = [rank for rank, count in enumerate(cited, start=1) if count >= rank]
                assert person.h_index == (len(rising) if cited else None)


@pytest.mark.django_db
@pytest.mark.timeout(900)
def test_figures_counted_step_by_step_are_those_counted_from_scratch() -> None:
    run_state_machine_as_test(FigureHistories, settings=settings(ROUNDS, max_examples=6))
