"""Asking the site as a web server does, and asking the database for the same rows without it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import haystack
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection, connections
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

_factory = RequestFactory()


class Site:
    """The WSGI application with every middleware, called in process."""

    def __init__(self) -> None:
        self._application = WSGIHandler()

    def get(self, address: str) -> bytes:
        """The body of the page. Raises ``AssertionError`` for any answer but 200."""
        path, _, query = address.partition("?")
        environ = _factory._base_environ(
            PATH_INFO=path, QUERY_STRING=query, REQUEST_METHOD="GET", HTTP_HOST="localhost", HTTP_ACCEPT="text/html"
        )
        status = ""

        def start_response(line: str, headers: object, error: object = None) -> None:
            nonlocal status
            status = line

        response = self._application(environ, start_response)
        try:
            body = b"".join(response)
        finally:
            response.close()
        assert status.startswith("200"), f"{address}: {status}"
        return body

    def queries(self, address: str) -> list[str]:
        """The statements that the page sends, with their values in them, once its caches are warm."""
        self.get(address)
        connection.ensure_connection()
        with CaptureQueriesContext(connection) as captured:
            self.get(address)
        return [query["sql"] for query in captured.captured_queries if not query["sql"].startswith(("SAVEPOINT", "--"))]


def run_bare(statements: list[str]) -> int:
    """Send the statements by psycopg over Django's own connection and fetch every row. Returns their number."""
    connection.ensure_connection()
    count = 0
    with connection.connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
            if cursor.description is not None:
                count += len(cursor.fetchall())
    return count


def work_of(action: Callable[[], object], *, runs: int = 4) -> float:
    """Seconds of work per run: processor time of this process and of the database session that serves it.

    On a machine that does nothing else that is the time itself, since the two wait for each other; where others run,
    it leaves out what they take, which would be shared unfairly between a long action and a short one.
    """
    connection.ensure_connection()
    connection.close_at = None  # the same session to the end, whatever its age
    schedule = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")

    def spent() -> float:
        return time.process_time() + int(schedule.read_text().split()[0]) / 1e9

    begin = spent()
    for _ in range(runs):
        action()
    return (spent() - begin) / runs


@contextmanager
def in_database(name: str, index: Path) -> Iterator[None]:
    """Make the site use another database and search index; cheap to enter again and again."""
    mine = connections["default"]
    info = haystack.connections.connections_info["default"]
    before = info["PATH"]
    connections["default"] = _wrapper_for(name)
    info["PATH"] = str(index)
    haystack.connections.reload("default")
    cache.clear()
    try:
        yield
    finally:
        connections["default"] = mine
        info["PATH"] = before
        haystack.connections.reload("default")
        cache.clear()


_wrappers: dict[str, object] = {}


def _wrapper_for(name: str):
    if name not in _wrappers:
        copy = connections["default"].copy()
        copy.settings_dict = {**copy.settings_dict, "NAME": name}
        _wrappers[name] = copy
    return _wrappers[name]


def close_wrappers() -> None:
    """Close the connections to other databases, so that they can be dropped."""
    while _wrappers:
        _wrappers.popitem()[1].close()  # type: ignore[attr-defined]
