"""Finding researchers by name, and what their documents hold."""

from __future__ import annotations

import datetime as dt
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from haystack import connections
from haystack.query import SearchQuerySet

from institutions.models import Institution
from papers.changes import announce_changes
from papers.models import Affiliation, Paper
from papers.search_query import parse_query
from papers.searching import SearchDown, search_papers
from researchers.counts import recount
from researchers.models import Researcher, ResearcherIdentifier, ResearcherName
from researchers.search_indexes import ResearcherIndex
from researchers.searching import PAGE_SIZE, search_researchers
from researchers.services.names import hide_former_name
from tests.factories import affiliate
from tests.institutions.organisations import ror_id
from tests.researchers.people import arrive, curator, merge, paper, place, researcher, undo
from wovepaper.pipeline.services import drain, enqueue
from wovepaper.search.services import total_hits, update_documents

pytestmark = pytest.mark.django_db


@pytest.fixture
def index(db):
    """An empty index."""
    backend = connections.reload("default").get_backend()
    backend.clear()
    yield backend
    backend.clear()


def person(name: str, papers: int = 1, **fields: object) -> Researcher:
    """Somebody with papers: without any there is no document."""
    made = researcher(name)
    for _ in range(papers):
        at = place(paper(name))
        if fields:
            Paper.objects.filter(pk=at.paper_id).update(**fields)
        arrive(made, at)
    recount([made.pk])
    return made


def found(query: str, sort: str = "relevance", **filters: str) -> list[str]:
    return [hit.researcher.display_name for hit in search_researchers(query, filters=filters, sort=sort, page=1).hits]


def document(of: Researcher) -> dict[str, object]:
    prepared: dict[str, object] = ResearcherIndex().full_prepare(ResearcherIndex().index_queryset().get(pk=of.pk))
    return prepared


class TestSearch:
    def test_whole_words_in_either_order(self, index) -> None:
        for name in ("Ming Li", "Xiaoming Li", "M. Li", "Bernhard Schölkopf"):
            person(name)
        drain()
        assert found("Ming Li") == found("Li, Ming") == ["Ming Li"]
        assert set(found("M. Li")) == {"Ming Li", "M. Li"}
        assert found("Schoelkopf") == found("schölkopf b") == ["Bernhard Schölkopf"]
        assert found("Ming Liu") == found("...") == []

    def test_who_is_called_just_so_comes_first_then_who_has_most_papers(self, index) -> None:
        person("Ada Jo Weaver", papers=3)
        person("Ada Weaver", papers=1)
        person("Ada Weaver", papers=2)
        person("Ada B. Weaver", papers=4)
        drain()
        hits = search_researchers("ada weaver", sort="relevance", page=1).hits
        assert [(hit.researcher.display_name, hit.researcher.paper_count) for hit in hits] == [
            ("Ada Weaver", 2), ("Ada Weaver", 1), ("Ada B. Weaver", 4), ("Ada Jo Weaver", 3),
        ]  # fmt: skip
        assert found("Weaver")[:2] == ["Ada B. Weaver", "Ada Jo Weaver"]

    def test_sorts_with_the_unknown_last(self, index) -> None:
        person("Cy Able", papers=1, citation_count=3)
        person("Bo Cane", papers=3)
        person("Al Bone", papers=2, citation_count=1)
        drain()
        assert found("", "name") == ["Cy Able", "Al Bone", "Bo Cane"]
        assert found("", "papers") == found("") == ["Bo Cane", "Al Bone", "Cy Able"]
        assert found("", "citations") == ["Cy Able", "Al Bone", "Bo Cane"]
        assert found("", "h-index") == ["Al Bone", "Cy Able", "Bo Cane"]

    def test_filters_and_facets(self, index) -> None:
        person("Ada Weaver", categories=["cs.CL", "cs.LG"], published_on=dt.date(2019, 5, 1))
        person("Bo Spindle", categories=["cs.CL"], published_on=dt.date(2021, 5, 1))
        other = person("Cy Warp", categories=["math.CO"], published_on=dt.date(2023, 5, 1))
        affiliate(other.attributions.get().paper, 1, "Institute of Knots, Aarhus")
        institute = Institution.objects.create(ror_id=ror_id(1), display_name="Institute of Knots", country="DK")
        Affiliation.objects.update(institution=institute)
        drain()
        everybody = search_researchers("", sort="name", page=1)
        assert (everybody.total, everybody.facets["category"]) == (3, [("cs.CL", 2), ("cs.LG", 1), ("math.CO", 1)])
        assert everybody.facets["country"] == [("DK", 1)]
        assert found("", "name", category="cs.CL") == ["Bo Spindle", "Ada Weaver"]
        assert found("", category="cs") == []
        assert found("", country="DK") == ["Cy Warp"]
        assert found("", "name", first_year="2020") == ["Bo Spindle", "Cy Warp"]
        assert found("", "name", first_year="2019", last_year="2021") == ["Bo Spindle", "Ada Weaver"]
        assert found("", first_year="2022", last_year="2020") == []
        assert found("", affiliation="aarhus knots") == ["Cy Warp"]
        assert found("Weaver", category="math.CO") == []

    def test_bad_filters_are_errors(self, index) -> None:
        for wrong in ({"colour": "red"}, {"first_year": "last"}):
            with pytest.raises(ValueError, match=r"filters are|figures"):
                search_researchers("", filters=wrong, sort="name", page=1)
        with pytest.raises(ValueError, match="sorts are"):
            search_researchers("", sort="height", page=1)

    def test_by_orcid(self, index) -> None:
        ada = person("Ada Weaver")
        ResearcherIdentifier.objects.create(
            researcher=ada, scheme="orcid", value="0000-0002-1825-0097", state="trusted"
        )
        bo = person("Bo Spindle")
        ResearcherIdentifier.objects.create(
            researcher=bo, scheme="orcid", value="0000-0001-5109-3700", state="conflict"
        )
        drain()
        assert found("https://orcid.org/0000-0002-1825-0097") == ["Ada Weaver"]
        assert found("0000-0001-5109-3700") == []

    def test_pages(self, index) -> None:
        for number in range(PAGE_SIZE + 2):
            person(f"Ada{number:02} Weaver".replace("0", "o").replace("1", "i"))
        drain()
        first, second = (search_researchers("weaver", sort="name", page=page) for page in (1, 2))
        assert (first.total, len(first.hits), len(second.hits)) == (PAGE_SIZE + 2, PAGE_SIZE, 2)
        assert not {hit.researcher.pk for hit in first.hits} & {hit.researcher.pk for hit in second.hits}

    def test_one_query_whatever_the_number_of_hits(self, index, django_assert_num_queries) -> None:
        person("Ada Weaver")
        drain()
        with django_assert_num_queries(1):
            assert len(found("weaver")) == 1
        for _ in range(4):
            person("Bo Weaver")
        drain()
        with django_assert_num_queries(1):
            assert len(found("weaver")) == 5

    def test_a_name_they_are_not_shown_by_says_so(self, index) -> None:
        ada = person("Ada Weaver")
        ResearcherName.objects.create(researcher=ada, value="Ada Spindle")
        drain()
        (hit,) = search_researchers("spindle", sort="relevance", page=1).hits
        assert (hit.researcher, hit.matched_name) == (ada, "Ada Spindle")
        assert search_researchers("weaver", sort="relevance", page=1).hits[0].matched_name == ""

    def test_an_engine_that_is_down(self, index, monkeypatch) -> None:
        def down(*args: object, **options: object) -> None:
            raise OSError("no disk")

        monkeypatch.setattr(index, "search", down)
        with pytest.raises(SearchDown):
            search_researchers("weaver", sort="relevance", page=1)


class TestDocuments:
    def test_all_fields(self) -> None:
        ada = person("Ada Weaver", 2, categories=["cs.CL"], published_on=dt.date(2020, 2, 3), citation_count=2)
        ResearcherName.objects.create(researcher=ada, value="A. Weaver")
        for row in ada.attributions.all():
            affiliate(row.paper, 1, "Loom University")
        affiliate(ada.attributions.first().paper, 1, "Aarhus")
        assert document(Researcher.objects.get()) == {
            "id": f"researchers.researcher.{ada.pk}",
            "django_ct": "researchers.researcher",
            "django_id": str(ada.pk),
            "text": "",
            "name_terms": ["ada", "weaver", "ada0weaver", "a", "a0weaver"],
            "affiliations": ["Loom University", "Aarhus"],
            "orcids": [],
            "categories": ["cs.CL"],
            "categories_exact": ["cs.CL"],
            "countries": [],
            "years": ["2020"],
            "paper_count": 2,
            "citation_count": 4,
            "h_index": 2,
            "sort_name": "weaver ada",
            "display_name": "Ada Weaver",
            "names": ["Ada Weaver", "A. Weaver"],
            "url": ada.get_absolute_url(),
        }

    def test_an_unknown_figure_is_absent_and_not_0(self) -> None:
        assert not {"citation_count", "h_index"} & document(person("Ada Weaver")).keys()

    def test_hidden_names_of_anybody_merged_are_in_no_document(self) -> None:
        ada, other = person("Ada Weaver"), person("Ada W")
        ResearcherName.objects.create(researcher=other, value="Adam Weaver", visibility="hidden")
        ResearcherName.objects.create(researcher=ada, value="Adam Weaver")
        merge(other, ada, curator())
        made = document(ada)
        assert made["names"] == ["Ada Weaver", "Ada W"]
        assert "adam" not in made["name_terms"]

    def test_one_query_whatever_the_batch(self) -> None:
        for number in range(5):
            affiliate(person(f"Ada{number} Weaver").attributions.get().paper, 1, "Loom University")
        for count in (1, 5):
            with CaptureQueriesContext(connection) as captured:
                made = [ResearcherIndex().full_prepare(one) for one in ResearcherIndex().index_queryset()[:count]]
            assert (len(made), len(captured)) == (count, 1)

    def test_somebody_read_elsewhere_has_the_same_document(self) -> None:
        ada = person("Ada Weaver")
        assert ResearcherIndex().full_prepare(Researcher.objects.get()) == document(ada)


class TestFollowing:
    """Documents follow within the pipeline."""

    def test_merge_and_undo(self, index) -> None:
        ada, other = person("Ada Weaver"), person("Ada Spindle")
        someone = curator()
        drain()
        event = merge(other, ada, someone).event
        drain()
        assert found("spindle") == found("weaver") == ["Ada Weaver"]
        undo(event, someone)
        drain()
        assert (found("spindle"), found("weaver")) == (["Ada Spindle"], ["Ada Weaver"])

    def test_papers_are_found_by_whoever_is_the_root(self, index) -> None:
        ada, other = person("Ada Weaver", 2), person("Ada Spindle", 1)
        someone = curator()
        drain()

        def papers_of(one: Researcher) -> int:
            return search_papers(parse_query(""), filters={"researchers": str(one.pk)}, sort="newest").total

        update_documents(model=Paper, ids=list(Paper.objects.values_list("pk", flat=True)))
        assert (papers_of(ada), papers_of(other)) == (2, 1)
        event = merge(other, ada, someone).event
        drain()
        assert (papers_of(ada), papers_of(other)) == (3, 0)
        undo(event, someone)
        drain()
        assert (papers_of(ada), papers_of(other)) == (2, 1)

    def test_without_papers_or_erased_there_is_no_document(self, index) -> None:
        ada, bo = person("Ada Weaver"), person("Bo Weaver")
        drain()
        assert len(found("weaver")) == 2
        place = ada.attributions.get().authorship
        announce_changes([place.paper_id])  # as ingest does
        place.delete()
        Researcher.objects.filter(pk=bo.pk).update(erased_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
        enqueue(kind="researcher", ids=[bo.pk])
        drain()
        assert found("") == []
        assert total_hits(SearchQuerySet().models(Researcher)) == 0

    def test_a_rebuild_holds_them_too(self, index) -> None:
        ada = person("Ada Weaver")
        merge(person("Ada Spindle"), ada, curator())
        recount([ada.pk])
        call_command("reindex", stdout=StringIO())
        assert (found("spindle"), found("")) == (["Ada Weaver"], ["Ada Weaver"])
        assert total_hits(SearchQuerySet().models(Paper)) == 2

    def test_a_hidden_name_is_found_no_more(self, index) -> None:
        ada = person("Ada Weaver")
        ResearcherName.objects.create(researcher=ada, value="Adam Weaver")
        drain()
        hide_former_name(researcher=ada.pk, name="Adam Weaver", actor=curator(), reason="their wish")
        drain()
        assert (found("Adam"), found("Ada")) == ([], ["Ada Weaver"])
