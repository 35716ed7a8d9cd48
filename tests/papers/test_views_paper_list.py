import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.forms import source_choices
from papers.models import Paper
from tests.factories import CategoryFactory, PaperFactory, SourceRecordFactory
from tests.html import get

pytestmark = pytest.mark.django_db


def day(number):
    return dt.date(2020, 1, 1) + dt.timedelta(days=number)


def make_papers(count):
    return [PaperFactory(title=f"Paper {number:03}", published_on=day(number)) for number in range(count)]


def test_newest_first_24_a_page(client):
    make_papers(30)
    page = get(client, "/papers")
    assert page.titles == [f"Paper {number:03}" for number in range(29, 5, -1)]
    assert page.one("//h1") == "Papers"
    assert page.one("//div[@class='sorts']/p") == "30 papers"


def test_following_next_and_previous_shows_each_paper_once(client):
    make_papers(50)
    addresses, seen, address = [], [], "/papers"
    while address:
        page = get(client, address)
        addresses.append(page.titles)
        seen += page.titles
        last, address = page, page.next
    assert seen == [f"Paper {number:03}" for number in range(49, -1, -1)]
    back = [last.titles]
    while last.previous:
        last = get(client, last.previous)
        back.insert(0, last.titles)
    assert back == addresses


def test_oldest_first(client):
    make_papers(26)
    page = get(client, "/papers?sort=oldest")
    assert page.titles[0] == "Paper 000"
    assert page.one("//div[@class='sorts']//a[@aria-current]") == "Oldest first"
    assert get(client, page.next).titles == ["Paper 024", "Paper 025"]


def test_most_cited_first_those_without_a_count_last(client):
    counts = [None, 0, 7, 7, 1200, *[None] * 30]
    papers = [PaperFactory(title=f"Paper {n:03}", citation_count=count) for n, count in enumerate(counts)]
    assert papers[4].pk < papers[5].pk
    page = get(client, "/papers?sort=cited")
    assert page.titles[:5] == ["Paper 004", "Paper 003", "Paper 002", "Paper 001", "Paper 034"]
    assert page.one("//div[@class='sorts']//a[@aria-current]") == "Most cited"
    assert "after=-1_" in page.next
    second = get(client, page.next)
    assert page.titles + second.titles == [f"Paper {n:03}" for n in (4, 3, 2, 1, *range(34, 4, -1), 0)]
    assert get(client, second.previous).titles == page.titles


def test_a_place_of_another_order_is_left_out(client):
    make_papers(2)
    page = get(client, "/papers?sort=cited&after=2020-01-01_1", status=400)
    assert page.titles == ["Paper 001", "Paper 000"]


def test_a_card_shows_what_a_reader_chooses_by(client):
    PaperFactory(
        title="Knots of $k_4$", authors=[f"A. {number}" for number in range(9)], published_on=dt.date(2020, 5, 3),
        arxiv_id="2005.00123", versions_made=2,
    )  # fmt: skip
    page = get(client, "/papers")
    assert page.value("//article//a/@href") == "/papers/2005.00123-knots-of-k_4"
    assert page.one("//p[@class='paper-card__authors']") == "A. 0, A. 1, A. 2, A. 3, A. 4, A. 5 and 3 more"
    assert page.one("//p[@class='paper-card__meta']") == "3 May 2020 cs.CL arXiv:2005.00123 2 versions"
    assert len(page.all("//article//math")) == 1


def test_a_date_has_the_precision_of_its_source(client):
    PaperFactory(published_on=dt.date(2020, 5, 1), published_precision="month")
    PaperFactory(published_on=dt.date(2019, 1, 1), published_precision="year")
    PaperFactory(published_on=None)
    page = get(client, "/papers")
    assert page.texts("//article//time") == ["May 2020", "2019"]
    assert page.all("//article//time/@datetime") == ["2020-05", "2019"]


def test_withdrawn_and_retracted_papers_are_marked(client):
    PaperFactory(status="withdrawn", published_on=day(2))
    PaperFactory(status="retracted", published_on=day(1))
    assert get(client, "/papers").texts("//article//span[contains(@class, 'badge--alarm')]") == [
        "Withdrawn", "Retracted"
    ]  # fmt: skip


def test_papers_that_redirect_are_not_listed(client):
    PaperFactory(title="Old", redirect_to=PaperFactory(title="New"))
    assert get(client, "/papers").titles == ["New"]


class TestFilters:
    @pytest.fixture(autouse=True)
    def papers(self):
        cl = CategoryFactory(code="cs.CL", name="Computation and Language")
        ag = CategoryFactory(code="math.AG", name="Algebraic Geometry", group="grp_math", group_name="Mathematics")
        CategoryFactory(code="alg-geom", name="Algebraic Geometry", canonical=ag)
        PaperFactory(title="A", published_on=dt.date(2019, 12, 31), primary_category=cl)
        PaperFactory(title="B", published_on=dt.date(2020, 1, 1), primary_category=ag, kind="article")
        PaperFactory(
            title="C", published_on=dt.date(2021, 6, 1), primary_category=cl, categories=["cs.CL", "math.AG"],
            status="withdrawn",
        )  # fmt: skip
        PaperFactory(title="D", published_on=None, primary_category=cl)
        SourceRecordFactory(paper=Paper.objects.get(title="B"))

    @pytest.mark.parametrize(
        ("query", "titles"),
        [
            ("year_from=2020", ["C", "B"]),
            ("year_to=2019", ["A"]),
            ("year_from=2019&year_to=2020", ["B", "A"]),
            ("year_from=2020&year_to=2019", ["B", "A"]),
            ("category=math.AG", ["C", "B"]),
            ("category=MATH.ag", ["C", "B"]),
            ("category=alg-geom", ["C", "B"]),
            ("kind=article", ["B"]),
            ("status=withdrawn", ["C"]),
            ("source=arxiv", ["B"]),
            ("category=math.AG&status=current", ["B"]),
            ("year_from=&year_to=&category=&kind=&status=&source=", ["C", "B", "A", "D"]),
        ],
    )
    def test_only_what_passes_is_listed(self, client, query, titles):
        page = get(client, f"/papers?{query}")
        assert page.titles == titles

    def test_each_filter_has_a_chip_that_takes_it_away(self, client):
        page = get(client, "/papers?category=math.AG&year_from=2020&kind=article&sort=oldest")
        chips = dict(zip(page.texts("//a[@class='chip']"), page.all("//a[@class='chip']/@href"), strict=True))
        assert chips == {
            "Remove the filter from 2020 ×": "/papers?category=math.AG&kind=article&sort=oldest",
            "Remove the filter math.AG ×": "/papers?year_from=2020&kind=article&sort=oldest",
            "Remove the filter Journal article ×": "/papers?year_from=2020&category=math.AG&sort=oldest",
        }
        assert page.one("//div[@class='sorts']/p") == "1 paper with these filters"

    def test_the_form_shows_what_is_in_force(self, client):
        page = get(client, "/papers?category=math.AG&year_from=2020&kind=article")
        assert page.value("//select[@id='category']//option[@selected]/@value") == "math.AG"
        assert page.value("//select[@id='kind']/option[@selected]/@value") == "article"
        assert page.value("//input[@id='year_from']/@value") == "2020"
        assert page.all("//select[@id='category']/optgroup/@label")[:2] == ["Computer Science", "Economics"]
        assert "alg-geom" not in page.all("//select[@id='category']//option/@value")

    def test_the_pages_of_a_filtered_list_keep_the_filter(self, client):
        for number in range(25):
            PaperFactory(title=f"E{number}", kind="thesis", published_on=day(number))
        page = get(client, "/papers?kind=thesis")
        assert page.next.startswith("/papers?kind=thesis&after=")
        assert get(client, page.next).titles == ["E0"]

    def test_nothing_left_suggests_what_to_drop(self, client):
        page = get(client, "/papers?kind=article&status=withdrawn")
        assert page.one("//section[@class='empty-state']/h2") == "No paper passes all these filters"
        assert page.texts("//section[@class='empty-state']//a") == [
            "Without “Journal article”", "Without “Withdrawn”", "All papers", "Search instead"
        ]  # fmt: skip
        assert get(client, page.all("//section[@class='empty-state']//a/@href")[0]).titles == ["C"]

    def test_nothing_left_by_one_filter_says_so(self, client):
        page = get(client, "/papers?kind=thesis")
        assert page.one("//section[@class='empty-state']/h2") == "No paper passes this filter"

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ("year_from=soon", "From year “soon” was left out. A year is a number such as 2019."),
            ("year_to=99999", "To year “99999” was left out. Years run from 1400 to"),
            ("category=no.SUCH", "Category “no.SUCH” was left out. There is no such category;"),
            ("category=" + "x" * 50, f"Category “{'x' * 39}…” was left out. Ensure this value has at most 32"),
            ("kind=poem", "Kind “poem” was left out. It is none of the choices."),
            ("status=%3Cb%3E", "Status “<b>” was left out. It is none of the choices."),
            ("source=rumour", "Source “rumour” was left out. It is none of the choices."),
            ("sort=random", "Order “random” was left out. It is none of the choices."),
            ("after=here", "The place in the list could not be read, so it begins at the start."),
            ("before=2020-02-30_1", "The place in the list could not be read, so it begins at the start."),
            ("category=a%00b", "Category “a\ufffdb” was left out."),
        ],
    )
    def test_a_bad_parameter_gives_a_sentence_and_the_list_without_it(self, client, query, sentence):
        page = get(client, f"/papers?{query}", status=400)
        assert page.one("//p[@role='alert']").replace("\x00", "\ufffd").startswith(sentence)
        assert page.titles == ["C", "B", "A", "D"]


def test_an_empty_catalogue_says_so(client):
    page = get(client, "/papers")
    assert page.one("//section[@class='empty-state']/h2") == "No papers yet"
    assert page.one("//div[@class='sorts']/p") == "0 papers"


def test_a_page_beyond_the_end_leads_back(client):
    make_papers(1)
    page = get(client, "/papers?after=1990-01-01_1")
    assert page.one("//section[@class='empty-state']/h2") == "The list ends before this page"
    assert page.value("//section[@class='empty-state']//a/@href") == "/papers"


def test_the_first_page_is_for_search_engines_and_filtered_ones_are_not(client):
    make_papers(25)
    first = get(client, "/papers")
    assert first.all("//meta[@name='robots']") == []
    assert first.value("//link[@rel='canonical']/@href") == "http://localhost:8000/papers"
    for address in (first.next, "/papers?kind=preprint"):
        assert get(client, address).value("//meta[@name='robots']/@content") == "noindex, follow"


@pytest.mark.parametrize("query", ["", "?category=cs.CL&year_from=2020&status=current&source=arxiv"])
def test_the_number_of_queries_does_not_depend_on_the_number_of_papers(client, query):
    counts = []
    for more in (1, 23, 76):
        for paper in make_papers(more):
            SourceRecordFactory(paper=paper)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            get(client, f"/papers{query}")
        counts.append(len(queries))
    assert counts == [4, 4, 4]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, method):
    response = getattr(client, method)("/papers")
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD")


def test_head_answers_without_a_body(client):
    response = client.head("/papers")
    assert (response.status_code, response.content) == (200, b"")


def test_what_has_not_changed_is_answered_with_304(client):
    make_papers(2)
    tag = client.get("/papers").headers["ETag"]
    assert client.get("/papers", headers={"if-none-match": tag}).status_code == 304
    make_papers(1)
    assert client.get("/papers", headers={"if-none-match": tag}).status_code == 200


def test_reading_sets_no_cookie(client):
    assert not client.get("/papers").cookies


def test_invented_papers_are_announced(client):
    PaperFactory(is_demo=True)
    assert "Invented papers are among these" in get(client, "/papers").one("//p[@class='notice']")


def test_nothing_of_the_list_is_older_than_its_request(client):
    make_papers(2)
    assert get(client, "/papers").titles == ["Paper 001", "Paper 000"]
    CategoryFactory(code="zz.ZZ", name="Weaving")
    Paper.objects.filter(title="Paper 001").update(title="Looms")
    PaperFactory(title="Newest", published_on=day(9))
    page = get(client, "/papers")
    assert page.titles == ["Newest", "Looms", "Paper 000"]
    assert page.one("//div[@class='sorts']/p") == "3 papers"
    assert page.one("//option[@value='zz.ZZ']") == "zz.ZZ Weaving"
    assert get(client, "/papers?category=zz.zz").one("//a[@class='chip']").startswith("Remove the filter zz.ZZ")


def test_only_sources_of_papers_can_be_chosen():
    assert dict(source_choices()) == {
        "": "Any source",
        "arxiv": "arXiv",
        "crossref": "Crossref",
        "demo": "Invented",
        "openalex": "OpenAlex",
        "semantic-scholar": "Semantic Scholar",
    }
