"""The polite client by itself: which hosts, which answers, which waits."""

from __future__ import annotations

import datetime as dt
from email.utils import format_datetime

import httpx2
import pytest

from tests.upstreams import faults
from tests.upstreams.web import Fault
from tests.wovepaper.harvest.conftest import FAST
from wovepaper.harvest.client import AllowedHosts, PoliteClient, _retry_after
from wovepaper.harvest.errors import HostNotAllowed, UpstreamFailed, UpstreamUnavailable
from wovepaper.harvest.models import HostLease


@pytest.fixture
def client(arxiv_upstream, db):
    with PoliteClient(AllowedHosts.of(arxiv_upstream.url), 0.0, FAST, "wovepaper (test)") as client:
        yield client


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/oai",
        "https://example.org:443/elsewhere?x=1",
        "http://localhost:8080/",
        "http://plain.example/",
        "https://plain.example/",
    ],
)
def test_the_hosts_of_the_base_urls_are_allowed(url):
    AllowedHosts.of("https://example.org/oai", "http://localhost:8080/x", "http://plain.example").check(httpx2.URL(url))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/oai",
        "https://example.org:8443/oai",
        "https://sub.example.org/oai",
        "https://example.org.evil.test/",
        "https://example.org@evil.test/",
        "http://localhost:8081/",
        "https://localhost:8080/",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "ftp://example.org/",
        "//",
        "",
    ],
)
def test_no_other_is(url):
    allowed = AllowedHosts.of("https://example.org/oai", "http://localhost:8080/x")
    with pytest.raises(HostNotAllowed):
        allowed.check(httpx2.URL(url))


def test_an_answer_has_its_bytes_and_the_headers_that_matter(client, arxiv_upstream):
    def headers(_seen, reply):
        answer = reply()
        answer.headers.update({"ETag": '"1"', "Set-Cookie": "a=b", "X-RateLimit-Remaining": "9"})
        return answer

    arxiv_upstream.faults.append(Fault(headers))

    answer = client.get(arxiv_upstream.url, {"verb": "Identify"})

    assert answer.url == f"{arxiv_upstream.url}?verb=Identify"
    assert answer.body.startswith(b"<?xml")
    assert {"etag", "x-ratelimit-remaining", "date", "content-type"} <= set(answer.headers)
    assert "set-cookie" not in answer.headers
    assert client.quota == {"x-ratelimit-remaining": "9"}
    assert client.requests == 1
    assert client.bytes_received == len(answer.body)
    sent = arxiv_upstream.requests[0].headers
    assert (sent["user-agent"], sent["accept-encoding"]) == ("wovepaper (test)", "gzip")


def test_a_proxy_of_the_environment_is_not_used(client, arxiv_upstream, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with PoliteClient(client.allowed, 0.0, FAST, "x") as fresh:
        assert fresh.get(arxiv_upstream.url, {"verb": "Identify"}).body


@pytest.mark.parametrize(
    ("fault", "kind", "retry"),
    [
        (faults.status(404), UpstreamFailed, False),
        (faults.status(400), UpstreamFailed, False),
        (faults.status(500), UpstreamFailed, True),
        (faults.status(502), UpstreamFailed, True),
        (faults.status(429), UpstreamUnavailable, True),
        (faults.status(503), UpstreamUnavailable, True),
        (faults.status(204), UpstreamFailed, False),
        (faults.broken_off(), UpstreamFailed, True),
        (faults.packed_and_cut(), UpstreamFailed, True),
        (faults.redirect("http://a:b/"), UpstreamFailed, False),
    ],
)
def test_what_may_be_tried_again(client, arxiv_upstream, fault, kind, retry):
    arxiv_upstream.faults.append(fault)

    with pytest.raises(UpstreamFailed) as caught:
        client.get(arxiv_upstream.url, {"verb": "Identify"})

    assert (type(caught.value), caught.value.retry) == (kind, retry)


def test_every_hop_of_a_redirect_takes_its_turn(client, arxiv_upstream):
    arxiv_upstream.faults.append(faults.redirect("/oai?verb=Identify&hop=1", on=lambda seen: seen.number == 1))
    client.interval = 0.15

    client.get(arxiv_upstream.url, {"verb": "Identify"})

    assert client.requests == 2
    assert arxiv_upstream.smallest_gap() >= 0.15
    assert HostLease.objects.get().host == arxiv_upstream.url.split("/")[2]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        ("9" * 400, 366 * 86_400),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        ("٣", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 366 * 86_400),
    ],
)
def test_retry_after(value, seconds):
    assert _retry_after(httpx2.Headers({"retry-after": value.encode()})) == seconds


def test_retry_after_as_a_date_to_come():
    moment = dt.datetime.now(dt.UTC) + dt.timedelta(hours=15)
    waits = _retry_after(httpx2.Headers({"retry-after": format_datetime(moment, usegmt=True)}))
    assert waits == pytest.approx(54_000, abs=2)
