"""Category codes that the taxonomy does not know yet: a harvest must not stop for one."""

from __future__ import annotations

from collections.abc import Collection

from django.db.backends.utils import CursorWrapper

UNKNOWN_GROUP = ("grp_unknown", "Other fields")


def add_unknown_categories(cursor: CursorWrapper, codes: Collection[str]) -> None:
    """Make rows, named by their codes, for categories that have none. Nothing is written when all are known."""
    if not codes:
        return
    cursor.execute(
        "SELECT code FROM unnest(%s::text[]) AS code WHERE code NOT IN (SELECT code FROM papers_category)",
        [sorted(codes)],
    )
    unknown = sorted(row[0] for row in cursor.fetchall())
    if not unknown:
        return
    cursor.execute(
        'INSERT INTO papers_category (code, name, archive, archive_name, "group", group_name, is_active)'
        " SELECT code, code, split_part(code, '.', 1), split_part(code, '.', 1), %s, %s, true"
        " FROM unnest(%s::text[]) AS code ON CONFLICT DO NOTHING",
        [*UNKNOWN_GROUP, unknown],
    )
