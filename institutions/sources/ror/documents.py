"""What ROR's records come in: the dump (one JSON array, zipped), lines of JSON, single records, answers of the API."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from wovepaper.harvest import archives
from wovepaper.harvest.contracts import DamagedRecord, Page, PageRefused, RawRecord
from wovepaper.harvest.file_source import pages_of
from wovepaper.harvest.json_stream import DamagedJson, JsonStream
from wovepaper.lib import ror, text

FORMAT = "v2"
PAGE_SIZE = 1_000
MOST_LISTED = 10_000
"""Organisations that the API lists in answer to one question: 500 pages of 20."""
_FORMS = "the registry comes as its dump (JSON, zipped or not) or as lines of JSON"
_OPENING = r'\{\s{0,100}"%s"\s{0,100}:'

Piece = RawRecord | DamagedRecord


def read_file(path: Path) -> Iterator[Page]:
    """The pages of a file, plain or in gzip or zip, in bounded memory. Raises ``PageRefused``."""
    return archives.read_file(path, read_document, choose=choose_members)


def choose_members(names: Sequence[str]) -> list[str]:
    """Which files of a dump to read: it may hold the same records in several schemas, and as tables."""
    documents = [name for name in names if not name.lower().endswith((".csv", ".txt", ".md"))]
    of_v2 = [name for name in documents if re.search(r"schema[_-]?v2", name, re.IGNORECASE)]
    return of_v2 or documents or list(names)


def read_answer(body: bytes) -> Page:
    """An answer of the API: an organisation, or a page of its list. Raises ``PageRefused``."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as error:
        begins = text.clean(body[:80].decode("utf-8", "replace"))
        raise PageRefused(f"The answer is not JSON ({error}); it begins with {begins!r}.", retry=True) from error
    if isinstance(said, dict) and isinstance(errors := said.get("errors"), list):
        told = "; ".join(text.clean(each).rstrip(".") for each in errors if isinstance(each, str))
        raise PageRefused(f"ROR refuses: {told[:400] or 'it does not say why'}.", retry=False)
    total: Any = None
    if isinstance(said, dict) and isinstance(said.get("items"), list) and "id" not in said:
        total = said.get("number_of_results")
        if isinstance(total, int) and total > MOST_LISTED:
            raise PageRefused(
                f"ROR's API lists {MOST_LISTED} organisations at most, and there are {total}: have the registry's dump "
                "taken by leaving ROR_API_URL alone or by setting ROR_DUMP_URL, or name the dump with --file.",
                retry=False,
            )
    elif not isinstance(said, dict) or "id" not in said:
        raise PageRefused("The answer holds no organisation of ROR.", retry=True)
    pieces = list(_pieces(JsonStream(io.BytesIO(body))))
    return Page(
        tuple(piece for piece in pieces if isinstance(piece, RawRecord)),
        tuple(piece for piece in pieces if isinstance(piece, DamagedRecord)),
        complete_size=total if isinstance(total, int) and total >= 0 else None,
    )


def read_document(open_stream: archives.OpenStream) -> Iterator[Page]:
    """The pages of one unpacked document. Raises ``PageRefused``."""
    if not archives.starts_like_json(open_stream):
        raise PageRefused(f"The file is not JSON: {_FORMS}.", retry=False)
    with open_stream() as stream:
        yield from pages_of(_pieces(JsonStream(stream)), size=PAGE_SIZE)


def _pieces(reader: JsonStream) -> Iterator[Piece]:
    """Records one after the other or in an array; behind damage reading goes on where the next seems to begin."""
    opening = re.compile(_OPENING % "[a-z_]{1,20}")
    in_array, number = False, 0
    while sign := reader.peek():
        if not in_array and sign == "[":
            reader.take("[")
            in_array = True
            continue
        if in_array and sign in ",]":
            reader.take(sign)
            in_array = sign == ","
            continue
        number += 1
        if number == 1 and sign == "{" and (key := reader.first_key()):
            opening = re.compile(_OPENING % re.escape(key))
        try:
            said, payload = reader.value()
        except DamagedJson as error:
            rest = reader.rest(4096).encode("utf-8", "replace")
            yield DamagedRecord("", FORMAT, rest, f"Record {number} is damaged: {error}.")
            if not reader.skip_to(opening):
                return
            continue
        yield from _unwrap(said, payload.encode("utf-8", "surrogatepass"), number)


def _unwrap(said: Any, payload: bytes, number: int) -> Iterator[Piece]:
    if isinstance(said, dict) and isinstance(items := said.get("items"), list) and "id" not in said:
        for item in items:  # an answer of the API
            yield from _unwrap(item, json.dumps(item, ensure_ascii=False).encode("utf-8", "surrogatepass"), number)
        return
    if not isinstance(said, dict):
        yield DamagedRecord("", FORMAT, payload, f"Record {number} is not a JSON object.")
        return
    name = said.get("id")
    if not isinstance(name, str) or not name.strip():
        yield DamagedRecord("", FORMAT, payload, f'Record {number} has no "id", so it is no organisation of ROR.')
        return
    yield RawRecord(ror.normalise(name) or text.clean(name)[:255], FORMAT, stamp_of(said), payload)


def stamp_of(said: dict[str, Any]) -> str:
    """The day of the record's last change, as sent; empty where it does not say."""
    admin = said.get("admin")
    changed = admin.get("last_modified") if isinstance(admin, dict) else None
    day = changed.get("date") if isinstance(changed, dict) else None
    return day if isinstance(day, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", day) else ""
