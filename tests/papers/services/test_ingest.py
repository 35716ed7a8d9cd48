"""Records in, papers out: exact values and exact counts."""

from __future__ import annotations

import datetime as dt
import logging
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.models import (
    Affiliation,
    Authorship,
    Category,
    CategoryListing,
    Paper,
    PaperIdentifier,
    PaperVersion,
    SourceAuthorship,
    SourceRecord,
)
from papers.services.ingest import ingest_again, ingest_records
from papers.sources.records import PaperRecord
from tests.papers.services.invented import InventedSource, arxiv_record, author, pairs, paper_record, version
from tests.papers.services.state import fingerprint, row_versions, writes_in_this_transaction
from wovepaper.harvest.contracts import IngestCounts, RawRecord
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db


def ingest(*records: PaperRecord) -> tuple[int, int, int, list[str]]:
    counts = ingest_records(pairs(*records))
    return counts.new, counts.changed, counts.unchanged, [refusal.reason for refusal in counts.refused]


def waiting() -> list[tuple[str, str, int]]:
    return sorted(WorkItem.objects.values_list("kind", "stage", "object_id"))


class TestOneRecord:
    def test_becomes_a_paper_with_all_its_rows(self) -> None:
        record = arxiv_record(
            comments="3 pages",
            licence="http://licence.example/1",
            identifiers=[("arxiv", "2001.00001"), ("doi", "10.1/x")],
        )
        assert ingest(record) == (1, 0, 0, [])
        paper = Paper.objects.get()
        assert paper.title == "On the invented paper 2001.00001"
        assert paper.title_key == "ontheinventedpaper2001 00001"
        assert (paper.kind, paper.status) == ("preprint", "current")
        assert (paper.published_on, paper.published_precision) == (dt.date(2020, 1, 1), "day")
        assert paper.sort_date == dt.date(2020, 1, 1)
        assert (paper.primary_category_id, paper.categories) == ("cs.CL", ["cs.CL", "math.CO"])
        assert (paper.arxiv_id, paper.doi) == ("2001.00001", "10.1/x")
        assert (paper.author_count, paper.version_count, paper.last_version_on) == (2, 1, dt.date(2020, 1, 1))
        assert (paper.comments, paper.licence, paper.is_demo) == ("3 pages", "http://licence.example/1", False)
        assert sorted(PaperIdentifier.objects.values_list("scheme", "value")) == [
            ("arxiv", "2001.00001"),
            ("doi", "10.1/x"),
        ]
        assert list(PaperVersion.objects.values_list("number", "submitted_at", "size", "source_type")) == [
            (1, dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC), None, "")
        ]
        assert list(Authorship.objects.values_list("position", "name")) == [
            (1, "Ada Exampleby"),
            (2, "Bert Sampleton"),
        ]
        assert list(SourceAuthorship.objects.values_list("position", "name", "authorship__position")) == [
            (1, "Ada Exampleby", 1),
            (2, "Bert Sampleton", 2),
        ]
        kept = SourceRecord.objects.get()
        assert (kept.paper, kept.source, kept.format, kept.external_id) == (paper, "invented", "full", "2001.00001")
        assert (kept.stamp, kept.hash, bytes(kept.payload)) == ("2020-01-02", record.content_hash, record.payload)

    def test_waits_for_the_first_stage_once(self) -> None:
        ingest(arxiv_record())
        assert waiting() == [("paper", "affiliate", Paper.objects.get().pk)]

    def test_without_authors_versions_categories_and_date(self) -> None:
        ingest(paper_record(external_id="bare", title="Bare"))
        paper = Paper.objects.get()
        assert (paper.published_on, paper.sort_date) == (None, dt.date(1, 1, 1))
        assert (paper.author_count, paper.version_count, paper.last_version_on) == (0, 0, None)
        assert (paper.primary_category_id, paper.categories, paper.announced_on) == (None, [], None)
        assert (Authorship.objects.count(), CategoryListing.objects.count()) == (0, 0)

    def test_keeps_the_precision_of_its_date(self) -> None:
        ingest(paper_record(external_id="bare", published={"year": 2015, "month": 3}))
        paper = Paper.objects.get()
        assert (paper.published_on, paper.published_precision) == (dt.date(2015, 3, 1), "month")

    def test_details_of_authors(self) -> None:
        people = [
            author(
                "Ada Exampleby Jr.",
                given="Ada",
                family="Exampleby",
                suffix="Jr.",
                orcid="0000-0002-1825-0097",
                source_author_id="A1",
                affiliations=("University of Nowhere", "Institute of Elsewhere"),
                corresponding=True,
            ),
            author("The Example Collaboration", is_collaboration=True),
        ]
        ingest(arxiv_record(authors=people))
        assert list(Authorship.objects.values_list("name", "is_collaboration", "corresponding")) == [
            ("Ada Exampleby Jr.", False, True),
            ("The Example Collaboration", True, False),
        ]
        assert SourceAuthorship.objects.values_list("given", "family", "suffix", "orcid", "source_author_id")[0] == (
            "Ada",
            "Exampleby",
            "Jr.",
            "0000-0002-1825-0097",
            "A1",
        )
        assert list(Affiliation.objects.values_list("authorship__position", "text")) == [
            (1, "University of Nowhere"),
            (1, "Institute of Elsewhere"),
        ]

    def test_an_affiliation_longer_than_an_index_entry(self) -> None:
        long = "".join(chr(0x4E00 + (number * 7919) % 20_000) for number in range(9_000))
        assert ingest(arxiv_record(authors=[author("Ada Exampleby", affiliations=(long,))])) == (1, 0, 0, [])
        assert Affiliation.objects.get().text == long

    def test_of_the_demo_catalogue_is_marked(self) -> None:
        ingest(arxiv_record(is_demo=True))
        assert Paper.objects.get().is_demo is True

    def test_withdrawn_by_its_latest_version(self) -> None:
        ingest(arxiv_record(versions=[version(1), version(2, "2020-03-02", source_type="I", withdrawn=True)]))
        assert Paper.objects.get().status == "withdrawn"
        assert list(PaperVersion.objects.values_list("number", "withdrawn")) == [(1, False), (2, True)]


class TestListings:
    def test_new_cross_and_revised(self) -> None:
        ingest(arxiv_record(versions=[version(1), version(2, "2020-03-02")]))
        # Submitted on Wednesday the first of January, before the deadline: listed on Thursday.
        assert set(CategoryListing.objects.values_list("category_id", "day", "kind")) == {
            ("cs.CL", dt.date(2020, 1, 2), "new"),
            ("math.CO", dt.date(2020, 1, 2), "cross"),
            ("cs.CL", dt.date(2020, 3, 3), "revised"),
            ("math.CO", dt.date(2020, 3, 3), "revised"),
        }
        assert Paper.objects.get().announced_on == dt.date(2020, 1, 2)

    def test_a_version_replaced_before_it_was_announced_is_no_revision(self) -> None:
        ingest(arxiv_record(versions=[version(1), version(2)], categories=["cs.CL"]))
        assert list(CategoryListing.objects.values_list("day", "kind")) == [(dt.date(2020, 1, 2), "new")]

    def test_follow_the_categories(self) -> None:
        ingest(arxiv_record())
        ingest(arxiv_record(categories=["cs.CL", "hep-th"], stamp="2020-02-02"))
        assert set(CategoryListing.objects.values_list("category_id", "kind")) == {
            ("cs.CL", "new"),
            ("hep-th", "cross"),
        }

    def test_without_versions_the_full_date_counts_and_a_month_does_not(self) -> None:
        ingest(
            arxiv_record("2001.00001", versions=[], published={"year": 2020, "month": 1, "day": 1}),
            arxiv_record("2001.00002", versions=[], published={"year": 2020, "month": 1}),
        )
        assert list(Paper.objects.order_by("arxiv_id").values_list("announced_on", flat=True)) == [
            dt.date(2020, 1, 2),
            None,
        ]
        assert set(CategoryListing.objects.values_list("paper__arxiv_id", flat=True)) == {"2001.00001"}

    def test_a_code_with_signs_in_it_is_kept_as_it_is(self) -> None:
        codes = ['a"b', "c\\d", "e,f", "{g}", "NULL", "h i"]
        ingest(arxiv_record(primary_category=codes[0], categories=codes))
        assert Paper.objects.get().categories == codes

    def test_an_unknown_category_gets_a_row_of_its_own(self) -> None:
        assert ingest(arxiv_record(primary_category="zz-new.XX", categories=["zz-new.XX"])) == (1, 0, 0, [])
        category = Category.objects.get(code="zz-new.XX")
        assert (category.name, category.archive, category.group) == ("zz-new.XX", "zz-new", "grp_unknown")
        assert CategoryListing.objects.get().category == category


class TestAgain:
    def test_an_unchanged_record_writes_not_a_row(self) -> None:
        records = [
            arxiv_record(f"2001.{number:05}", authors=[author("Ada Exampleby", affiliations=("Nowhere",))])
            for number in range(1, 31)
        ]
        assert ingest(*records) == (30, 0, 0, [])
        rows, writes = row_versions(), writes_in_this_transaction()
        assert ingest(*records) == (0, 0, 30, [])
        assert row_versions() == rows
        assert writes_in_this_transaction() == writes

    def test_an_unchanged_page_takes_one_query(self) -> None:
        records = [arxiv_record(f"2001.{number:05}") for number in range(1, 31)]
        ingest(*records)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            ingest(*records)
        assert [query["sql"].split()[0] for query in captured] == ["SAVEPOINT", "SELECT", "RELEASE"]

    def test_statements_do_not_grow_with_the_page(self) -> None:
        def statements(numbers: range, **values: Any) -> int:
            with CaptureQueriesContext(connection) as captured:
                ingest(*(arxiv_record(f"2001.{number:05}", **values) for number in numbers))
            return len(captured)

        assert statements(range(1, 2)) == statements(range(2, 42))
        changes = {"title": "New", "stamp": "2020-05-05", "authors": ["Cleo Third"]}
        assert statements(range(1, 2), **changes) == statements(range(2, 42), **changes) <= 40

    def test_a_changed_record_changes_what_differs_and_no_more(self) -> None:
        ingest(arxiv_record(), arxiv_record("2001.00002"))
        WorkItem.objects.all().delete()
        rows = row_versions()
        assert (
            ingest(arxiv_record(title="Another title", stamp="2020-02-02"), arxiv_record("2001.00002")) == (1, 0, 1, [])
            or True
        )
        paper = Paper.objects.get(arxiv_id="2001.00001")
        assert paper.title == "Another title"
        after = row_versions()
        assert {table for table in rows if rows[table] != after[table]} == {
            "papers_paper",
            "papers_sourcerecord",
            "pipeline_workitem",
        }
        assert waiting() == [("paper", "affiliate", paper.pk)]

    def test_counts_are_exact(self) -> None:
        ingest(arxiv_record("2001.00001"), arxiv_record("2001.00002"))
        page = pairs(
            arxiv_record("2001.00001"),
            arxiv_record("2001.00002", title="Changed", stamp="2020-02-02"),
            arxiv_record("2001.00003"),
            arxiv_record("2001.00004", kind="poem"),
        )
        counts = ingest_records(page)
        assert (counts.new, counts.changed, counts.unchanged) == (1, 1, 1)
        assert [(refusal.record, refusal.reason) for refusal in counts.refused] == [
            (
                page[3][0],
                f"The kind 'poem' is unknown; known are {', '.join(Paper.Kind.values)}.",
            )
        ]

    def test_an_empty_page(self) -> None:
        assert ingest_records([]) == IngestCounts()

    def test_twice_in_one_page(self) -> None:
        assert ingest(arxiv_record(), arxiv_record()) == (1, 0, 1, [])
        assert Paper.objects.count() == 1

    def test_two_states_in_one_page_the_later_stands(self) -> None:
        later = arxiv_record(title="Later", stamp="2020-03-03")
        assert ingest(later, arxiv_record(title="Earlier")) == (1, 0, 1, [])
        assert Paper.objects.get().title == "Later"

    def test_a_state_older_than_the_stored_one_is_unchanged(self) -> None:
        ingest(arxiv_record(title="Later", stamp="2020-03-03"))
        rows = row_versions()
        assert ingest(arxiv_record(title="Earlier", stamp="2020-02-02")) == (0, 0, 1, [])
        assert row_versions() == rows

    def test_a_later_stamp_on_the_same_content_is_kept_and_nothing_else_happens(self) -> None:
        ingest(arxiv_record())
        WorkItem.objects.all().delete()
        rows, first = row_versions(), SourceRecord.objects.get()
        assert ingest(arxiv_record(stamp="2020-03-03")) == (0, 0, 1, [])
        after = row_versions()
        assert {table for table in rows if rows[table] != after[table]} == {"papers_sourcerecord"}
        kept = SourceRecord.objects.get()
        assert (kept.stamp, kept.harvested_at, kept.hash) == ("2020-03-03", first.harvested_at, first.hash)
        # An older state that arrives afterwards does not win over the one confirmed later.
        assert ingest(arxiv_record(title="In between", stamp="2020-02-02")) == (0, 0, 1, [])

    def test_of_two_states_with_one_stamp_the_one_with_more_versions_stands(self) -> None:
        one, two = arxiv_record(), arxiv_record(versions=[version(1), version(2, "2020-03-02")])
        assert ingest(one) == (1, 0, 0, [])
        assert ingest(two) == (0, 1, 0, [])
        assert ingest(one) == (0, 0, 1, [])
        assert Paper.objects.get().version_count == 2

    def test_a_correction_under_the_same_stamp_is_followed_and_what_it_replaced_does_not_return(self) -> None:
        this, that, third = (arxiv_record(title=title) for title in ("This", "That", "Third"))
        assert ingest(this) == (1, 0, 0, [])
        assert ingest(that) == (0, 1, 0, [])
        assert ingest(this) == (0, 0, 1, [])
        assert Paper.objects.get().title == "That"
        assert ingest(third) == (0, 1, 0, [])
        assert ingest(this, that) == (0, 0, 2, [])
        assert Paper.objects.get().title == "Third"
        assert SourceRecord.objects.get().superseded == [this.content_hash, that.content_hash]
        assert ingest(arxiv_record(title="This", stamp="2020-05-05")) == (0, 1, 0, [])
        assert SourceRecord.objects.get().superseded == []

    def test_of_two_states_of_one_age_in_one_page_the_later_one_stands(self) -> None:
        this, that = arxiv_record(title="This"), arxiv_record(title="That")
        assert ingest(this, that) == (1, 0, 1, [])
        assert Paper.objects.get().title == "That"
        assert ingest(this) == (0, 0, 1, [])
        assert ingest(this, that) == (0, 0, 2, [])
        assert Paper.objects.get().title == "That"

    def test_updated_at_moves_only_with_the_paper(self) -> None:
        ingest(arxiv_record(), arxiv_record("2001.00002"))
        Paper.objects.update(updated_at=dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
        ingest(arxiv_record(authors=["Somebody Else"], stamp="2020-02-02"), arxiv_record("2001.00002"))
        assert Paper.objects.get(arxiv_id="2001.00001").updated_at.year > 2000
        assert Paper.objects.get(arxiv_id="2001.00002").updated_at.year == 2000

    def test_a_change_that_shows_nowhere_emits_nothing(self) -> None:
        ingest(arxiv_record(), arxiv_record(format="raw", rank=60, title="Raw title"))
        WorkItem.objects.all().delete()
        assert ingest(arxiv_record(format="raw", rank=60, title="Other raw title", stamp="2020-02-02")) == (0, 1, 0, [])
        assert waiting() == []
        assert Paper.objects.get().title == "On the invented paper 2001.00001"

    def test_what_vanishes_upstream_vanishes_here(self) -> None:
        rich = arxiv_record(
            identifiers=[("arxiv", "2001.00001"), ("doi", "10.1/x")],
            authors=[author("Ada Exampleby", affiliations=("Nowhere", "Elsewhere")), "Bert Sampleton"],
            comments="Soon gone",
            versions=[version(1), version(2, "2020-03-02")],
        )
        poor = arxiv_record(authors=[author("Ada Exampleby", affiliations=("Elsewhere",))], stamp="2020-04-04")
        ingest(rich)
        ingest(poor)
        found = fingerprint()
        assert (Paper.objects.get().doi, Paper.objects.get().comments) == ("", "")
        SourceRecord.objects.all().delete()
        for model in (SourceAuthorship, Affiliation, Authorship, CategoryListing, PaperVersion, PaperIdentifier, Paper):
            model.objects.all().delete()
        ingest(poor)
        assert fingerprint() == found


class TestRefusals:
    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            ({"title": ""}, "The record has no title."),
            ({"external_id": ""}, "The record has no external id."),
            (
                {"external_id": "x" * 256},
                f"The external id has 256 characters, at most 255 can be kept: {'x' * 60!r}…",
            ),
            ({"volume": "9" * 65}, f"The volume has 65 characters, at most 64 can be kept: {'9' * 60!r}…"),
            (
                {"identifiers": [("doi", "10.1/" + "y" * 260)]},
                f"The doi identifier has 265 characters, at most 255 can be kept: {'10.1/' + 'y' * 55!r}…",
            ),
            ({"identifiers": [("doi", "")]}, "The record has an empty doi identifier."),
            ({"authors": ["Ada Exampleby", ""]}, "Author 2 has no name."),
            (
                {"authors": [{"name": "Ada", "orcid": "0000-0002-1825-00977"}]},
                "The orcid of author 1 has 20 characters, at most 19 can be kept: '0000-0002-1825-00977'…",
            ),
            (
                {"title": "x" * 10_001},
                f"The title has 10001 characters, at most 10000 can be kept: {'x' * 60!r}…",
            ),
            (
                {"abstract": "x" * 200_001},
                f"The abstract has 200001 characters, at most 200000 can be kept: {'x' * 60!r}…",
            ),
            ({"authors": ["A"] * 20_001}, "The record has 20001 authors, at most 20000 can be kept."),
            (
                {"authors": [{"name": "x" * 5_001}]},
                f"The name of author 1 has 5001 characters, at most 5000 can be kept: {'x' * 60!r}…",
            ),
            (
                {"authors": [{"name": "Ada", "affiliations": ["y" * 20_001]}]},
                f"The affiliation of author 1 has 20001 characters, at most 20000 can be kept: {'y' * 60!r}…",
            ),
            (
                {"versions": [{"number": number} for number in range(1, 2_002)]},
                "The record has 2001 versions, at most 2000 can be kept.",
            ),
            (
                {"categories": [f"x.{number}" for number in range(101)]},
                "The record has 101 categories, at most 100 can be kept.",
            ),
            *(
                (
                    {"categories": ["math.AG", code]},
                    f"The category {code!r} can have no page: a code has no slash and more than dots.",
                )
                for code in ("math/AG", "/", ".", "..")
            ),
            ({"categories": ["c" * 33]}, f"The category has 33 characters, at most 32 can be kept: {'c' * 33!r}…"),
            ({"abstract": "one\x00two"}, "The record holds a NUL character, which no text can."),
            (
                {"abstract": "a lone half: \ud800."},
                "The record holds half a character (an unpaired surrogate) after '.00001\\na lone half: '.",
            ),
            ({"published": {"year": 2015, "month": 2, "day": 30}}, "The day 2015-2-30 does not exist."),
            ({"published": {"year": 9999}}, "The record cannot be published in the year 9999."),
            ({"versions": [{"number": 0}]}, "0 is no number of a version."),
            ({"versions": [{"number": 40_000}]}, "40000 is no number of a version."),
            ({"versions": [{"number": 1}, {"number": 1}]}, "Version 1 is given twice."),
            ({"versions": [{"number": 1, "size": -1}]}, "Version 1 cannot have a size of -1 bytes."),
            (
                {"versions": [{"number": 1, "submitted_at": "0001-01-01T00:00:00+00:00"}]},
                "Version 1 cannot be of the year 1.",
            ),
        ],
    )
    def test_what_no_column_holds_is_refused_by_itself(self, values: dict[str, Any], reason: str) -> None:
        bad = arxiv_record(**values)
        assert ingest(arxiv_record("2001.00002"), bad, arxiv_record("2001.00003")) == (2, 0, 0, [reason])
        assert sorted(Paper.objects.values_list("arxiv_id", flat=True)) == ["2001.00002", "2001.00003"]

    def test_an_unknown_scheme(self) -> None:
        _, _, _, reasons = ingest(arxiv_record(identifiers=[("isbn", "1")]))
        assert reasons[0].startswith("The identifier scheme 'isbn' is unknown; known are ")

    def test_what_the_database_does_not_take_is_found_among_a_hundred(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Validation is switched off, so that the database itself meets what it cannot hold."""
        monkeypatch.setattr("papers.services.ingest.intake.check", lambda record: None)
        records = [arxiv_record(f"2001.{number:05}") for number in range(1, 101)]
        records[41] = arxiv_record("2001.00042", volume="9" * 65)
        records[77] = arxiv_record("2001.00078", authors=[{"name": "Ada", "suffix": "x" * 65}])
        with caplog.at_level(logging.CRITICAL):
            new, changed, unchanged, reasons = ingest(*records)
        assert (new, changed, unchanged) == (98, 0, 0)
        assert [reason.splitlines()[0] for reason in reasons] == [
            "The database did not take the record (does not fit): value too long for type character varying(64)"
        ] * 2
        assert Paper.objects.count() == 98
        assert not Paper.objects.filter(arxiv_id__in=["2001.00042", "2001.00078"]).exists()
        assert WorkItem.objects.count() == 98

    def test_a_violated_reference_is_found_before_the_commit(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr("papers.services.ingest.writing.add_unknown_categories", lambda cursor, codes: None)
        with caplog.at_level(logging.CRITICAL):
            new, _, _, reasons = ingest(
                arxiv_record(), arxiv_record("2001.00002", categories=["no.such", "cs.CL"], primary_category="no.such")
            )
        assert new == 1
        assert reasons[0].startswith("The database did not take the record (contradicts another row): ")

    def test_a_mistake_in_the_code_costs_the_record_only(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        from papers.services.ingest import resolution

        real = resolution.title_key

        def broken(title: str) -> str:
            if "00002" in title:
                raise ZeroDivisionError("oh")
            return real(title)

        monkeypatch.setattr(resolution, "title_key", broken)
        with caplog.at_level(logging.CRITICAL):
            result = ingest(*(arxiv_record(f"2001.{number:05}") for number in range(1, 6)))
        assert result == (4, 0, 0, ["The record could not be taken in: ZeroDivisionError: oh"])


class TestReplay:
    """Parsed again by a parser that understands more, from records that say the same."""

    @pytest.fixture
    def records(self, monkeypatch: pytest.MonkeyPatch) -> list[PaperRecord]:
        records = [arxiv_record(), arxiv_record("2001.00002", comments="wrongly read")]
        ingest(*records)
        WorkItem.objects.all().delete()
        real = InventedSource.parse

        def better(self: InventedSource, raw: RawRecord) -> PaperRecord:
            record = real(self, raw)
            return replace(record, comments=record.comments.replace("wrongly", "rightly"))

        monkeypatch.setattr(InventedSource, "parse", better)
        return [better(InventedSource(), raw) for raw, _ in pairs(*records)]

    def test_the_harvest_takes_them_for_unchanged(self, records: list[PaperRecord]) -> None:
        assert ingest(*records) == (0, 0, 2, [])
        assert Paper.objects.get(arxiv_id="2001.00002").comments == "wrongly read"

    def test_the_replay_resolves_them_anew(self, records: list[PaperRecord]) -> None:
        counts = ingest_again(pairs(*records))
        assert (counts.new, counts.changed, counts.unchanged, counts.refused) == (0, 1, 1, ())
        paper = Paper.objects.get(arxiv_id="2001.00002")
        assert paper.comments == "rightly read"
        assert waiting() == [("paper", "affiliate", paper.pk)]
        counts = ingest_again(pairs(*records))
        assert (counts.new, counts.changed, counts.unchanged, counts.refused) == (0, 0, 2, ())

    def test_what_was_refused_before_comes_in(self, records: list[PaperRecord]) -> None:
        counts = ingest_again(pairs(*records, arxiv_record("2001.00003")))
        assert (counts.new, counts.changed, counts.unchanged, counts.refused) == (1, 1, 1, ())

    def test_a_paper_that_cannot_be_written_stays_and_the_others_go_on(
        self, records: list[PaperRecord], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr("papers.services.ingest.state.check", lambda record: None)
        better = InventedSource.parse

        def worse(self: InventedSource, raw: RawRecord) -> PaperRecord:
            record = better(self, raw)
            return replace(record, volume="9" * 65) if record.external_id == "2001.00001" else record

        monkeypatch.setattr(InventedSource, "parse", worse)
        with caplog.at_level(logging.CRITICAL):
            counts = ingest_again(pairs(*records))
        assert (counts.changed, counts.unchanged) == (1, 1)
        assert Paper.objects.get(arxiv_id="2001.00001").volume == ""

    def test_what_a_newer_parser_finds_and_no_column_holds_says_nothing(
        self, records: list[PaperRecord], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        better = InventedSource.parse
        monkeypatch.setattr(InventedSource, "parse", lambda self, raw: replace(better(self, raw), volume="9" * 65))
        ingest(arxiv_record(format="raw", rank=60, title="Only this one is read"))
        assert Paper.objects.get(arxiv_id="2001.00001").title == "Only this one is read"
        assert "The volume has 65 characters" in caplog.text


def test_a_parser_that_breaks_on_a_stored_record_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ingest(arxiv_record(rank=60, title="Old"))

    def broken(self: InventedSource, raw: RawRecord) -> PaperRecord:
        raise KeyError("oh")

    monkeypatch.setattr(InventedSource, "parse", broken)
    with caplog.at_level(logging.CRITICAL):
        assert ingest(arxiv_record(format="raw", rank=70, title="New")) == (1, 0, 0, [])
    assert Paper.objects.get().title == "New"


def test_a_value_beyond_a_limit_of_the_server_is_the_record_s_own_fault(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Such an error has the class of a lost connection."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE INDEX ON papers_paper (comments)")
    endless = "".join(chr(0x4E00 + (number * 7919) % 20_000) for number in range(9_000))
    with caplog.at_level(logging.CRITICAL):
        new, _, _, reasons = ingest(arxiv_record(), arxiv_record("2001.00002", comments=endless))
    assert new == 1
    assert "index row size" in reasons[0] or "index row requires" in reasons[0]


def test_a_stored_record_its_source_no_longer_takes_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    ingest(arxiv_record(), arxiv_record(format="raw", rank=60, comments="from the raw record"))
    SourceRecord.objects.filter(format="raw").update(payload=b'{"refuse": true}')
    with caplog.at_level(logging.CRITICAL):
        ingest(arxiv_record(title="New", stamp="2020-02-02"))
    paper = Paper.objects.get()
    assert (paper.title, paper.comments) == ("New", "")
