"""Abstracts that are sent as an index: each word with the places at which it stands."""

from __future__ import annotations

import json
from typing import Any

from papers.sources.crossref import wording

_MOST_WORDS = 50_000
"""A place beyond is damage: no abstract is so long."""


def abstract_of(said: Any) -> str:
    """The abstract in the order of its words; empty where there is none. What cannot be placed is left out."""
    if isinstance(said, str) and said.lstrip()[:1] == "{":  # as older parts of the snapshot have it
        try:
            said = json.loads(said)
        except (ValueError, RecursionError):
            return ""
    if isinstance(said, dict) and isinstance(said.get("InvertedIndex"), dict):
        said = said["InvertedIndex"]
    if not isinstance(said, dict):
        return ""
    words: dict[int, str] = {}
    for word, places in said.items():
        for place in places if isinstance(places, list) else ():
            if isinstance(place, int) and not isinstance(place, bool) and 0 <= place < _MOST_WORDS:
                words.setdefault(place, word)
    return wording.abstract(" ".join(words[place] for place in sorted(words)))
