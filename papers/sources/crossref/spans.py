"""Elements in text that may be no well-formed markup."""

from __future__ import annotations

import re
from collections.abc import Callable


class Span:
    """An element with its content, from its beginning to the next end of its kind, whatever the namespace prefix.

    Takes linear time: what comes after the last end is not looked at, for there nothing is closed any more. A match has
    the groups ``name`` (without prefix) and ``inside``.
    """

    def __init__(self, names: str) -> None:
        """``names`` are alternatives of a regular expression."""
        self._end = re.compile(rf"</(?:[\w-]+:)?(?:{names})\s*>", re.IGNORECASE)
        self._whole = re.compile(
            rf"<(?:[\w-]+:)?(?P<name>{names})(?:\s[^<>]*)?(?<!/)>(?P<inside>.*?){self._end.pattern}",
            re.IGNORECASE | re.DOTALL,
        )

    def sub(self, replace: Callable[[re.Match[str]], str], said: str) -> str:
        """The text with every such element replaced."""
        end = done = 0
        for match in self._end.finditer(said):
            end = match.end()
        pieces = []
        for match in self._whole.finditer(said, 0, end):
            pieces += [said[done : match.start()], replace(match)]
            done = match.end()
        return "".join([*pieces, said[done:]]) if pieces else said

    def search(self, said: str) -> re.Match[str] | None:
        """The first such element."""
        return self._whole.search(said) if self._end.search(said) else None
