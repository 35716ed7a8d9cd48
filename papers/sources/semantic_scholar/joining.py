"""One record out of answers that each hold some of its fields.

An answer of the Graph API holds the fields that were asked for, and the data sets spread a paper over two files. So
states of a record do not replace each other as a whole but field by field; what an answer does not say, stays.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from papers.sources.semantic_scholar.papers import COUNTED_ON
from papers.sources.semantic_scholar.papers import load as load_object

ANSWERS = "_answers"
"""The key under which a stored record keeps digests of the answers that it was put together from."""

ANSWERS_KEPT = 20
_NOT_KEPT = frozenset({"embedding", "citations", "citationStyles", "inCitations", "entities"})
"""Long, and of no use here; the stored pages have them."""
_OF_A_REFERENCE = frozenset({"paperId", "corpusId", "externalIds", "title", "year", "venue", "journal", "authors"})
_COUNTS = ("citationCount", "citationcount")
_SAYS_NOTHING: tuple[Any, ...] = (None, "", [], {})


def join(known: bytes | None, known_stamp: str, given: bytes, stamp: str) -> tuple[bytes, str]:
    """The record once ``given`` has come in, and its stamp; ``known`` itself where that adds nothing.

    A field that says nothing (``null``, empty, left out) never takes a value away. Of two values that of the later
    stamp stands; between equal stamps, of which most are empty, that of the answer that came in later. An answer that
    went in already is not taken in twice, so that old files can be read again.
    """
    digest = hashlib.sha256(given).hexdigest()[:16]
    new = {key: _kept(key, value) for key, value in load_object(given).items() if _is_said(key, value)}
    if any(key in new for key in _COUNTS) and stamp[:4].isdigit():
        new[COUNTED_ON] = stamp[:10]
    if known is None:
        return _dump(new, [digest]), stamp
    old = load_object(known)
    answers = [one for one in old.pop(ANSWERS, []) if isinstance(one, str)]
    if digest in answers and stamp <= known_stamp:
        return known, known_stamp
    joined = {**new, **old} if stamp < known_stamp else {**old, **new}
    if any(key in new for key in _COUNTS) and stamp >= known_stamp and COUNTED_ON not in new:
        joined.pop(COUNTED_ON, None)  # a count that nobody dated is not of the day of another one
    if joined == old and stamp <= known_stamp:
        return known, known_stamp
    answers = [one for one in answers if one != digest]
    return _dump(joined, [*answers, digest][-ANSWERS_KEPT:]), max(stamp, known_stamp)


def _is_said(key: str, value: Any) -> bool:
    return key not in _NOT_KEPT and not key.startswith("_") and value not in _SAYS_NOTHING


def _kept(key: str, value: Any) -> Any:
    if key != "references" or not isinstance(value, list):
        return value
    return [
        {name: said for name, said in one.items() if name in _OF_A_REFERENCE} if isinstance(one, dict) else one
        for one in value
    ]


def _dump(said: Mapping[str, Any], answers: list[str]) -> bytes:
    return json.dumps({**said, ANSWERS: answers}, ensure_ascii=False).encode("utf-8", "surrogatepass")
