import datetime as dt
import json
from pathlib import Path

import pytest
import schemathesis
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from papers.curating import merge_papers
from papers.merging import ensure_curated
from papers.models import Paper
from papers.searching import SearchDown
from researchers.models import Researcher
from tests.factories import CategoryFactory, InstitutionFactory, PaperFactory, SourceRecordFactory
from tests.html import get
from tests.papers.test_api import ask, problem
from tests.researchers.people import arrive, curator, merge, place, researcher
from tests.searching import index_papers  # noqa: F401
from wovepaper.api import document_text, interface
from wovepaper.search.meaning.encoders import EncoderUnavailable
from wovepaper.search.services import update_documents
from wovepaper.wsgi import application

pytestmark = pytest.mark.django_db

SNAPSHOT = Path(__file__).with_name("openapi.json")


# --- search ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def looms(index_papers):  # noqa: F811
    ag = CategoryFactory(code="math.AG", name="Algebraic Geometry")
    made = [
        PaperFactory(title="Power looms", abstract="A warp.", published_on=dt.date(2020, 1, 1)),
        PaperFactory(
            title="Hand weaving", abstract="Many looms.", published_on=dt.date(2021, 1, 1), primary_category=ag
        ),
        PaperFactory(title="Spinning", abstract="No more.", published_on=dt.date(2022, 1, 1), kind="article"),
    ]
    index_papers()
    return made


def titles(found):
    return [item["title"] for item in found["items"]]


def test_hits_are_papers_as_they_are_elsewhere(client, looms):
    found = ask(client, "/api/v1/search?q=power+looms&type=paper&mode=lexical&sort=oldest")
    assert titles(found) == ["Power looms"]
    assert (found["count"], found["next"], found["mode"], found["type"]) == (1, None, None, "paper")
    assert ask(client, "/api/v1/search?q=power+looms&mode=lexical")["mode"] == "lexical"
    alone = ask(client, f"/api/v1/papers/{looms[0].pk}")
    assert found["items"][0] == alone


def test_filters_orders_and_pages_of_a_search(client, looms):
    assert titles(ask(client, "/api/v1/search?q=looms&category=math.ag")) == ["Hand weaving"]
    assert titles(ask(client, "/api/v1/search?q=looms&year=2020")) == ["Power looms"]
    assert titles(ask(client, "/api/v1/search?q=&kind=article")) == ["Spinning"]
    assert titles(ask(client, "/api/v1/search?q=looms&sort=newest")) == ["Hand weaving", "Power looms"]
    first = ask(client, "/api/v1/search?q=looms&sort=oldest&limit=1&select=title")
    assert (first["items"], first["count"]) == ([{"title": "Power looms"}], 2)
    second = ask(client, first["next"])
    assert (second["items"], second["next"]) == ([{"title": "Hand weaving"}], None)
    problem(client, first["next"].replace("q=looms", "q=spin"), 400, "bad-cursor")


def test_what_is_pasted_finds_its_paper_alone(client, looms):
    assert titles(ask(client, f"/api/v1/search?q=arXiv:{looms[2].arxiv_id}v1")) == ["Spinning"]


@pytest.mark.parametrize(
    "q",
    [
        '"',
        "-",
        "OR",
        "OR OR",
        "(",
        "title:",
        "%00",
        "a:b:c",
        "%EF%BF%BF",
        "%ff",
        "*",
        "x" * 3_000,
        "-looms",
        "\\",
        "AND",
    ],
)
def test_no_query_is_an_error(client, looms, q):
    for kind in ("paper", "researcher", "institution"):
        ask(client, f"/api/v1/search?type={kind}&q={q}")


def test_what_was_not_understood_is_remarked(client, looms):
    found = ask(client, '/api/v1/search?q="looms')
    assert found["remarks"] == ["A quotation mark has no partner, so it was left out."]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("type=book", "type"), ("mode=magic", "mode"), ("sort=best", "sort"), ("year=12", "year"), ("year=x", "year"),
        ("category=none", "category"), ("country=XX", "country"), ("institution=none", "institution"),
        ("kind=poem", "kind"), ("type=researcher&kind=article", "kind"), ("type=institution&year=2020", "year"),
        ("type=researcher&mode=lexical", "mode"), ("limit=101", "limit"), ("type=institution&select=title", "select"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_beside_the_query_is_named(client, query, name):
    found = problem(client, f"/api/v1/search?q=looms&{query}", 400, "bad-parameter")
    assert [fault["name"] for fault in found["errors"]] == [name]


def test_people_and_places_are_found(client, index_papers):  # noqa: F811
    ada = researcher("Ada Weaver")
    arrive(ada, place(PaperFactory()))
    update_documents(model=Researcher, ids=[ada.pk])
    hall = InstitutionFactory(display_name="Loom Hall", paper_count=2)
    hall.names.create(value="Loom Hall", kind="label", key=" loom hall")
    other = InstitutionFactory(display_name="Loom House", paper_count=1, country="DE")
    other.names.create(value="Loom House", kind="label", key=" loom house")
    found = ask(client, "/api/v1/search?type=researcher&q=weaver+a")
    assert [item["id"] for item in found["items"]] == [ada.pk]
    assert found["items"][0] == ask(client, f"/api/v1/researchers/{ada.pk}")
    found = ask(client, "/api/v1/search?type=institution&q=loom&limit=1")
    assert (found["items"], found["count"]) == ([ask(client, f"/api/v1/institutions/{hall.pk}")], 2)
    assert [item["id"] for item in ask(client, found["next"])["items"]] == [other.pk]
    found = ask(client, "/api/v1/search?type=institution&q=loom&country=de")
    assert [item["id"] for item in found["items"]] == [other.pk]


@pytest.mark.parametrize("error", [SearchDown(), EncoderUnavailable("none")])
def test_a_search_that_is_down_says_when_to_come_back(client, monkeypatch, error):
    def fail(*arguments, **named):
        raise error

    monkeypatch.setattr("wovepaper.finding.search_papers", fail)
    response = client.get("/api/v1/search?q=looms")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "30")
    assert response.json()["code"] == "search-down"


def test_queries_of_a_search_do_not_grow(client, index_papers):  # noqa: F811
    counts = []
    for number in (1, 40):
        for _ in range(number):
            PaperFactory(title="Looms", versions_made=1)
        index_papers()
        with CaptureQueriesContext(connection) as captured:
            ask(client, "/api/v1/search?q=looms&limit=100&mode=lexical")
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 12


# --- changes of identity ---------------------------------------------------------------------------------------------


def test_merges_of_papers_and_people_are_told_oldest_first(client):
    user = curator()
    user.is_superuser = True
    user.save()
    kept, lost = PaperFactory(), PaperFactory(arxiv_id="")
    ensure_curated([kept.pk, lost.pk])
    merge_papers(
        survivor=kept.pk, losers=[lost.pk], actor=user, reason="secret", key="k", versions={kept.pk: 1, lost.pk: 1}
    )
    ada, also = researcher("Ada Weaver"), researcher("A. Weaver")
    event = merge(also, ada, user).event
    found = ask(client, "/api/v1/identity/changes")
    assert "secret" not in json.dumps(found)
    assert "example.org" not in json.dumps(found).replace(settings.SITE_URL, "")
    assert found["count"] == 2
    paper, person = found["items"]
    assert {**paper, "at": "", "id": ""} == {
        "id": "", "type": "paper", "kind": "merge", "old_id": lost.pk, "new_id": kept.pk,
        "old_url": f"{settings.SITE_URL}/papers/{lost.pk}", "new_url": f"{settings.SITE_URL}/papers/{kept.pk}",
        "undoes": None, "at": "",
    }  # fmt: skip
    assert (person["id"], person["type"], person["old_id"], person["new_id"]) == (
        f"researcher-{event.pk}", "researcher", event.loser_id, event.survivor_id,
    )  # fmt: skip
    first = ask(client, "/api/v1/identity/changes?limit=1")
    assert first["items"] == [paper]
    second = ask(client, first["next"])
    assert (second["items"], second["next"]) == ([person], None)
    only = ask(client, "/api/v1/identity/changes?type=researcher")
    assert (only["items"], only["count"]) == ([person], 1)
    since = person["at"].replace("+", "%2B")
    assert ask(client, f"/api/v1/identity/changes?since={since}")["items"] == [person]
    for bad in ("yesterday", "0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-14:00"):
        problem(client, f"/api/v1/identity/changes?since={bad}", 400, "bad-parameter")


# --- the document ----------------------------------------------------------------------------------------------------


def test_the_document_is_the_one_that_was_agreed():
    """Whoever changes the interface sees it here: write the file anew with what `/openapi.json` says."""
    described = json.loads(document_text("https://papers.example.org"))
    assert described == json.loads(SNAPSHOT.read_text(encoding="utf-8"))


def test_the_document_is_served_for_everybody(client):
    response = client.get("/openapi.json")
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.json()["servers"] == [{"url": settings.SITE_URL}]
    addresses = set(response.json()["paths"])
    assert "/api/v1/papers/{ref}" in addresses
    assert len(addresses) == 14


def test_the_page_for_developers_has_every_operation(client):
    page = get(client, "/developers")
    assert page.one("//h1") == "Developers"
    described = interface.document(server="")
    for address, methods in described["paths"].items():
        assert f"GET {address}" in page.texts("//section/p/code")
        assert page.all(f"//h3[@id='{methods['get']['operationId']}']")
    assert page.all("//a[@href='/openapi.json']")
    assert page.all("//dt[@id='bad-cursor']")
    assert page.all("//footer//a[@href='/developers']")
    assert page.all("//footer//a[@href='/openapi.json']")
    sources = [*page.all("//script/@src"), *page.all("//link[@rel='stylesheet']/@href"), *page.all("//img/@src")]
    assert sources
    assert [source for source in sources if not str(source).startswith("/static/")] == []


def test_the_page_for_developers_as_markdown(client):
    for response in (client.get("/developers.md"), client.get("/developers", HTTP_ACCEPT="text/markdown")):
        assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
        assert "/api/v1/papers/{ref}" in response.text
    assert client.get("/openapi.json", HTTP_ACCEPT="text/markdown").headers["Content-Type"] == "application/json"
    assert client.get("/api/v1/categories", HTTP_ACCEPT="text/markdown").headers["Content-Type"] == "application/json"


# --- what the document says is what happens --------------------------------------------------------------------------


CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance,
]  # fmt: skip
OPERATIONS = [
    f"GET {address}" for address in json.loads(SNAPSHOT.read_text(encoding="utf-8"))["paths"]
] if SNAPSHOT.exists() else []  # fmt: skip


@pytest.fixture
def one_connection():
    """Requests leave the connection of the test open, as those of Django's own client do."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("one_connection")
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=lambda mode: mode.value)
@pytest.mark.parametrize("label", OPERATIONS)
def test_whatever_is_asked_the_answer_is_a_documented_one(label, mode, index_papers, settings):  # noqa: F811
    settings.SECURE_SSL_REDIRECT = False
    settings.API_REQUESTS_PER_MINUTE = 0 if mode is GenerationMode.NEGATIVE else 100_000
    paper = PaperFactory(title="Looms", versions_made=1, doi="10.5555/loom.1")
    merged = PaperFactory()
    Paper.objects.filter(pk=merged.pk).update(redirect_to=paper)
    SourceRecordFactory(paper=paper)
    ada, gone = researcher("Ada Weaver"), researcher("Bo Spindle", erased_at=dt.datetime(2025, 1, 1, tzinfo=dt.UTC))
    arrive(ada, place(paper))
    hall = InstitutionFactory(display_name="Loom Hall")
    index_papers()
    known = {
        "papers": [str(paper.pk), str(merged.pk), paper.arxiv_id, "doi:10.5555/loom.1"],
        "researchers": [str(ada.pk), str(gone.pk)],
        "institutions": [str(hall.pk), hall.ror_id],
    }
    loaded = schemathesis.openapi.from_wsgi("/openapi.json", application)
    (operation,) = [found.ok() for found in loaded.get_all_operations() if found.ok().label == label]
    statuses = set()

    @hypothesis_settings(
        max_examples=15, phases=[Phase.generate], database=None, derandomize=True, deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    def ask_anything(case, data):
        if "{ref}" in label and data.draw(st.booleans()):
            case.path_parameters = {"ref": data.draw(st.sampled_from(known[label.split("/")[3]]))}
        answer = case.call_and_validate(checks=CHECKS, headers={"Accept-Encoding": "identity"})
        statuses.add(answer.status_code)

    ask_anything()
    assert statuses
    if mode is GenerationMode.POSITIVE:
        assert statuses & {200, 301, 410}
