"""A database of its own for what must not grow the catalogue, migrated and else empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import connection, connections
from psycopg import sql


@contextmanager
def own_database(name: str) -> Iterator[None]:
    """Within it the default connection leads there; afterwards the database is gone, and all is as it was."""
    before = connection.settings_dict["NAME"]
    _run("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
    _run("CREATE DATABASE {}", name)
    _turn_to(name)
    try:
        call_command("migrate", verbosity=0, interactive=False)
        yield
    finally:
        _turn_to(before)
        _run("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _turn_to(name: str) -> None:
    connections.close_all()
    connection.settings_dict["NAME"] = name


def _run(statement: str, name: str) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(sql.Identifier(name)))
