"""What the curators' forms and addresses bring, read strictly."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.core.exceptions import BadRequest
from django.http import HttpRequest

from wovepaper.lib.text import clean

MOST_MEMBERS = 60
"""So many members are taken from one form."""
LONGEST_REASON = 1000


def number(text: str) -> int:
    """A number of a row. Raises ``BadRequest`` for anything else."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 18):
        raise BadRequest(f"{text[:40]!r} is not the number of anything.")
    return int(text)


def numbers(texts: Iterable[str], *, most: int = MOST_MEMBERS) -> list[int]:
    """Numbers without repetition, in order. Raises ``BadRequest``, also for more than ``most``."""
    found = list(dict.fromkeys(number(text) for text in texts))
    if len(found) > most:
        raise BadRequest(f"At most {most} at once.")
    return found


def optional_number(text: str) -> int | None:
    """A number, or ``None`` for an empty text. Raises ``BadRequest``."""
    return number(text) if text else None


def versions(request: HttpRequest) -> dict[int, int]:
    """The versions that the form showed: fields ``version`` of the form ``number:version``. Raises ``BadRequest``."""
    found = {}
    for text in request.POST.getlist("version"):
        subject, _, version = text.partition(":")
        found[number(subject)] = number(version)
    return found


def reason(request: HttpRequest) -> str:
    """The reason, on one line and not too long; the engine refuses an empty one."""
    return words(request, "reason")[:LONGEST_REASON]


def words(request: HttpRequest, field: str) -> str:
    """What was typed into a field, on one line, without what no database takes and nobody sees."""
    return clean(request.POST.get(field, ""))


def one_of(request: HttpRequest, field: str, *allowed: str) -> str:
    """The value of the button that was pressed. Raises ``BadRequest`` for one the page does not have."""
    text = request.POST.get(field, "")
    if text not in allowed:
        raise BadRequest("This is no button of the page.")
    return text


def key(request: HttpRequest) -> str:
    """The form's own key, which makes sending it twice the same as once. Raises ``BadRequest``."""
    text = request.POST.get("key", "")
    if not re.fullmatch(r"[0-9a-f]{32}", text):
        raise BadRequest("This form has no key of its own. Open the page again.")
    return text
