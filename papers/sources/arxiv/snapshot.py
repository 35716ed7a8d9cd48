"""arXiv's metadata snapshot: one JSON object a line (https://www.kaggle.com/datasets/Cornell-University/arxiv)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from papers.sources.arxiv.oai import external_id
from wovepaper.harvest.contracts import DamagedRecord, Page, PageRefused, RawRecord
from wovepaper.lib import text

PAGE_SIZE = 500
LONGEST_LINE = 16 * 1024 * 1024
"""Bytes. A longer line is damage: the file is not one object a line."""
LARGEST_DOCUMENT = 8 * 1024 * 1024
"""Bytes of a JSON document that is read whole, which takes about nine times as much memory. Some 4,000 records."""

FORMAT = "snapshot"


def read_lines(stream: BinaryIO) -> Iterator[Page]:
    """The pages of a snapshot, line by line; also of one JSON document, up to ``LARGEST_DOCUMENT``.

    What is JSON but no record becomes a damaged record. Raises ``PageRefused`` for what is not JSON at all.
    """
    first = stream.readline(LONGEST_LINE)
    if _is_whole_document(first):
        yield from _pages(_document(first, stream))
        return
    yield from _pages(_each(first, stream))


def _is_whole_document(first: bytes) -> bool:
    """Whether the first line is the beginning of a longer document rather than an object of its own."""
    bare = first.removeprefix(b"\xef\xbb\xbf").strip()
    if bare.startswith(b"["):
        return True
    return not bare.endswith(b"}")


def _each(first: bytes, stream: BinaryIO) -> Iterator[RawRecord | DamagedRecord]:
    number = 1
    line = first.removeprefix(b"\xef\xbb\xbf")
    while line:
        if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
            yield DamagedRecord("", FORMAT, line[:4096], f"Line {number} is longer than 16 MB.")
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST_LINE)
        elif line.strip():
            yield _record(line.strip(), f"Line {number}")
        line = stream.readline(LONGEST_LINE)
        number += 1


def _document(first: bytes, stream: BinaryIO) -> Iterator[RawRecord | DamagedRecord]:
    body = first + stream.read(LARGEST_DOCUMENT + 1)
    if len(body) > LARGEST_DOCUMENT:
        raise PageRefused(
            f"The file is one JSON document of more than {LARGEST_DOCUMENT // 1024 // 1024} MB; "
            "the snapshot has one object a line (jq -c '.[]' makes it so).",
            retry=False,
        )
    try:
        said = json.loads(body.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        lines = body.splitlines(keepends=True)
        if len(lines) > 1 and lines[1].lstrip()[:2] in (b'{"', b"{ "):  # lines after all, the first one damaged
            yield from (_record(line.strip(), f"Line {number}") for number, line in enumerate(lines, 1) if line.strip())
            return
        raise PageRefused(f"The file is not JSON: {error}.", retry=False) from error
    for number, item in enumerate(said if isinstance(said, list) else [said], start=1):
        yield _record(json.dumps(item).encode(), f"Item {number}")


def _record(payload: bytes, place: str) -> RawRecord | DamagedRecord:
    try:
        said: Any = json.loads(payload)
    except (ValueError, RecursionError) as error:
        return DamagedRecord("", FORMAT, payload, f"{place} is not JSON: {error}.")
    if not isinstance(said, dict):
        return DamagedRecord("", FORMAT, payload, f"{place} is not a JSON object.")
    identifier = said.get("id")
    if not isinstance(identifier, str) or not identifier.strip():
        return DamagedRecord("", FORMAT, payload, f'{place} has no "id", so it is no record of the snapshot.')
    stamp = said.get("update_date")
    return RawRecord(
        external_id(text.clean(identifier)), FORMAT, text.clean(stamp)[:40] if isinstance(stamp, str) else "", payload
    )


def _pages(records: Iterator[RawRecord | DamagedRecord]) -> Iterator[Page]:
    whole: list[RawRecord] = []
    damaged: list[DamagedRecord] = []
    for record in records:
        if isinstance(record, RawRecord):
            whole.append(record)
        else:
            damaged.append(record)
        if len(whole) + len(damaged) >= PAGE_SIZE:
            yield Page(tuple(whole), tuple(damaged))
            whole, damaged = [], []
    if whole or damaged:
        yield Page(tuple(whole), tuple(damaged))
