"""JSON of any size, read value by value in bounded memory, each with the text that it was written as."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any, BinaryIO

LARGEST_VALUE = 16 * 1024 * 1024
"""Characters of one value. A longer one is damage, or has to be walked through from outside."""

_BLOCK = 256 * 1024
_LONGEST_MATCH = 1024
_SPACE = re.compile(r"[ \t\r\n]*")
_FIRST_KEY = re.compile(r'\{[ \t\r\n]*"([^"\\]{0,200})"')
_DECODER = json.JSONDecoder()


class DamagedJson(ValueError):
    """What stands here is no JSON; the message says where and why."""


class JsonStream:
    """A cursor in a stream of UTF-8. Bytes that are no UTF-8 read as U+FFFD."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._text = ""
        self._at = 0
        self._before = 0
        self._ended = False

    @property
    def place(self) -> int:
        """How many characters lie before the cursor."""
        return self._before + self._at

    def peek(self) -> str:
        """The next sign that is not white space; the cursor stops before it. Empty at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            assert match is not None
            self._at = match.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill(_BLOCK):
                return ""

    def take(self, sign: str) -> None:
        """Go over a sign. Raises ``DamagedJson`` where another one stands."""
        if self.peek() != sign:
            raise DamagedJson(f"{sign!r} is missing after {self.place} characters")
        self._at += 1

    def takes(self, sign: str) -> bool:
        """Go over a sign if it stands here."""
        if self.peek() != sign:
            return False
        self._at += 1
        return True

    def first_key(self) -> str:
        """The first key of the object that begins here, or an empty text; the cursor stays."""
        self.peek()
        if len(self._text) - self._at < 1024:
            self._fill(_BLOCK)
        match = _FIRST_KEY.match(self._text, self._at)
        return match[1] if match else ""

    def value(self) -> tuple[Any, str]:
        """The value that begins here and its text; the cursor goes behind it. Raises ``DamagedJson``."""
        self.peek()
        block = _BLOCK
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except (ValueError, RecursionError) as error:
                if len(self._text) - self._at <= LARGEST_VALUE and self._fill(block):
                    block *= 2
                    continue
                raise DamagedJson(self._why(error)) from error
            if end == len(self._text) and self._fill(block):
                continue  # a number may go on
            text = self._text[self._at : end]
            self._at = end
            return value, text

    def skip_to(self, pattern: re.Pattern[str]) -> bool:
        """Go on to the next place, behind the cursor, where a short pattern matches; to the end where there is none."""
        start = self._at + 1
        while True:
            match = pattern.search(self._text, start)
            if match is not None:
                self._at = match.start()
                return True
            self._at = max(start, len(self._text) - _LONGEST_MATCH)
            if not self._fill(_BLOCK):
                self._at = len(self._text)
                return False
            start = 0

    def rest(self, most: int) -> str:
        """The next characters, at most so many; the cursor stays."""
        return self._text[self._at : self._at + most]

    def _fill(self, size: int) -> bool:
        """Read on, forgetting what lies before the cursor. ``False`` at the end."""
        if self._ended:
            return False
        data = self._stream.read(size)
        more = self._decoder.decode(data, final=not data)
        self._ended = not data
        self._before += self._at
        self._text = self._text[self._at :] + more
        self._at = 0
        return bool(more) or not self._ended

    def _why(self, error: Exception) -> str:
        if isinstance(error, RecursionError):
            return "it is nested too deeply"
        if len(self._text) - self._at > LARGEST_VALUE:
            return f"no end is found within {LARGEST_VALUE // 1024 // 1024} MB"
        if isinstance(error, json.JSONDecodeError):
            where = self._before + error.pos
            if error.pos >= len(self._text) or error.msg.startswith("Unterminated"):
                return f"it ends in the middle of a value, after {self._before + len(self._text)} characters"
            return f"{error.msg} (after {where} characters)"
        return str(error)
