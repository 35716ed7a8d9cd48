import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import include, path

from tests.html import Page, get
from wovepaper.pages import errors


def _raise(error):
    def view(request):
        raise error

    return view


handler400, handler403, handler404, handler500 = (
    errors.bad_request, errors.permission_denied, errors.page_not_found, errors.server_error
)  # fmt: skip
urlpatterns = [
    path("broken", _raise(RuntimeError("secret"))),
    path("bad", _raise(BadRequest("secret"))),
    path("mine", _raise(PermissionDenied("secret"))),
    path("form", lambda request: HttpResponse("done")),
    path("", include("wovepaper.urls")),
]


@pytest.fixture
def broken_site(settings):
    settings.ROOT_URLCONF = __name__


@pytest.fixture
def quiet(client):
    client.raise_request_exception = False
    return client


@pytest.mark.django_db
class TestNotFound:
    def test_says_what_happened_and_where_to_look(self, client):
        page = get(client, "/no/such/page", status=404)
        assert page.one("//title") == "This page isn’t here · wovepaper"
        assert page.one("//h1") == "This page isn’t here"
        assert page.one("//p[@class='lede']") == "The address may be mistyped, or the paper is not harvested yet."
        assert page.texts("//main//a[contains(@class, 'button')]") == ["Search the archive", "Go home"]
        assert page.texts("//main//dt/code") == [
            "/papers/<arXiv id>", "/papers/doi/<DOI>", "/researchers/orcid/<ORCID iD>", "/categories/<code>",
            "/search?q=<words>",
        ]  # fmt: skip
        assert page.texts("//main//section/p/a/@href/..") == ["sitemap", "llms.txt"]
        for address in page.all("//main//section/p/a/@href"):
            assert client.get(address).status_code == 200
        assert page.value("//meta[@name='robots']/@content") == "noindex"

    def test_the_same_as_markdown(self, client):
        response = client.get("/no/such/page", headers={"accept": "text/markdown"})
        assert response.status_code == 404
        assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
        assert "Accept" in response.headers["Vary"]
        text = response.content.decode()
        assert text.startswith("# This page isn’t here\n")
        assert "- `/papers/<arXiv id>`: a paper by its arXiv id" in text
        assert "[sitemap](http://localhost:8000/sitemap.xml)" in text

    @pytest.mark.parametrize("accept", ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*", "image/png", "nonsense"])
    def test_html_for_everybody_else(self, client, accept):
        response = client.get("/no/such/page", headers={"accept": accept})
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"

    def test_posting_to_nowhere_is_not_found_rather_than_forbidden(self):
        assert Client(enforce_csrf_checks=True).post("/no/such/page").status_code == 404


@pytest.mark.django_db
@pytest.mark.usefixtures("broken_site")
@pytest.mark.parametrize(
    ("address", "status", "title"),
    [
        ("/broken", 500, "Something broke on our side"),
        ("/bad", 400, "This request can’t be read"),
        ("/mine", 403, "This page isn’t yours to see"),
    ],
)
def test_what_broke_is_told_in_the_same_voice_and_without_details(quiet, address, status, title):
    page = get(quiet, address, status=status)
    assert page.one("//h1") == title
    assert page.all("//link[@rel='stylesheet']")
    assert "secret" not in page.text


@pytest.mark.usefixtures("broken_site")
def test_the_page_for_500_needs_no_database(quiet):
    # Without the mark for it, any query fails the test.
    quiet.cookies["sessionid"] = "x" * 32
    assert get(quiet, "/broken", status=500).one("//h1") == "Something broke on our side"


@pytest.mark.usefixtures("broken_site")
def test_the_page_for_500_needs_no_template(quiet, monkeypatch):
    def fail(*args, **kwargs):
        raise OperationalError("secret")

    monkeypatch.setattr(errors, "render_to_string", fail)
    page = get(quiet, "/broken", status=500)
    assert page.one("//h1") == "Something broke on our side"
    assert "secret" not in page.text


@pytest.mark.django_db
@pytest.mark.parametrize("status", sorted(errors.EXPLANATIONS))
def test_every_status_has_its_page(rf, status):
    request = rf.get("/x")
    response = errors.explain(request, status, sentence="Why & how <b>")
    page = Page(response)
    assert response.status_code == status
    assert page.one("//p[@class='lede']") == "Why & how <b>"


def test_too_many_requests_says_when_to_come_back():
    response = errors.too_many_requests(RequestFactory().get("/accounts/login/"))
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")


@pytest.mark.django_db
def test_a_form_without_its_token_is_explained():
    response = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "a@example.org"})
    assert response.status_code == 403
    assert Page(response).one("//p[@class='lede']").startswith("The form was open for too long")
