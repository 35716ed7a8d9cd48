"""One paper out of many records, whatever comes in first; and what people parted stays parted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papers import curating as merging
from papers.fusing import find_duplicates
from papers.merging import ADAPTER, ensure_curated
from papers.models import (
    Authorship,
    CuratedPaper,
    IdentifierClash,
    Paper,
    PaperCandidate,
    PaperIdentifier,
    PaperMergeEvent,
    SourceRecord,
)
from papers.services.ingest import ingest_records
from papers.sources.records import PaperRecord
from tests.admin_people import user_with
from tests.papers.services.invented import arxiv_record, author, cited, pairs, paper_record
from tests.papers.services.state import catalogue, row_versions
from wovepaper.curation.services import Blocked, audit
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db

ARXIV, DOI = "2001.00001", "10.1/x"
TITLE = "A sufficiently long title on invented matters"


def record(source: str, external_id: str, rank: int, **values: Any) -> PaperRecord:
    """What a source says of the work."""
    return paper_record(
        **{
            "source": source,
            "external_id": external_id,
            "rank": rank,
            "title": TITLE,
            "authors": ["Ada Exampleby", "Bert Sampleton"],
            **values,
        }
    )


def four(**everywhere: Any) -> list[PaperRecord]:
    """The records of one work: arXiv's, that of its arXiv DOI, the article's, and one that names both."""
    return [
        arxiv_record(ARXIV, rank=10, title=TITLE, **everywhere),
        record(
            "invented-2", "W1", 70, identifiers=[("openalex", "W1"), ("arxiv", ARXIV)], kind="preprint",
            authors=[author("A. Exampleby", affiliations=("Nowhere",)), "B. Sampleton"],
            citations=cited(3, "2021-01-01"), **everywhere,
        ),
        record(
            "invented-3", DOI, 40, identifiers=[("doi", DOI)], kind="article", venue="Journal of Examples",
            title=f"{TITLE}, revisited", authors=["Sampleton, B.", "Exampleby, A."], published={"year": 2023},
            citations=cited(5, "2021-01-01"), **everywhere,
        ),
        record(
            "invented", "s2-1", 80, format="full-s2",
            identifiers=[("s2", "aa"), ("doi", DOI), ("arxiv", ARXIV)], citations=cited(9, "2021-01-01"), **everywhere,
        ),
    ]  # fmt: skip


def ingest(*records: PaperRecord) -> None:
    assert not ingest_records(pairs(*records)).refused


def shown() -> dict[str, list[Any]]:
    """The catalogue but for the rows of papers that lead elsewhere."""
    found = catalogue()
    found["papers"] = sorted(_row_of(pk) for pk in Paper.objects.visible().values_list("pk", flat=True))
    return found


def _row_of(pk: int) -> str:
    skipped = {"id", "created_at", "updated_at", "redirect_to_id"}
    return repr(
        sorted(
            (name, value) for name, value in Paper.objects.filter(pk=pk).values().get().items() if name not in skipped
        )
    )


def take_in(pages: Sequence[Sequence[PaperRecord]]) -> dict[str, list[Any]]:
    """What comes of the pages; the database is left as it was. A second time writes nothing."""
    with transaction.atomic():
        for page in pages:
            ingest(*page)
        found = shown()
        assert audit(ADAPTER) == []
        rows = row_versions()
        for page in pages:
            counts = ingest_records(pairs(*page))
            assert (counts.new, counts.changed, counts.unchanged) == (0, 0, len(page))
        assert row_versions() == rows
        transaction.set_rollback(True)
    return found


def in_pages(order: Sequence[PaperRecord], cuts: set[int]) -> list[Sequence[PaperRecord]]:
    edges = [0, *sorted(cut for cut in cuts if cut < len(order)), len(order)]
    return [order[start:end] for start, end in pairwise(edges)]


EXPECTED: list[dict[str, list[Any]]] = []


class TestFourRecords:
    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.permutations(four()), st.sets(st.integers(1, 3)))
    def test_are_one_paper_whatever_the_order_and_batching(self, order: list[PaperRecord], cuts: set[int]) -> None:
        if not EXPECTED:
            EXPECTED.append(take_in([four()]))
        assert take_in(in_pages(order, cuts)) == EXPECTED[0]

    def test_what_it_comes_to(self) -> None:
        _, of_arxiv_doi, article, naming_both = four()
        ingest(of_arxiv_doi)
        ingest(article)
        assert Paper.objects.visible().count() == 2
        preprint, published = Paper.objects.order_by("pk")
        ingest(naming_both, four()[0])
        paper = Paper.objects.visible().get()
        assert paper == preprint
        assert (paper.arxiv_id, paper.doi, paper.venue, paper.kind) == (ARXIV, DOI, "Journal of Examples", "article")
        assert (paper.citation_count, paper.citation_source) == (9, "invented")
        assert SourceRecord.objects.filter(paper=paper).count() == 4
        assert [place.name for place in paper.authorships.all()] == ["Ada Exampleby", "Bert Sampleton"]
        assert [place.source_authorships.count() for place in paper.authorships.all()] == [4, 4]
        published.refresh_from_db()
        assert published.redirect_to == paper
        assert (published.arxiv_id, published.doi, published.title_key) == ("", "", "")
        assert not Authorship.objects.filter(paper=published).exists()
        assert not IdentifierClash.objects.exists()
        event = PaperMergeEvent.objects.get()
        assert (event.loser_id, event.survivor_id, event.actor, event.live) == (published.pk, paper.pk, None, True)
        assert event.reason == (
            "Records of both claim one identifier. 2 of 2 authors are the same by family name and initial."
        )
        waiting = set(WorkItem.objects.filter(kind="paper").values_list("object_id", "reason"))
        assert {(published.pk, "merge"), (paper.pk, "merge")} <= waiting

    def test_a_page_that_is_killed_leaves_two_papers(self) -> None:
        arxiv, _, article, naming_both = four()
        ingest(arxiv)
        ingest(article)
        before = shown()
        with transaction.atomic():
            ingest(naming_both)
            assert Paper.objects.visible().count() == 1
            transaction.set_rollback(True)
        assert shown() == before
        ingest(naming_both)
        assert Paper.objects.visible().count() == 1

    def test_a_late_doi_of_arxiv_ties_them(self) -> None:
        arxiv, _, article, _ = four()
        ingest(arxiv)
        ingest(article)
        late = arxiv_record(
            ARXIV, rank=10, title=TITLE, identifiers=[("arxiv", ARXIV), ("doi", DOI)], stamp="2024-01-01"
        )
        ingest(late)
        assert Paper.objects.visible().get().venue == "Journal of Examples"

    def test_three_papers_become_one_in_one_page(self) -> None:
        arxiv, _, article, _ = four()
        third = record("invented", "p1", 90, identifiers=[("pmid", "1")], title=f"{TITLE} again")
        for one in (arxiv, article, third):
            ingest(one)
        assert Paper.objects.visible().count() == 3
        ingest(record("invented", "all", 95, identifiers=[("arxiv", ARXIV), ("doi", DOI), ("pmid", "1")]))
        paper = Paper.objects.visible().get()
        assert set(paper.identifiers.values_list("scheme", flat=True)) == {"arxiv", "doi", "pmid"}
        assert set(Paper.objects.exclude(pk=paper.pk).values_list("redirect_to", flat=True)) == {paper.pk}

    def test_a_merge_costs_a_bounded_number_of_queries(self, django_assert_max_num_queries: Any) -> None:
        authors = [f"Author{number} Numbered" for number in range(700)]
        *_, naming_both = four()
        ingest(arxiv_record(ARXIV, rank=10, title=TITLE, authors=authors))
        ingest(record("invented-3", DOI, 40, identifiers=[("doi", DOI)], title=f"On {TITLE}", authors=authors[::-1]))
        with django_assert_max_num_queries(130):
            ingest(naming_both)
        assert Paper.objects.visible().get().authorships.count() == 700


def part(numeral: str, number: int, **values: Any) -> list[PaperRecord]:
    """A preprint and an article of one part of a series."""
    title = f"On invented matters of some length, part {numeral}"
    return [
        arxiv_record(f"2001.0000{number}", rank=10, title=title, **values),
        record(
            "invented-2", f"W{number}", 70, title=title,
            identifiers=[("openalex", f"W{number}"), ("doi", f"10.1/p{number}")], published={"year": 2020},
        ),
    ]  # fmt: skip


class TestParts:
    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.permutations([*part("I", 1), *part("II", 2)]), st.sets(st.integers(1, 3)))
    def test_never_become_one(self, order: list[PaperRecord], cuts: set[int]) -> None:
        with transaction.atomic():
            for page in in_pages(order, cuts):
                ingest(*page)
            found = sorted(Paper.objects.visible().values_list("title", "arxiv_id", "doi"))
            transaction.set_rollback(True)
        assert [(row[1], row[2]) for row in found] == [("2001.00001", "10.1/p1"), ("2001.00002", "10.1/p2")]

    @pytest.mark.parametrize("order", list(permutations(range(3))))
    def test_even_where_a_record_mixes_them_up(self, order: Sequence[int]) -> None:
        one, two = part("I", 1)[1], part("II", 2)[1]
        wrong = record("invented", "mixed", 90, title=two.title, identifiers=[("doi", "10.1/p1"), ("doi", "10.1/p2")])
        records = [one, two, wrong]
        for index in order:
            ingest(records[index])
        titles = Paper.objects.visible().values_list("title", flat=True)
        assert sorted(titles) == [one.title, two.title]
        assert not PaperMergeEvent.objects.exists()
        paper_of = {row.external_id: row.paper.title for row in SourceRecord.objects.select_related("paper")}
        assert paper_of == {"W1": one.title, "W2": two.title, "mixed": two.title}

    def test_a_format_of_the_same_record_joins_whatever_its_title_counts(self) -> None:
        ingest(arxiv_record(ARXIV, title="Ten reasons of 2019 to count"))
        ingest(arxiv_record(ARXIV, format="raw", title="Twelve reasons of 2020 to count"))
        assert Paper.objects.count() == 1


class TestByTitle:
    def test_two_papers_of_one_title_authors_and_year_become_one_once_they_fit(self) -> None:
        """The article's year comes in late: it alone did not fit."""
        ingest(arxiv_record(ARXIV, rank=10, title=TITLE))
        article = record("invented-3", DOI, 40, identifiers=[("doi", DOI)], published={"year": 2024}, kind="article")
        ingest(article)
        candidate = PaperCandidate.objects.get()
        assert (candidate.score, candidate.has_conflict, candidate.state) == (0.8, False, "open")
        assert candidate.reasons == [
            "Their titles are the same.",
            "2 of 2 authors are the same by family name and initial.",
            "Their years are 4 apart.",
        ]
        assert Paper.objects.visible().count() == 2
        ingest(record("invented", "online", 60, identifiers=[("doi", DOI)], published={"year": 2021}))
        assert Paper.objects.visible().get().doi == DOI
        candidate.refresh_from_db()
        assert candidate.state == "merged"

    def test_two_dois_of_articles_of_one_title_are_two(self) -> None:
        for number in (1, 2):
            name = f"10.1/{number}"
            ingest(
                record("invented-3", name, 40, identifiers=[("doi", name)], published={"year": 2020}, kind="article")
            )
        assert Paper.objects.visible().count() == 2
        assert not PaperCandidate.objects.exists()

    @pytest.mark.parametrize("turned", [False, True])
    def test_a_preprint_s_doi_and_an_article_s_are_of_different_kinds(self, turned: bool) -> None:
        preprint = record(
            "invented-2", "10.1101/2020.01.01.123456", 60, identifiers=[("doi", "10.1101/2020.01.01.123456")],
            published={"year": 2020}, kind="preprint",
        )  # fmt: skip
        elsewhere = record(
            "invented-2", "10.9/own", 60, identifiers=[("doi", "10.9/own")], published={"year": 2020}, kind="preprint"
        )
        article = record(
            "invented-3", DOI, 40, identifiers=[("doi", DOI)], published={"year": 2020}, kind="article"
        )  # fmt: skip
        for one in (preprint, elsewhere):
            with transaction.atomic():
                for record_ in (article, one) if turned else (one, article):
                    ingest(record_)
                paper = Paper.objects.visible().get()
                assert paper.doi == DOI
                assert paper.identifiers.filter(scheme="doi").count() == 2
                transaction.set_rollback(True)

    def test_a_paper_that_fits_several_is_left_to_curators(self) -> None:
        for number in (1, 2):
            ingest(arxiv_record(f"2001.0000{number}", title=TITLE))
        ingest(record("invented-3", DOI, 40, identifiers=[("doi", DOI)], published={"year": 2020}, kind="article"))
        assert Paper.objects.visible().count() == 3
        assert [row.reasons[-1] for row in PaperCandidate.objects.all()] == ["Another paper fits as well."] * 2

    def test_papers_that_came_before_are_found_by_going_through_all(self) -> None:
        with transaction.atomic():
            ingest(arxiv_record(ARXIV, rank=10, title=TITLE))
            other = Paper.objects.create(
                title=TITLE, title_key=Paper.objects.get().title_key, published_on="2020-05-05"
            )
            Authorship.objects.create(paper=other, position=1, name="Ada Exampleby")
        last, pairs_found = find_duplicates()
        assert (last, pairs_found) == (other.pk, 2)
        assert Paper.objects.visible().get().arxiv_id == ARXIV
        assert find_duplicates(after=last) == (0, 0)


class TestDoubts:
    def test_an_identifier_that_ties_what_is_unlike_is_left_to_curators(self) -> None:
        ingest(arxiv_record(ARXIV, title="About frogs and their ponds"))
        ingest(record("invented-3", DOI, 40, identifiers=[("doi", DOI)], title="Unlike it", authors=["Zoe Elsewhere"]))
        ingest(record("invented", "both", 90, identifiers=[("arxiv", ARXIV), ("doi", DOI)], title="About frogs"))
        assert Paper.objects.visible().count() == 2
        candidate = PaperCandidate.objects.get()
        assert (candidate.score, candidate.has_conflict) == (0.4, True)
        assert candidate.members == sorted(Paper.objects.values_list("pk", flat=True))

    def test_two_arxiv_papers_with_one_doi_are_a_clash_and_no_candidate(self) -> None:
        for number in ("2001.00001", "2001.00002"):
            ingest(arxiv_record(number, title=TITLE, identifiers=[("arxiv", number), ("doi", DOI)]))
        assert Paper.objects.visible().count() == 2
        assert IdentifierClash.objects.count() == 1
        assert not PaperCandidate.objects.exists()


@pytest.fixture
def curator(db: None) -> Any:
    return user_with(is_superuser=True)


def fused() -> tuple[Paper, Paper]:
    """An arXiv paper and the number of the article that was merged into it."""
    arxiv, _, article, naming_both = four()
    ingest(arxiv)
    ingest(article)
    gone = Paper.objects.get(doi=DOI)
    ingest(naming_both)
    gone.refresh_from_db()
    return Paper.objects.visible().get(), gone


class TestWhatPeopleSay:
    def test_an_undone_fusion_stays_undone(self, curator: Any) -> None:
        paper, gone = fused()
        event = PaperMergeEvent.objects.get()
        outcome = merging.undo_event(event=event.pk, actor=curator, reason="Two works", key="a" * 32)
        gone.refresh_from_db()
        paper.refresh_from_db()
        assert outcome.event.actor == curator
        assert gone.redirect_to is None
        assert (gone.venue, gone.doi, [a.name for a in gone.authorships.all()]) == (
            "Journal of Examples", DOI, ["Sampleton, B.", "Exampleby, A."]
        )  # fmt: skip
        assert (paper.venue, paper.kind, paper.arxiv_id) == ("", "preprint", ARXIV)
        for one in (*four(stamp="2030-01-01"), *four(stamp="2031-01-01", comments="More")):
            ingest(one)
        ingest(record("invented", "other", 90, identifiers=[("arxiv", ARXIV), ("doi", DOI)]))
        assert Paper.objects.visible().count() == 2
        assert PaperMergeEvent.objects.filter(kind="merge").count() == 1
        assert not PaperCandidate.objects.exists()
        assert audit(ADAPTER) == []

    def test_two_that_are_declared_different_are_never_fused(self, curator: Any) -> None:
        arxiv, of_arxiv_doi, article, naming_both = four()
        ingest(arxiv)
        ingest(article)
        numbers = sorted(Paper.objects.values_list("pk", flat=True))
        merging.declare_all_different(
            papers=numbers, actor=curator, reason="Two works", versions=merging.versions_of(numbers)
        )
        ingest(naming_both)
        ingest(of_arxiv_doi)
        assert Paper.objects.visible().count() == 2
        assert not PaperMergeEvent.objects.exists()
        assert not PaperCandidate.objects.exists()

    def test_a_split_by_records_outlives_every_harvest(self, curator: Any) -> None:
        paper, gone = fused()
        article = SourceRecord.objects.get(external_id=DOI)
        outcome = merging.split_paper(
            paper=paper.pk, records=[article.pk], actor=curator, reason="Not the same work",
            versions=merging.versions_of([paper.pk]), key="b" * 32,
        )  # fmt: skip
        other = Paper.objects.get(pk=outcome.event.survivor_id)
        assert (other.title, other.venue, other.author_count) == (f"{TITLE}, revisited", "Journal of Examples", 2)
        assert other.metrics.get().cited_by_count == 5
        again = merging.split_paper(
            paper=paper.pk, records=[article.pk], actor=curator, reason="Not the same work",
            versions=merging.versions_of([paper.pk]), key="b" * 32,
        )  # fmt: skip
        assert (again.repeated, again.event) == (True, outcome.event)
        for one in (*four(stamp="2030-01-01"), *four(stamp="2031-01-01", comments="More")):
            ingest(one)
        assert SourceRecord.objects.get(pk=article.pk).paper == other
        assert set(Paper.objects.visible()) == {paper, other}
        gone.refresh_from_db()
        assert gone.redirect_to == paper
        assert audit(ADAPTER) == []
        merging.undo_event(event=outcome.event.pk, actor=curator, reason="It is", key="c" * 32)
        other.refresh_from_db()
        assert other.redirect_to == paper
        assert Paper.objects.visible().get() == paper
        assert SourceRecord.objects.filter(paper=paper).count() == 4
        assert audit(ADAPTER) == []

    def test_something_must_stay(self, curator: Any) -> None:
        paper, _ = fused()
        everything = list(SourceRecord.objects.values_list("pk", flat=True))
        with pytest.raises(Blocked, match="Leave at least one record"):
            merging.split_paper(
                paper=paper.pk, records=everything, actor=curator, reason="All", key="b" * 32,
                versions=merging.versions_of([paper.pk]),
            )  # fmt: skip
        with pytest.raises(Blocked, match="1 of the chosen records are not this paper's"):
            merging.split_paper(
                paper=paper.pk, records=[everything[0], 10**9], actor=curator, reason="All", key="d" * 32,
                versions=merging.versions_of([paper.pk]),
            )  # fmt: skip

    def test_two_arxiv_papers_cannot_be_merged(self, curator: Any) -> None:
        for number in ("2001.00001", "2001.00002"):
            ingest(arxiv_record(number, title=TITLE))
        one, other = Paper.objects.order_by("pk").values_list("pk", flat=True)
        with pytest.raises(Blocked, match="arXiv has them as two papers"):
            merging.merge_papers(
                survivor=one, losers=[other], actor=curator, reason="One", key="e" * 32,
                versions=merging.versions_of([one, other]),
            )  # fmt: skip

    def test_what_came_in_meanwhile_goes_to_whom_it_names(self, curator: Any) -> None:
        paper, gone = fused()
        ingest(record("invented", "late", 90, identifiers=[("doi", DOI)], comments="Late"))
        ingest(record("invented", "late-2", 90, identifiers=[("arxiv", ARXIV)]))
        event = PaperMergeEvent.objects.get()
        outcome = merging.undo_event(event=event.pk, actor=curator, reason="Two works", key="a" * 32)
        assert len(outcome.arrived) == 2
        where = dict(SourceRecord.objects.values_list("external_id", "paper"))
        assert (where["late"], where["late-2"]) == (gone.pk, paper.pk)
        gone.refresh_from_db()
        assert gone.comments == "Late"
        assert audit(ADAPTER) == []

    def test_pins_of_both_sides_stay(self, curator: Any) -> None:
        arxiv, _, article, naming_both = four()
        ingest(arxiv)
        ingest(article)
        gone = Paper.objects.get(doi=DOI)
        pin = {"value": "Journal of Pins", "by": curator.pk, "at": "2024-01-01T00:00:00+00:00", "reason": "Says so"}
        Paper.objects.filter(pk=gone.pk).update(pinned={"venue": pin})
        ingest(naming_both)
        paper = Paper.objects.visible().get()
        assert (paper.venue, paper.pinned) == ("Journal of Pins", {"venue": pin})
        merging.undo_event(event=PaperMergeEvent.objects.get().pk, actor=curator, reason="Two works", key="a" * 32)
        gone.refresh_from_db()
        paper.refresh_from_db()
        assert (gone.venue, gone.pinned, paper.venue, paper.pinned) == ("Journal of Pins", {"venue": pin}, "", {})

    def test_merges_of_merges_lead_on_in_one_hop_and_come_apart_in_any_order(self, curator: Any) -> None:
        for number in (1, 2, 3):
            name = f"10.1/{number}"
            ingest(record("invented-3", name, 40, identifiers=[("doi", name)], title=f"{TITLE} of {number}"))
        a, b, c = Paper.objects.order_by("pk").values_list("pk", flat=True)
        events = []
        for loser, survivor, key in ((a, b, "a" * 32), (b, c, "b" * 32)):
            events += merging.merge_papers(
                survivor=survivor, losers=[loser], actor=curator, reason="One", key=key,
                versions=merging.versions_of([loser, survivor]),
            )  # fmt: skip
        assert dict(Paper.objects.values_list("pk", "redirect_to")) == {a: c, b: c, c: None}
        assert PaperIdentifier.objects.filter(paper=c).count() == 3
        merging.undo_event(event=events[0].pk, actor=curator, reason="Not", key="c" * 32)
        assert dict(Paper.objects.values_list("pk", "redirect_to")) == {a: None, b: c, c: None}
        merging.undo_event(event=events[1].pk, actor=curator, reason="Not", key="d" * 32)
        assert dict(Paper.objects.values_list("pk", "redirect_to")) == {a: None, b: None, c: None}
        assert sorted(PaperIdentifier.objects.values_list("paper", "value")) == [
            (a, "10.1/1"), (b, "10.1/2"), (c, "10.1/3")
        ]  # fmt: skip
        assert audit(ADAPTER) == []

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        st.permutations(four()), st.integers(2, 4), st.sets(st.sampled_from([0, 1, 2, 3]), min_size=1, max_size=3),
        st.permutations(four(stamp="2030-01-01", comments="Later")),
    )  # fmt: skip
    def test_a_split_in_the_middle_of_any_history_stays(
        self, order: list[PaperRecord], until: int, chosen: set[int], later: list[PaperRecord]
    ) -> None:
        with transaction.atomic():
            curator = user_with(is_superuser=True)
            for one in order[:until]:
                ingest(one)
            rows = list(SourceRecord.objects.order_by("pk"))
            by_paper: dict[int, list[int]] = {}
            for row in rows:
                by_paper.setdefault(row.paper_id, []).append(row.pk)
            paper, of_paper = max(by_paper.items(), key=lambda item: len(item[1]))
            going = [of_paper[index] for index in sorted(chosen) if index < len(of_paper)][: len(of_paper) - 1]
            if going:
                merging.split_paper(
                    paper=paper, records=going, actor=curator, reason="Not", key="b" * 32,
                    versions=merging.versions_of([paper]),
                )  # fmt: skip
            staying = set(of_paper) - set(going)
            for one in (*order[until:], *later):
                ingest(one)
            where = dict(SourceRecord.objects.values_list("pk", "paper"))
            if going:
                assert {where[pk] for pk in going}.isdisjoint({where[pk] for pk in staying})
            assert audit(ADAPTER) == []
            transaction.set_rollback(True)


def test_curation_knows_only_what_was_compared() -> None:
    ingest(*(arxiv_record(f"2001.0000{number}") for number in range(1, 6)))
    assert not CuratedPaper.objects.exists()
    ensure_curated(list(Paper.objects.values_list("pk", flat=True)[:1]))
    assert CuratedPaper.objects.count() == 1
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM papers_recordplace")
        assert cursor.fetchone() == (1,)


def test_the_command_compares_all_and_says_what_came_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    ingest(arxiv_record(ARXIV, rank=10, title=TITLE))
    key = Paper.objects.get().title_key
    other = Paper.objects.create(title=TITLE, title_key=key, published_on="2020-05-05")
    Authorship.objects.create(paper=other, position=1, name="Ada Exampleby")
    call_command("find_duplicate_papers")
    assert capsys.readouterr().out.splitlines()[-1] == "2 pairs compared: 1 merged; 0 wait for curators."
    assert Paper.objects.visible().get().arxiv_id == ARXIV
