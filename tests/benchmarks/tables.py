"""Copies of the catalogue's tables, with the same indexes and constraints, to COPY the very same rows into."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection
from psycopg import sql

SCHEMA = "bare_copy"
TABLES = (
    "papers_paper",
    "papers_sourcerecord",
    "papers_paperidentifier",
    "papers_paperversion",
    "papers_authorship",
    "papers_sourceauthorship",
    "papers_affiliation",
    "papers_categorylisting",
    "papers_papermetric",
    "papers_reference",
    "papers_notice",
    "pipeline_workitem",
)
"""Every table that ingest writes new papers to, parents first."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of all tables in COPY's default format."""

    data: dict[str, bytes]
    count: int


def highest_ids() -> dict[str, int]:
    """The highest id of each table, 0 where it is empty."""
    with connection.cursor() as cursor:
        found = {}
        for table in TABLES:
            cursor.execute(f'SELECT coalesce(max(id), 0) FROM "{table}"')
            found[table] = cursor.fetchone()[0]
    return found


def _columns(table: str) -> str:
    """The columns that are written, quoted; those that the database computes are not."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''",
            [f"public.{table}"],
        )
        return str(cursor.fetchone()[0])


def rows_after(before: dict[str, int]) -> Rows:
    """The rows that were added since ``highest_ids`` said ``before``."""
    data, count = {}, 0
    with connection.cursor() as cursor:
        for table in TABLES:
            with cursor.copy(
                f'COPY (SELECT {_columns(table)} FROM "{table}" WHERE id > {before[table]} ORDER BY id) TO STDOUT'
            ) as copy:
                data[table] = b"".join(bytes(block) for block in copy)
            count += data[table].count(b"\n")
    return Rows(data, count)


def make_copies() -> None:
    """Empty copies of the tables in a schema of their own: columns, defaults, indexes, checks and foreign keys."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA}")
        for table in TABLES:
            cursor.execute(f'CREATE TABLE {SCHEMA}."{table}" (LIKE public."{table}" INCLUDING ALL)')
        for table in TABLES:
            cursor.execute(
                "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
                " WHERE contype = 'f' AND conrelid = %s::regclass",
                [f"public.{table}"],
            )
            for name, definition in cursor.fetchall():
                for parent in TABLES:
                    definition = definition.replace(f"REFERENCES {parent}(", f"REFERENCES {SCHEMA}.{parent}(")
                cursor.execute(f'ALTER TABLE {SCHEMA}."{table}" ADD CONSTRAINT "{name}" {definition}')


def assert_copies_are_alike() -> None:
    """As many indexes and constraints on each copy as on its original."""
    with connection.cursor() as cursor:
        for table in TABLES:
            counts = []
            for schema in ("public", SCHEMA):
                cursor.execute(
                    "SELECT (SELECT count(*) FROM pg_index WHERE indrelid = %s::regclass),"
                    " (SELECT count(*) FROM pg_constraint WHERE conrelid = %s::regclass AND contype <> 'n')",
                    [f"{schema}.{table}"] * 2,
                )
                counts.append(cursor.fetchone())
            assert counts[0] == counts[1], f"{table}: {counts}"


def copy_in(rows: Rows) -> None:
    """COPY rows into the copies, table by table, in one statement each. The caller's transaction holds them."""
    with connection.cursor() as cursor:
        for table in TABLES:
            if rows.data[table]:
                with cursor.copy(
                    sql.SQL("COPY {}.{} ({}) FROM STDIN").format(
                        sql.Identifier(SCHEMA), sql.Identifier(table), sql.SQL(_columns(table))
                    )
                ) as copy:
                    copy.write(rows.data[table])


def drop_copies() -> None:
    """Remove the copies."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")


def heap_writes(*apps: str) -> dict[str, tuple[int, int, int]]:
    """Rows inserted, updated and deleted so far, by table, as PostgreSQL itself counts them.

    Of the tables of papers and of the pipeline, unless other apps are named.
    """
    patterns = [f"{app}\\_%" for app in apps or ("papers", "pipeline")]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute(
            "SELECT relname, n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_user_tables"
            " WHERE schemaname = 'public' AND relname LIKE ANY(%s)",
            [patterns],
        )
        return {name: (inserted, updated, deleted) for name, inserted, updated, deleted in cursor.fetchall()}
