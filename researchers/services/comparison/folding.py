"""When two spellings of a venue or of an affiliation are one."""

from __future__ import annotations

from psycopg import sql


def folded(column: sql.Composable) -> sql.Composable:
    """The text of a column for comparing: in small letters, with single spaces."""
    return sql.SQL(r"lower(regexp_replace(btrim({column}), '\s+', ' ', 'g'))").format(column=column)
