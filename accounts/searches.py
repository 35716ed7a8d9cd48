"""A search as an address asks it, in one way of writing."""

from __future__ import annotations

import hashlib
from urllib.parse import parse_qsl, urlencode

from papers.forms import PaperFilterForm
from papers.search_query import MOST_CHARACTERS

NOT_ASKED = frozenset({"sort"})
"""Parameters that change how an answer looks, not what it is."""


def normalise_query(text: str) -> str:
    """What stands after the question mark of the search page, with its parameters in order and nothing else.

    The order of parameters, empty ones, those that no list reads, and more than one space in a row make no difference.
    Nothing is left of a text that asks nothing.
    """
    known = {"q", "year", *PaperFilterForm.base_fields} - NOT_ASKED
    given: dict[str, str] = {}
    for name, value in parse_qsl(text.lstrip("?"), max_num_fields=200):
        tidied = " ".join(value.replace("\0", "").split())
        if name in known and tidied:
            given[name] = tidied[:MOST_CHARACTERS]
    return urlencode(sorted(given.items()))


def key_of(query: str) -> str:
    """SHA-256, in hexadecimal digits, of a normalised query; capital letters in it make no difference."""
    words = [(name, value if "OR" in value.split() else value.casefold()) for name, value in parse_qsl(query)]
    return hashlib.sha256(urlencode(words).encode()).hexdigest()
