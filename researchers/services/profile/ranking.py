"""What SQL counts, by a number, most first: each page begins where the one before ended."""

from __future__ import annotations

from papers.keyset import Key, Place

ROWS_A_PAGE = 50


def beyond(place: Place, amount: str, number: str) -> str:
    """The rows on the far side of the place, as SQL over two columns; takes the parameters of ``cursor_values``."""
    if place.before is not None:
        return f"({amount}, {number}) > (%(amount)s, %(number)s)"
    return f"({amount}, {number}) < (%(amount)s, %(number)s)" if place.after is not None else "true"


def away(place: Place, amount: str, number: str) -> str:
    """The order in which rows are read: away from the place."""
    return f"{amount}, {number}" if place.before is not None else f"{amount} DESC, {number} DESC"


def cursor_values(place: Place) -> dict[str, Key]:
    """The parameters of ``beyond``."""
    cursor = place.before or place.after
    return {} if cursor is None else {"amount": cursor.key, "number": cursor.number}
