"""Documents of records in JSON: one record a line, arrays, answers that hold a list, or one record.

What is a record, and what an answer looks like, its source says with a ``Shape``.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO

from wovepaper.harvest import archives
from wovepaper.harvest.contracts import DamagedRecord, Page, PageRefused, RawRecord
from wovepaper.harvest.file_source import pages_of
from wovepaper.harvest.json_stream import DamagedJson, JsonStream
from wovepaper.lib import text

PAGE_SIZE = 500
LONGEST_LINE = 16 * 1024 * 1024
"""Bytes. A longer line is damage, or no line at all."""

Piece = RawRecord | DamagedRecord


class NoRecord(ValueError):
    """A JSON object is none of the source's records; the message says what it is."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How the documents of a source look."""

    format: str
    lists: frozenset[str]
    """Keys of an answer under which records stand in an array."""
    wrapper: frozenset[str]
    """Keys that an answer can begin with, and no record does."""
    recognise: Callable[[dict[str, Any]], tuple[str, str]]
    """External id and stamp of a record. Raises ``NoRecord``."""
    forms: str
    """In what the records come, for whoever named another file."""
    format_of: Callable[[dict[str, Any]], str] | None = None
    """Which format a record has, of a source whose documents hold several; else all have ``format``."""


def read_answer(body: bytes, shape: Shape) -> Page:
    """An answer of the source's API. Raises ``PageRefused`` for what is none, and for one that tells of an error."""
    if not archives.starts_like_json(lambda: io.BytesIO(body)):
        said = text.clean(body[:80].decode("utf-8", "replace"))
        raise PageRefused(f"The answer is not JSON but begins with {said!r}.", retry=True)
    reader = JsonStream(io.BytesIO(body))
    if reader.peek() != "{" or not reader.first_key():
        raise PageRefused("The answer holds nothing that could be read.", retry=False)
    records, damaged = _sorted_apart(_from_stream(reader, shape))
    if damaged and not records:
        raise PageRefused(damaged[0].reason, retry=False)
    return Page(records, damaged)


def read_document(open_stream: archives.OpenStream, shape: Shape) -> Iterator[Page]:
    """The pages of one unpacked document, in bounded memory. Raises ``PageRefused``."""
    if not archives.starts_like_json(open_stream):
        with open_stream() as stream:
            is_xml = stream.read(200).lstrip()[:1] == b"<"
        raise PageRefused(
            f"The file is {'XML or HTML, not JSON' if is_xml else 'not JSON'}: {shape.forms}.", retry=False
        )
    with open_stream() as stream:
        yield from pages_of(_pieces(stream, open_stream, shape), size=PAGE_SIZE)


def _sorted_apart(pieces: Iterable[Piece]) -> tuple[tuple[RawRecord, ...], tuple[DamagedRecord, ...]]:
    found = list(pieces)
    return (
        tuple(piece for piece in found if isinstance(piece, RawRecord)),
        tuple(piece for piece in found if isinstance(piece, DamagedRecord)),
    )


def _pieces(stream: BinaryIO, open_stream: archives.OpenStream, shape: Shape) -> Iterator[Piece]:
    """Lines where the first line is a whole object, or the second begins one; else one document."""
    keys = "|".join(map(re.escape, sorted(shape.wrapper)))
    is_wrapper = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[|\{\s*"(?:%s)"\s*:)' % keys.encode())
    first = stream.readline(LONGEST_LINE)
    if is_wrapper.match(first) is None:
        second = stream.readline(LONGEST_LINE)
        if first.rstrip().endswith(b"}") or second.lstrip()[:1] == b"{":
            lines = chain((first, second), iter(lambda: stream.readline(LONGEST_LINE), b""))
            yield from _lines(lines, shape)
            return
    with open_stream() as again:
        yield from _from_stream(JsonStream(again), shape)


def _lines(lines: Iterator[bytes], shape: Shape) -> Iterator[Piece]:
    """One object a line; a damaged line is damaged by itself."""
    for number, line in enumerate(lines, start=1):
        place = f"Line {number}"
        payload = line.removeprefix(b"\xef\xbb\xbf").strip()
        if not payload:
            continue
        if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
            reason = f"{place} is longer than {LONGEST_LINE // 1024 // 1024} MB."
            yield DamagedRecord("", shape.format, line[:4096], reason)
            while line and not line.endswith(b"\n"):
                line = next(lines, b"")
            continue
        try:
            said = json.loads(payload)
        except (ValueError, RecursionError) as error:
            reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
            yield DamagedRecord("", shape.format, payload, f"{place} is not JSON: {reason}.")
            continue
        if isinstance(said, dict) and said and next(iter(said)) in shape.wrapper:
            yield from _from_stream(JsonStream(io.BytesIO(payload)), shape)
        else:
            yield _piece(said, payload, place, shape)


def _from_stream(reader: JsonStream, shape: Shape) -> Iterator[Piece]:
    """Objects and arrays one after the other, walked through."""
    try:
        while sign := reader.peek():
            if sign == "[":
                yield from _elements(reader, shape)
            elif sign == "{" and reader.first_key() in shape.wrapper:
                yield from _wrapper(reader, shape)
            else:
                said, payload = reader.value()
                yield _piece(said, payload.encode("utf-8", "surrogatepass"), "The object", shape)
    except DamagedJson as error:
        rest = reader.rest(4096).encode("utf-8", "replace")
        yield DamagedRecord("", shape.format, rest, f"The JSON is damaged ({error}); what follows was not read.")


def _wrapper(reader: JsonStream, shape: Shape) -> Iterator[Piece]:
    """An answer: what stands in its lists, and a word where it has none."""
    reader.take("{")
    has_list = False
    others: dict[str, Any] = {}
    while not reader.takes("}"):
        key, _ = reader.value()
        reader.take(":")
        if key in shape.lists and reader.peek() == "[":
            has_list = True
            yield from _elements(reader, shape)
        else:
            said, _ = reader.value()
            others[str(key)] = said
        if not reader.takes(","):
            reader.take("}")
            break
    if not has_list:
        yield _piece(others, json.dumps(others).encode()[:4096], "The answer", shape)


def _elements(reader: JsonStream, shape: Shape) -> Iterator[Piece]:
    reader.take("[")
    number = 0
    if reader.takes("]"):
        return
    while True:
        number += 1
        said, payload = reader.value()
        yield _piece(said, payload.encode("utf-8", "surrogatepass"), f"Item {number}", shape)
        if not reader.takes(","):
            reader.take("]")
            return


def _piece(said: Any, payload: bytes, place: str, shape: Shape) -> Piece:
    if not isinstance(said, dict):
        what = "empty: the source does not know it" if said is None else "not a JSON object"
        return DamagedRecord("", shape.format, payload, f"{place} is {what}.")
    try:
        external_id, stamp = shape.recognise(said)
    except NoRecord as error:
        return DamagedRecord("", shape.format, payload, f"{place} {error}")
    format_ = shape.format_of(said) if shape.format_of else shape.format
    return RawRecord(external_id, format_, stamp, payload)
