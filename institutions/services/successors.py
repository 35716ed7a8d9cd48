"""From institutions that are no more to what they became: followed where the registry names exactly one."""

from __future__ import annotations

from django.db.backends.utils import CursorWrapper


def settle_successors(cursor: CursorWrapper) -> set[int]:
    """Let every record that is no longer active lead to its single successor, and undo what no longer holds.

    What a curator merged is left alone, and nothing is followed in a circle. Returns the numbers of those whose
    address leads elsewhere now. A few thousand rows of the whole registry are concerned, so all are looked at.
    """
    cursor.execute(
        "SELECT institution.id, min(relation.target_id) FROM institutions_institution AS institution"
        " JOIN institutions_institutionrelation AS relation"
        "  ON relation.institution_id = institution.id AND relation.kind = 'successor'"
        " WHERE institution.status <> 'active' GROUP BY institution.id"
        " HAVING count(*) = 1 AND count(relation.target_id) = 1"
    )
    successors: dict[int, int] = dict(cursor.fetchall())
    cursor.execute(
        "SELECT id, merged_into_id, root_id, follows_successor FROM institutions_institution"
        " WHERE merged_into_id IS NOT NULL OR id = ANY(%s)",
        [list(successors)],
    )
    kept = {number: (into, root, follows) for number, into, root, follows in cursor.fetchall()}
    by_hand = {number: into for number, (into, _, follows) in kept.items() if into is not None and not follows}
    edges = {**without_circles({**successors, **by_hand}), **by_hand}  # curators' merges are never in a circle alone
    moved = set()
    for number in kept.keys() | edges.keys():
        into = edges.get(number)
        root = number if into is None else end_of(edges, into)
        wanted = (into, root, into is not None and number not in by_hand)
        if kept[number] != wanted:
            cursor.execute(
                "UPDATE institutions_institution SET merged_into_id = %s, root_id = %s, follows_successor = %s"
                " WHERE id = %s",
                [*wanted, number],
            )
            moved.add(number)
    return moved


def end_of(edges: dict[int, int], number: int) -> int:
    """Where the edges lead to in the end. They must not lead in a circle."""
    while number in edges:
        number = edges[number]
    return number


def without_circles(edges: dict[int, int]) -> dict[int, int]:
    """The edges but for those that are part of a circle: nobody is everybody's successor."""
    cut: set[int] = set()
    settled: set[int] = set()
    for start in edges:
        path: list[int] = []
        number: int | None = start
        while number is not None and number not in settled:
            if number in path:
                cut.update(path[path.index(number) :])
                break
            path.append(number)
            number = edges.get(number)
        settled.update(path)
    return {number: into for number, into in edges.items() if number not in cut}
