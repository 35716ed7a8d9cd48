import pytest
from django.db import OperationalError

from tests.searching import index_papers  # noqa: F401


def test_living_asks_nothing_of_anything(client):
    response = client.get("/livez")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-store" in response.headers["Cache-Control"]


def test_ready(client, index_papers):  # noqa: F811
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"database": "ok", "search": "ok"})
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.django_db
def test_the_search_is_down(client, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError("/secret/place")

    monkeypatch.setattr("wovepaper.search.backend.TantivySearchBackend.search", fail)
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"database": "ok", "search": "down"})


def test_the_database_is_down(client, index_papers, monkeypatch):  # noqa: F811
    def fail(*args, **kwargs):
        raise OperationalError("at /secret/place")

    with monkeypatch.context() as patched:
        patched.setattr("wovepaper.pages.health.connection.cursor", fail)
        response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"database": "down", "search": "ok"})


@pytest.mark.parametrize("address", ["/livez", "/readyz"])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, address, method):
    assert getattr(client, method)(address).status_code == 405
