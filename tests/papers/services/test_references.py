"""References, who cites whom, dates, events and notices: from records to rows, in any order."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.models import Notice, Paper, PaperCitation, Reference
from papers.services.ingest import ingest_again, ingest_records
from papers.services.linking import link_references
from papers.sources.crossref import CrossrefSource
from papers.sources.openalex import OpenAlexSource
from papers.sources.records import PaperRecord, ReferenceRecord
from tests.papers.services.state import catalogue, row_versions
from tests.papers.sources import crossref_documents, openalex_documents
from wovepaper.harvest.contracts import RawRecord
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import drain

pytestmark = pytest.mark.django_db

Pair = tuple[RawRecord, PaperRecord]


def crossref(number: int = 1, *, stamp: str = "2025-03-04T05:06:07Z", **values: Any) -> Pair:
    said = crossref_documents.work(
        **{
            "DOI": f"10.5555/woven.{number}",
            "title": [f"The woven lattice number {number}"],
            "indexed": {"date-time": stamp},
            **values,
        }
    )
    raw = RawRecord(f"10.5555/woven.{number}", "work", stamp, json.dumps(said).encode())
    return raw, CrossrefSource().parse(raw)


def openalex(number: int = 1, **values: Any) -> Pair:
    doi = f"https://doi.org/10.5555/woven.{number}"
    said = openalex_documents.work(
        number, **{"doi": doi, "ids": {}, "title": f"The woven lattice number {number}", "locations": [], **values}
    )
    raw = RawRecord(f"W{number}", "work", "2025-03-04", json.dumps(said).encode())
    record = OpenAlexSource().parse(raw)
    assert isinstance(record, PaperRecord)
    return raw, record


def to(*numbers: int) -> list[dict[str, Any]]:
    return [{"key": f"r{number}", "DOI": f"10.5555/woven.{number}"} for number in numbers]


def ingest(*given: Pair) -> tuple[int, int, int]:
    counts = ingest_records(given)
    assert not counts.refused, counts.refused
    return counts.new, counts.changed, counts.unchanged


def paper(number: int) -> Paper:
    return Paper.objects.get(doi=f"10.5555/woven.{number}")


def link() -> None:
    link_references(Paper.objects.values_list("pk", flat=True))


def citations() -> set[tuple[str, str]]:
    return set(PaperCitation.objects.values_list("paper__doi", "cited__doi"))


def said(*pairs: tuple[int, int]) -> set[tuple[str, str]]:
    return {(f"10.5555/woven.{one}", f"10.5555/woven.{other}") for one, other in pairs}


class TestRows:
    def test_a_list_is_kept_in_its_order(self) -> None:
        listed = [*to(2), {"key": "b", "unstructured": "Vek: Knots (1998)."}, {"key": "c", "author": "Thorn"}, {}]
        ingest(crossref(1, reference=listed, reference_count=4))
        assert list(Reference.objects.values_list("position", "doi", "text", "cited")) == [
            (1, "10.5555/woven.2", "", None),
            (2, "", "Vek: Knots (1998).", None),
            (3, "", "Thorn.", None),
            (4, "", "", None),
        ]
        one = paper(1)
        assert (one.reference_count, one.listed_reference_count, one.doi_reference_count) == (4, 4, 1)

    def test_of_a_list_that_is_not_open_only_its_length_is_known(self) -> None:
        ingest(crossref(1, reference_count=35))
        one = paper(1)
        assert (one.reference_count, one.listed_reference_count, one.doi_reference_count) == (35, 0, 0)
        assert one.references_digest == ""

    def test_a_list_with_a_part_left_out(self) -> None:
        ingest(crossref(1, reference=to(2, 3), reference_count=35))
        one = paper(1)
        assert (one.reference_count, one.listed_reference_count, one.doi_reference_count) == (35, 2, 2)

    def test_the_list_with_printed_lines_is_shown_and_others_add_links(self) -> None:
        ingest(
            openalex(1, referenced_works=["W2", "W3"], referenced_works_count=2),
            crossref(1, reference=[{"key": "a", "unstructured": "Vek: Knots."}], reference_count=1),
        )
        assert list(Reference.objects.order_by("pk").values_list("position", "openalex_id", "text")) == [
            (1, "", "Vek: Knots."),
            (None, "W2", ""),
            (None, "W3", ""),
        ]
        one = paper(1)
        assert (one.reference_count, one.listed_reference_count) == (1, 1)

    def test_a_change_writes_only_the_rows_that_differ(self) -> None:
        ingest(crossref(1, reference=to(2, 3, 4, 5)))
        before = dict(Reference.objects.values_list("position", "pk"))
        with connection.cursor() as cursor:
            cursor.execute("SELECT position, ctid::text FROM papers_reference")
            places = dict(cursor.fetchall())
        assert ingest(crossref(1, reference=to(2, 9, 4), stamp="2025-04-01T00:00:00Z")) == (0, 1, 0)
        assert dict(Reference.objects.values_list("position", "pk")) == {
            position: before[position] for position in (1, 2, 3)
        }
        with connection.cursor() as cursor:
            cursor.execute("SELECT position, ctid::text FROM papers_reference")
            moved = {position for position, place in cursor.fetchall() if places[position] != place}
        assert moved == {2}
        assert list(Reference.objects.values_list("doi", flat=True)) == [
            f"10.5555/woven.{number}" for number in (2, 9, 4)
        ]

    def test_another_title_reads_and_writes_no_reference(self) -> None:
        ingest(crossref(1, reference=to(2, 3)))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            ingest(crossref(1, reference=to(2, 3), title=["Another title of it"], stamp="2025-04-01T00:00:00Z"))
        assert not [query["sql"] for query in queries if "papers_reference" in query["sql"]]

    def test_the_same_again_writes_nothing(self) -> None:
        given = [
            crossref(1, reference=to(2, 3), published_print={"date-parts": [[2024, 4]]}, event={"name": "Weaving"}),
            crossref(2, update_to=[{"DOI": "10.5555/woven.1", "type": "retraction"}]),
            openalex(1, referenced_works=["W2"]),
        ]
        ingest(*given)
        link()
        before = row_versions()
        assert ingest(*given) == (0, 0, 3)
        link()
        assert row_versions() == before
        assert ingest_again(given).changed == 0

    def test_the_order_of_arrival_does_not_matter(self) -> None:
        given = [
            crossref(1, reference=to(2, 3), updated_by=[{"DOI": "10.5555/n", "type": "correction"}]),
            openalex(1, referenced_works=["W2", "W9"]),
            crossref(2, update_to=[{"DOI": "10.5555/woven.1", "type": "retraction"}], reference=to(1)),
            openalex(2, referenced_works=["W1"]),
        ]
        ends = set()
        for order in itertools.permutations(given):
            mark = connection.savepoint()
            for one in order:
                ingest(one)
            ends.add(repr({name: rows for name, rows in catalogue().items() if name != "records"}))
            assert mark
            connection.savepoint_rollback(mark)
        assert len(ends) == 1

    def test_a_replay_finds_what_an_older_parser_left(self) -> None:
        given = crossref(1, reference=to(2, 3), event={"name": "Weaving"})
        ingest(given)
        Reference.objects.all().delete()
        Paper.objects.update(references_digest="", listed_reference_count=0, event=None, dates={})
        counts = ingest_again([given])
        assert (counts.changed, counts.unchanged) == (1, 0)
        assert (Reference.objects.count(), paper(1).event) == (2, {"name": "Weaving"})

    def test_dates_and_event(self) -> None:
        ingest(
            crossref(
                1,
                published_print={"date-parts": [[2024, 4]]},
                published_online={"date-parts": [[2023, 11, 12]]},
                event={"name": "Weaving 2023", "location": "Nowhere", "start": {"date-parts": [[2023, 11, 12]]}},
            )
        )
        one = paper(1)
        assert one.dates == {"published-online": "2023-11-12", "published-print": "2024-04"}
        assert one.event == {"name": "Weaving 2023", "place": "Nowhere", "start": "2023-11-12"}
        ingest(crossref(1, stamp="2025-05-01T00:00:00Z"))
        one = paper(1)
        assert (one.dates, one.event) == ({}, None)

    @pytest.mark.parametrize(
        ("given", "reason"),
        [
            ({"identifiers": (("isbn", "1"),)}, "The identifier scheme 'isbn' of reference 2 is unknown."),
            ({"identifiers": (("pmid", "1" * 17),)}, "The pmid identifier of reference 2 has 17 characters"),
            ({"text": "long " * 6_000}, "The text of reference 2 has 30000 characters"),
            ({"title": "half \ud800"}, "half a character"),
            ({"text": "a\x00b"}, "NUL"),
        ],
    )
    def test_what_no_column_holds_is_refused_with_the_reason(self, given: dict[str, Any], reason: str) -> None:
        raw, record = crossref(1)
        counts = ingest_records([(raw, replace(record, references=(ReferenceRecord(), ReferenceRecord(**given))))])
        assert [reason in refusal.reason for refusal in counts.refused] == [True]

    def test_of_identifiers_those_with_a_column_are_kept(self) -> None:
        raw, record = crossref(1)
        named = (("s2", "a" * 40), ("s2", "CorpusId:7"), ("dblp", "conf/weave/Vek1"), ("pmid", "7"))
        ingest((raw, replace(record, references=(ReferenceRecord(named, title="Knots"),))))
        (row,) = Reference.objects.all()
        assert (row.s2_id, row.pmid, row.doi, row.text) == ("a" * 40, "7", "", "Knots.")


class TestLinks:
    @pytest.mark.parametrize("order", list(itertools.permutations((1, 2, 3))))
    def test_whichever_comes_first(self, order: tuple[int, ...]) -> None:
        records = {1: crossref(1, reference=to(2, 3, 9)), 2: crossref(2, reference=to(3)), 3: crossref(3)}
        for number in order:
            ingest(records[number])
            drain()
        assert citations() == said((1, 2), (1, 3), (2, 3))
        linked = Reference.objects.filter(paper=paper(1)).order_by("position")
        assert [row.cited_id for row in linked] == [paper(2).pk, paper(3).pk, None]

    def test_the_same_paper_twice_in_a_list_cites_once_and_nothing_cites_itself(self) -> None:
        ingest(crossref(1, reference=to(2, 2, 1)), crossref(2))
        link()
        assert citations() == said((1, 2))

    def test_by_every_identifier_the_strongest_first(self) -> None:
        listed = [{"key": "a", "DOI": "10.5555/none", "unstructured": "Vek, arXiv:2001.00001"}]
        ingest(
            crossref(1, reference=listed),
            openalex(1, referenced_works=["W3"]),
            crossref(2, DOI="10.48550/arxiv.2001.00001"),
            openalex(3),
        )
        link()
        assert sorted(PaperCitation.objects.values_list("cited__arxiv_id", "cited__doi")) == [
            ("", "10.5555/woven.3"),
            ("2001.00001", ""),
        ]

    def test_a_reference_that_goes_away_takes_its_link_along(self) -> None:
        ingest(crossref(1, reference=to(2, 3)), crossref(2), crossref(3))
        link()
        ingest(crossref(1, reference=to(3), stamp="2025-04-01T00:00:00Z"))
        link_references([paper(1).pk])
        assert citations() == said((1, 3))

    def test_a_merged_paper_is_cited_as_its_survivor_until_they_are_split(self) -> None:
        ingest(crossref(1, reference=to(2)), crossref(2, reference=to(3)), crossref(3), crossref(4))
        link()
        merged, survivor = paper(2), paper(4)
        Paper.objects.filter(pk=merged.pk).update(redirect_to=survivor)
        link_references([merged.pk, survivor.pk])
        assert citations() == said((1, 4))
        Paper.objects.filter(pk=merged.pk).update(redirect_to=None)
        link_references([merged.pk, survivor.pk])
        assert citations() == said((1, 2))

    def test_the_list_of_citing_papers_follows_their_dates(self) -> None:
        ingest(crossref(1, reference=to(2)), crossref(2))
        link()
        ingest(
            crossref(
                1, reference=to(2), published={"date-parts": [[2019, 5, 6]]}, issued=None, stamp="2025-04-01T00:00"
            )
        )
        link_references([paper(1).pk])
        assert [str(day) for day in PaperCitation.objects.values_list("sort_date", flat=True)] == ["2019-05-06"]

    def test_the_number_of_statements_does_not_grow(self) -> None:
        counts = []
        for number in (10, 20, 30):
            ingest(*(crossref(number + one, reference=to(*range(number, number + 9))) for one in range(9)))
            with CaptureQueriesContext(connection) as queries:
                link()
            counts.append(len(queries))
        assert counts == [counts[0]] * 3
        assert counts[0] <= 8


def update(number: int | str, kind: str, day: str = "2022-03-04", **values: Any) -> dict[str, Any]:
    doi = f"10.5555/woven.{number}" if isinstance(number, int) else number
    return {"DOI": doi, "type": kind, "updated": {"date-parts": [[int(part) for part in day.split("-")]]}, **values}


class TestNotices:
    @pytest.mark.parametrize("order", [(1, 2), (2, 1)])
    @pytest.mark.parametrize("together", [True, False])
    def test_the_target_is_retracted_and_the_notice_is_not(self, order: tuple[int, int], together: bool) -> None:
        records = {1: crossref(1), 2: crossref(2, update_to=[update(1, "retraction")])}
        given = [records[number] for number in order]
        if together:
            ingest(*given)
        else:
            for one in given:
                ingest(one)
        assert (paper(1).status, paper(2).status) == ("retracted", "current")
        assert (paper(1).notice_count, paper(2).notice_count) == (1, 1)
        (notice,) = Notice.objects.all()
        assert (notice.kind, notice.work, notice.notice) == ("retraction", "10.5555/woven.1", "10.5555/woven.2")
        assert (str(notice.day), notice.precision, notice.paper) == ("2022-03-04", "day", paper(2))
        assert set(WorkItem.objects.values_list("object_id", flat=True)) == {paper(1).pk, paper(2).pk}

    def test_the_work_itself_tells(self) -> None:
        ingest(crossref(1, updated_by=[update("10.5555/n", "retraction", source="retraction-watch")]))
        assert paper(1).status == "retracted"
        assert Notice.objects.get().asserted_by == "retraction-watch"

    @pytest.mark.parametrize(
        ("kinds", "status"),
        [
            (["correction"], "current"),
            (["erratum", "addendum"], "current"),
            (["expression_of_concern"], "current"),
            (["partial_retraction"], "current"),
            (["withdrawal"], "withdrawn"),
            (["removal"], "withdrawn"),
            (["withdrawal", "retraction"], "retracted"),
            (["correction", "retraction"], "retracted"),
        ],
    )
    def test_which_notices_change_the_standing(self, kinds: list[str], status: str) -> None:
        ingest(crossref(1, updated_by=[update(f"10.5555/n.{number}", kind) for number, kind in enumerate(kinds)]))
        assert (paper(1).status, paper(1).notice_count) == (status, len(kinds))

    def test_a_retraction_that_is_no_longer_told_of_is_gone(self) -> None:
        ingest(crossref(1), crossref(2, update_to=[update(1, "retraction")]))
        ingest(crossref(2, stamp="2025-05-01T00:00:00Z"))
        assert (paper(1).status, paper(1).notice_count, Notice.objects.count()) == ("current", 0, 0)

    def test_a_retraction_that_others_still_tell_of_stands(self) -> None:
        ingest(crossref(1, updated_by=[update(2, "retraction")]), crossref(2, update_to=[update(1, "retraction")]))
        ingest(crossref(2, stamp="2025-05-01T00:00:00Z"))
        assert paper(1).status == "retracted"

    @pytest.mark.parametrize(("day", "status"), [("2023-01-01", "current"), ("2021-01-01", "retracted")])
    def test_a_reinstatement_takes_an_earlier_retraction_back(self, day: str, status: str) -> None:
        ingest(
            crossref(1, updated_by=[update("10.5555/n", "retraction"), update("10.5555/m", "reinstatement", day)]),
            openalex(1, is_retracted=True),
        )
        assert paper(1).status == status

    def test_a_flag_without_a_notice_and_a_mark_before_the_title(self) -> None:
        ingest(openalex(1, is_retracted=True), crossref(2, title=["RETRACTED: Threads and knots of the lattice"]))
        assert (paper(1).status, paper(2).status) == ("retracted", "retracted")
        assert paper(2).title == "Threads and knots of the lattice"

    def test_a_notice_about_what_is_not_here(self) -> None:
        ingest(crossref(2, update_to=[update("10.5555/elsewhere", "retraction")]))
        assert (paper(2).status, paper(2).notice_count, Notice.objects.count()) == ("current", 1, 1)

    def test_papers_without_notices_cost_one_statement(self) -> None:
        with CaptureQueriesContext(connection) as queries:
            ingest(crossref(1), crossref(2))
        assert sum("papers_notice" in query["sql"] for query in queries) == 1


class TestAuthors:
    """What every source says of an author hangs on that author, however it orders and spells the names."""

    @pytest.mark.parametrize("order", list(itertools.permutations(range(2))))
    def test_facts_of_both_sources_at_each_author(self, order: tuple[int, int]) -> None:
        person, authorship = crossref_documents.person, openalex_documents.authorship
        given = [
            crossref(
                1,
                author=[
                    person("Zoë", "Vek", ORCID="http://orcid.org/0000-0002-1825-0097", sequence="first"),
                    person("Ansel", "Thorn", affiliation=[{"name": "Thread Hall, Nowhere"}]),
                    person("Mira", "Quill-Öde"),
                ],
            ),
            openalex(
                1,
                authorships=[
                    authorship("M. Quill Ode", 503, raw_affiliation_strings=["Loom House"]),
                    authorship("Thorn, A.", 502, raw_affiliation_strings=["Thread Hall, Nowhere"]),
                    authorship("Z. Vek", 501),
                ],
            ),
        ]
        for number in order:
            ingest(given[number])
        found = {
            author.name: (
                sorted(author.source_authorships.values_list("source_record__source", "orcid", "source_author_id")),
                list(author.affiliations.values_list("text", flat=True)),
            )
            for author in paper(1).authorships.all()
        }
        assert {name: facts[0] for name, facts in found.items()} == {
            "Zoë Vek": [("crossref", "0000-0002-1825-0097", ""), ("openalex", "", "A501")],
            "Ansel Thorn": [("crossref", "", ""), ("openalex", "", "A502")],
            "Mira Quill-Öde": [("crossref", "", ""), ("openalex", "", "A503")],
        }
        assert found["Ansel Thorn"][1] == ["Thread Hall, Nowhere"]
        assert "Loom House" in found["Mira Quill-Öde"][1]
