"""Long files of references are sent a few at a time, and every way for one to end lets the next begin."""

from __future__ import annotations

import gc
import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from papers.citations import reading
from researchers.services.profile import export
from researchers.views import researcher_download
from tests.researchers.people import researcher
from tests.researchers.works import people, write_many
from wovepaper.lib.limited_streams import LimitedStreams

PATIENCE = 60
"""Seconds after which a thread is taken to be stuck."""


@pytest.fixture(autouse=True)
def _short_files_are_tiny(monkeypatch):
    """Three papers are a long file; places are this test's own."""
    # Closing an answer by hand would close the connection, with this test's transaction.
    monkeypatch.setattr(connection, "close_if_unusable_or_obsolete", lambda: None)
    monkeypatch.setattr(export, "PAPERS_OF_A_SHORT_FILE", 2)
    monkeypatch.setattr(reading, "PAPERS_AT_A_TIME", 1)
    monkeypatch.setattr(researcher_download, "LONG_FILES", LimitedStreams(2))


def author_of(papers: int, others: int = 1):
    first, *crowd = people(*(f"Ada Weaver{'r' * number}" for number in range(others + 1)))
    write_many(first, [[one.pk for one in crowd]] * papers)
    return first


def address_of(person, extension="bib"):
    return f"{person.get_absolute_url()}.{extension}"


def begin_two(client, person):
    """Both places taken; a third is refused."""
    taken = [client.get(address_of(person, extension)) for extension in ("bib", "ris")]
    assert [response.status_code for response in taken] == [200, 200]
    assert client.get(address_of(person)).status_code == 503
    return taken


def free_places(client, person):
    """How many more downloads could begin now; they are closed again."""
    begun = []
    while (response := client.get(address_of(person))).status_code == 200:
        begun.append(response)
    for one in begun:
        one.close()
    return len(begun)


@pytest.mark.django_db
def test_the_third_is_asked_to_come_back(client):
    ada = author_of(3)
    taken = begin_two(client, ada)
    for extension in ("bib", "ris"):
        response = client.get(address_of(ada, extension))
        assert (response.status_code, response.headers["Retry-After"]) == (503, "30")
        assert "Content-Disposition" not in response.headers
        assert "Try again in a moment" in response.text
        assert "again in half a minute" in response.text
    markdown = client.get(address_of(ada), headers={"accept": "text/markdown"})
    assert markdown.status_code == 503
    assert markdown.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert "again in half a minute" in markdown.text
    assert b"".join(taken[0].streaming_content).count(b"@") == 3
    assert free_places(client, ada) == 1
    assert b"".join(taken[1].streaming_content).count(b"ER  -") == 3
    assert free_places(client, ada) == 2


@pytest.mark.django_db
@pytest.mark.parametrize("encoding", ["identity", "gzip"])
@pytest.mark.parametrize("read", [0, 1])
def test_answers_closed_early_let_others_begin(client, encoding, read):
    """As when the reader goes away before the first byte, or after some."""
    client.defaults["HTTP_ACCEPT_ENCODING"] = encoding
    ada = author_of(3)
    for number, response in enumerate(begin_two(client, ada), start=1):
        for _ in range(read):
            next(iter(response.streaming_content))
        response.close()
        response.close()
        assert free_places(client, ada) == number


@pytest.mark.django_db
def test_an_error_midway_lets_others_begin(client, monkeypatch):
    ada = author_of(3)

    def failing(root, *, site_url):
        yield next(citations_of(root, site_url=site_url))
        raise OSError("the database went away")

    citations_of = researcher_download.citations_of
    with monkeypatch.context() as patched:
        patched.setattr(researcher_download, "citations_of", failing)
        taken = begin_two(client, ada)
    for response in taken:
        with pytest.raises(OSError, match="went away"):
            b"".join(response.streaming_content)
    assert free_places(client, ada) == 2


@pytest.mark.django_db
def test_answers_lost_on_their_way_out_let_others_begin(rf):
    """As where a middleware fails after the view: nobody closes them."""
    ada = author_of(3)
    request, address = rf.get(address_of(ada)), address_of(ada).removeprefix("/researchers/").removesuffix(".bib")
    for _ in range(5):
        response = researcher_download.download(request, address, "bib")
        assert response.status_code == 200
        del response
        gc.collect()


@pytest.mark.django_db
def test_short_files_and_head_take_no_place_and_need_none(client):
    ada, short, nobody = author_of(3), author_of(2), researcher("Bo Spindle")
    for _ in range(3):  # kept open, all of them
        assert client.head(address_of(ada)).status_code == 200
    open_ones = [client.get(address_of(short)) for _ in range(5)]
    assert [response.status_code for response in open_ones] == [200] * 5
    taken = begin_two(client, ada)
    assert client.get(address_of(short)).status_code == 200
    assert client.get(address_of(nobody)).status_code == 200
    head = client.head(address_of(ada))
    assert head.status_code == 200
    assert b"".join(head.streaming_content) == b""
    for field in ("Content-Type", "Content-Disposition"):
        assert head.headers[field] == taken[0].headers[field]


@pytest.mark.django_db
def test_head_reads_no_papers(client, monkeypatch):
    def unread(*arguments, **keywords):
        raise AssertionError("nobody reads this body")

    ada = author_of(3)
    monkeypatch.setattr(researcher_download, "citations_of", unread)
    response = client.head(address_of(ada))
    assert b"".join(response.streaming_content) == b""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("papers", "others", "long"), [(0, 0, False), (2, 1, False), (3, 0, True), (2, 2, False), (2, 3, True)]
)
def test_what_is_long_by_papers_or_by_authors_in_one_query(monkeypatch, papers, others, long):
    monkeypatch.setattr(export, "AUTHORS_OF_A_SHORT_FILE", 6)
    ada = author_of(papers, others)
    with CaptureQueriesContext(connection) as captured:
        assert export.is_long(ada.pk) is long
    assert len(captured) == 1


@pytest.mark.django_db(transaction=True)
def test_eight_at_once_leave_threads_for_others(monkeypatch):
    """Eight threads, as a web process has; downloads that do not end before they are told to; then a health check."""
    ada = author_of(3)
    go_on = threading.Event()
    together = threading.Barrier(8)
    citations_of = researcher_download.citations_of

    def held(root: int, *, site_url: str) -> Iterator[list[object]]:
        assert go_on.wait(PATIENCE)
        yield from citations_of(root, site_url=site_url)

    def ask(address: str) -> tuple[int, bytes]:
        try:
            response = Client().get(address)
            return response.status_code, response.getvalue()
        finally:
            connections.close_all()

    def download() -> tuple[int, bytes]:
        together.wait(PATIENCE)
        return ask(address_of(ada))

    monkeypatch.setattr(researcher_download, "citations_of", held)
    with ThreadPoolExecutor(8) as pool:
        downloads: list[Future[tuple[int, bytes]]] = [pool.submit(download) for _ in range(8)]
        try:
            # It waits behind the eight in the pool's queue, as in the web process's.
            assert pool.submit(ask, "/livez").result(PATIENCE / 2)[0] == 200
            # Whoever came late was to find both places taken still.
            list(itertools.islice(as_completed(downloads, PATIENCE), 6))
        finally:
            go_on.set()
        answers = [one.result(PATIENCE) for one in downloads]
        assert sorted(status for status, _ in answers) == [200] * 2 + [503] * 6
        assert [body.count(b"@misc") for status, body in answers if status == 200] == [3, 3]
        assert pool.submit(ask, address_of(ada)).result(PATIENCE)[0] == 200
