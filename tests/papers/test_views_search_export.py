"""What a search finds, as files for reference managers."""

import datetime as dt
import json

import bibtexparser
import pytest
import rispy
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.citations import reading
from papers.models import Paper
from papers.searching import SearchDown
from papers.views import search_export
from tests.factories import PaperFactory
from tests.html import get
from tests.searching import index_papers  # noqa: F401
from wovepaper.lib.limited_streams import LimitedStreams

pytestmark = pytest.mark.django_db


@pytest.fixture
def looms(index_papers):  # noqa: F811
    for year in (2019, 2020, 2021, 2022):
        PaperFactory(title=f"Looms of {year}", published_on=dt.date(year, 1, 1), doi=f"10.1234/{year}")
    PaperFactory(title="Looms and wheels", published_on=dt.date(2018, 1, 1), kind="article")
    PaperFactory(title="Wheels", published_on=dt.date(2023, 1, 1))
    index_papers()


def read(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return response, response.getvalue().decode()


def test_each_format_is_read_back_in_the_order_of_the_page(client, looms):
    titles = ["Looms of 2022", "Looms of 2021", "Looms of 2020", "Looms of 2019", "Looms and wheels"]
    assert get(client, "/search?q=looms&sort=newest").titles == titles
    response, text = read(client, "/search.bib?q=looms&sort=newest")
    assert response.headers["Content-Type"] == "application/x-bibtex; charset=utf-8"
    assert response.headers["Content-Disposition"] == 'attachment; filename="search.bib"'
    library = bibtexparser.parse_string(text)
    assert [entry["title"] for entry in library.entries] == titles
    assert len({entry.key for entry in library.entries}) == 5
    _, text = read(client, "/search.ris?q=looms&sort=newest")
    assert [entry.get("title") or entry["primary_title"] for entry in rispy.loads(text)] == titles
    response, text = read(client, "/search.json?q=looms&sort=newest")
    assert response.headers["Content-Type"] == "application/vnd.citationstyles.csl+json"
    assert [item["title"] for item in json.loads(text)] == titles


def test_all_of_the_words_and_the_filters_hold(client, looms):
    assert [item["title"] for item in json.loads(read(client, "/search.json?q=looms+wheels")[1])] == [
        "Looms and wheels"
    ]
    assert len(json.loads(read(client, "/search.json?q=looms&kind=article")[1])) == 1
    assert len(json.loads(read(client, "/search.json?q=year:2020..2021")[1])) == 2
    assert json.loads(read(client, "/search.json?q=nothing+of+the+kind")[1]) == []


def test_it_ends_after_so_many(client, looms, monkeypatch):
    monkeypatch.setattr(search_export, "MOST_PAPERS", 2)
    items = json.loads(read(client, "/search.json?q=looms&sort=oldest")[1])
    assert [item["title"] for item in items] == ["Looms and wheels", "Looms of 2019"]


def test_papers_are_read_a_few_at_a_time_and_merged_ones_left_out(client, looms, monkeypatch):
    monkeypatch.setattr(reading, "PAPERS_AT_A_TIME", 2)
    with CaptureQueriesContext(connection) as queries:
        items = json.loads(read(client, "/search.json?q=looms")[1])
    assert len(items) == 5
    # Counts of authors, then papers, authors and printed names for each two of them.
    assert len(queries) == 1 + 3 * 3
    first = Paper.objects.get(title="Wheels")
    Paper.objects.filter(title="Looms of 2020").update(redirect_to=first)
    assert len(json.loads(read(client, "/search.json?q=looms")[1])) == 4


def test_what_is_asked_wrongly_is_an_error(client, looms):
    for address in ("/search.bib", "/search.bib?q=", "/search.bib?q=looms&kind=carpet", "/search.bib?q=x&sort=colour"):
        assert client.get(address).status_code == 400, address
    assert client.get("/search.pdf?q=looms").status_code == 404


def test_only_a_few_are_sent_at_once(client, looms, monkeypatch):
    monkeypatch.setattr(search_export, "FILES", LimitedStreams(1))
    # Closing an answer by hand would close the connection, with this test's transaction.
    monkeypatch.setattr(connection, "close_if_unusable_or_obsolete", lambda: None)
    held = client.get("/search.bib?q=looms")
    busy = client.get("/search.bib?q=looms")
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "30")
    assert client.head("/search.bib?q=looms").status_code == 200
    held.close()
    read(client, "/search.bib?q=looms")


def test_a_search_that_is_down_takes_no_place(client, monkeypatch):
    monkeypatch.setattr(search_export, "FILES", LimitedStreams(1))

    def fail(*args, **kwargs):
        raise SearchDown

    monkeypatch.setattr(search_export, "search_numbers", fail)
    for _ in range(2):
        response = client.get("/search.bib?q=looms")
        assert (response.status_code, response.headers["Retry-After"]) == (503, "30")
        assert b"not answering" in response.content


def test_the_page_leads_there(client, looms):
    page = get(client, "/search?q=looms&sort=oldest&kind=preprint")
    links = page.all("//a[@download]/@href")
    assert links == [f"/search.{ending}?q=looms&kind=preprint&sort=oldest" for ending in ("bib", "ris", "json")]
    for link in links:
        read(client, link)
    assert get(client, "/search?q=nothing+here").all("//a[@download]") == []


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, method):
    assert getattr(client, method)("/search.bib?q=x").status_code == 405
