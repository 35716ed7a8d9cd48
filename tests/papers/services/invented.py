"""A source for tests: its payloads are JSON of the record itself, so that stored ones can be parsed again."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from papers.sources.records import AuthorRecord, CitationCount, PaperRecord, PartialDate, VersionRecord
from wovepaper.harvest.contracts import Page, PageRequest, RawRecord, RecordRefused, Window

NAME = "invented"


class InventedSource:
    """Implements what ingest needs of a source."""

    def __init__(self, name: str = NAME) -> None:
        self.name = name

    streams = ("full", "raw")
    host_interval = 0.0
    earliest = dt.date(2000, 1, 1)

    def first_request(self, window: Window) -> PageRequest:
        raise NotImplementedError

    def next_request(self, window: Window, token: str) -> PageRequest:
        raise NotImplementedError

    def read_page(self, body: bytes, *, stream: str) -> Page:
        raise NotImplementedError

    def read_file(self, path: Path) -> Iterable[Page]:
        raise NotImplementedError

    def parse(self, record: RawRecord) -> PaperRecord:
        values = json.loads(record.payload)
        if values.get("refuse"):
            raise RecordRefused("Refused on purpose.")
        return paper_record(**values)


def cited(count: int, as_of: str | None = None) -> CitationCount:
    return CitationCount(count, dt.date.fromisoformat(as_of) if as_of else None)


def author(name: str, **values: Any) -> AuthorRecord:
    return AuthorRecord(name, **values)


def version(number: int, day: str = "2020-01-01", **values: Any) -> VersionRecord:
    return VersionRecord(number, dt.datetime.fromisoformat(f"{day}T12:00:00+00:00"), **values)


def paper_record(**values: Any) -> PaperRecord:
    """A record whose payload holds all of it; values in the shapes of JSON or of the record."""
    given = json.loads(json.dumps(values, default=_plain))
    stamp = given.pop("stamp", "2020-01-02")
    source = given.setdefault("source", NAME)
    payload = json.dumps({**given, "stamp": stamp}).encode()
    content = {name: value for name, value in given.items() if name != "citations"}
    content_hash = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    fields = {**given, "identifiers": tuple(tuple(pair) for pair in given.get("identifiers", ()))}
    if "published" in fields and fields["published"] is not None:
        fields["published"] = PartialDate(**fields["published"])
    if fields.get("citations") is not None:
        fields["citations"] = cited(**fields["citations"])
    if "categories" in fields:
        fields["categories"] = tuple(fields["categories"])
    fields["authors"] = tuple(
        AuthorRecord(**{**entry, "affiliations": tuple(entry.get("affiliations", ()))})
        for entry in (one if isinstance(one, dict) else {"name": one} for one in given.get("authors", ()))
    )
    fields["versions"] = tuple(
        VersionRecord(
            **{
                **entry,
                "submitted_at": dt.datetime.fromisoformat(entry["submitted_at"]) if entry.get("submitted_at") else None,
            }
        )
        for entry in given.get("versions", ())
    )
    return PaperRecord(
        **{
            "format": "full",
            "title": "A title",
            **fields,
            "source": source,
            "stamp": stamp,
            "payload": payload,
            "content_hash": content_hash,
        }
    )


def arxiv_record(arxiv_id: str = "2001.00001", **values: Any) -> PaperRecord:
    """A record of an arXiv paper with one version, two authors and two categories."""
    return paper_record(
        **{
            "external_id": arxiv_id,
            "identifiers": [("arxiv", arxiv_id)],
            "title": f"On the invented paper {arxiv_id}",
            "abstract": "Nothing is known about it.",
            "primary_category": "cs.CL",
            "categories": ["cs.CL", "math.CO"],
            "authors": ["Ada Exampleby", "Bert Sampleton"],
            "versions": [version(1)],
            **values,
        }
    )


def pair(record: PaperRecord) -> tuple[RawRecord, PaperRecord]:
    """What the sink is given."""
    return RawRecord(record.external_id, record.format, record.stamp, record.payload), record


def pairs(*records: PaperRecord) -> list[tuple[RawRecord, PaperRecord]]:
    """A page."""
    return [pair(record) for record in records]


def _plain(value: Any) -> Any:
    if isinstance(value, dt.date):
        return value.isoformat()
    return asdict(value)
