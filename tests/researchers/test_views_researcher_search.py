"""Researchers that a search finds, and the tabs between them and the papers."""

import logging

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from haystack import connections

from papers.models import Paper
from researchers.models import Researcher
from tests.factories import CategoryFactory, PaperFactory
from tests.html import Page, get, tags_of
from tests.injections import INJECTIONS
from tests.researchers.people import curator, merge, orcid, researcher
from tests.researchers.works import count, name, paper_of
from wovepaper.search.services import update_documents

pytestmark = pytest.mark.django_db


@pytest.fixture
def index(db):
    """The function that indexes everything there is."""
    backend = connections.reload("default").get_backend()
    backend.clear()

    def fill():
        count(*Researcher.objects.all())
        update_documents(model=Researcher, ids=list(Researcher.objects.values_list("pk", flat=True)))
        update_documents(model=Paper, ids=list(Paper.objects.values_list("pk", flat=True)))

    yield fill
    backend.clear()


def names(page):
    return page.texts("//article[@class='person-card']/h2/a")


def tabs(page):
    return page.texts("//nav[@class='tabs']//a")


def test_by_whole_words_of_a_name_in_either_order(client, index):
    for title in ("Ming Li", "Xiaoming Li", "Li Wen"):
        paper_of(researcher(title))
    index()
    assert names(get(client, "/researchers?q=ming+li")) == ["Ming Li"]
    assert names(get(client, "/researchers?q=li+ming")) == ["Ming Li"]
    page = get(client, "/researchers?q=LI")
    assert sorted(names(page)) == ["Li Wen", "Ming Li", "Xiaoming Li"]
    assert page.one("//div[@class='sorts']/p") == "3 researchers found"
    assert page.one("//div[@class='sorts']//a[@aria-current]") == "Relevance"


def test_the_name_they_were_found_by_is_said(client, index):
    person = researcher("Ada Weaver")
    name(person, "Ada Spindle")
    paper_of(person)
    index()
    page = get(client, "/researchers?q=spindle")
    assert names(page) == ["Ada Weaver"]
    assert page.one("//p[@class='person-card__where']") == "Found as Ada Spindle"


def test_tabs_with_counts_lead_from_each_to_the_other(client, index):
    for number in range(3):
        paper_of(researcher("Ada Weaver"), title=f"Loom {number}")
    PaperFactory(title="A weaver of looms", authors=["Bo Spindle"])
    index()
    page = get(client, "/researchers?q=weaver")
    assert tabs(page) == ["Papers 4", "Researchers 3", "Institutions 0"]
    assert page.all("//nav[@class='tabs']//a/@href") == [
        "/search?q=weaver", "/researchers?q=weaver", "/institutions?q=weaver",
    ]  # fmt: skip
    assert page.one("//nav[@class='tabs']//a[@aria-current='page']") == "Researchers 3"
    page = get(client, "/search?q=weaver")
    assert tabs(page) == ["Papers 4", "Researchers 3", "Institutions 0"]
    assert page.one("//nav[@class='tabs']//a[@aria-current='page']") == "Papers 4"
    assert tabs(get(client, "/search")) == tabs(get(client, "/researchers")) == []


def test_filters_and_sorts_of_what_was_found(client, index):
    ag = CategoryFactory(code="math.AG", name="Algebraic Geometry")
    old, new = researcher("Ada Weaver"), researcher("Bo Weaver")
    paper_of(old, category=ag.code, published_on="2019-01-01")
    for _ in range(2):
        paper_of(new, published_on="2021-01-01")
    index()
    assert names(get(client, "/researchers?q=weaver")) == ["Bo Weaver", "Ada Weaver"]
    assert names(get(client, "/researchers?q=weaver&category=math.AG")) == ["Ada Weaver"]
    assert names(get(client, "/researchers?q=weaver&year=2021")) == ["Bo Weaver"]
    page = get(client, "/researchers?q=weaver&sort=name")
    assert names(page) == ["Ada Weaver", "Bo Weaver"]
    assert page.all("//div[@class='sorts']//a/@href") == [
        "/researchers?q=weaver", "/researchers?q=weaver&sort=papers", "/researchers?q=weaver&sort=citations",
        "/researchers?q=weaver&sort=h-index", "/researchers?q=weaver&sort=name",
    ]  # fmt: skip
    assert tabs(get(client, "/researchers?q=weaver&year=2021")) == ["Papers 3", "Researchers", "Institutions 0"]


def test_pages(client, index):
    for number in range(26):
        paper_of(researcher(f"Weaver {chr(97 + number)}dam"))
    index()
    page = get(client, "/researchers?q=weaver&sort=name")
    assert page.one("//div[@class='sorts']/p") == "26 researchers found, page 1 of 2"
    last = get(client, page.next)
    assert (len(names(page)), len(names(last))) == (24, 2)
    assert len({*names(page), *names(last)}) == 26
    assert (last.next, last.previous) == (None, "/researchers?q=weaver&sort=name")


@pytest.mark.parametrize("page", ["0", "41", "x", "-1"])
def test_pages_that_are_none(client, index, page):
    paper_of(researcher("Ada Weaver"))
    index()
    found = get(client, f"/researchers?q=weaver&page={page}", status=400)
    assert found.one("//p[@role='alert']") == "Pages run from 1 to 40; this is the first."
    assert names(found) == ["Ada Weaver"]


def test_nobody_of_that_name_suggests_what_to_do(client, index):
    index()
    page = get(client, "/researchers?q=nobody")
    assert page.one("//section[@class='empty-state']/h2") == "Nobody found"
    assert page.texts("//section[@class='empty-state']//a") == [
        "Without “called nobody”", "Search the papers for it", "All researchers",
    ]  # fmt: skip
    assert page.all("//section[@class='empty-state']//a/@href")[1] == "/search?q=nobody"


@pytest.mark.parametrize("address", ["/researchers", "/search"])
def test_an_orcid_that_nobody_has_says_so(client, index, address):
    index()
    page = get(client, f"{address}?q=0000-0002-1694-233X")
    assert page.texts("//p[@class='notice']")[0] == "This looks like an ORCID iD, but nobody here has it."


def test_an_identifier_of_a_paper_leads_there_from_here_too(client, index):
    PaperFactory(title="On looms", arxiv_id="2101.54321")
    response = client.get("/researchers?q=arXiv:2101.54321v2")
    assert (response.status_code, response.headers["location"]) == (302, "/papers/2101.54321-on-looms")


def test_who_was_merged_is_found_by_their_name_as_the_survivor(client, index):
    a, b = researcher("Ada Weaver"), researcher("Ada Spindle")
    paper_of(a), paper_of(b)
    merge(b, a, curator())
    index()
    assert names(get(client, "/researchers?q=spindle")) == ["Ada Weaver"]


def test_a_search_that_is_down_is_a_page_that_says_so(client, db, monkeypatch, caplog):
    def fail(*args, **kwargs):
        raise OSError

    monkeypatch.setattr("wovepaper.search.backend.TantivySearchBackend.search", fail)
    with caplog.at_level(logging.CRITICAL):
        page = get(client, "/researchers?q=weaver", status=503)
    assert page.one("//section[@class='empty-state']/h2") == "The search is not answering"
    assert page.response.headers["Retry-After"] == "30"
    assert get(client, "/researchers").response.status_code == 200


def test_what_is_typed_is_text(client, index):
    index()
    plain = tags_of(get(client, "/researchers?q=nobody"))
    for text in INJECTIONS:
        response = client.get("/researchers", {"q": text})
        assert response.status_code == 200, text
        # A text without a letter asks for nobody, or for everybody, and so has a page of other parts.
        shown = tags_of(Page(response))
        for tag in ("script", "img", "b", "iframe", "form", "input", "svg", "math", "base", "meta", "link", "style"):
            assert shown.get(tag, 0) <= plain.get(tag, 0), (text, tag)


def test_the_number_of_queries(client, index):
    counts = []
    for number in (1, 2, 20):
        for _ in range(number):
            person = researcher("Ada Weaver")
            orcid(person, f"{person.pk:019}")
            paper_of(person)
        index()
        with CaptureQueriesContext(connection) as queries:
            get(client, "/researchers?q=weaver")
        counts.append(len(queries))
    assert counts == [6, 6, 6]
