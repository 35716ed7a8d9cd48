import datetime as dt
import sys

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext

from papers.models import Paper
from papers.views.search import Facet, FacetValue
from tests.factories import CategoryFactory, PaperFactory
from tests.html import get
from tests.searching import index_papers  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def looms(index_papers):  # noqa: F811
    ag = CategoryFactory(code="math.AG", name="Algebraic Geometry")
    PaperFactory(
        title="Power looms", abstract="The warp of a machine.", published_on=dt.date(2020, 1, 1), authors=["Ada Weaver"]
    )
    PaperFactory(
        title="Hand weaving", abstract="A power of many looms, and the weft.", published_on=dt.date(2021, 1, 1),
        kind="article", primary_category=ag, authors=["Bo Spindle"],
    )  # fmt: skip
    PaperFactory(
        title="Spinning", abstract="Weft without warp.", published_on=dt.date(2022, 1, 1), status="withdrawn",
        kind="proceedings-article", authors=["Cy Shuttle"],
    )  # fmt: skip
    index_papers()
    return index_papers


def test_the_title_shows_what_was_matched_in_it(client, looms):
    page = get(client, "/search?q=looms")
    marked = "//article//a[contains(@href, 'power-looms')]"
    assert page.texts(f"{marked}/mark") == ["looms"]
    assert page.one(marked) == "Power looms"


def test_marks_neither_add_to_a_title_nor_break_it(client, index_papers):  # noqa: F811
    for title in ("Looms & <b>cloth</b>", "Looms of $k_4$ knots", "Looms " + "and cloth " * 40):
        PaperFactory(title=title)
    index_papers()
    page = get(client, "/search?q=looms&sort=oldest")
    assert sorted(page.titles) == sorted(["Looms & cloth", "Looms of k4 knots", ("Looms " + "and cloth " * 40).strip()])
    # Mathematics, and what is cut, stay as they are.
    assert len(page.all("//article//a//mark")) == 0
    PaperFactory(title='Looms & "cloth" > none')
    index_papers()
    page = get(client, "/search?q=cloth+none")
    assert page.titles == ['Looms & "cloth" > none']
    assert page.texts("//article//a/mark") == ["cloth", "none"]


def test_large_counts_of_a_facet_have_their_thousands_set_apart():
    facet = Facet("year", "Year", [FacetValue("2020", 3001, 100, "/search?year=2020", False)])
    html = render_to_string("components/facet_list.html", {"facet": facet})
    assert '<span class="facet__count">3,001</span>' in html


FOUND = {
    "power looms": ["Hand weaving", "Power looms"],
    '"power looms"': ["Power looms"],
    "power -weft": ["Power looms"],
    'looms -"power looms"': ["Hand weaving"],
    "machine OR spinning": ["Power looms", "Spinning"],
    "Spindle": ["Hand weaving"],
    "author:Spindle": ["Hand weaving"],
    'author:"Bo Spindle" OR author:shuttle': ["Hand weaving", "Spinning"],
    "author:loom": [],
    "looms -author:Spindle": ["Power looms"],
    "title:power": ["Power looms"],
    "abstract:power": ["Hand weaving"],
    "cat:math.AG": ["Hand weaving"],
    "cat:math": [],
    "weft year:2021": ["Hand weaving"],
    "year:2020..2021": ["Hand weaving", "Power looms"],
    "year:..2020": ["Power looms"],
    "warp weft": ["Spinning"],
}


def test_words_phrases_exclusions_and_alternatives(client, looms):
    for query, titles in FOUND.items():
        page = get(client, "/search", query_params={"q": query})
        assert sorted(page.titles) == titles, query
        assert page.one("//div[@class='sorts']/p") == f"{len(titles)} paper{'' if len(titles) == 1 else 's'}"


def test_what_stands_in_the_title_comes_first(client, looms):
    assert get(client, "/search?q=power+looms").titles[0] == "Power looms"


def test_sorts(client, looms):
    assert get(client, "/search?q=weft&sort=newest").titles == ["Spinning", "Hand weaving"]
    page = get(client, "/search?q=weft&sort=oldest")
    assert page.titles == ["Hand weaving", "Spinning"]
    assert page.one("//div[@class='sorts']//a[@aria-current]") == "Oldest first"


def test_most_cited_first_those_without_a_count_last(client, index_papers):  # noqa: F811
    for number in (None, 3, 1208, 0):
        PaperFactory(title=f"Looms {number}", citation_count=number)
    index_papers()
    page = get(client, "/search?q=looms&sort=cited")
    assert page.titles == ["Looms 1208", "Looms 3", "Looms 0", "Looms None"]
    assert page.one("//div[@class='sorts']//a[@aria-current]") == "Most cited"


def test_a_hit_says_why(client, looms):
    page = get(client, "/search?q=machine")
    assert page.one("//p[@class='paper-card__why']") == "In the abstract: The warp of a machine."
    assert page.one("//p[@class='paper-card__why']/mark") == "machine"
    assert get(client, "/search?q=Spindle").one("//p[@class='paper-card__why']") == "In the authors: Bo Spindle"


def test_facets_count_and_narrow(client, looms):
    page = get(client, "/search?q=weft")
    assert page.texts("//section[@class='facet']/h2") == ["Year", "Category", "Kind", "Status"]
    assert page.texts("//section[@class='facet'][1]//a/span[1]") == ["2022", "2021"]
    assert page.texts("//section[@class='facet'][2]//a/span[2]") == ["1", "1"]
    link = page.value("//section[@class='facet']//a[span='Withdrawn']/@href")
    assert link == "/search?q=weft&status=withdrawn"
    narrowed = get(client, link)
    assert narrowed.titles == ["Spinning"]
    assert narrowed.all("//a[@class='chip']/@href") == ["/search?q=weft"]
    assert narrowed.value("//section[@class='facet']//a[@aria-current]/@href") == "/search?q=weft"


def test_the_last_page_says_that_more_is_not_shown(client, looms, monkeypatch):
    monkeypatch.setattr("papers.searching.PAGE_SIZE", 1)
    module = sys.modules["papers.views.search"]  # the package has the view under the module's name
    monkeypatch.setattr(module, "PAGE_SIZE", 1)
    monkeypatch.setattr(module, "LAST_PAGE", 2)
    assert get(client, "/search?q=weft OR power").all("//p[@class='notice']") == []
    assert get(client, "/search?q=weft OR power&page=2").one("//p[@class='notice']") == (
        "Only the first 2 of them can be paged through: more words, a field or a year narrow the search."
    )


def test_filters(client, looms):
    for filters, titles in (
        ("year=2021", ["Hand weaving"]),
        ("category=math.AG", ["Hand weaving"]),
        ("kind=article", ["Hand weaving"]),
        ("status=withdrawn&year=2021", []),
    ):
        assert get(client, f"/search?q=weft&{filters}").titles == titles, filters


def test_filters_alone_find_all_that_pass(client, looms):
    assert get(client, "/search?category=cs.CL").titles == ["Spinning", "Power looms"]


def test_24_a_page(client, index_papers):  # noqa: F811
    for number in range(50):
        PaperFactory(title=f"Loom {number:02}", published_on=dt.date(2020, 1, 1) + dt.timedelta(days=number))
    index_papers()
    page = get(client, "/search?q=loom&sort=newest")
    assert page.one("//div[@class='sorts']/p") == "50 papers, page 1 of 3"
    seen = page.titles
    while page.next:
        page = get(client, page.next)
        seen += page.titles
    assert seen == [f"Loom {number:02}" for number in range(49, -1, -1)]
    assert page.previous == "/search?q=loom&sort=newest&page=2"
    assert get(client, page.previous).previous == "/search?q=loom&sort=newest"


class TestIdentifiers:
    @pytest.mark.parametrize(
        "pasted", ["2101.54321", "arXiv:2101.54321v1", " https://arxiv.org/abs/2101.54321 ", "10.1234/loom.1",
                   "https://doi.org/10.1234/LOOM.1"],
    )  # fmt: skip
    def test_a_pasted_identifier_goes_straight_to_the_page(self, client, pasted):
        PaperFactory(title="On looms", arxiv_id="2101.54321", doi="10.1234/loom.1")
        response = client.get("/search", query_params={"q": pasted})
        assert (response.status_code, response.headers["location"]) == (302, "/papers/2101.54321-on-looms")

    def test_an_unknown_one_is_searched_for_as_words(self, client, looms):
        page = get(client, "/search?q=2101.99999")
        assert page.one("//p[@class='notice']").startswith("This looks like an identifier")

    def test_nothing_that_is_pasted_leads_off_the_site(self, client, looms):
        for pasted in ("//evil.example/", "https://evil.example/abs/2101.54321x", "\\\\evil.example"):
            assert client.get("/search", query_params={"q": pasted}).status_code == 200


class TestNothingFound:
    def test_suggestions(self, client, looms):
        page = get(client, '/search?q="no+such+thing"&year=2021')
        assert page.one("//section[@class='empty-state']/h2") == "Nothing found"
        assert page.texts("//section[@class='empty-state']//a") == [
            "Search without the filters", "Search for the words in any order", "Browse the categories",
            "See the newest papers",
        ]  # fmt: skip

    def test_did_you_mean(self, client, looms):
        page = get(client, "/search?q=spining")
        assert page.one("//p[@class='did-you-mean']") == "Did you mean spinning?"
        assert get(client, page.value("//p[@class='did-you-mean']/a/@href")).titles == ["Spinning"]

    def test_without_a_question_there_is_only_the_box(self, client, looms):
        page = get(client, "/search")
        assert page.titles == []
        assert page.all("//div[@class='sorts']") == []


QUERIES = [
"", " ", '"', '""', "-", "--", "OR", "OR OR", "(", ")", "a AND (b", "[a TO b]", "title:", "title:(", "*", "?", "~",
     "^2", "\\", "\\\\\\", "+", "NOT", "a" * 5000, "a " * 2000, '"' * 999, "\x00", "\x00a", "é" * 400, "🧶", "\u202e",
     "SELECT", "';--", "<script>alert(1)</script>", "{{ 7*7 }}", "%s %(x)s", "text:a", "django_ct:x", "id:1", "-a -b",
     'a"b', "a OR", "\ufffe", "٣",
]  # fmt: skip


def test_a_query_never_errors(client, looms):
    for query in QUERIES:
        get(client, "/search", query_params={"q": query})


def test_what_was_not_understood_is_said(client, looms):
    page = get(client, "/search", query_params={"q": 'warp "weft'})
    assert page.one("//p[@class='notice']") == "A quotation mark has no partner, so it was left out."
    assert page.titles == ["Spinning"]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("year=soon", "Year “soon” was left out: it is none of the choices."),
        ("kind=poem", "Kind “poem” was left out: it is none of the choices."),
        ("status=x", "Status “x” was left out: it is none of the choices."),
        ('category=a"b', 'Category “a"b” was left out: it is none of the choices.'),
        ("sort=random", "The order can be relevance, newest, oldest or cited; this is by relevance."),
        ("page=0", "Pages run from 1 to 40; this is the first."),
        ("page=41", "Pages run from 1 to 40; this is the first."),
        ("page=x", "Pages run from 1 to 40; this is the first."),
        ("page=٣", "Pages run from 1 to 40; this is the first."),
    ],
)
def test_a_bad_parameter_gives_a_sentence(client, query, sentence):
    assert get(client, f"/search?{query}", status=400).one("//p[@role='alert']") == sentence


def test_a_bad_parameter_is_left_out_of_the_search(client, looms):
    assert sorted(get(client, "/search?q=weft&kind=poem", status=400).titles) == ["Hand weaving", "Spinning"]


def test_with_the_search_down_the_page_still_reads(client, looms, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError("index gone from /secret/place")

    monkeypatch.setattr("wovepaper.search.backend.TantivySearchBackend.search", fail)
    response = client.get("/search?q=weft")
    assert response.headers["Retry-After"] == "30"
    page = get(client, "/search?q=weft", status=503)
    assert page.one("//section[@class='empty-state']/h2") == "The search is not answering"
    assert page.value("//input[@id='main-search']/@value") == "weft"
    assert "/secret/place" not in page.text
    assert get(client, "/papers").titles == ["Spinning", "Hand weaving", "Power looms"]


def test_a_paper_that_went_since_it_was_indexed_is_left_out(client, looms):
    paper = Paper.objects.get(title="Spinning")
    Paper.objects.filter(pk=paper.pk).update(redirect_to=Paper.objects.get(title="Hand weaving"))
    assert get(client, "/search?q=weft").titles == ["Hand weaving"]


def test_the_number_of_queries_does_not_depend_on_the_number_of_hits(client, index_papers):  # noqa: F811
    counts = []
    for more in (1, 23, 76):
        PaperFactory.create_batch(more)
        index_papers()
        with CaptureQueriesContext(connection) as queries:
            get(client, "/search?q=knot")
        counts.append(len(queries))
    assert counts == [3, 3, 3]


def test_search_pages_are_not_for_search_engines(client, looms):
    assert get(client, "/search?q=weft").value("//meta[@name='robots']/@content") == "noindex, follow"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, method):
    assert getattr(client, method)("/search?q=x").status_code == 405
