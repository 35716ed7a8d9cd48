"""Digital object identifiers, as people and machines write them.

Syntax: ISO 26324 and https://www.doi.org/doi-handbook; names are case-insensitive, so the normal form is lower case.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

MAXIMUM_LENGTH = 255
"""Longer ones are taken for damage."""

_PREFIX = re.compile(
    r"^(?:doi\s*[:=]?\s*)?(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/)?(?:doi\s*:\s*)?(?=10\.)", re.IGNORECASE
)
_FORM = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/[^\s\x00-\x1f\x7f]+", re.ASCII)
_SEPARATOR = re.compile(r"\s+|[,;|](?=(?:doi\s*:\s*)?(?:https?://[a-z.]{1,20}/)?10\.[0-9]{4})", re.IGNORECASE)
_PREPRINTS = re.compile(
    r"10\.(?:48550|2139|21203|26434|31234|31219|31235|20944|36227|22541|64898)/"
    r"|10\.1101/(?:[0-9]{4}\.[0-9]{2}\.[0-9]{2}\.)?[0-9]{6}|10\.1002/essoar\.",
    re.IGNORECASE,
)
"""arXiv, SSRN, Research Square, ChemRxiv, PsyArXiv, OSF, SocArXiv, Preprints.org, TechRxiv, Authorea, bioRxiv, and
medRxiv."""
_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}


def normalise(text: str) -> str | None:
    """The DOI that ``text`` is, in lower case and bare, or ``None``. Never raises.

    Takes ``doi:`` prefixes and doi.org addresses (with percent escapes); drops punctuation that the sentence around
    it left behind, but keeps brackets that belong to it, as in the old SICI names.
    """
    text = text.strip()
    match = _PREFIX.match(text)
    if match is None:
        return None
    if "doi.org/" in match.group().lower() or ("%2f" in text.lower() and "/" not in text):
        text = unquote(text)
    bare = _without_trailing_punctuation(text[match.end() :].lower())
    if len(bare) > MAXIMUM_LENGTH or _FORM.fullmatch(bare) is None or "\ufffd" in bare:
        return None
    return bare


def normalise_all(text: str) -> list[str]:
    """Every DOI of a field that should hold one but may hold several, in order, each once; what is none is dropped."""
    found = (normalise(part.lstrip("([{<\"'")) for part in _SEPARATOR.split(text))
    return list(dict.fromkeys(doi for doi in found if doi))


def is_of_preprint_server(name: str) -> bool:
    """Whether a DOI, in its normal form, was given by one of the large servers of preprints."""
    return _PREPRINTS.match(name) is not None


def _without_trailing_punctuation(text: str) -> str:
    end = len(text)
    while end:
        last = text[end - 1]
        if last in ".,;:'\"" or (last in _CLOSING and text.count(last, 0, end) > text.count(_CLOSING[last], 0, end)):
            end -= 1
            if len(text) - end > 20:  # no sentence ends like that
                break
            continue
        break
    return text[:end]
