import logging
import threading

import pytest
from django.core.cache.backends.redis import RedisCache
from django.db import DatabaseError, close_old_connections, connection
from django.test import RequestFactory

from wovepaper.rest import limits
from wovepaper.rest.limits import client_of, spend

ADDRESS = "/api/v1/categories"


def request(remote="10.0.0.1", forwarded=None):
    headers = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return RequestFactory().get(ADDRESS, REMOTE_ADDR=remote, **headers)


class TestWhoAsks:
    def test_without_proxies_nothing_that_a_client_sends_is_believed(self, settings):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 0
        assert client_of(request("192.0.2.1", "203.0.113.9, 203.0.113.8")) == "192.0.2.1"

    @pytest.mark.parametrize(
        ("trusted", "forwarded", "client"),
        [
            (1, "203.0.113.9", "203.0.113.9"),
            (1, "1.1.1.1, 203.0.113.9", "203.0.113.9"),
            (2, "1.1.1.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
            (2, "203.0.113.9", "10.0.0.1"),
            (1, None, "10.0.0.1"),
            (1, "", "10.0.0.1"),
            (1, "nonsense", "unknown"),
        ],
    )
    def test_behind_proxies_what_they_appended_counts(self, settings, trusted, forwarded, client):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = trusted
        assert client_of(request(forwarded=forwarded)) == client

    def test_of_ipv6_the_network(self):
        assert (
            client_of(request("2001:db8:1:2:3:4:5:6")) == client_of(request("2001:db8:1:2:ffff::1")) == "2001:db8:1:2::"
        )
        assert client_of(request("::ffff:192.0.2.1")) == "192.0.2.1"


@pytest.fixture
def noon(monkeypatch):
    """The clock stands still, 20 seconds before a period ends."""
    clock = {"now": 60_000_040.0}
    monkeypatch.setattr(limits.time, "time", lambda: clock["now"])
    return clock


@pytest.mark.django_db
class TestLimit:
    def test_each_answer_tells_what_is_left_and_one_too_many_is_refused(self, client, settings, noon):
        settings.API_REQUESTS_PER_MINUTE = 3
        for left in ("2", "1", "0"):
            response = client.get(ADDRESS)
            assert response.status_code == 200
            assert response.headers["RateLimit-Limit"] == "3"
            assert response.headers["RateLimit-Remaining"] == left
            assert response.headers["RateLimit-Reset"] == "20"
            assert response.headers["RateLimit-Policy"] == "3;w=60"
        refused = client.get(ADDRESS)
        assert refused.status_code == 429
        assert refused.json()["code"] == "too-many-requests"
        assert refused.headers["Retry-After"] == "20"
        assert refused.headers["RateLimit-Remaining"] == "0"
        assert refused.headers["Access-Control-Allow-Origin"] == "*"
        assert client.get(ADDRESS, HTTP_X_FORWARDED_FOR="203.0.113.9").status_code == 429
        assert client.get(ADDRESS, REMOTE_ADDR="203.0.113.9").status_code == 200
        noon["now"] += 20
        assert client.get(ADDRESS).status_code == 200

    def test_wrong_addresses_count_and_the_document_does_not(self, client, settings, noon):
        settings.API_REQUESTS_PER_MINUTE = 1
        assert client.get("/openapi.json").status_code == 200
        assert client.get("/api/v1/nowhere").status_code == 404
        assert client.get(ADDRESS).status_code == 429
        assert client.get("/openapi.json").status_code == 200

    def test_0_is_no_limit(self, client, settings):
        settings.API_REQUESTS_PER_MINUTE = 0
        response = client.get(ADDRESS)
        assert [name for name in response.headers if name.startswith("RateLimit")] == []

    def test_old_counters_are_swept_away_and_hold_no_address(self, settings, noon):
        settings.API_REQUESTS_PER_MINUTE = 5
        for _ in range(3):
            spend(request("192.0.2.77"))
            noon["now"] += 60 * 11
        with connection.cursor() as cursor:
            cursor.execute("SELECT client, spent FROM rest_spending")
            ((client, spent),) = cursor.fetchall()
        assert spent == 1
        assert "192" not in client

    def test_counters_that_do_not_answer_hold_nobody_up(self, settings, noon, monkeypatch, caplog):
        settings.API_REQUESTS_PER_MINUTE = 5

        def fail(*arguments):
            raise DatabaseError

        monkeypatch.setattr(limits, "_count", fail)
        assert not spend(request()).is_exceeded
        assert [record.levelno for record in caplog.records] == [logging.ERROR]

    def test_in_a_shared_cache_it_adds_there(self, settings, noon, monkeypatch):
        settings.API_REQUESTS_PER_MINUTE = 5

        class Memory(RedisCache):
            """Redis' own two commands."""

            def __init__(self):
                self.numbers = {}

            def add(self, key, value, timeout):
                self.numbers.setdefault(key, value)

            def incr(self, key):
                self.numbers[key] += 1
                return self.numbers[key]

        monkeypatch.setattr(limits, "caches", {"default": Memory()})
        assert [spend(request()).spent for _ in range(3)] == [1, 2, 3]
        assert spend(request("192.0.2.1")).spent == 1


@pytest.mark.django_db(transaction=True)
def test_many_at_once_are_all_counted(settings, noon):
    settings.API_REQUESTS_PER_MINUTE = 1_000
    seen = []

    def ask():
        try:
            for _ in range(20):
                seen.append(spend(request("192.0.2.50")).spent)
        finally:
            close_old_connections()
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(1, 121))
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM rest_spending")
