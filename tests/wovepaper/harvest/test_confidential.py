"""Keys and their sources' answers; redirects of requests with a body; what headers say of limits."""

from __future__ import annotations

import datetime as dt
import logging

import pytest

from tests.upstreams import faults
from tests.upstreams.web import Fault, Reply, Seen, Upstream
from tests.wovepaper.harvest.conftest import FAST
from wovepaper.harvest.client import AllowedHosts, PoliteClient
from wovepaper.harvest.contracts import PageRequest, Quota
from wovepaper.harvest.errors import UpstreamFailed
from wovepaper.harvest.quotas import read_usual_headers

KEY = "k+y/with signs"
NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
pytestmark = pytest.mark.django_db


class Echo(Upstream):
    path = "/api"

    def answer(self, seen: Seen) -> Reply:
        said = f"{seen.method} {sorted(seen.params.items())} {seen.headers.get('x-key')} {seen.body.decode()}"
        return Reply(said.encode(), 200, {"ETag": f"for {seen.headers.get('x-key')}"}, "text/plain")


@pytest.fixture
def echo():
    with Echo() as echo:
        yield echo


@pytest.fixture
def client(echo):
    with PoliteClient(AllowedHosts.of(echo.url), 0.0, FAST, "wovepaper (test)") as client:
        yield client


def request(echo: Echo, **changes) -> PageRequest:
    return PageRequest(
        echo.url, {"a": "1"}, **{"secret_params": {"key": KEY}, "secret_headers": {"X-Key": KEY}, **changes}
    )


def test_a_key_is_sent_and_struck_out_of_all_that_comes_back(client, echo, caplog):
    caplog.set_level(logging.DEBUG)
    answer = client.fetch(request(echo))
    (seen,) = echo.requests
    assert (seen.params["key"], seen.headers["x-key"]) == (KEY, KEY)
    assert answer.url == f"{echo.url}?a=1"
    assert answer.body == b"GET [('a', '1'), ('key', '***')] *** "
    assert answer.headers["etag"] == "for ***"
    assert KEY not in caplog.text
    assert "k%2By" not in caplog.text
    assert KEY not in repr(request(echo))


def test_nor_does_an_error_tell_it(client, echo):
    body = b'{"message": "The key k+y/with signs (k%2By%2Fwith%20signs) is unknown."}'
    echo.faults.append(Fault(lambda _seen, _reply: Reply(body, 401, {}, "application/json")))
    with pytest.raises(UpstreamFailed) as failed:
        client.fetch(request(echo))
    assert str(failed.value) == (
        "127.0.0.1 answered with status 401 Unauthorized. It says: The key *** (***) is unknown."
    )


@pytest.mark.parametrize(
    "body", [b"{}", b"[1]", b'{"message": 7}', b"not JSON", b'{"message": "' + b"x" * 9_000 + b'"}']
)
def test_an_error_without_words_is_told_by_its_status(client, echo, body):
    echo.faults.append(Fault(lambda _seen, _reply: Reply(body, 400, {}, "application/json")))
    with pytest.raises(UpstreamFailed, match=r"^127\.0\.0\.1 answered with status 400 Bad Request\.$"):
        client.fetch(request(echo))


def test_json_is_posted(client, echo):
    answer = client.fetch(request(echo, method="POST", json_body={"ids": ["ö"]}))
    assert answer.body.decode().startswith("POST [('a', '1')")
    assert echo.requests[0].body.decode() in ('{"ids":["ö"]}', '{"ids": ["ö"]}')
    assert echo.requests[0].headers["content-type"] == "application/json"


def test_a_post_is_redirected_only_as_a_post(client, echo):
    echo.faults.append(faults.redirect(f"{echo.url}/there", code=308))
    assert client.fetch(request(echo, method="POST", json_body=[1])).body.decode().startswith("POST")
    assert [(seen.path, seen.body) for seen in echo.requests] == [("/api", b"[1]"), ("/api/there", b"[1]")]
    echo.faults.append(faults.redirect(f"{echo.url}/there", code=302))
    with pytest.raises(UpstreamFailed, match="redirected a request that carries a body"):
        client.fetch(request(echo, method="POST", json_body=[1]))


def test_only_the_statuses_asked_for_are_answers(client, echo):
    echo.faults.append(faults.status(404, times=2))
    assert client.fetch(request(echo, statuses=frozenset({200, 404}))).status == 404
    with pytest.raises(UpstreamFailed):
        client.fetch(request(echo))


def test_what_is_asked_before_a_request_can_refuse_it(client, echo):
    def refuse():
        raise RuntimeError("Nothing is left.")

    client.before_request = refuse
    with pytest.raises(RuntimeError):
        client.fetch(request(echo))
    assert echo.requests == []


def test_a_longer_interval_that_answers_ask_for_is_obeyed(client, echo):
    client.on_headers = lambda _headers: 0.3
    for _ in range(3):
        client.fetch(request(echo))
    assert echo.smallest_gap() >= 0.3 * 0.95


@pytest.mark.parametrize(
    ("headers", "quota"),
    [
        ({}, None),
        ({"x-ratelimit-reset": "5"}, None),
        ({"x-ratelimit-remaining": "7"}, Quota(7)),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-limit": "10000", "x-ratelimit-reset": "54000"},
         Quota(0, 10_000, NOW + dt.timedelta(hours=15))),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767229200"},
         Quota(0, None, dt.datetime(2026, 1, 1, 1, tzinfo=dt.UTC))),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "2026-01-01T02:00:00Z"},
         Quota(0, None, NOW + dt.timedelta(hours=2))),
        ({"x-ratelimit-remaining": "-1", "x-ratelimit-limit": "many"}, None),
        ({"x-ratelimit-remaining": "nan", "x-ratelimit-limit": "inf"}, None),
        ({"x-ratelimit-limit": "5", "x-ratelimit-reset": "9e99"}, Quota(None, 5, None)),
    ],
)  # fmt: skip
def test_what_headers_say_of_limits(headers, quota):
    assert read_usual_headers(headers, now=NOW) == quota
