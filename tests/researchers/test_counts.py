"""The figures beside researchers: exact values, and that they follow whatever happens."""

from __future__ import annotations

import datetime as dt
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from institutions.models import Institution
from institutions.services.ingest import ingest_organisations
from institutions.sources.ror import RorSource
from papers.affiliating import affiliate_papers
from papers.models import Affiliation, Paper
from papers.services.citation_counts import record_citation_counts
from papers.services.ingest import ingest_records
from papers.services.pins import pin_field, unpin_field
from researchers import counts
from researchers.checking import check_figures
from researchers.counts import FIGURES, find_wrong, recount, recount_papers
from researchers.models import Attribution, Researcher
from researchers.models.researcher import sort_name_of
from researchers.tasks import check_identity
from tests.factories import affiliate
from tests.institutions.organisations import organisation, ror_id
from tests.papers.services.invented import pairs
from tests.researchers.harvested import harvest, sources, who, work
from tests.researchers.people import arrive, different, give, merge, paper, place, researcher, split, undo
from wovepaper.harvest.contracts import RawRecord
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import drain, enqueue

pytestmark = pytest.mark.django_db

NOTHING = {
    "paper_count": 0, "first_author_count": 0, "middle_author_count": 0, "last_author_count": 0,
    "single_author_count": 0, "cited_paper_count": 0, "citation_count": None, "h_index": None,
    "first_year": None, "last_year": None, "years": [], "categories": [],
    "affiliation": "", "countries": [],
}  # fmt: skip


def figures(of: Researcher) -> dict[str, object]:
    return Researcher.objects.values(*FIGURES).get(pk=of.pk)


def written(by: Researcher, position: int = 1, of: int = 1, **fields: object) -> Paper:
    """A paper on which they stand at this position of so many."""
    made = paper(*[f"Author {number}" for number in range(1, of + 1)])
    Paper.objects.filter(pk=made.pk).update(**fields)
    arrive(by, place(made, position))
    return made


def settle() -> None:
    """Let the pipeline run dry."""
    drain(stages=["index"])
    assert not WorkItem.objects.filter(kind="researcher").exists()


class TestRecount:
    def test_all_figures(self) -> None:
        ada = researcher("Ada Weaver")
        written(ada, 1, 3, citation_count=10, published_on=dt.date(2020, 1, 1), categories=["cs.CL", "cs.LG"])
        written(ada, 2, 3, citation_count=2, published_on=dt.date(2018, 12, 31), categories=["cs.LG"])
        written(ada, 3, 3, citation_count=2, published_on=dt.date(2020, 6, 1), categories=["math.CO", "cs.LG"])
        written(ada, 2, 2, citation_count=0, categories=["cs.CL"])
        written(ada, 1, 1)
        recount([ada.pk])
        assert figures(ada) == {
            "paper_count": 5,
            "first_author_count": 1,
            "middle_author_count": 1,
            "last_author_count": 2,
            "single_author_count": 1,
            "cited_paper_count": 4,
            "citation_count": 14,
            "h_index": 2,
            "first_year": 2018,
            "last_year": 2020,
            "years": [2018, 2020],
            "categories": ["cs.LG", "cs.CL", "math.CO"],
            "affiliation": "",
            "countries": [],
        }
        kept = Researcher.objects.get()
        assert (kept.citation_order, kept.h_index_order, kept.counted_at is not None) == (14, 2, True)

    def test_the_affiliation_is_that_of_the_latest_paper_that_prints_one(self) -> None:
        ada = researcher("Ada Weaver")
        for day, texts in (
            (dt.date(2020, 1, 1), ["Knot Institute"]), (dt.date(2021, 1, 1), ["Loom Works", "Guild"]),
            (dt.date(2022, 1, 1), []), (None, ["Undated"]),
        ):  # fmt: skip
            affiliate(written(ada, published_on=day), 1, *texts)
        recount([ada.pk])
        assert figures(ada)["affiliation"] == "Loom Works"
        affiliate(written(ada, published_on=dt.date(2023, 1, 1)), 1, "W" * 1_000)
        recount([ada.pk])
        assert figures(ada)["affiliation"] == "W" * 300

    def test_countries_are_those_of_the_institutions_that_papers_print(self) -> None:
        british, german, none = (
            Institution.objects.create(ror_id=ror_id(number), display_name=f"Institute {number}", country=country)
            for number, country in ((1, "GB"), (2, "DE"), (3, ""))
        )
        ada = researcher("Ada Weaver")
        for institutions in ([german], [british, german], [british, british], [german], [none], []):
            made = written(ada)
            for number, one in enumerate(institutions):
                affiliate(made, 1, f"Room {number}, {one.display_name}")
                Affiliation.objects.filter(text=f"Room {number}, {one.display_name}").update(institution=one)
        recount([ada.pk])
        assert figures(ada)["countries"] == ["DE", "GB"], "three papers against two"

    def test_countries_follow_when_affiliations_come_to_mean_something(self) -> None:
        ada = researcher("Ada Weaver")
        made = written(ada)
        affiliate(made, 1, "Woven Institute 7")
        settle()
        source = RorSource()
        raw = RawRecord(ror_id(7), "v2", "", json.dumps(organisation(7)).encode())
        ingest_organisations([(raw, source.parse(raw))])
        affiliate_papers([made.pk])
        settle()
        assert figures(ada)["countries"] == ["GB"]

    def test_unknown_is_not_0(self) -> None:
        ada, bo = researcher("Ada Weaver"), researcher("Bo Spindle")
        written(ada)
        written(bo, citation_count=0)
        recount([ada.pk, bo.pk])
        assert [(row.citation_count, row.h_index, row.citation_order) for row in Researcher.objects.order_by("pk")] == [
            (None, None, -1), (0, 0, 0),
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("cited", "h_index"), [([0, 0], 0), ([1], 1), ([9, 9], 2), ([3, 3, 3], 3), ([4, 4, 3, 3, 3], 3), ([5, 1, 1], 1)]
    )
    def test_h_index(self, cited: list[int], h_index: int) -> None:
        ada = researcher("Ada Weaver")
        for count in cited:
            written(ada, citation_count=count)
        recount([ada.pk])
        assert figures(ada)["h_index"] == h_index

    def test_redirected_papers_do_not_count_and_withdrawn_ones_do(self) -> None:
        ada = researcher("Ada Weaver")
        kept = written(ada, citation_count=3, status=Paper.Status.WITHDRAWN, categories=["cs.CL"])
        written(ada, citation_count=5, redirect_to=kept, categories=["math.CO"], published_on=dt.date(2001, 1, 1))
        recount_papers([ada.pk])
        assert figures(ada)["paper_count"] == 1
        recount([ada.pk])
        assert figures(ada) == NOTHING | {
            "paper_count": 1, "single_author_count": 1, "cited_paper_count": 1, "citation_count": 3, "h_index": 1,
            "categories": ["cs.CL"],
        }  # fmt: skip

    def test_a_place_beyond_a_cut_list_is_of_no_kind(self) -> None:
        ada = researcher("Ada Weaver")
        written(ada, 2, 2, author_count=0)
        recount([ada.pk])
        counted = figures(ada)
        assert counted["paper_count"] == 1
        assert sum(value for name, value in counted.items() if name.endswith("author_count")) == 0

    def test_who_has_nothing_any_more_has_no_figures(self) -> None:
        ada = researcher("Ada Weaver")
        written(ada, citation_count=1, published_on=dt.date(2020, 1, 1), categories=["cs.CL"])
        recount([ada.pk])
        Attribution.objects.all().delete()
        recount([ada.pk, 10**9])
        assert figures(ada) == NOTHING

    def test_the_same_statements_for_one_and_for_many(self, monkeypatch) -> None:
        people = [researcher(f"Ada {letter}") for letter in "abcdefgh"]
        for person in people:
            written(person, citation_count=1)
        for some in (people[:1], people[1:]):
            with CaptureQueriesContext(connection) as captured:
                recount([person.pk for person in some])
            assert len([query for query in captured if "SAVEPOINT" not in query["sql"]]) == 3
        monkeypatch.setattr(counts, "BATCH", 4)
        with CaptureQueriesContext(connection) as captured:
            recount([person.pk for person in people])
        assert len([query for query in captured if "SAVEPOINT" not in query["sql"]]) == 2 * 3

    def test_only_what_differs_counts_as_a_change(self) -> None:
        ada = researcher("Ada Weaver")
        written(ada)
        recount([ada.pk])
        long_ago = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
        Researcher.objects.update(updated_at=long_ago, counted_at=long_ago)
        recount([ada.pk])
        kept = Researcher.objects.get()
        assert (kept.updated_at, kept.counted_at > long_ago) == (long_ago, True)

    def test_the_sort_name_follows_the_name(self) -> None:
        ada = researcher("Ada Weaver")
        Researcher.objects.update(display_name="Bernhard Schölkopf")
        recount([ada.pk])
        assert Researcher.objects.get().sort_name == "scholkopf bernhard"


@pytest.mark.parametrize(
    ("name", "sorted_by"),
    [
        ("Ada Weaver", "weaver ada"),
        ("Weaver, Ada B.", "weaver ada b"),
        ("Xiao-Ming Li", "li xiaoming"),
        ("Johannes van der Waals", "vanderwaals johannes"),
        ("Hal Daumé III", "daume hal"),
        ("李明", "liming"),
        ("Zoë O’Hara", "ohara zoe"),
        ("Plato", "plato"),
        ("!", ""),
        ("A" * 500, "a" * 200),
    ],
)
def test_sort_names(name: str, sorted_by: str) -> None:
    assert sort_name_of(name) == sorted_by


class TestFollowing:
    """Nobody calls ``recount`` here: the pipeline does."""

    def test_merges_undone_and_splits(self, someone: User) -> None:
        ada, other = researcher("Ada Weaver"), researcher("A. Weaver")
        written(ada, citation_count=3, categories=["cs.CL"])
        moved = written(other, citation_count=1, categories=["math.CO"])
        settle()
        before = figures(ada), figures(other)
        event = merge(other, ada, someone).event
        assert (figures(ada)["paper_count"], figures(other)["paper_count"]) == (2, 0)
        settle()
        assert figures(ada) == NOTHING | {
            "paper_count": 2, "single_author_count": 2, "cited_paper_count": 2, "citation_count": 4, "h_index": 1,
            "categories": ["cs.CL", "math.CO"],
        }  # fmt: skip
        assert figures(other) == NOTHING
        undo(event, someone)
        settle()
        assert (figures(ada), figures(other)) == before
        event = split(other, [place(moved)], someone)
        settle()
        assert (figures(other), figures(Researcher.objects.get(pk=event.survivor_id))) == (NOTHING, before[1])

    def test_dates_pinned_and_let_go(self) -> None:
        ada = researcher("Ada Weaver")
        of = written(ada, published_on=dt.date(2020, 1, 1), sort_date=dt.date(2020, 1, 1))
        settle()
        pin_field(paper_id=of.pk, field="published_on", value="2011", by=None)
        settle()
        assert figures(ada)["years"] == [2011]
        unpin_field(paper_id=of.pk, field="published_on")

    def test_an_author_who_leaves_a_paper(self) -> None:
        """Their figures wait at once, before anybody decides anew who wrote the paper."""
        with sources():
            (of,) = harvest(work("Ada Weaver", "Bo Spindle", doi="10.5555/leaving", stamp="2026-01-01T00:00:00Z"))
            settle()
            ada, bo = (Researcher.objects.get(pk=who(of, position)) for position in (1, 2))
            ingest_records(pairs(work("Bo Spindle", doi="10.5555/leaving", stamp="2026-01-02T00:00:00Z")))
        assert set(WorkItem.objects.filter(kind="researcher").values_list("object_id", flat=True)) == {ada.pk, bo.pk}
        settle()
        assert figures(ada) == NOTHING
        assert (figures(bo)["paper_count"], figures(bo)["single_author_count"]) == (1, 1)

    def test_an_author_who_turns_out_to_be_another(self) -> None:
        ada, bo = researcher("Ada Weaver"), researcher("Bo Spindle")
        of = written(ada, citation_count=2)
        settle()
        give(place(of), bo)
        settle()
        assert (figures(ada)["citation_count"], figures(bo)["citation_count"]) == (None, 2)


class TestCitationCounts:
    def test_the_largest_count_is_shown_and_researchers_follow(self) -> None:
        ada = researcher("Ada Weaver")
        one, two = written(ada), written(ada)
        settle()
        day = dt.date(2026, 5, 1)
        assert record_citation_counts(source="openalex", counts={one.pk: 7, two.pk: 1, 10**9: 4}, as_of=day) == {
            one.pk, two.pk,
        }  # fmt: skip
        assert record_citation_counts(source="crossref", counts={one.pk: 5, two.pk: 2}, as_of=day) == {two.pk}
        settle()
        assert (figures(ada)["citation_count"], figures(ada)["h_index"]) == (9, 2)
        assert sorted(one.metrics.values_list("source", "cited_by_count")) == [("crossref", 5), ("openalex", 7)]

    def test_what_was_said_of_an_earlier_day_does_not_return(self) -> None:
        one = paper("Ada Weaver")
        record_citation_counts(source="openalex", counts={one.pk: 7}, as_of=dt.date(2026, 5, 2))
        assert record_citation_counts(source="openalex", counts={one.pk: 6}, as_of=dt.date(2026, 5, 1)) == set()
        assert record_citation_counts(source="openalex", counts={one.pk: 6}, as_of=dt.date(2026, 5, 2)) == {one.pk}
        one.refresh_from_db()
        assert one.citation_count == 6

    def test_nothing_and_nonsense(self) -> None:
        assert record_citation_counts(source="openalex", counts={}, as_of=dt.date(2026, 5, 1)) == set()
        with pytest.raises(ValueError, match="less than 0"):
            record_citation_counts(source="openalex", counts={1: -1}, as_of=dt.date(2026, 5, 1))

    def test_few_statements_however_many_papers(self) -> None:
        papers = [paper("Ada Weaver") for _ in range(6)]
        for some in (papers[:1], papers[1:]):
            with CaptureQueriesContext(connection) as captured:
                record_citation_counts(source="openalex", counts={one.pk: 3 for one in some}, as_of=dt.date(2026, 5, 1))
            assert len([query for query in captured if "SAVEPOINT" not in query["sql"]]) == 5


class TestCheck:
    def run(self, **options: str) -> str:
        out = StringIO()
        call_command("check_identity", stdout=out, **options)
        return out.getvalue()

    def test_wrong_figures_are_found_and_named(self, someone: User) -> None:
        ada, bo = researcher("Ada Weaver"), researcher("Bo Spindle")
        written(ada, citation_count=2)
        settle()
        assert "The figures of 2 researchers follow" in self.run(figures="all")
        assert check_figures(sample=1).checked == 1
        Researcher.objects.filter(pk=ada.pk).update(h_index=7, categories=["cs.CL"], sort_name="x")
        Researcher.objects.filter(pk=bo.pk).update(paper_count=1)
        assert [(one.researcher, one.names) for one in find_wrong([ada.pk, bo.pk])] == [
            (ada.pk, ("h_index", "categories", "sort_name")), (bo.pk, ("paper_count",)),
        ]  # fmt: skip
        out = StringIO()
        with pytest.raises(CommandError, match="2 faults"):
            call_command("check_identity", stdout=out)
        assert f"researcher {ada.pk}: h_index, categories, sort_name" in out.getvalue()
        assert check_identity() == 2
        recount([ada.pk, bo.pk])
        assert check_identity() == 0

    def test_who_waits_is_passed_over_and_who_is_parked_is_not(self) -> None:
        ada = researcher("Ada Weaver")
        settle()
        Researcher.objects.update(h_index=7)
        enqueue(kind="researcher", ids=[ada.pk])
        assert check_figures(sample=None) == check_figures(sample=5)
        assert (check_figures().checked, check_figures().waiting, check_figures().faults) == (0, 1, ())
        WorkItem.objects.update(parked_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
        assert [fault.count for fault in check_figures().faults] == [1]

    def test_bad_input(self) -> None:
        with pytest.raises(CommandError, match="a number of researchers, or all"):
            self.run(figures="some")

    def test_beat_runs_it_nightly(self) -> None:
        from wovepaper.celery import app

        (entry,) = [one for one in app.conf.beat_schedule.values() if one["task"] == check_identity.name]
        assert (entry["schedule"].hour, entry["schedule"].minute) == ({3}, {15})


def test_different_people_keep_their_figures(someone: User) -> None:
    ada, bo = researcher("Ada Weaver"), researcher("Bo Spindle")
    written(ada, citation_count=1)
    settle()
    before = figures(ada)
    different(ada, bo, someone)
    settle()
    assert figures(ada) == before
