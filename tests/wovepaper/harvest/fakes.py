"""A source and a sink that know nothing of papers: they prove that the engine needs none."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.db import connection
from lxml import etree

from wovepaper.harvest.contracts import (
    DamagedRecord,
    IngestCounts,
    Page,
    PageRefused,
    PageRequest,
    RawRecord,
    RecordRefused,
    Refusal,
    TokenExpired,
    Window,
)

OAI = "{http://www.openarchives.org/OAI/2.0/}"


@dataclass(frozen=True)
class Thing:
    """What the fake source makes of a record."""

    name: str
    title: str
    authors: tuple[str, ...]
    note: str = ""


@dataclass
class FakeSource:
    """Reads the fake OAI-PMH server strictly, and files of one JSON object a line."""

    url: str = "http://127.0.0.1:9/oai"
    name: str = "fake"
    streams: tuple[str, ...] = ("arXiv",)
    host_interval: float = 0.0
    earliest: dt.date = dt.date(2025, 6, 1)

    def first_request(self, window: Window) -> PageRequest:
        params = {"verb": "ListRecords", "metadataPrefix": window.stream}
        params |= {"from": window.first_day.isoformat(), "until": window.last_day.isoformat()}
        if window.set_spec:
            params["set"] = window.set_spec
        return PageRequest(self.url, params)

    def next_request(self, window: Window, token: str) -> PageRequest:
        return PageRequest(self.url, {"verb": "ListRecords", "resumptionToken": token})

    def read_page(self, body: bytes, *, stream: str) -> Page:
        try:
            root = etree.fromstring(body)
        except etree.XMLSyntaxError as error:
            raise PageRefused(f"This is no XML: {error}", retry=True) from error
        if root.tag != f"{OAI}OAI-PMH":
            raise PageRefused(f"This is no OAI-PMH document but {root.tag!r}.", retry=True)
        problem = root.find(f"{OAI}error")
        if problem is not None:
            if problem.get("code") == "noRecordsMatch":
                return Page(())
            if problem.get("code") == "badResumptionToken":
                raise TokenExpired(problem.text or "")
            raise PageRefused(f"{problem.get('code')}: {problem.text}", retry=False)
        records, damaged = [], []
        for element in root.iter(f"{OAI}record"):
            payload = etree.tostring(element, with_tail=False)
            name = element.findtext(f"{OAI}header/{OAI}identifier") or ""
            if element.find(f"{OAI}metadata") is None:
                damaged.append(DamagedRecord(name, stream, payload, "It has no metadata."))
            else:
                stamp = element.findtext(f"{OAI}header/{OAI}datestamp") or ""
                records.append(RawRecord(name, stream, stamp, payload))
        token = root.find(f".//{OAI}resumptionToken")
        size = token.get("completeListSize") if token is not None else None
        return Page(
            tuple(records),
            tuple(damaged),
            (token.text or None) if token is not None else None,
            int(size) if size else None,
        )

    def read_file(self, path: Path) -> Iterator[Page]:
        """One JSON object a line; ``!`` alone breaks the file, other rubbish is a damaged piece. Blocks of ten."""
        with path.open("rb") as lines:
            records: list[RawRecord] = []
            damaged: list[DamagedRecord] = []
            for line in lines:
                if line == b"!\n":
                    raise PageRefused("The file is broken from here on.", retry=False)
                try:
                    value = json.loads(line)
                    records.append(RawRecord(value["name"], "line", value["stamp"], line.rstrip(b"\n")))
                except (ValueError, KeyError, TypeError):
                    damaged.append(DamagedRecord("", "line", line, "This is no JSON object with a name."))
                if len(records) + len(damaged) == 10:
                    yield Page(tuple(records), tuple(damaged))
                    records, damaged = [], []
            if records or damaged:
                yield Page(tuple(records), tuple(damaged))

    def parse(self, record: RawRecord) -> Thing:
        if record.format == "line":
            value = json.loads(record.payload)
            if value["name"] == "bug":
                return value["nothing"]
            if not value.get("title"):
                raise RecordRefused("It has no title.")
            return Thing(value["name"], value["title"], tuple(value.get("authors", ())))
        root = etree.fromstring(record.payload)
        title = root.findtext(".//{*}title")
        if not title:
            raise RecordRefused("It has no title.")
        authors = tuple(each.text or "" for each in root.iter("{*}keyname"))
        return Thing(record.external_id, title, authors, root.findtext(".//{*}comments") or "")


@dataclass
class FakeSourceOfSingles(FakeSource):
    """Can also be asked for ids and for single records."""

    headers_stream: str = "ids"

    def first_request(self, window: Window) -> PageRequest:
        if window.stream != self.headers_stream:
            return super().first_request(window)
        request = super().first_request(replace(window, stream="arXiv"))
        return PageRequest(request.url, {**request.params, "verb": "ListIdentifiers"})

    def next_request(self, window: Window, token: str) -> PageRequest:
        verb = "ListIdentifiers" if window.stream == self.headers_stream else "ListRecords"
        return PageRequest(self.url, {"verb": verb, "resumptionToken": token})

    def record_request(self, *, stream: str, external_id: str) -> PageRequest:
        return PageRequest(self.url, {"verb": "GetRecord", "metadataPrefix": stream, "identifier": external_id})

    def read_page(self, body: bytes, *, stream: str) -> Page:
        page = super().read_page(body, stream=stream)
        if stream != self.headers_stream:
            return page
        names = [each.findtext(f"{OAI}identifier") or "" for each in etree.fromstring(body).iter(f"{OAI}header")]
        return replace(page, records=tuple(RawRecord(name, "header", "", b"") for name in names))


@dataclass
class FakeSink:
    """Keeps things in a table of its own; ``refuses`` and ``breaks_on`` name those it cannot take."""

    refuses: set[str] = field(default_factory=set)
    breaks_on: set[str] = field(default_factory=set)
    calls: list[int] = field(default_factory=list)

    def __call__(self, records: Sequence[tuple[RawRecord, Any]]) -> IngestCounts:
        self.calls.append(len(records))
        refused = []
        outcome = {"new": 0, "changed": 0, "unchanged": 0}
        with connection.cursor() as cursor:
            for raw, _thing in records:
                if raw.external_id in self.breaks_on:
                    cursor.execute("SELECT 1 / 0")
                if raw.external_id in self.refuses:
                    refused.append(Refusal(raw, "The sink does not want it."))
                    continue
                outcome[_put(cursor, raw)] += 1
        return IngestCounts(**outcome, refused=tuple(refused))


def _put(cursor, raw: RawRecord) -> str:
    cursor.execute(
        """
        INSERT INTO fake_things AS old (format, name, stamp, hash) VALUES (%s, %s, %s, %s)
        ON CONFLICT (format, name) DO UPDATE SET stamp = excluded.stamp, hash = excluded.hash
        WHERE (excluded.stamp, excluded.hash) > (old.stamp, old.hash)
        RETURNING xmax = 0
        """,
        [raw.format, raw.external_id, raw.stamp, hashlib.sha256(raw.payload).hexdigest()],
    )
    row = cursor.fetchone()
    if row is None:
        return "unchanged"
    return "new" if row[0] else "changed"


def things() -> list[tuple[str, str]]:
    """(format, name) of all that the sink has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT format, name FROM fake_things ORDER BY format, name")
        return cursor.fetchall()


CREATE = """
    CREATE TABLE IF NOT EXISTS fake_things (
        format text, name text, stamp text, hash text, PRIMARY KEY (format, name)
    )
"""
