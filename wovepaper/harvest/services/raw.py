"""Storing answers and records as they were sent, and reading them back."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

import zstandard
from django.utils import timezone

from wovepaper.harvest.client import Answer
from wovepaper.harvest.contracts import DamagedRecord, Identifier, Page, RawRecord
from wovepaper.harvest.models import HarvestFile, HarvestWindow, RawPage
from wovepaper.harvest.services.pages import digest_of

LOOKUPS = "lookups"
"""What stands in the place of a stream's name where records were asked for by identifier."""
_LEVEL = 6


def store_answer(*, window: HarvestWindow, answer: Answer, page: Page, number: int) -> RawPage:
    """Keep an answer whose records are taken in."""
    return RawPage.objects.create(
        **_of_answer(window, answer, number),
        record_count=len(page.records) + len(page.damaged),
        records_digest=digest_of(page),
        next_token=page.next_token or "",
    )


def store_refused_answer(*, window: HarvestWindow, answer: Answer, number: int, reason: str) -> RawPage:
    """Keep an answer that was not taken in, for whoever looks into it; the one before it in this place is replaced."""
    row = _of_answer(window, answer, number)
    RawPage.objects.filter(window=window, number=number).exclude(refused_because="").delete()
    return RawPage.objects.create(**row, refused_because=reason)


def _of_answer(window: HarvestWindow, answer: Answer, number: int) -> dict[str, Any]:
    return {
        "source": window.source,
        "stream": window.stream,
        "window": window,
        "attempt": window.attempt,
        "number": number,
        "kind": RawPage.Kind.ANSWER,
        **_body_of(answer),
    }


def _body_of(answer: Answer) -> dict[str, Any]:
    return {
        "url": answer.url,
        "status": answer.status,
        "headers": dict(answer.headers),
        "fetched_at": answer.fetched_at,
        "sha256": answer.sha256,
        "size": len(answer.body),
        "body_zstd": zstandard.compress(answer.body, _LEVEL),
    }


def store_lookup(
    *, source: str, answer: Answer, page: Page, asked: Sequence[Identifier], number: int, refused_because: str = ""
) -> RawPage:
    """Keep an answer to a look-up, with what was asked: without it, what is missing in the answer could not be told."""
    return RawPage.objects.create(
        source=source,
        stream=LOOKUPS,
        kind=RawPage.Kind.LOOKUP,
        number=number,
        asked=[[identifier.scheme, identifier.value] for identifier in asked],
        record_count=len(page.records) + len(page.damaged),
        records_digest=digest_of(page),
        refused_because=refused_because,
        **_body_of(answer),
    )


def store_single(*, source: str, stream: str, answer: Answer, page: Page, number: int) -> RawPage:
    """Keep an answer to a request for one record, of no window."""
    return RawPage.objects.create(
        source=source,
        stream=stream,
        kind=RawPage.Kind.ANSWER,
        number=number,
        record_count=len(page.records) + len(page.damaged),
        records_digest=digest_of(page),
        **_body_of(answer),
    )


def asked_of(row: RawPage) -> list[Identifier]:
    """What an answer to a look-up was asked for."""
    return [Identifier(scheme, value) for scheme, value in row.asked]


def store_records(*, file: HarvestFile, page: Page, number: int) -> RawPage:
    """Keep the records of a part of a file. The same part of the same file is kept once."""
    body = pack(page)
    sha256 = hashlib.sha256(body).hexdigest()
    known = RawPage.objects.filter(file=file, number=number).only("pk", "sha256").first()
    if known is not None and known.sha256 == sha256:
        return known
    values = {
        "source": file.source,
        "kind": RawPage.Kind.RECORDS,
        "fetched_at": timezone.now(),
        "sha256": sha256,
        "size": len(body),
        "body_zstd": zstandard.compress(body, _LEVEL),
        "record_count": len(page.records) + len(page.damaged),
        "records_digest": digest_of(page),
    }
    row, _ = RawPage.objects.update_or_create(file=file, number=number, defaults=values)
    return row


def pack(page: Page) -> bytes:
    """Records and damaged pieces as JSON lines."""
    lines = [_line(["r", each.external_id, each.format, each.stamp], each.payload) for each in page.records]
    lines += [_line(["d", each.external_id, each.format, each.reason], each.payload) for each in page.damaged]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _line(head: list[str], payload: bytes) -> str:
    try:
        return json.dumps([*head, "utf-8", payload.decode("utf-8")], ensure_ascii=False)
    except UnicodeDecodeError:
        return json.dumps([*head, "base64", base64.b64encode(payload).decode("ascii")], ensure_ascii=False)


def unpack(body: bytes) -> Page:
    """The inverse of ``pack``."""
    records: list[RawRecord] = []
    damaged: list[DamagedRecord] = []
    for line in _lines(body):
        kind, external_id, record_format, extra, encoding, text = json.loads(line)
        payload = text.encode("utf-8") if encoding == "utf-8" else base64.b64decode(text)
        if kind == "r":
            records.append(RawRecord(external_id, record_format, extra, payload))
        else:
            damaged.append(DamagedRecord(external_id, record_format, payload, extra))
    return Page(tuple(records), tuple(damaged))


def _lines(body: bytes) -> Iterable[str]:
    # Not splitlines: JSON leaves U+2028 and its like inside a line.
    return (line for line in body.decode("utf-8", "surrogatepass").split("\n") if line)
