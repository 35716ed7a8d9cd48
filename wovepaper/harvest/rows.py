"""Writing many rows in one statement: COPY for new ones, UPDATE from a record set for known ones."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg import sql


def copy_rows(cursor: CursorWrapper, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """COPY rows into a table; nothing is sent where there are none."""
    if not rows:
        return
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.wrap_database_errors, cursor.copy(statement) as copy:
        write = copy.write_row
        for row in rows:
            write(row)


def as_array(texts: Iterable[str]) -> str:
    """A list of texts as COPY takes it: many times faster than having it adapted."""
    quoted = (text.replace("\\", "\\\\").replace('"', '\\"') for text in texts)
    return "{" + ",".join(f'"{text}"' for text in quoted) + "}"


def update_rows(
    cursor: CursorWrapper,
    table: str,
    columns: Mapping[str, str],
    rows: Iterable[Mapping[str, Any]],
    *,
    force: str = "",
    stamp: str = "",
) -> list[int]:
    """Set ``columns`` (name to type) by ``id`` where any of them differs; returns the ids of the rows written.

    ``force`` names a further boolean key of the rows that writes a row whether it differs or not; ``stamp`` a column
    that is set to the time of the transaction in every row written.
    """
    data = list(rows)
    if not data:
        return []
    names = [sql.Identifier(name) for name in columns]
    typed = [
        sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(kind))  # type: ignore[arg-type]
        for name, kind in {"id": "bigint", **columns, **({force: "boolean"} if force else {})}.items()
    ]
    statement = sql.SQL(
        "UPDATE {table} AS kept SET ({names}) = ROW({values}){stamp}"
        " FROM json_to_recordset(%s::json) AS given({typed})"
        " WHERE kept.id = given.id AND ({force} ROW({old}) IS DISTINCT FROM ROW({values})) RETURNING kept.id"
    ).format(
        table=sql.Identifier(table),
        names=sql.SQL(", ").join(names),
        values=sql.SQL(", ").join(sql.SQL("given.{}").format(name) for name in names),
        old=sql.SQL(", ").join(sql.SQL("kept.{}").format(name) for name in names),
        typed=sql.SQL(", ").join(typed),
        stamp=sql.SQL(", {} = now()").format(sql.Identifier(stamp)) if stamp else sql.SQL(""),
        force=sql.SQL("given.{} OR").format(sql.Identifier(force)) if force else sql.SQL(""),
    )
    cursor.execute(statement, [json.dumps(data, default=_as_json)])
    return [row[0] for row in cursor.fetchall()]


def delete_rows(cursor: CursorWrapper, table: str, ids: Sequence[int]) -> None:
    """Delete by id."""
    if ids:
        cursor.execute(
            sql.SQL("DELETE FROM {} WHERE id = ANY(%s)").format(sql.Identifier(table)),
            [list(ids)],
        )


def next_ids(cursor: CursorWrapper, table: str, count: int) -> list[int]:
    """Take ``count`` ids from the sequence of a table."""
    if not count:
        return []
    cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [table, count])
    return [row[0] for row in cursor.fetchall()]


def _as_json(value: Any) -> str:
    if isinstance(value, dt.date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be sent in a record set.")
