"""Feeds, as a reader of feeds takes them."""

import datetime as dt

import feedparser
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from lxml import etree, html

from papers.models import CategoryListing, Paper, PaperInstitution
from tests.factories import CategoryFactory, InstitutionFactory, PaperFactory
from tests.html import get
from tests.researchers.people import researcher
from tests.researchers.works import paper_of
from tests.searching import index_papers  # noqa: F401
from wovepaper.pages.feeds import entries as feed_entries

pytestmark = pytest.mark.django_db

FORMS = ("rss", "atom")
HOSTILE = (
    "<script>alert(1)</script> & <b>knots</b> ]]> \x0b\x00"[:-1] + "\ufffe $x < y$ &lt;img src=x onerror=alert(2)&gt;"
)


def read(client, address, **headers):
    response = client.get(address, headers=headers)
    assert response.status_code == 200, (address, response.status_code)
    etree.fromstring(response.content)  # well formed, to a strict parser
    feed = feedparser.parse(response.content, response_headers={"content-type": response.headers["Content-Type"]})
    assert not feed.bozo, feed.get("bozo_exception")
    return feed


def list_in(category, paper, day, kind="new"):
    CategoryListing.objects.create(category=category, paper=paper, day=day, kind=kind)


@pytest.fixture
def world(index_papers):  # noqa: F811
    """Three papers that are in every kind of feed."""
    category = CategoryFactory()
    person = researcher("Ada Weaver")
    place = InstitutionFactory()
    papers = []
    for day in (1, 2, 3):
        date = dt.date(2021, 5, day)
        paper = paper_of(person, title=f"Knot {day}", published_on=date, sort_date=date, announced_on=date)
        list_in(category, paper, date)
        PaperInstitution.objects.create(paper=paper, institution=place, sort_date=date)
        papers.append(paper)
    index_papers()
    names = (
        "latest.xml", "categories/cs.CL.xml", "categories/cs.xml", f"researchers/{person.pk}.xml",
        f"institutions/{place.pk}.xml", "search.xml?q=knot",
    )  # fmt: skip
    return papers, names


@pytest.mark.parametrize("form", FORMS)
def test_every_feed_reads_and_has_the_newest_first(client, world, form):
    papers, names = world
    for name in names:
        feed = read(client, f"/{form}/{name}")
        assert feed.version == {"rss": "rss20", "atom": "atom10"}[form]
        assert [entry.title for entry in feed.entries] == ["Knot 3", "Knot 2", "Knot 1"], name
        first = feed.entries[0]
        assert first.link == f"http://localhost:8000{papers[2].get_absolute_url()}"
        assert first.id == f"http://localhost:8000/papers/{papers[2].pk}"
        assert [author.name for author in first.authors] == ["Ada Weaver"]
        assert first.published_parsed[:3] == (2021, 5, 3)
        assert [tag.term for tag in first.tags] == ["cs.CL"]
        assert first.summary == "We tie a knot and look at it."
        itself = [link.href for link in feed.feed.links if link.rel == "self"]
        assert itself == [f"http://localhost:8000/{form}/{name}"]
        assert client.get(feed.feed.link).status_code == 200
        assert client.get(f"/papers/{papers[2].pk}").headers["location"] == papers[2].get_absolute_url()


@pytest.mark.parametrize("form", FORMS)
def test_queries_do_not_grow_with_the_list(client, world, form):
    papers, names = world
    for name in names:
        with CaptureQueriesContext(connection) as many:
            client.get(f"/{form}/{name}")
        assert len(many) <= 5, (name, [query["sql"][:90] for query in many])
    Paper.objects.filter(pk__in=[paper.pk for paper in papers[1:]]).update(redirect_to=papers[0])
    for name in names[:-1]:
        with CaptureQueriesContext(connection) as one:
            client.get(f"/{form}/{name}")
        assert len(one) <= 5


@pytest.mark.parametrize("form", FORMS)
def test_nothing_harvested_runs_or_breaks_the_document(client, form):
    person = researcher("Ada <img src=x> Weaver")
    paper = paper_of(person, title="x", published_on=dt.date(2021, 1, 1), sort_date=dt.date(2021, 1, 1))
    # As older rows, and rows of another hand, may hold what ingest now takes out.
    Paper.objects.filter(pk=paper.pk).update(title=HOSTILE, abstract=HOSTILE)
    raw = client.get(f"/{form}/researchers/{person.pk}.xml").content
    feed = read(client, f"/{form}/researchers/{person.pk}.xml")
    assert feed.entries[0].title.startswith("< script>alert(1)< /script> & ")
    document = etree.fromstring(raw)
    texts = [element.text for element in document.iter() if element.text]
    for text in texts:
        # Whoever takes it for HTML finds no element in it.
        fragments = html.fragments_fromstring(f"<p>{text}</p>")
        assert [element.tag for element in fragments[0].iter()] == ["p"], text
    assert b"\x0b" not in raw
    assert feed.entries[0].summary.count("<script") == 0


def test_what_is_invented_or_withdrawn_says_so(client):
    PaperFactory(title="Thread", is_demo=True, status="withdrawn")
    assert read(client, "/rss/latest.xml").entries[0].title == "[Invented] [Withdrawn] Thread"


def test_the_name_of_an_entry_outlives_its_title_and_gets_no_new_one(client):
    paper = PaperFactory(title="Thread", arxiv_id="", kind="article")
    before = read(client, "/atom/latest.xml").entries[0]
    paper.title, paper.arxiv_id = "Cloth", "2101.99999"
    paper.save()
    after = read(client, "/atom/latest.xml").entries[0]
    assert (before.id, before.title, after.title) == (after.id, "Thread", "Cloth")
    assert before.link != after.link


@pytest.mark.parametrize("form", FORMS)
def test_a_reader_that_has_it_is_sent_nothing(client, world, form):
    papers, names = world
    for name in names:
        first = client.get(f"/{form}/{name}")
        again = client.get(f"/{form}/{name}", headers={"if-none-match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        since = client.get(f"/{form}/{name}", headers={"if-modified-since": first.headers["Last-Modified"]})
        assert since.status_code == 304
    later = dt.datetime.now(dt.UTC) + dt.timedelta(hours=1)
    Paper.objects.filter(pk=papers[0].pk).update(title="Another knot", updated_at=later)
    for name in names:
        fresh = client.get(
            f"/{form}/{name}",
            headers={"if-none-match": first.headers["ETag"], "if-modified-since": first.headers["Last-Modified"]},
        )
        assert fresh.status_code == 200


def test_a_feed_without_papers_is_whole_and_the_same_tomorrow(client):
    CategoryFactory()
    for form in FORMS:
        for name in ("latest.xml", "categories/cs.CL.xml", "categories/cs.xml"):
            assert read(client, f"/{form}/{name}").entries == []
            assert client.get(f"/{form}/{name}").headers["Last-Modified"] == "Thu, 01 Jan 1970 00:00:00 GMT"


def test_it_ends_after_so_many(client, monkeypatch):
    monkeypatch.setattr(feed_entries, "MOST_ENTRIES", 2)
    for _ in range(3):
        PaperFactory()
    assert len(read(client, "/rss/latest.xml").entries) == 2


def test_the_newest_papers_are_not_those_of_next_year(client):
    PaperFactory(title="Now", published_on=dt.date(2021, 1, 1))
    ahead = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=40)
    PaperFactory(title="Issue of next year", published_on=ahead, sort_date=ahead)
    assert [entry.title for entry in read(client, "/rss/latest.xml").entries] == ["Now"]


def test_a_revision_is_no_news_of_a_category_and_a_paper_is_there_once(client):
    category = CategoryFactory()
    one, other = PaperFactory(title="One"), PaperFactory(title="Other")
    list_in(category, one, dt.date(2021, 1, 1))
    list_in(category, one, dt.date(2021, 1, 3), "cross")
    list_in(category, other, dt.date(2021, 1, 2))
    list_in(category, other, dt.date(2021, 1, 9), "revised")
    assert [entry.title for entry in read(client, "/rss/categories/cs.CL.xml").entries] == ["One", "Other"]


def test_many_authors_are_counted(client):
    PaperFactory(authors=[f"Member {number}" for number in range(30)])
    authors = read(client, "/atom/latest.xml").entries[0].authors
    assert (len(authors), authors[-1].name) == (21, "and 10 more")


def test_other_names_lead_to_the_one(client):
    assert client.get("/rss/categories/none.xml").status_code == 404
    CategoryFactory()
    assert client.get("/rss/categories/CS.cl.xml").headers["location"] == "/rss/categories/cs.CL.xml"
    assert client.get("/atom/categories/CS.xml").headers["location"] == "/atom/categories/cs.xml"
    assert client.get("/atom/researchers/7777.xml").status_code == 404
    assert client.get(f"/atom/researchers/{'7' * 30}.xml").status_code == 404
    place = InstitutionFactory()
    assert client.get(f"/rss/institutions/0{place.pk}.xml").headers["location"] == f"/rss/institutions/{place.pk}.xml"
    assert client.get("/rss/institutions/7777.xml").status_code == 404


def test_whoever_asked_to_be_removed_has_no_feed(client):
    person = researcher("Ada Weaver")
    person.erased_at = dt.datetime.now(dt.UTC)
    person.save()
    response = client.get(f"/rss/researchers/{person.pk}.xml")
    assert response.status_code == 410
    assert b"Weaver" not in response.content


def test_a_feed_of_a_search_needs_a_search(client):
    assert client.get("/rss/search.xml").status_code == 400
    assert client.get("/rss/search.xml?q=knot&kind=carpet").status_code == 400


def test_a_search_that_is_down_says_when_to_come_back(client, monkeypatch):
    from papers.searching import SearchDown

    def fail(*args, **kwargs):
        raise SearchDown

    monkeypatch.setattr("wovepaper.pages.feeds.selections.search_papers", fail)
    response = client.get("/rss/search.xml?q=knot")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "60")


def test_pages_name_their_feeds(client, world):
    _papers, names = world
    person, place = names[3].split("/")[1][:-4], names[4].split("/")[1][:-4]
    pages = {
        "/": names[0], "/papers": names[0], "/categories/cs.CL": names[1], "/categories/cs": names[2],
        f"/researchers/{person}-ada-weaver": names[3], "/search?q=knot": names[5],
    }  # fmt: skip
    pages[client.get(f"/institutions/{place}").headers["location"]] = names[4]
    for address, name in pages.items():
        page = get(client, address)
        for form in FORMS:
            assert page.value(f"//link[@type='application/{form}+xml']/@href") == f"/{form}/{name}"
    assert get(client, "/papers?kind=thesis").all("//link[@type='application/rss+xml']") == []
    assert get(client, "/search").all("//link[@type='application/rss+xml']") == []


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, method):
    for name in ("latest.xml", "categories/cs.CL.xml", "researchers/1.xml", "institutions/1.xml", "search.xml?q=x"):
        assert getattr(client, method)(f"/rss/{name}").status_code == 405
