"""What records say of two papers that exist: that they may be one. Whoever fuses papers registers here."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.db.backends.utils import CursorWrapper

from papers.services.ingest.identity import SHORTEST_TITLE

Pair = tuple[int, int]
MOST_OF_A_TITLE = 8
"""Papers of one title beyond which the title ("Editorial") says nothing of them."""


@dataclass(frozen=True, slots=True)
class Ties:
    """Pairs of papers: those that claim one identifier, and those of one title."""

    identifiers: frozenset[Pair] = frozenset()
    titles: frozenset[Pair] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.identifiers or self.titles)


Listener = Callable[[Ties], None]
"""Called inside the transaction that wrote the papers, with all writers of papers locked out."""

_listeners: list[Listener] = []


def on_ties(listener: Listener) -> Listener:
    """Call ``listener`` whenever papers turn out to be tied. Usable as a decorator."""
    if listener not in _listeners:
        _listeners.append(listener)
    return listener


def announce_ties(ties: Ties) -> None:
    """Tell all."""
    if ties:
        for listener in _listeners:
            listener(ties)


def namesakes_of(cursor: CursorWrapper, papers: Collection[int]) -> frozenset[Pair]:
    """Pairs of these papers and others of the same title, of which one at least is not on arXiv."""
    if not papers:
        return frozenset()
    cursor.execute(
        "SELECT mine.id, theirs.id FROM papers_paper AS mine JOIN LATERAL"
        " (SELECT id, arxiv_id FROM papers_paper WHERE title_key = mine.title_key AND title_key <> ''"
        "  AND redirect_to_id IS NULL AND id <> mine.id LIMIT %s) AS theirs ON true"
        " WHERE mine.id = ANY(%s) AND length(mine.title_key) >= %s AND mine.redirect_to_id IS NULL"
        " AND (mine.arxiv_id = '' OR theirs.arxiv_id = '')",
        [MOST_OF_A_TITLE, list(papers), SHORTEST_TITLE],
    )
    return frozenset(cursor.fetchall())
