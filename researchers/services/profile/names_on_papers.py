"""Former names in author lists: the name shown takes their place."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection


def names_to_replace(papers: Iterable[int], *, up_to: int | None = None) -> dict[tuple[int, int], str]:
    """What to print instead of the names that must not be shown, by paper and position in its author list.

    One statement. ``up_to``: only the first so many places. A name is replaced where the author is attributed to
    somebody who had it hidden in whatever case, themselves or as somebody they were merged with.
    """
    numbers = sorted(set(papers))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT author.paper_id, author.position, root.display_name"
            " FROM papers_authorship AS author"
            " JOIN researchers_attribution AS shown ON shown.authorship_id = author.id"
            " JOIN researchers_researcher AS root ON root.id = shown.root_id"
            " WHERE author.paper_id = ANY(%s) AND author.position <= %s AND EXISTS ("
            "SELECT FROM researchers_researcher AS member JOIN researchers_researchername AS name"
            " ON name.researcher_id = member.id AND name.visibility = 'hidden'"
            " WHERE member.root_id = shown.root_id AND lower(name.value) = lower(author.name))",
            [numbers, up_to if up_to is not None else 2_147_483_647],
        )
        return {(paper, position): name for paper, position, name in cursor.fetchall()}
