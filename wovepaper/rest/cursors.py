"""Cursors: a place in a list, signed, so that nobody can make one up or take it to another list."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping

from django.core.signing import BadSignature, Signer

from wovepaper.rest.problems import Fault, Problem

_signer = Signer(salt="wovepaper.rest.cursor")
LONGEST = 1_000
"""Characters of a cursor."""
_NOT_OF_THE_LIST = frozenset({"cursor", "limit", "select"})
"""Parameters that change how much of a list is told, not which list it is."""


def list_name(path: str, query: Mapping[str, str]) -> str:
    """What tells a list from others: its address and filters."""
    said = sorted((name, value) for name, value in query.items() if name not in _NOT_OF_THE_LIST and value)
    return hashlib.sha256(repr((path, said)).encode("utf-8", "replace")).hexdigest()[:16]


def write_cursor(place: str, *, of: str) -> str:
    """The cursor that leads to ``place`` in the list ``of`` this name."""
    signed = _signer.sign(f"{of}:{place}")
    return base64.urlsafe_b64encode(signed.encode()).decode().rstrip("=")


def read_cursor(text: str, *, of: str) -> str:
    """The place that a cursor of the list leads to. Raises ``Problem`` for any that was not given out for it."""
    text = text if len(text) <= LONGEST else ""
    try:
        signed = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        name, _, place = _signer.unsign(signed.decode()).partition(":")
    except (BadSignature, binascii.Error, ValueError):
        raise _bad("This cursor was not given out by this site, or was changed since.") from None
    if name != of:
        raise _bad("This cursor belongs to another list: the address and the filters must stay as they were.")
    return place


def _bad(message: str) -> Problem:
    return Problem("bad-cursor", message, [Fault("cursor", message)])
