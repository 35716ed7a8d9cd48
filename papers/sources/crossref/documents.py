"""What Crossref's works come in: JSON lines, answers of the REST API, parts of the public data file.

Answers: https://api.crossref.org/swagger-ui/index.html (``status``, ``message-type``, ``message`` with one work or with
``items``); the public data file has one object with ``items`` for each of its parts.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from papers.sources.crossref import dates
from wovepaper.harvest import archives
from wovepaper.harvest.contracts import DamagedRecord, Page, PageRefused, RawRecord
from wovepaper.harvest.file_source import pages_of
from wovepaper.harvest.json_stream import DamagedJson, JsonStream
from wovepaper.lib import doi, text

FORMAT = "work"
PAGE_SIZE = 500
LONGEST_LINE = 16 * 1024 * 1024
"""Bytes. A longer line is damage, or no line at all."""


class _Lost(Exception):
    """Behind the damage, which was told, nothing more can be made out."""


Piece = RawRecord | DamagedRecord

_WRAPPER_KEYS = ("items", "status", "message", "message-type", "message-version")
_WRAPPER = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[|\{\s*"(?:%s)"\s*:)' % "|".join(_WRAPPER_KEYS).encode())
_FORMS = "works come as lines of JSON, as an answer of Crossref's API or as a part of its public data file"


def read_file(path: Path) -> Iterator[Page]:
    """The pages of a file, plain or in gzip or zip, in bounded memory. Raises ``PageRefused``."""
    return archives.read_file(path, read_document)


def read_answer(body: bytes) -> Page:
    """An answer of the API. Raises ``PageRefused`` for what is none, and for one that tells of an error."""
    if not archives.starts_like_json(lambda: io.BytesIO(body)):
        said = text.clean(body[:80].decode("utf-8", "replace"))
        raise PageRefused(f"The answer is not JSON but begins with {said!r}.", retry=True)
    reader = JsonStream(io.BytesIO(body))
    if reader.peek() != "{" or reader.first_key() not in _WRAPPER_KEYS:
        raise PageRefused("The answer has no message, so it is none of Crossref's API.", retry=False)
    pieces = list(_from_stream(reader))
    records = tuple(piece for piece in pieces if isinstance(piece, RawRecord))
    damaged = tuple(piece for piece in pieces if isinstance(piece, DamagedRecord))
    if damaged and not records:
        raise PageRefused(damaged[0].reason, retry=False)
    return Page(records, damaged)


def read_document(open_stream: archives.OpenStream) -> Iterator[Page]:
    """The pages of one unpacked document. Raises ``PageRefused``."""
    if not archives.starts_like_json(open_stream):
        with open_stream() as stream:
            is_xml = stream.read(200).lstrip()[:1] == b"<"
        what = "XML or HTML, not JSON" if is_xml else "not JSON"
        raise PageRefused(f"The file is {what}: {_FORMS}.", retry=False)
    with open_stream() as stream:
        yield from pages_of(_pieces(stream, open_stream), size=PAGE_SIZE)


def read_lines(lines: Iterable[bytes]) -> Iterator[Page]:
    """The pages of works that come one a line."""
    return pages_of(_lines(iter(lines)), size=PAGE_SIZE)


def _pieces(stream: BinaryIO, open_stream: archives.OpenStream) -> Iterator[Piece]:
    first = stream.readline(64 * 1024)
    if _WRAPPER.match(first) is None:
        first += stream.readline(LONGEST_LINE) if not first.endswith(b"\n") else b""
        second = stream.readline(LONGEST_LINE)
        if first.rstrip().endswith(b"}") or second.lstrip()[:1] == b"{":
            yield from _lines(chain((first, second), iter(lambda: stream.readline(LONGEST_LINE), b"")))
            return
    with open_stream() as again:
        yield from _from_stream(JsonStream(again))


def _lines(lines: Iterator[bytes]) -> Iterator[Piece]:
    """One object a line; a damaged line is damaged by itself."""
    for number, line in enumerate(lines, start=1):
        place = f"Line {number}"
        payload = line.removeprefix(b"\xef\xbb\xbf").strip()
        if not payload:
            continue
        if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
            yield DamagedRecord("", FORMAT, line[:4096], f"{place} is longer than {LONGEST_LINE // 1024 // 1024} MB.")
            while line and not line.endswith(b"\n"):
                line = next(lines, b"")
            continue
        try:
            said = json.loads(payload)
        except (ValueError, RecursionError) as error:
            reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
            yield DamagedRecord("", FORMAT, payload, f"{place} is not JSON: {reason}.")
            continue
        yield from _unwrap(said, payload, place)


def _from_stream(reader: JsonStream) -> Iterator[Piece]:
    """Objects and arrays one after the other, walked through."""
    try:
        while sign := reader.peek():
            if sign == "[":
                yield from _elements(reader)
            elif sign == "{" and reader.first_key() in _WRAPPER_KEYS:
                yield from _wrapper(reader, "")
            else:
                said, payload = reader.value()
                yield from _unwrap(said, payload.encode(), "The object")
    except _Lost:
        return
    except DamagedJson as error:
        rest = reader.rest(4096).encode("utf-8", "replace")
        yield DamagedRecord("", FORMAT, rest, f"The JSON is damaged ({error}); what follows was not read.")


def _wrapper(reader: JsonStream, kind: str) -> Iterator[Piece]:
    """An answer, its message, or a part of the public data file: only what stands in ``items`` is kept apart."""
    reader.take("{")
    failed = False
    while not reader.takes("}"):
        key, _ = reader.value()
        reader.take(":")
        sign = reader.peek()
        if key == "items" and sign == "[" and kind in ("", "work-list"):
            yield from _elements(reader)
        elif key == "message" and sign == "{" and kind == "work-list":
            yield from _wrapper(reader, kind)
        else:
            said, payload = reader.value()
            if key == "message-type" and isinstance(said, str):
                kind = said
            elif key == "status":
                failed = said not in ("ok", None)
            elif key == "message":
                yield from _message(said, payload, kind, failed=failed)
        if not reader.takes(","):
            reader.take("}")
            return


def _message(said: Any, payload: str, kind: str, *, failed: bool) -> Iterator[Piece]:
    if failed or not isinstance(said, dict):
        yield DamagedRecord("", FORMAT, payload.encode(), f"The answer tells of an error: {_error(said)}.")
    elif kind in ("", "work"):
        yield from _unwrap(said, payload.encode(), "The message")
    else:
        about = text.clean(kind)[:60]
        yield DamagedRecord("", FORMAT, payload.encode(), f"The answer is a {about!r}, and works are wanted.")


def _error(said: Any) -> str:
    first = said[0] if isinstance(said, list) and said else said
    words = first.get("message") if isinstance(first, dict) else first
    return text.clean(words)[:200].rstrip(".") if isinstance(words, str) else "it does not say which"


def _elements(reader: JsonStream) -> Iterator[Piece]:
    """The elements of an array. Behind a damaged one reading goes on where the next work seems to begin."""
    reader.take("[")
    number = 0
    opening = _opening("indexed")
    if reader.takes("]"):
        return
    while True:
        number += 1
        if number == 1 and reader.peek() == "{" and (key := reader.first_key()):
            opening = _opening(key)
        try:
            said, payload = reader.value()
            ended = not reader.takes(",")
            if ended:
                reader.take("]")
        except DamagedJson as error:
            rest = reader.rest(4096).encode("utf-8", "replace")
            yield DamagedRecord("", FORMAT, rest, f"Item {number} is damaged: {error}.")
            if not reader.skip_to(opening):
                raise _Lost from error
            continue
        yield from _unwrap(said, payload.encode("utf-8", "surrogatepass"), f"Item {number}")
        if ended:
            return


def _opening(key: str) -> re.Pattern[str]:
    """How works begin: all of a file with the same key."""
    return re.compile(rf'\{{\s{{0,100}}"{re.escape(key)}"\s{{0,100}}:')


def _unwrap(said: Any, payload: bytes, place: str) -> Iterator[Piece]:
    """A work as a record; an answer of the API as what it holds."""
    if not isinstance(said, dict):
        yield DamagedRecord("", FORMAT, payload, f"{place} is not a JSON object.")
        return
    name = said.get("DOI")
    if isinstance(name, str) and name.strip():
        yield RawRecord((doi.normalise(text.clean(name)) or text.clean(name))[:255], FORMAT, dates.stamp(said), payload)
    elif "items" in said or "message" in said:
        yield from _from_stream(JsonStream(io.BytesIO(payload))) if _WRAPPER.match(payload) else _inner(said, place)
    else:
        yield DamagedRecord("", FORMAT, payload, f'{place} has no "DOI", so it is no work of Crossref.')


def _inner(said: dict[str, Any], place: str) -> Iterator[Piece]:
    message = said.get("message", said)
    items = message.get("items") if isinstance(message, dict) else None
    for number, item in enumerate(items if isinstance(items, list) else [message], start=1):
        if isinstance(item, dict) and ("items" in item or "message" in item):
            item = {}
        yield from _unwrap(item, json.dumps(item).encode(), f"{place}, item {number},")
