"""What a batch writes, keeps and leaves alone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from papers.models import Authorship, Paper
from researchers.matching.population import Population
from researchers.models import (
    AttributedPaper,
    Attribution,
    Candidate,
    PopulationPart,
    Researcher,
    ResearcherName,
)
from researchers.services.attribution import attribute_everything, attribute_papers, batch, find_duplicates, memory
from researchers.services.attribution.evidence import load_papers
from researchers.services.attribution.reasons import in_words_of_kept
from researchers.services.decisions import decide_is, decide_is_not
from tests.papers.services.invented import author
from tests.researchers.harvested import (
    ORCID,
    OTHER_ORCID,
    at,
    harvest,
    identifiers,
    listed,
    many_people,
    pair,
    place,
    researcher,
    shown,
    sources,
    who,
    work,
)
from tests.researchers.matching.building import COMMON
from tests.researchers.people import curator, different, faults, merge, undo
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db
DOI = "10.5555/woven.again"


@pytest.fixture(autouse=True)
def _with_sources(db: None) -> Iterator[None]:
    with sources():
        yield
    assert faults() == []


@pytest.fixture
def someone(db: None) -> User:
    return curator()


@pytest.fixture
def rare(db: None) -> None:
    many_people()


@pytest.fixture
def common(db: None) -> None:
    many_people(*COMMON)


def rows() -> list[tuple[object, ...]]:
    """Attributions with the places of their rows in the table: what is written again shows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ctid, authorship_id, base_id, root_id, evidence FROM researchers_attribution ORDER BY 2")
        return cursor.fetchall()


class TestReHarvest:
    def test_without_a_change_writes_nothing(self, rare: None) -> None:
        harvest(work("Ada Weaver", "Bo Spindle"), work("Ada Weaver"))
        before, kept = rows(), list(AttributedPaper.objects.order_by("pk").values())
        parts = list(PopulationPart.objects.order_by("pk").values_list("token"))
        report = attribute_papers(papers=list(Paper.objects.values_list("pk", flat=True)))
        assert (report.papers, report.decided, report.written) == (2, 0, 0)
        assert rows() == before
        assert list(AttributedPaper.objects.order_by("pk").values()) == kept
        assert list(PopulationPart.objects.order_by("pk").values_list("token")) == parts
        assert not WorkItem.objects.filter(stage="attribute").exists()

    def test_decides_anew_what_the_model_decided_of_a_changed_paper(self, rare: None) -> None:
        (known,) = harvest(work("Ada Weaver"))
        (paper,) = harvest(work("Bo Spindle", doi=DOI))
        before = who(paper)
        harvest(work("Ada Weaver", doi=DOI, stamp="2021-01-01"))
        assert who(paper) == who(known)
        # Whoever has no paper left is shown nowhere, and is still there.
        assert shown() == {who(known)}
        assert researcher(before).paper_count == 0

    def test_a_changed_title_keeps_numbers(self, common: None) -> None:
        papers = harvest(*(work("Yang Liu", doi=f"10.5555/w.{number}") for number in range(3)))
        before = [who(paper) for paper in papers]
        assert len(set(before)) == 3
        harvest(*(work("Yang Liu", doi=f"10.5555/w.{number}", stamp="2021-01-01") for number in range(3)))
        assert [who(paper) for paper in papers] == before
        assert Researcher.objects.count() == 3

    def test_the_model_joins_no_two_researchers_and_lists_them(self, common: None) -> None:
        papers = harvest(*(work("Yang Liu", doi=f"10.5555/w.{number}") for number in range(2)))
        before = [who(paper) for paper in papers]
        assert len(set(before)) == 2
        team = ["Yang Liu", "Quade Zwirn", "Quiller Zettel", "Quentin Zobel", "Quirin Zacke"]
        for number in range(2):
            harvest(work(*team, doi=f"10.5555/w.{number}", title="woven lattices", stamp="2021-01-01"))
        assert [who(paper) for paper in papers] == before
        assert listed() == pair(*before)
        # Left to itself it would have joined them.
        attribute_everything()
        assert len({who(paper) for paper in papers}) == 1

    def test_an_author_who_returns_goes_back(self, common: None) -> None:
        (paper,) = harvest(work("Yang Liu", "Mo Bobbin", doi=DOI))
        before = who(paper)
        harvest(work("Mo Bobbin", doi=DOI, stamp="2021-01-01"))
        assert (who(paper), researcher(before).paper_count) == (who(paper, 1), 0)
        assert before not in shown()
        harvest(work("Yang Liu", "Mo Bobbin", doi=DOI, stamp="2022-01-01"))
        assert (who(paper), researcher(before).paper_count) == (before, 1)

    def test_what_people_decided_stays(self, rare: None, someone: User) -> None:
        (hers,) = harvest(work("Ada Weaver"))
        (paper,) = harvest(work("Cleo Spindle", doi=DOI))
        decide_is(authorship=place(paper).pk, researcher=who(hers) or 0, actor=someone, reason="her pen name")
        harvest(work("Bo Bobbin", "Cleo Spindle", doi=DOI, stamp="2021-01-01"))
        assert who(paper, 2) == who(hers)
        assert Attribution.objects.get(authorship=place(paper, 2)).decided_by == "human"

    def test_an_entry_that_turns_out_to_be_nobody_loses_its_researcher(self, rare: None) -> None:
        (paper,) = harvest(work("Loom Weavers", doi=DOI))
        before = who(paper)
        harvest(work(author("Loom Weavers", is_collaboration=True), doi=DOI, stamp="2021-01-01"))
        assert who(paper) is None
        assert researcher(before).paper_count == 0

    def test_an_orcid_that_no_source_prints_any_more_is_free_again(self, rare: None) -> None:
        (wrong,) = harvest(work(author("Bo Weaver", orcid=ORCID), doi=DOI))
        harvest(work(author("Bo Weaver", orcid=OTHER_ORCID), doi=DOI, stamp="2021-01-01"))
        (right,) = harvest(work(author("Ada Weaver", orcid=ORCID)))
        assert who(right) != who(wrong)
        assert identifiers() == {
            (who(wrong), ORCID, "deprecated"),
            (who(wrong), OTHER_ORCID, "trusted"),
            (who(right), ORCID, "trusted"),
        }


class TestWriting:
    def test_evidence_is_kept_and_told_in_words(self, rare: None) -> None:
        papers = harvest(work("Ada Weaver"), work("Ada Weaver"))
        row = Attribution.objects.get(authorship=place(papers[1]))
        assert (row.decided_by, row.score) == ("model", 0.9991)
        assert [phrase.text for phrase in in_words_of_kept(row.evidence)] == [
            "about 1 in 1,700 names this rare are several people"
        ]

    def test_names_are_kept_with_their_keys_and_source(self, rare: None) -> None:
        harvest(work("Ada Weaver"), work("ADA WEAVER"))
        names = ResearcherName.objects.order_by("value")
        assert [(one.value, one.source, one.script) for one in names] == [
            ("ADA WEAVER", "invented", "Latn"),
            ("Ada Weaver", "invented", "Latn"),
        ]
        assert all("=adaweaver" in one.match_keys for one in names)

    def test_a_name_somebody_hid_is_hidden_for_whom_it_is_printed_next(self, rare: None, someone: User) -> None:
        of_a, of_b = harvest(work("Adam Weaver"), work("Ada Spindle"))
        a, b = researcher(who(of_a)), researcher(who(of_b))
        ResearcherName.objects.filter(value="Adam Weaver").update(visibility="hidden")
        merge(a, b, someone)
        decide_is(authorship=place(of_a).pk, researcher=b.pk, actor=someone, reason="hers")
        harvest(work("Ada Spindle"), work("Adam Weaver"))
        hidden = ResearcherName.objects.filter(value="Adam Weaver").values_list("visibility", flat=True)
        assert set(hidden) == {"hidden"}

    def test_queries_do_not_grow_with_the_batch(self, rare: None) -> None:
        def papers(first: int, number: int) -> list[int]:
            with transaction.atomic():
                made = []
                for at_ in range(first, first + number):
                    paper = Paper.objects.create(title=f"loom{at_}", author_count=2)
                    Authorship.objects.create(paper=paper, position=1, name=f"Ada Weaver{'abcdefghij'[at_ % 10]}")
                    Authorship.objects.create(paper=paper, position=2, name="Bo Spindle")
                    made.append(paper.pk)
            return made

        harvest(work("Ada Weavera", "Bo Spindle"))
        some, more = papers(1, 10), papers(11, 60)
        with CaptureQueriesContext(connection) as few:
            attribute_papers(papers=some)
        with CaptureQueriesContext(connection) as many:
            attribute_papers(papers=more)
        assert len(many) <= len(few)

    def test_very_many_authors_are_decided_in_parts(self, rare: None, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(batch, "MOST_AUTHORS", 3)
        names = ("Ada Weaver", "Bo Spindle")
        harvest(*(work(*names) for _ in range(3)), work("Ada Weaver", "Cy Shuttle", "Di Treadle", "Ed Bobbin"))
        assert sorted(Researcher.objects.values_list("display_name", "paper_count")) == [
            ("Ada Weaver", 4),
            ("Bo Spindle", 3),
            ("Cy Shuttle", 1),
            ("Di Treadle", 1),
            ("Ed Bobbin", 1),
        ]
        report = attribute_everything()
        assert (report.papers, report.decided, report.newcomers) == (4, 10, 0)
        assert Researcher.objects.count() == 5

    def test_a_very_common_name_is_bounded(self, rare: None, monkeypatch: pytest.MonkeyPatch) -> None:
        from researchers.services.attribution import known

        people = [Researcher.objects.create(display_name="Yang Liu", paper_count=number) for number in range(6)]
        for one in people:
            ResearcherName.objects.create(researcher=one, value="Yang Liu", match_keys=["=yangliu"])
        monkeypatch.setattr(known, "MOST_OF_A_KEY", 4)
        (paper,) = Paper.objects.bulk_create([Paper(title="looms", author_count=1)])
        Authorship.objects.create(paper=paper, position=1, name="Yang Liu")
        new = list(load_papers([paper.pk]).people())
        found = known.load_surroundings(new, standing=(), roots=())
        assert sorted(found.known) == [one.pk for one in people[2:]]
        Researcher.objects.update(paper_count=0)


class TestPopulation:
    def counts(self) -> bytes:
        return memory.KeptPopulation.read().to_bytes()

    def test_every_authorship_is_counted_once(self) -> None:
        papers = harvest(
            work("Ada Weaver", "Bo Spindle", doi=DOI, title="a loom"), work("Cy Shuttle", title="a bobbin")
        )
        expected = Population()
        expected.add(load_papers([paper.pk for paper in papers]).people())
        assert self.counts() == expected.to_bytes()
        attribute_papers(papers=[paper.pk for paper in papers], again=[paper.pk for paper in papers])
        assert self.counts() == expected.to_bytes()
        harvest(work("Ada Weaver", "Beau Spindle", doi=DOI, title="a loom", stamp="2021-01-01"))
        expected.add_names(one.name for one in load_papers([papers[0].pk]).people())
        assert self.counts() == expected.to_bytes()

    def test_many_parts_become_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(memory, "MOST_PARTS", 2)
        papers = [harvest(work(name))[0].pk for name in ("Ada Weaver", "Bo Spindle", "Cy Shuttle")]
        assert PopulationPart.objects.count() == 1
        papers += [harvest(work("Di Treadle"))[0].pk]
        assert PopulationPart.objects.count() == 2
        expected = Population()
        expected.add(load_papers(papers).people())
        assert self.counts() == expected.to_bytes()


def test_a_page_of_text_for_a_name_is_nobodys_and_does_not_hold_up_the_others(rare: None) -> None:
    # No two letters alike in a row: an index cannot press it together.
    text = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(1_600))
    (paper,) = harvest(work("Ada Weaver", text, "J" * 1_999))
    assert len(text.encode()) == 4_800
    assert who(paper, 2) is None
    assert who(paper, 1)
    assert who(paper, 3)
    attribute_everything()
    assert who(paper, 2) is None


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_is_rolled_back_was_never_counted() -> None:
    (paper,) = harvest(work("Ada Weaver"))
    before = memory.KeptPopulation.read().to_bytes()
    other = Paper.objects.create(title="rolled back", author_count=1)
    Authorship.objects.create(paper=other, position=1, name="Bo Spindle")

    def fail() -> None:
        with transaction.atomic():
            attribute_papers(papers=[other.pk])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert memory.KeptPopulation.read().to_bytes() == before
    attribute_papers(papers=[other.pk])
    expected = Population()
    expected.add(load_papers([paper.pk, other.pk]).people())
    assert memory.KeptPopulation.read().to_bytes() == expected.to_bytes()
    WorkItem.objects.all().delete()


class TestEverything:
    def test_keeps_numbers_decisions_and_merges(self, rare: None, someone: User) -> None:
        papers = harvest(work("Ada Weaver"), work("Ada Weaver"), work("Bo Spindle"), work("Cy Shuttle"))
        ada, bo, cy = (researcher(who(papers[index])) for index in (0, 2, 3))
        event = merge(bo, ada, someone).event
        decide_is(authorship=place(papers[3]).pk, researcher=ada.pk, actor=someone, reason="her pen name")
        before = [(who(paper), Attribution.objects.get(paper=paper).base_id) for paper in papers]
        report = attribute_everything()
        assert (report.papers, report.decided, report.refused) == (4, 3, {})
        assert [(who(paper), Attribution.objects.get(paper=paper).base_id) for paper in papers] == before
        assert who(papers[3]) == ada.pk
        assert cy.pk not in shown()
        undo(event, someone)
        assert who(papers[2]) == bo.pk

    def test_joins_what_came_in_too_early_to_be_joined(self) -> None:
        """The first papers of a catalogue know nothing of how common names are."""
        papers = [harvest(work("Ada Weaver", doi=f"10.5555/w.{number}"))[0] for number in range(2)]
        assert len({who(paper) for paper in papers}) == 2
        first = min(who(paper) or 0 for paper in papers)
        many_people()
        PopulationPart.objects.filter(pk=PopulationPart.objects.latest("pk").pk).update(
            counts=_with_others(papers).to_bytes()
        )
        attribute_papers(papers=[paper.pk for paper in papers], again=[paper.pk for paper in papers], may_join=True)
        assert {who(paper) for paper in papers} == {first}
        assert shown() == {first}

    def test_people_called_different_stay_apart(self, rare: None, someone: User) -> None:
        first, second = harvest(work("Ada Weaver"), work("Bo Weaver", doi=DOI))
        a, b = researcher(who(first)), researcher(who(second))
        different(a, b, someone)
        Authorship.objects.filter(paper=second).update(name="Ada Weaver")
        attribute_everything()
        assert (who(first), who(second)) == (a.pk, b.pk)

    def test_in_several_parts_it_comes_to_the_same(self, rare: None, monkeypatch: pytest.MonkeyPatch) -> None:
        from researchers.services.attribution import everything

        papers = harvest(*(work(name) for name in ("Ada Weaver", "Bo Spindle", "Ada Weaver", "Bo Spindle", "A Weaver")))
        before = [who(paper) for paper in papers]
        monkeypatch.setattr(everything, "PAPERS_AT_ONCE", 2)
        many_people()
        report = attribute_everything()
        assert report.papers == 5
        assert [who(paper) for paper in papers[:2]] == before[:2]
        assert Attribution.objects.count() == 5


def _with_others(papers: list[Paper]) -> Population:
    from tests.researchers.matching.building import population

    return population()


class TestCommands:
    def run(self, *arguments: str) -> str:
        out = StringIO()
        call_command(*arguments, stdout=out)
        return out.getvalue()

    def test_attribute_takes_what_was_never_attributed(self, rare: None) -> None:
        paper = Paper.objects.create(title="loom", author_count=1)
        Authorship.objects.create(paper=paper, position=1, name="Ada Weaver")
        assert self.run("attribute").startswith("attribute: 1 papers done, 0 failed, in ")
        assert who(paper) is not None
        assert self.run("attribute").startswith("attribute: 0 papers done, 0 failed")
        assert "1 papers: 1 authors decided, 0 changed, 0 new researchers" in self.run("attribute", "--all")

    def test_export_ends_where_its_reader_does(self, rare: None, tmp_path: Path) -> None:
        harvest(work("Ada Weaver", doi="10.5555/woven.pipe"))
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "w") as pipe:
            call_command("export_attributions", stdout=pipe)

    def test_export(self, rare: None) -> None:
        (paper,) = harvest(work("Ada Weaver", "Anonymous", doi="10.5555/woven.export"))
        lines = [json.loads(line) for line in self.run("export_attributions").splitlines()]
        assert lines == [
            {
                "arxiv_id": None,
                "doi": "10.5555/woven.export",
                "position": 1,
                "name": "Ada Weaver",
                "researcher_id": who(paper),
                "decided_by": "new",
                "score": None,
            },
            {
                "arxiv_id": None,
                "doi": "10.5555/woven.export",
                "position": 2,
                "name": "Anonymous",
                "researcher_id": None,
                "decided_by": None,
                "score": None,
            },
        ]

    def test_find_duplicates_finds_again_and_removes_what_nothing_speaks_for(self, rare: None, someone: User) -> None:
        first, second = harvest(work("Li Qing", "Mo Bobbin"), work("Qing Li", "Mo Bobbin"))
        expected = pair(who(first), who(second))
        Candidate.objects.all().delete()
        stale = Candidate.objects.create(key="pair:1-2", members=[1, 2])
        closed = Candidate.objects.create(key="pair:3-4", members=[3, 4], state="closed")
        report = find_duplicates()
        assert (report.researchers, report.filed, report.removed) == (3, 1, 1)
        assert listed() == expected
        assert not Candidate.objects.filter(pk=stale.pk).exists()
        assert Candidate.objects.get(pk=closed.pk).state == "closed"
        assert "3 researchers: 1 candidates are open, 0 went" in self.run("find_duplicates")
        different(researcher(who(first)), researcher(who(second)), someone)
        assert find_duplicates().filed == 0

    def test_find_duplicates_lists_two_of_one_name_and_crowds_as_one_item(self, rare: None, someone: User) -> None:
        loom = "Institute of Invented Looms, Nowhere"
        first, second = harvest(work(at("Ada Weaver", loom), "Bo Bobbin"), work(at("Ada Weaver", loom), "Bo Bobbin"))
        assert who(first) == who(second)
        decide_is_not(authorship=place(second).pk, researcher=who(first) or 0, actor=someone, reason="no")
        harvest()
        Candidate.objects.all().delete()
        find_duplicates()
        assert listed() == pair(who(first), who(second))
