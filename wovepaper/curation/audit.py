"""Proof that what is shown follows from what is known: roots from edges, edges from events, none against a decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.db.models import F
from psycopg import sql

from wovepaper.curation.adapter import Adapter, RootColumn

MOST = 20
"""So many faults of one kind are named; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong, how often, and some of the rows."""

    what: str
    count: int
    examples: tuple[str, ...]


def audit(adapter: Adapter) -> list[Fault]:
    """Everything that is wrong; empty if nothing is. Reads every object once and writes nothing."""
    found = [*_wrong_roots(adapter)]
    for column in adapter.all_rows:
        found.extend(_wrong_rows(column))
    found.extend(_edges(adapter))
    standing = adapter.assertions._default_manager.filter(kind="different", revoked=False, a__root=F("b__root"))
    found.extend(_fault("declared different and shown as one", [f"assertion {row.pk}: {row}" for row in standing]))
    found.extend(_fault("against a decision", adapter.audit()))
    return found


def _fault(what: str, examples: list[str]) -> Iterator[Fault]:
    if examples:
        yield Fault(what, len(examples), tuple(examples[:MOST]))


def _wrong_roots(adapter: Adapter) -> Iterator[Fault]:
    table = sql.Identifier(adapter.objects._meta.db_table)
    key = sql.Identifier(adapter.objects._meta.pk.column)
    statement = sql.SQL(
        "WITH RECURSIVE tree(id, root) AS ("
        " SELECT {key}, {key} FROM {table} WHERE merged_into_id IS NULL"
        " UNION ALL SELECT low.{key}, tree.root FROM {table} low JOIN tree ON low.merged_into_id = tree.id)"
        " SELECT kept.{key}, kept.root_id, tree.root FROM {table} kept LEFT JOIN tree ON tree.id = kept.{key}"
        " WHERE tree.root IS DISTINCT FROM kept.root_id ORDER BY kept.{key}"
    ).format(table=table, key=key)
    with connection.cursor() as cursor:
        cursor.execute(statement)
        wrong = [
            f"{adapter.label(subject)} has root {has}, "
            + (f"not {should}" if should else "and its edges go in a circle")
            for subject, has, should in cursor.fetchall()
        ]
    yield from _fault("not the root of its edges", wrong)


def _wrong_rows(column: RootColumn) -> Iterator[Fault]:
    rows = column.model._default_manager.exclude(**{column.root: F(f"{column.base}__root")})
    yield from _fault(
        f"{column.model._meta.verbose_name} not shown under the root of its base",
        [f"{column.model._meta.verbose_name} {pk}" for pk in rows.order_by("pk").values_list("pk", flat=True)],
    )


def _edges(adapter: Adapter) -> Iterator[Fault]:
    events = adapter.events._default_manager.filter(kind="merge", live=True)
    said = dict(events.values_list("loser_id", "survivor_id"))
    edges = dict(adapter.objects._default_manager.filter(merged_into__isnull=False).values_list("pk", "merged_into_id"))
    wrong = sorted(subject for subject in said.keys() | edges.keys() if said.get(subject) != edges.get(subject))
    yield from _fault("merged, and no event in force says so, or the reverse", [adapter.label(one) for one in wrong])
