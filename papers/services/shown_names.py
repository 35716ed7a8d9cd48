"""Names shown in author lists in the place of those that sources print. What sources print is kept beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from wovepaper.pipeline.services import enqueue

FORMER_NAME = "(former name)"
"""What screens say that tell what sources print."""


@dataclass(frozen=True, slots=True)
class ShownName:
    """What an author is to be shown as, as long as sources print ``printed`` there. ``None``: as printed."""

    authorship: int
    printed: str
    shown: str | None


@transaction.atomic
def show_names(names: Iterable[ShownName]) -> set[int]:
    """Show authors under other names than sources print, or as printed again; harvests obey it.

    An author whom sources print otherwise by now is left as they are: their paper is attributed anew, and the name
    decided upon again. Returns the papers that came to show something else; they wait for the search index.
    """
    wanted = {one.authorship: one for one in names}
    if not wanted:
        return set()
    given = [wanted[number] for number in sorted(wanted)]
    with connection.cursor() as cursor:
        ids = [one.authorship for one in given]
        # In one order, so that two who do so never wait for each other.
        cursor.execute("SELECT id FROM papers_authorship WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", [ids])
        cursor.execute(
            "UPDATE papers_authorship AS place SET name = coalesce(given.shown, given.printed),"
            " replaced_name = CASE WHEN given.shown IS NOT NULL THEN given.printed END"
            " FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS given(id, printed, shown)"
            " WHERE place.id = given.id AND coalesce(place.replaced_name, place.name) = given.printed"
            " AND (place.name, place.replaced_name IS NULL)"
            " IS DISTINCT FROM (coalesce(given.shown, given.printed), given.shown IS NULL)"
            " RETURNING place.paper_id",
            [ids, [one.printed for one in given], [one.shown for one in given]],
        )
        papers = {row[0] for row in cursor.fetchall()}
    enqueue(kind="paper", ids=papers, stage="index", reason="name")
    return papers


def write_printed_names(cursor: CursorWrapper, names: Sequence[tuple[int, str]]) -> None:
    """What sources print now, by authorship. Where another name is shown in its place, that one stays.

    Looked at as the row stands when it is written: somebody may have a name replaced while a record comes in.
    """
    if not names:
        return
    cursor.execute(
        "UPDATE papers_authorship AS place"
        " SET name = CASE WHEN place.replaced_name IS NULL THEN given.name ELSE place.name END,"
        " replaced_name = CASE WHEN place.replaced_name IS NULL THEN NULL ELSE given.name END"
        " FROM unnest(%s::bigint[], %s::text[]) AS given(id, name)"
        " WHERE place.id = given.id AND coalesce(place.replaced_name, place.name) <> given.name",
        [[number for number, _ in names], [name for _, name in names]],
    )
