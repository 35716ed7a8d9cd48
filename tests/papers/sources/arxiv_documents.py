"""Small invented documents in the shapes that arXiv serves."""

from __future__ import annotations

import json
from typing import Any

from wovepaper.harvest.contracts import RawRecord

NEW_SCHEMA = "http://arxiv.org/OAI/arXiv/ https://oaipmh.arxiv.org/OAI/arXiv.xsd"
CLASSIC_SCHEMA = "http://arxiv.org/OAI/arXiv/ http://arxiv.org/OAI/arXiv.xsd"
XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'


def answer(body: str, *, new: bool = False, attributes: str = 'verb="ListRecords"') -> bytes:
    """A whole answer around ``<ListRecords>…``, an error, or whatever ``body`` is."""
    space = "\n        " if new else "\n"
    url = "http://oaipmh.arxiv.org/oai" if new else "http://export.arxiv.org/oai2"
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" {XSI}>'
        f"{space}<responseDate>2025-07-01T11:53:24Z</responseDate>{space}<request {attributes}>{url}</request>"
        f"{space}{body}\n</OAI-PMH>"
    ).encode()


def list_records(*records: str, token: str = "", new: bool = False) -> bytes:
    return answer(f"<ListRecords>{''.join(records)}{token}</ListRecords>", new=new)


def oai_record(
    metadata: str, *, identifier: str = "0704.0001", stamp: str = "2008-11-26", sets: tuple[str, ...] = ("cs",)
) -> str:
    specs = "".join(f"<setSpec>{spec}</setSpec>" for spec in sets)
    return (
        f"<record><header><identifier>oai:arXiv.org:{identifier}</identifier><datestamp>{stamp}</datestamp>{specs}"
        f"</header><metadata>{metadata}</metadata></record>"
    )


def arxiv(
    *,
    identifier: str = "0704.0001",
    schema: str = CLASSIC_SCHEMA,
    created: str = "2007-04-02",
    updated: str = "",
    authors: str = "<author><keyname>Example</keyname><forenames>Ada</forenames></author>",
    title: str = "An invented title",
    more: str = "",
    namespace: str = ' xmlns="http://arxiv.org/OAI/arXiv/"',
) -> str:
    """The metadata of format ``arXiv``."""
    location = f' {XSI} xsi:schemaLocation="{schema}"' if schema else ""
    updated = f"<updated>{updated}</updated>" if updated else ""
    return (
        f"<arXiv{namespace}{location}><id>{identifier}</id><created>{created}</created>{updated}"
        f"<authors>{authors}</authors><title>{title}</title><categories>math.CO cs.DM</categories>{more}"
        "<abstract>  Invented words.\n</abstract></arXiv>"
    )


def raw(
    *,
    identifier: str = "0704.0001",
    versions: str = (
        '<version version="v1"><date>Mon, 2 Apr 2007 19:18:42 GMT</date><size>395kb</size>'
        "<source_type>D</source_type></version>"
    ),
    authors: str = "Ada Example",
    title: str = "An invented title",
    more: str = "",
    abstract: str = "Invented words.",
) -> str:
    """The metadata of format ``arXivRaw``."""
    return (
        f'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>{identifier}</id><submitter>A. E.</submitter>{versions}'
        f"<title>{title}</title><authors>{authors}</authors><categories>math.CO</categories>{more}"
        f"<abstract>{abstract}</abstract></arXivRaw>"
    )


def version(number: int, date: str, size: str = "10kb", source_type: str = "") -> str:
    kind = f"<source_type>{source_type}</source_type>" if source_type else ""
    return f'<version version="v{number}"><date>{date}</date><size>{size}</size>{kind}</version>'


def dublin_core(*elements: str) -> str:
    """The metadata of format ``oai_dc``."""
    return (
        '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/">{"".join(elements)}</oai_dc:dc>'
    )


def snapshot(**said: Any) -> dict[str, Any]:
    """One object of the metadata snapshot."""
    return {
        "id": "0704.0001",
        "submitter": "A. E.",
        "authors": "Ada Example",
        "title": "An invented\n  title",
        "comments": None,
        "journal-ref": None,
        "doi": None,
        "report-no": None,
        "categories": "math.CO cs.DM",
        "license": None,
        "abstract": "  Invented words.\n",
        "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
        "update_date": "2008-11-26",
        "authors_parsed": [["Example", "Ada", ""]],
    } | said


def as_record(metadata: str | dict[str, Any], **header: Any) -> RawRecord:
    """What the reader of pages would hand over."""
    if isinstance(metadata, dict):
        return RawRecord(str(metadata["id"]), "snapshot", "2008-11-26", json.dumps(metadata).encode())
    payload = oai_record(metadata, **header).encode()
    kind = "arXivRaw" if metadata.startswith("<arXivRaw") else "oai_dc" if "oai_dc" in metadata else "arXiv"
    return RawRecord(header.get("identifier", "0704.0001"), kind, header.get("stamp", "2008-11-26"), payload)
