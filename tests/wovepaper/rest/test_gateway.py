import pytest

from tests.factories import CategoryFactory, PaperFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address", ["/api/v1/papers", "/api/v1/papers/1", "/api/v1/search", "/api/v1/", "/openapi.json"]
)
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "trace"])
def test_other_methods_are_a_problem(client, address, method):
    response = getattr(client, method)(address)
    assert response.status_code == 405
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "method-not-allowed"


def test_scripts_of_other_sites_may_read_and_no_more(client):
    response = client.options(
        "/api/v1/papers", HTTP_ORIGIN="https://other.example", HTTP_ACCESS_CONTROL_REQUEST_METHOD="POST"
    )
    assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "Access-Control-Allow-Credentials" not in response.headers
    for address, status in (("/api/v1/papers", 200), ("/api/v1/papers/1", 404), ("/api/v1/papers?limit=0", 400)):
        response = client.get(address, HTTP_ORIGIN="https://other.example")
        assert response.status_code == status
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response.headers
        assert response.headers["X-Robots-Tag"] == "noindex"
        assert response.cookies == {}
    assert "Access-Control-Allow-Origin" not in client.get("/papers").headers


@pytest.mark.parametrize("address", ["/api/v1/", "/api/v1/nowhere", "/api/v1/papers/", "/api/v1/researchers"])
def test_addresses_without_an_operation(client, address):
    response = client.get(address)
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "not-found"


def test_what_has_not_changed_is_answered_with_304(client):
    paper = PaperFactory()
    for address in (f"/api/v1/papers/{paper.pk}", "/api/v1/papers", "/openapi.json"):
        first = client.get(address)
        again = client.get(address, HTTP_IF_NONE_MATCH=first.headers["ETag"])
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["Access-Control-Allow-Origin"] == "*"
    etag = client.get(f"/api/v1/papers/{paper.pk}").headers["ETag"]
    paper.title = "Another"
    paper.save()
    changed = client.get(f"/api/v1/papers/{paper.pk}", HTTP_IF_NONE_MATCH=etag)
    assert changed.status_code == 200
    assert changed.headers["ETag"] != etag
    assert changed.headers["Cache-Control"] == "public, no-cache"


def test_head_is_get_without_a_body(client):
    CategoryFactory()
    response = client.head("/api/v1/categories")
    assert (response.status_code, response.content) == (200, b"")
    assert int(response.headers["Content-Length"]) > 100


def test_what_breaks_is_a_problem_that_tells_nothing_of_it(client, monkeypatch, caplog):
    def fail(*arguments):
        raise RuntimeError("the warp is torn")

    monkeypatch.setattr("papers.api.read_choices", fail)
    client.raise_request_exception = False
    response = client.get("/api/v1/categories")
    assert response.status_code == 500
    assert response.json()["code"] == "server-error"
    assert "warp" not in response.text
    assert "the warp is torn" in caplog.text
