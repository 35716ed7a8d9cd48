"""Former names in author lists: the name shown takes their place."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection


def names_to_replace(papers: Iterable[int], *, up_to: int | None = None) -> dict[tuple[int, int], str]:
    """What to print instead of the names that must not be shown, by paper and position in its author list.

    One statement. ``up_to``: only the first so many places. A name is replaced where the author is attributed to
    somebody who had it hidden, themselves or as somebody they were merged with.
    """
    numbers = sorted(set(papers))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT author.paper_id, author.position, root.display_name"
            " FROM researchers_attribution AS shown"
            " JOIN papers_authorship AS author ON author.id = shown.authorship_id"
            " JOIN researchers_researcher AS root ON root.id = shown.root_id"
            " WHERE shown.paper_id = ANY(%s) AND author.position <= %s AND EXISTS ("
            "SELECT FROM researchers_researcher AS member JOIN researchers_researchername AS name"
            " ON name.researcher_id = member.id AND name.visibility = 'hidden' AND name.value = author.name"
            " WHERE member.root_id = shown.root_id)",
            [numbers, up_to if up_to is not None else 2_147_483_647],
        )
        return {(paper, position): name for paper, position, name in cursor.fetchall()}
