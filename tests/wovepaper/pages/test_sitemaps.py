"""The sitemap, as a crawler reads it."""

import datetime as dt
import tracemalloc

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from lxml import etree

from papers.models import CategoryListing, Paper
from tests.factories import CategoryFactory, InstitutionFactory, PaperFactory
from tests.html import get
from tests.researchers.people import researcher
from tests.researchers.works import paper_of
from wovepaper.lib.limited_streams import LimitedStreams
from wovepaper.pages import sitemaps

pytestmark = pytest.mark.django_db

SITE = "http://localhost:8000"
SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture(autouse=True)
def nothing_kept():
    sitemaps.OVERVIEWS.clear()


def read(client, address):
    """The paths in a file of the sitemap, with ``lastmod``."""
    response = client.get(address)
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/xml; charset=utf-8")
    root = etree.fromstring(response.getvalue())
    entries = {}
    for entry in root:
        found = entry.find(f"{SPACE}loc").text
        assert found.startswith(f"{SITE}/")
        entries[found.removeprefix(SITE)] = entry.findtext(f"{SPACE}lastmod")
    assert len(entries) == len(root)
    return entries


def everything(client):
    paths = {}
    for file in read(client, "/sitemap.xml"):
        paths |= read(client, file)
    return paths


def test_every_address_is_a_page_for_search_engines_and_its_own_canonical_one(client):
    category = CategoryFactory()
    person, merged = researcher("Ada Weaver"), researcher("A. Weaver")
    paper = paper_of(person, title="Knots & <b>looms</b>", doi="10.1234/a&b")
    CategoryListing.objects.create(category=category, paper=paper, day=dt.date(2021, 5, 1), kind="new")
    gone = PaperFactory(title="Gone", redirect_to=paper)
    PaperFactory(title="Über $x$", arxiv_id="", kind="article")
    place, withdrawn = InstitutionFactory(), InstitutionFactory(status="withdrawn")
    paths = everything(client)
    for path in paths:
        page = get(client, path)
        assert page.all("//meta[@name='robots']") == [], path
        assert page.value("//link[@rel='canonical']/@href") == f"{SITE}{path}"
    expected = {
        "/", "/papers", "/researchers", "/institutions", "/categories", "/about", "/contact", "/privacy",
        "/developers", "/categories/cs", "/categories/cs.CL", paper.get_absolute_url(), person.get_absolute_url(),
        place.get_absolute_url(),
    }  # fmt: skip
    assert expected <= set(paths)
    # Merged, withdrawn, without a paper.
    for other in (gone, merged, withdrawn):
        assert other.get_absolute_url() not in paths
    assert paths["/categories/cs.CL"] == paths["/categories/cs"] == "2021-05-01"


def test_the_last_change_is_that_of_the_row_and_of_the_file(client):
    moment = dt.datetime(2022, 3, 4, 5, 6, 7, tzinfo=dt.UTC)
    old = PaperFactory()
    Paper.objects.filter(pk=old.pk).update(updated_at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
    new = PaperFactory()
    Paper.objects.filter(pk=new.pk).update(updated_at=moment)
    files = read(client, "/sitemap.xml")
    (file,) = [file for file in files if file.startswith("/sitemaps/papers-")]
    assert files[file] == "2022-03-04T05:06:07+00:00"
    paths = read(client, file)
    assert paths[new.get_absolute_url()] == "2022-03-04T05:06:07+00:00"
    assert paths[old.get_absolute_url()] == "2020-01-01T00:00:00+00:00"


def test_files_have_no_more_than_they_may_and_together_everything_once(client, monkeypatch):
    monkeypatch.setattr(sitemaps, "MOST_ADDRESSES", 7)
    papers = [PaperFactory(authors=[]) for _ in range(23)]
    Paper.objects.filter(pk__in=[paper.pk for paper in papers[3:14]]).update(redirect_to=papers[0])
    files = [file for file in read(client, "/sitemap.xml") if "papers-" in file]
    assert len(files) >= 2
    seen = []
    for file in files:
        paths = list(read(client, file))
        assert 1 <= len(paths) <= 7
        seen += paths
    expected = [paper.get_absolute_url() for paper in papers[:3] + papers[14:]]
    assert seen == expected  # by number, each once
    number = max(int(file.rsplit("-", 1)[1].removesuffix(".xml")) for file in files)
    assert client.get(f"/sitemaps/papers-{number + 1}.xml").status_code == 404
    assert client.get("/sitemaps/papers-00.xml").status_code == 404
    assert client.get("/sitemaps/readers-0.xml").status_code == 404


def test_an_address_stays_in_its_file_when_others_go(client, monkeypatch):
    monkeypatch.setattr(sitemaps, "MOST_ADDRESSES", 5)
    papers = [PaperFactory(authors=[]) for _ in range(12)]
    last = papers[-1].get_absolute_url()
    file = f"/sitemaps/papers-{papers[-1].pk // 5}.xml"
    assert last in read(client, file)
    Paper.objects.filter(pk__in=[paper.pk for paper in papers[1:8]]).update(redirect_to=papers[0])
    sitemaps.OVERVIEWS.clear()
    assert last in read(client, file)


def test_rows_are_read_a_few_at_a_time(client, monkeypatch):
    monkeypatch.setattr(sitemaps, "MOST_ADDRESSES", 10**9)  # all in one file
    for _ in range(9):
        PaperFactory(authors=[])
    counts = {}
    for rows in (3, 100):
        monkeypatch.setattr(sitemaps, "ROWS_AT_A_TIME", rows)
        with CaptureQueriesContext(connection) as queries:
            pieces = list(sitemaps.write_file("papers", 0))
        counts[rows] = (len(queries), len(pieces))
        assert sum(piece.count("<url>") for piece in pieces) == 9
    assert counts == {3: (4, 5), 100: (2, 3)}


def test_memory_does_not_grow_with_the_file(monkeypatch):
    monkeypatch.setattr(sitemaps, "ROWS_AT_A_TIME", 100)
    monkeypatch.setattr(sitemaps, "MOST_ADDRESSES", 10**9)  # all in one file

    def peak(rows):
        Paper.objects.bulk_create([Paper(title=f"Knot {number}", kind="article") for number in range(rows)])
        next(sitemaps.write_file("papers", 0))
        tracemalloc.start()
        try:
            count = sum(piece.count("<url>") for piece in sitemaps.write_file("papers", 0))
            return count, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, small = peak(500)
    many, large = peak(4_500)
    assert (few, many) == (500, 5_000)
    assert large < 1.5 * small + 100_000, (small, large)


def test_the_overview_is_kept_and_costs_one_statement_for_each_kind(client):
    PaperFactory()
    with CaptureQueriesContext(connection) as first:
        client.get("/sitemap.xml")
    with CaptureQueriesContext(connection) as again:
        client.get("/sitemap.xml")
    assert (len(first), len(again)) == (3, 0)


def test_a_crawler_that_has_a_file_is_sent_nothing(client):
    paper = PaperFactory()
    file = f"/sitemaps/papers-{paper.pk // sitemaps.MOST_ADDRESSES}.xml"
    response = client.get(file)
    etag = response.headers["ETag"]
    response.getvalue()
    assert client.get(file, headers={"if-none-match": etag}).status_code == 304
    PaperFactory()
    sitemaps.OVERVIEWS.clear()
    assert client.get(file, headers={"if-none-match": etag}).status_code == 200


def test_only_a_few_are_sent_at_once_and_a_dropped_one_gives_its_place_back(client, monkeypatch):
    monkeypatch.setattr(sitemaps, "FILES", LimitedStreams(1))
    # Closing an answer by hand would close the connection, with this test's transaction.
    monkeypatch.setattr(connection, "close_if_unusable_or_obsolete", lambda: None)
    paper = PaperFactory()
    file = f"/sitemaps/papers-{paper.pk // sitemaps.MOST_ADDRESSES}.xml"
    held = client.get(file)
    busy = client.get(file)
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "30")
    assert client.head(file).status_code == 200
    held.close()
    assert client.get(file).getvalue().count(b"<url>") == 1


def test_pages_that_staff_keep_for_members_are_left_out(client):
    from django.contrib.flatpages.models import FlatPage

    FlatPage.objects.create(url="/inside/", title="Inside", registration_required=True)
    FlatPage.objects.create(url="/outside/", title="Outside")
    paths = read(client, "/sitemaps/pages.xml")
    assert "/outside" in paths
    assert "/inside" not in paths


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("address", ["/sitemap.xml", "/sitemaps/pages.xml", "/sitemaps/papers-0.xml"])
def test_other_methods_are_refused(client, address, method):
    assert getattr(client, method)(address).status_code == 405
