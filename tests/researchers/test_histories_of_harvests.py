"""Random histories in which papers come in, change and vanish through the real stage, between all that people do."""

from __future__ import annotations

import datetime as dt
import itertools

import pytest
from django.db.models import F
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from papers.models import Authorship, Paper, SourceRecord
from papers.services.ingest import ingest_records, refresh_papers
from researchers.models import Attribution, Decision, NameBlock, Researcher
from researchers.services.attribution import attribute_all_grown, attribute_everything, find_duplicates
from tests.papers.services.invented import author, pairs
from tests.researchers.harvested import ORCID, OTHER_ORCID, many_people, sources, work
from tests.researchers.test_histories import PICK, Histories, pick
from wovepaper.pipeline.services import drain, waiting

ROUNDS = settings(max_examples=6, stateful_step_count=18, suppress_health_check=list(HealthCheck), print_blob=True)
AUTHORS = ("Ada Weaver", "A. Weaver", "Ada Weber", "A. Weber", "Weaver Ada", "Anonymous")
LISTS = st.lists(
    st.tuples(st.sampled_from(AUTHORS), st.sampled_from(("", "", "", ORCID, OTHER_ORCID))), min_size=1, max_size=3
)


class HarvestHistories(Histories):
    """The same people and few papers, which sources print in ever other ways."""

    def __init__(self) -> None:
        super().__init__()
        self.stamps = itertools.count(1)
        self.works: list[str] = []
        many_people()

    def come_in(self, doi: str, authors: list[tuple[str, str]]) -> None:
        entries = [author(name, orcid=orcid) if orcid else name for name, orcid in authors]
        record = work(*entries, doi=doi, title="looms", stamp=f"2021-{next(self.stamps):06}")
        counts = ingest_records(pairs(record))
        assert counts.refused == ()
        self.attribute()
        paper = Paper.objects.get(doi=doi)
        known = {at.pk for at in self.places}
        self.places += [at for at in Authorship.objects.filter(paper=paper).order_by("pk") if at.pk not in known]
        self.everybody_is_somebody(paper)

    def attribute(self) -> None:
        # The number of papers of whoever loses an author's place follows at the last stage.
        report = drain(stages={"affiliate", "attribute", "index"})
        assert (report.failed, report.stopped) == ({}, {})
        assert not waiting().filter(stage="attribute").exists()

    def everybody_is_somebody(self, paper: Paper) -> None:
        """Each of a paper's people has a researcher; each ORCID is trusted for one at most, as the database holds."""
        people = Authorship.objects.filter(paper=paper).exclude(name="Anonymous")
        assert Attribution.objects.filter(authorship__in=people).count() == people.count()
        assert not Attribution.objects.filter(authorship__paper=paper, authorship__name="Anonymous").exclude(
            decided_by__in=["human", "claim"]
        )

    @rule(authors=LISTS)
    def paper_comes_in(self, authors: list[tuple[str, str]]) -> None:
        doi = f"10.5555/history.{len(self.works)}"
        self.works.append(doi)
        self.come_in(doi, authors)

    @precondition(lambda self: self.works)
    @rule(number=PICK, authors=LISTS)
    def paper_changes(self, number: int, authors: list[tuple[str, str]]) -> None:
        decided = self.decided()
        self.come_in(pick(self.works, number), authors)
        # Whatever came, what people decided of authors who are still there stands as it stood.
        for authorship, base in decided.items():
            if Authorship.objects.filter(pk=authorship).exists():
                assert Attribution.objects.get(authorship=authorship).base_id == base

    @precondition(lambda self: self.works)
    @rule(number=PICK)
    def record_is_deleted(self, number: int) -> None:
        paper = Paper.objects.get(doi=pick(self.works, number))
        kept = Decision.objects.count()
        SourceRecord.objects.filter(paper=paper).delete()
        refresh_papers({paper.pk})
        self.attribute()
        assert Decision.objects.count() == kept
        self.works.remove(paper.doi)
        Paper.objects.filter(pk=paper.pk).update(doi="")
        paper.identifiers.all().delete()

    @rule()
    def everything_anew(self) -> None:
        decided, roots = self.decided(), self.roots()
        self.attribute()
        attribute_everything()
        assert self.decided() == decided
        assert self.roots() == roots

    @rule(aged=st.booleans())
    def night_falls(self, aged: bool) -> None:
        """Every name has grown. Whoever is known for long keeps a paper, unless several people get theirs."""
        decided, roots = self.decided(), self.roots()
        created = timezone.now() - dt.timedelta(days=31 if aged else 0)
        Researcher.objects.update(created_at=created)
        self.attribute()
        NameBlock.objects.update(since=F("together"))
        attribute_all_grown()
        assert self.decided() == decided
        assert self.roots() == roots
        assert attribute_all_grown().decided == 0
        for paper in Paper.objects.filter(doi__in=self.works):
            self.everybody_is_somebody(paper)

    @rule()
    def candidates_anew(self) -> None:
        before = self.picture()
        find_duplicates()
        assert self.picture() == before

    def decided(self) -> dict[int, int]:
        rows = Attribution.objects.decided_by_people().values_list("authorship_id", "base_id")
        return dict(rows)

    def roots(self) -> dict[int, int]:
        """Who is merged into whom: no model changes that."""
        return dict(Researcher.objects.filter(merged_into__isnull=False).values_list("pk", "root_id"))


@pytest.mark.django_db
@pytest.mark.timeout(900)
def test_no_history_of_harvests_breaks_a_decision_and_undoing_all_restores_the_beginning() -> None:
    with sources():
        run_state_machine_as_test(HarvestHistories, settings=ROUNDS)
