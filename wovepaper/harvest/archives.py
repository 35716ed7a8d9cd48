"""Dump files, plain or in gzip or zip: what they are is told by their content, never by their name."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from wovepaper.harvest.contracts import DamagedRecord, Page, PageRefused

_DEEPEST = 3
"""Archives within archives."""

_UNREAD_IN_A_PAGE = 500
"""Pages without a record are put together up to so many damaged pieces: each page costs a transaction."""

_BUFFER = 256 * 1024
"""Bytes unpacked at a time."""

_DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile)


OpenStream = Callable[[], BinaryIO]
"""Opens the unpacked content from its beginning; more than once where that is needed."""
ReadDocument = Callable[[OpenStream], Iterator[Page]]
"""The pages of one unpacked document. Raises ``PageRefused``."""
ChooseMembers = Callable[[Sequence[str]], Collection[str]]
"""Which files of a zip archive to read, of the names of all."""


@dataclass(slots=True)
class _Trouble:
    """The first thing that went wrong while unpacking."""

    messages: list[str] = field(default_factory=list)


def starts_like_json(open_stream: OpenStream) -> bool:
    """Whether the first sign that is not white space opens a JSON object or array."""
    with open_stream() as stream:
        head = stream.read(4096)
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def read_file(path: Path, read: ReadDocument, *, choose: ChooseMembers = list) -> Iterator[Page]:
    """The pages that ``read`` finds in every document of a file, plain or in gzip or zip, in bounded memory.

    Of a zip archive all files are read, or those that ``choose`` chooses.
    Raises ``PageRefused`` where nothing of the file can be read.
    """
    try:
        if not path.is_file():
            raise PageRefused(f"{path} is not a file." if path.exists() else f"{path} does not exist.", retry=False)
        yield from _read(path.name, lambda: cast("BinaryIO", path.open("rb")), read, _DEEPEST, choose)
    except OSError as error:
        raise PageRefused(f"{path} cannot be read: {error.strerror or error}.", retry=False) from error


def _read(label: str, open_stream: OpenStream, read: ReadDocument, depth: int, choose: ChooseMembers) -> Iterator[Page]:
    with open_stream() as stream:
        head = stream.read(4096)
    if head[:2] == b"\x1f\x8b":
        _require_depth(label, depth)
        yield from _read_gzip(label, open_stream, read, depth, choose)
    elif head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        _require_depth(label, depth)
        yield from _read_zip(label, open_stream, read, depth, choose)
    else:
        yield from read(open_stream)


def _require_depth(label: str, depth: int) -> None:
    if depth == 0:
        raise PageRefused(f"{label} is an archive within archives within archives: unpack it first.", retry=False)


def _read_gzip(
    label: str, open_stream: OpenStream, read: ReadDocument, depth: int, choose: ChooseMembers
) -> Iterator[Page]:
    trouble = _Trouble()

    def unpack() -> BinaryIO:
        packed = open_stream()
        return io.BufferedReader(_Unpacked(gzip.GzipFile(fileobj=packed), trouble, packed), _BUFFER)

    yield from _with_trouble(label, _read(label.removesuffix(".gz"), unpack, read, depth - 1, choose), trouble)


def _read_zip(
    label: str, open_stream: OpenStream, read: ReadDocument, depth: int, choose: ChooseMembers
) -> Iterator[Page]:
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(open_stream())
            if not stream.seekable():
                raise PageRefused(f"{label} is a zip archive within an archive: unpack it first.", retry=False)
            archive = stack.enter_context(zipfile.ZipFile(stream))
            members = [member for member in archive.infolist() if not _is_furniture(member)]
            chosen = set(choose([member.filename for member in members]))
            members = [member for member in members if member.filename in chosen]
        except _DAMAGE as error:
            raise PageRefused(f"{label} is a damaged zip archive: {error}.", retry=False) from error
        if not members:
            raise PageRefused(f"{label} is a zip archive without files.", retry=False)
        unread: list[DamagedRecord] = []
        for member in members:
            trouble = _Trouble()

            def unpack(member: zipfile.ZipInfo = member, trouble: _Trouble = trouble) -> BinaryIO:
                try:
                    return io.BufferedReader(
                        _Unpacked(cast("io.BufferedIOBase", archive.open(member)), trouble), _BUFFER
                    )
                except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:  # a password, a method
                    raise PageRefused(
                        f"{member.filename} in {label} cannot be unpacked: {error}.", retry=False
                    ) from error

            pages = _with_trouble(member.filename, _read(member.filename, unpack, read, depth - 1, choose), trouble)
            try:
                for page in pages:
                    if page.records:
                        yield page
                    else:
                        unread += page.damaged
            except PageRefused as refused:
                if len(members) == 1:
                    if unread:
                        yield Page((), tuple(unread))
                    raise
                unread.append(DamagedRecord("", "", b"", f"{member.filename} in {label}: {refused.reason}"))
            if len(unread) >= _UNREAD_IN_A_PAGE:
                yield Page((), tuple(unread))
                unread.clear()
        if unread:
            yield Page((), tuple(unread))


def _is_furniture(member: zipfile.ZipInfo) -> bool:
    return member.is_dir() or member.filename.startswith("__MACOSX/") or member.filename.endswith(".DS_Store")


def _with_trouble(label: str, pages: Iterator[Page], trouble: _Trouble) -> Iterator[Page]:
    """The pages, and one more that tells of damage met while unpacking."""
    count = 0
    try:
        for page in pages:
            count += len(page.records)
            yield page
    except PageRefused as refused:
        if trouble.messages:
            raise PageRefused(f"{label} is damaged ({trouble.messages[0]}): {refused.reason}", retry=False) from refused
        raise
    if trouble.messages:
        reason = f"{label} is damaged ({trouble.messages[0]}); {count} records before the damage were read."
        yield Page((), (DamagedRecord("", "", b"", reason),))


class _Unpacked(io.RawIOBase):
    """A stream that ends, with a note, where its compressed data are damaged."""

    def __init__(self, stream: io.BufferedIOBase, trouble: _Trouble, packed: BinaryIO | None = None) -> None:
        self._stream = stream
        self._trouble = trouble
        self._packed = packed
        self._broken = False

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        if self._broken:
            return b""
        try:
            # What is there, no more: asking for all of ``size`` loses what lies before the damage.
            return self._stream.read1(size)
        except _DAMAGE as error:
            self._broken = True
            if not self._trouble.messages:
                self._trouble.messages.append(str(error))
            return b""

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        if self._packed is not None:
            self._packed.close()
        super().close()
