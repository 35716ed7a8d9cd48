"""What publishers write before a title to say that the work no longer stands."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARK = re.compile(
    r"[\[(]?\s*(?P<word>retracted|withdrawn|removed)(?:\s+(?P<what>article|paper|chapter|publication|preprint))?\s*[\])]?"
    r"\s*(?P<sign>[:.–—-])?\s+(?=\S)",
    re.IGNORECASE,
)


class Standing(NamedTuple):
    """A title without the mark, and what the mark said."""

    title: str
    retracted: bool = False
    withdrawn: bool = False


def read_mark(title: str, *, is_notice: bool = False, is_known: bool = False) -> Standing:
    """Take ``RETRACTED:``, ``WITHDRAWN:`` and their like off a title.

    Some publishers call the notice itself ``Retracted: …``. So the mark counts for nothing on a record that says it is
    a notice; and in mixed case only with ``ARTICLE`` or a bracket, or where ``is_known`` says the same otherwise.
    """
    match = _MARK.match(title)
    if match is None or is_notice:
        return Standing(title)
    bracketed = title.lstrip()[:1] in "[("
    if not (match["sign"] or bracketed):
        return Standing(title)  # Removed Sediments of the Lower Delta
    if not (match["word"].isupper() or match["what"] or bracketed or is_known):
        return Standing(title)
    retracted = match["word"].casefold() == "retracted"
    return Standing(title[match.end() :], retracted=retracted, withdrawn=not retracted)
