"""A ``solr://`` address: Haystack's stock backend, against answers such as Solr gives them."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from haystack import connections
from haystack.backends.solr_backend import SolrSearchBackend
from haystack.query import SearchQuerySet
from haystack.utils.loading import UnifiedIndex
from lxml import etree

from papers.models import Paper
from tests.wovepaper.search.indexes import PaperIndex
from wovepaper.search.backend import Updated
from wovepaper.search.services import total_hits, update_documents

FOUND = 26
ROOT = Path(__file__).resolve().parents[3]


class Solr(ThreadingHTTPServer):
    """Answers a search with two documents and keeps what it is sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.searches: list[dict[str, list[str]]] = []
        self.updates: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: Solr

    def _read(self) -> str:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()

    def _answer(self, answer: object) -> None:
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _search(self, query: str) -> None:
        asked = parse_qs(query)
        self.server.searches.append(asked)
        start, rows = int(asked["start"][0]), int(asked["rows"][0])
        documents = [
            {"id": f"papers.paper.{pk}", "django_ct": "papers.paper", "django_id": str(pk), "score": 2.5 / pk}
            | {"title": f"Paper {pk}", "year": 2000 + pk, "sort_date": "2001-01-02T00:00:00Z", "categories": ["a"]}
            for pk in range(start + 1, min(start + rows, FOUND) + 1)
        ]
        self._answer(
            {
                "responseHeader": {"status": 0},
                "response": {"numFound": FOUND, "start": 0, "maxScore": 2.5, "docs": documents},
                "facet_counts": {
                    "facet_fields": {"kind_exact": ["book", 7, "article", 3]},
                    "facet_queries": {},
                    "facet_dates": {},
                },
                "highlighting": {"papers.paper.1": {"text": ["<em>Paper</em>"]}},
            }
        )

    def do_GET(self) -> None:
        self._search(urlsplit(self.path).query)

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        body = self._read()
        if path == "/solr/papers/select":
            self._search(body)
        elif path == "/solr/papers/update/":
            self.server.updates.append(body)
            self._answer({"responseHeader": {"status": 0}})
        else:
            self.send_error(404)

    def log_message(self, *args: object) -> None:
        return


@pytest.fixture
def solr():
    server = Solr()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    engine = connections["default"]
    before = engine._index, engine._backend
    unified = UnifiedIndex()
    unified.build(indexes=[PaperIndex()])
    engine._index = unified
    try:
        yield server
    finally:
        engine._index, engine._backend = before
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def solr_backend(solr, monkeypatch):
    """The connection as the settings make it of the address."""
    options = _connection(f"solr://127.0.0.1:{solr.server_port}/solr/papers")
    assert options.pop("ENGINE") == "haystack.backends.solr_backend.SolrEngine"
    monkeypatch.setattr(connections["default"], "_backend", SolrSearchBackend("default", **options))
    from haystack.backends.solr_backend import SolrSearchQuery

    monkeypatch.setattr(type(connections["default"]), "query", SolrSearchQuery)
    return connections["default"].get_backend()


def _settings(address: str, script: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"SEARCH_URL": address, "DJANGO_SETTINGS_MODULE": "wovepaper.settings"}
    command = [sys.executable, "-c", f"import json\nfrom django.conf import settings\n{script}"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def _connection(address: str) -> dict[str, object]:
    done = _settings(address, "print(json.dumps(settings.HAYSTACK_CONNECTIONS['default']))")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_addresses():
    assert _connection("tantivy:///srv/search") == {
        "ENGINE": "wovepaper.search.backend.TantivyEngine",
        "PATH": "/srv/search",
        "INCLUDE_SPELLING": True,
        "SILENTLY_FAIL": False,
    }
    assert _connection("solr://solr.example.org:8983/solr/papers") == {
        "ENGINE": "haystack.backends.solr_backend.SolrEngine",
        "URL": "http://solr.example.org:8983/solr/papers",
        "TIMEOUT": 10,
        "SILENTLY_FAIL": False,
    }
    refused = _settings("http://example.org/solr", "settings.HAYSTACK_CONNECTIONS")
    assert refused.returncode != 0
    assert "SEARCH_URL must begin with tantivy:// or solr://" in refused.stderr


def test_search(solr, solr_backend):
    results = SearchQuerySet().auto_query('neural "graph theory"').narrow('kind_exact:"book"').facet("kind")
    results = results.order_by("-sort_date").highlight()
    hits = results[:24]
    assert [(hit.pk, hit.title, hit.year) for hit in hits] == [(f"{n}", f"Paper {n}", 2000 + n) for n in range(1, 25)]
    assert {hit.model for hit in hits} == {Paper}
    assert hits[0].sort_date == dt.date(2001, 1, 2)
    assert hits[0].categories == ["a"]
    assert hits[0].score == 2.5
    assert hits[0].highlighted == {"text": ["<em>Paper</em>"]}
    assert total_hits(results) == results.count() == FOUND
    assert results.facet_counts()["fields"] == {"kind": [("book", 7), ("article", 3)]}
    (sent,) = solr.searches
    assert [hit.pk for hit in results[24:48]] == ["25", "26"]
    assert sent["q"] == ['(neural "graph theory")']
    assert sent["df"] == ["text"]
    assert sent["sort"] == ["sort_date desc"]
    assert sent["rows"] == ["24"]
    assert sent["facet.field"] == ["kind_exact"]
    assert sorted(sent["fq"]) == ["django_ct:(papers.paper)", 'kind_exact:"book"']


@pytest.mark.django_db
def test_update_documents(solr, solr_backend):
    papers = [Paper.objects.create(title=f"A <b> {number}", kind="book") for number in range(2)]
    gone = papers[-1].pk + 1
    assert update_documents(model=Paper, ids=[*(paper.pk for paper in papers), gone]) == Updated(2, 1)
    added = [update for update in solr.updates if update.startswith(("<add", "["))]
    removed = [update for update in solr.updates if f"papers.paper.{gone}" in update]
    assert len(added) == 1
    titles = (
        [document["title"] for document in json.loads(added[0])]
        if added[0].startswith("[")
        else etree.fromstring(added[0].encode()).xpath("//field[@name='title']/text()")
    )
    assert titles == ["A <b> 0", "A <b> 1"]
    assert len(removed) == 1
    assert "<delete>" in removed[0]
