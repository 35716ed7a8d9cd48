"""A broken XML document, cut into its records by their tags alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from lxml import etree

from papers.sources.arxiv.elements import PARSER, Element

LARGEST_RECORD = 16 * 1024 * 1024
"""Bytes. A record with 3,000 authors and their affiliations has about half a million."""

LARGEST_GARBAGE = 64 * 1024
"""Bytes kept of what follows the end of a document."""

_CHUNK = 256 * 1024
_START = re.compile(rb"<((?:[A-Za-z_][\w.-]*:)?record)(?=[\s>])")
_ENVELOPE_END = re.compile(rb"</(?:[\w.-]+:)?OAI-PMH\s*>")
_IDENTIFIER = re.compile(rb"<(?:[\w.-]+:)?identifier>\s*([^<\s]{1,200})")
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_DECLARATION = re.compile(rb"<\?xml[^>]*\?>")
_ROOT = re.compile(rb"<(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)((?:\s[^>]*)?)>?")
_NAMESPACE = re.compile(rb"""\sxmlns(?::[\w.-]+)?\s*=\s*(?:"[^"<]*"|'[^'<]*')""")


class Readable(Protocol):
    """What is asked of a stream."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes; none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Piece:
    """What lies between a record's tags. ``problem`` is empty where both tags are there."""

    payload: bytes
    line: int
    problem: str = ""
    identifier: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around the records: a record cut out needs the encoding and the namespaces of its document."""

    is_xml: bool
    is_html: bool
    has_doctype: bool
    root: str
    declaration: bytes
    namespaces: bytes

    @classmethod
    def of(cls, head: bytes) -> Surroundings:
        """From the first bytes of a document."""
        if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
            head = head.decode("utf-16", "replace").encode()
        bare = _COMMENT.sub(b"", head.removeprefix(b"\xef\xbb\xbf")).lstrip()
        declaration = _DECLARATION.match(bare)
        body = re.sub(rb"<\?.*?\?>", b"", bare, flags=re.DOTALL).lstrip()
        lower = body[:200].lower()
        has_doctype = lower.startswith(b"<!doctype")
        is_html = lower.startswith((b"<html", b"<head", b"<body")) or (has_doctype and b"html" in lower[:60])
        root = _ROOT.search(body)
        return cls(
            is_xml=bare.startswith(b"<"),
            is_html=is_html,
            has_doctype=b"<!doctype" in body.lower() and not is_html,
            root=root[2].decode() if root else "",
            declaration=declaration.group() if declaration else b"",
            namespaces=b"".join(_NAMESPACE.findall(root[3])) if root and root[2] != b"record" else b"",
        )

    def parse(self, record: bytes) -> Element:
        """The record as an element. Raises ``lxml.etree.XMLSyntaxError``."""
        document = b"%s<piece%s>%s</piece>" % (self.declaration, self.namespaces, record)
        return etree.fromstring(document, PARSER)[0]


def cut_records(stream: Readable) -> Iterator[Piece]:
    """Every record of the stream in order, and what follows the document, in bounded memory and linear time."""
    buffer = b""
    line = 1
    ended = False
    while True:
        match = _START.search(buffer)
        if match is None:
            end = _ENVELOPE_END.search(buffer)
            if end is not None:
                line += buffer.count(b"\n", 0, end.end())
                yield from _after_the_end(buffer[end.end() :], stream, line)
                return
            if ended:
                return
            keep = max(0, len(buffer) - 300)
            line += buffer.count(b"\n", 0, keep)
            buffer, ended = _more(buffer[keep:], stream)
            continue
        line += buffer.count(b"\n", 0, match.start())
        buffer = buffer[match.start() :]
        buffer, ended, piece, used = _one_record(buffer, stream, ended, match[1], line)
        yield piece
        line += buffer.count(b"\n", 0, used)
        buffer = buffer[used:]


def _more(buffer: bytes, stream: Readable) -> tuple[bytes, bool]:
    chunk = stream.read(_CHUNK)
    return buffer + chunk, not chunk


def _one_record(buffer: bytes, stream: Readable, ended: bool, name: bytes, line: int) -> tuple[bytes, bool, Piece, int]:
    """The record that the buffer begins with; returns buffer, whether the stream ended, the piece, and its length."""
    closing = re.compile(rb"</%s\s*>" % re.escape(name))
    searched = 1
    while True:
        end = closing.search(buffer, searched)
        following = _START.search(buffer, searched, end.start() if end else len(buffer))
        if following is not None:
            payload = buffer[: following.start()]
            return buffer, ended, _piece(payload, line, "The record has no end."), following.start()
        if end is not None:
            return buffer, ended, _piece(buffer[: end.end()], line, ""), end.end()
        if ended:
            return buffer, True, _piece(buffer, line, "The document is cut off inside this record."), len(buffer)
        if len(buffer) > LARGEST_RECORD:
            problem = f"The record is larger than {LARGEST_RECORD // 1024 // 1024} MB."
            return buffer, ended, _piece(buffer[:LARGEST_GARBAGE], line, problem), len(buffer)
        searched = max(1, len(buffer) - 300)
        buffer, ended = _more(buffer, stream)


def _piece(payload: bytes, line: int, problem: str) -> Piece:
    found = _IDENTIFIER.search(payload)
    return Piece(payload, line, problem, found[1].decode("utf-8", "replace") if found else "")


def _after_the_end(rest: bytes, stream: Readable, line: int) -> Iterator[Piece]:
    """Garbage after the document, and the records of another document that may follow in it."""
    while len(rest) < LARGEST_GARBAGE and (chunk := stream.read(_CHUNK)):
        rest += chunk
    match = _START.search(rest)
    garbage = rest[: match.start()] if match else rest
    if garbage.strip() and match is None:
        yield Piece(garbage[:LARGEST_GARBAGE], line, "There is garbage after the end of the document.")
    if match is not None:
        yield from cut_records(_Chained(rest[match.start() :], stream))


class _Chained:
    """Bytes already read, then the rest of a stream."""

    def __init__(self, first: bytes, stream: Readable) -> None:
        self.first = first
        self.stream = stream

    def read(self, size: int, /) -> bytes:
        if self.first:
            first, self.first = self.first[:size], self.first[size:]
            return first
        return self.stream.read(size)
