from __future__ import annotations

import gzip
import io
import json
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from papers.sources.arxiv.source import ArxivSource
from tests.papers.sources.arxiv_documents import arxiv, list_records, oai_record, raw, snapshot
from wovepaper.harvest.contracts import DamagedRecord, PageRefused, RawRecord

SOURCE = ArxivSource("http://127.0.0.1/oai")


def read(path: Path, body: bytes | None = None) -> tuple[list[RawRecord], list[DamagedRecord]]:
    if body is not None:
        path.write_bytes(body)
    pages = list(SOURCE.read_file(path))
    assert all(len(page.records) + len(page.damaged) <= 1000 for page in pages)
    assert all(page.next_token is None for page in pages)
    return [r for page in pages for r in page.records], [d for page in pages for d in page.damaged]


def identifiers(records: list[RawRecord]) -> list[str]:
    return [record.external_id for record in records]


def lines(*objects: object) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in objects)


XML = list_records(oai_record(arxiv()), oai_record(raw()), token="<resumptionToken>a|1</resumptionToken>")
LINES = lines(snapshot(), snapshot(id="hep-th/9901001"))


def short(value: object) -> str:
    """The name of a case: archives hold the time at which they were made."""
    return "body" if isinstance(value, bytes) else str(value)[:60]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a-name-that-says-nothing"


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a folder/", b"")
        archive.writestr("__MACOSX/._x", b"furniture")
        for name, body in members.items():
            archive.writestr(name, body)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (XML, ["0704.0001", "0704.0001"]),
        (b"\xef\xbb\xbf" + XML, ["0704.0001", "0704.0001"]),
        (gzip.compress(XML), ["0704.0001", "0704.0001"]),
        (gzip.compress(XML[:700]) + gzip.compress(XML[700:]), ["0704.0001", "0704.0001"]),
        (zipped(x=XML, y=LINES), ["0704.0001", "0704.0001", "0704.0001", "hep-th/9901001"]),
        (zipped(x=gzip.compress(LINES)), ["0704.0001", "hep-th/9901001"]),
        (LINES, ["0704.0001", "hep-th/9901001"]),
        (b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n\r\n"), ["0704.0001", "hep-th/9901001"]),
        (LINES.rstrip(), ["0704.0001", "hep-th/9901001"]),
        (json.dumps([snapshot(), snapshot(id="0704.0002")], indent=1).encode(), ["0704.0001", "0704.0002"]),
        (json.dumps(snapshot(), indent=1).encode(), ["0704.0001"]),
        (oai_record(arxiv()).encode(), ["0704.0001"]),
        ((oai_record(arxiv()) + "\n" + oai_record(raw())).encode(), ["0704.0001", "0704.0001"]),
        (b"<!-- <html> -->\n" + oai_record(arxiv()).encode(), ["0704.0001"]),
    ],
    ids=short,
)
def test_a_file_is_told_by_its_content(path: Path, body: bytes, found: list[str]) -> None:
    records, damaged = read(path, body)

    assert identifiers(records) == found
    assert damaged == []
    assert {SOURCE.parse(record).title for record in records} == {"An invented title"}


def test_a_file_and_the_network_give_the_same_records(path: Path) -> None:
    records, _ = read(path, XML)

    assert tuple(records) == SOURCE.read_page(XML, stream="arXiv").records


def test_an_answer_that_nothing_matched_is_an_empty_page(path: Path) -> None:
    path.write_bytes(b"<OAI-PMH><error code='noRecordsMatch'/></OAI-PMH>")

    assert [len(page.records) for page in SOURCE.read_file(path)] == [0]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "empty"),
        (b"   \n", "empty"),
        (b"hello", "not XML; it begins with 'hello'"),
        (b"<html><body/></html>", "HTML"),
        (b"<feed/>", "<feed>"),
        (b"{not json", "not JSON"),
        (b"<OAI-PMH><Identify/></OAI-PMH>", "without records"),
        (b"<OAI-PMH><ListRecords>", "holds no complete record"),
        (gzip.compress(b"hello"), "not XML"),
        (gzip.compress(XML)[:8], "damaged"),
        (b"\x1f\x8bnothing of the kind", "damaged"),
        (zipped(), "without files"),
        (zipped(x=XML)[:60], "damaged zip"),
        (gzip.compress(gzip.compress(gzip.compress(gzip.compress(XML)))), "unpack it first"),
        (zipped(x=zipped(y=XML)), "x is a zip archive within an archive: unpack it first"),
        (gzip.compress(zipped(y=XML)), "is a zip archive within an archive: unpack it first"),
    ],
    ids=short,
)
def test_a_file_with_nothing_to_read_is_refused_with_the_reason(path: Path, body: bytes, reason: str) -> None:
    path.write_bytes(body)

    with pytest.raises(PageRefused) as refused:
        list(SOURCE.read_file(path))
    assert reason in refused.value.reason
    assert refused.value.retry is False


def test_what_lies_before_garbage_behind_a_gzip_file_is_read(path: Path) -> None:
    records, damaged = read(path, gzip.compress(XML) + b"garbage" * 100)

    assert identifiers(records) == ["0704.0001", "0704.0001"]
    assert [record.reason for record in damaged] == [
        f"{path.name} is damaged (Not a gzipped file (b'ga')); 2 records before the damage were read."
    ]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(PageRefused, match="is not a file"):
        list(SOURCE.read_file(tmp_path))


@pytest.mark.parametrize(
    ("body", "reasons"),
    [
        (b"{}", ['Line 1 has no "id", so it is no record of the snapshot.']),
        (b'{"request": {"id": 1},\n "status": 200}', ['Item 1 has no "id", so it is no record of the snapshot.']),
        (b"[1, 2]", ["Item 1 is not a JSON object.", "Item 2 is not a JSON object."]),
        (
            b"<OAI-PMH><error code='badArgument'>bad until</error></OAI-PMH>",
            [
                (
                    "The server answers badArgument (bad until): the request is wrong: check the dates "
                    "(from 2005-09-16, until not before from) and the set."
                )
            ],
        ),
        (
            b"<OAI-PMH><error code='badResumptionToken'/></OAI-PMH>",
            ["The server answers badResumptionToken: the list must be asked for again from its beginning."],
        ),
    ],
    ids=short,
)
def test_a_file_that_can_be_read_but_holds_no_record_is_explained(path: Path, body: bytes, reasons: list[str]) -> None:
    records, damaged = read(path, body)

    assert records == []
    assert [each.reason for each in damaged] == reasons
    assert all(each.payload for each in damaged)


BAD = oai_record(arxiv(identifier="0704.0002", title="A <b> title"), identifier="0704.0002")


@pytest.mark.parametrize(
    ("body", "found", "reasons"),
    [
        (
            list_records(oai_record(arxiv()), BAD, oai_record(raw())),
            ["0704.0001", "0704.0001"],
            ["The record is not well-formed XML"],
        ),
        (XML[: XML.rindex(b"</record>")], ["0704.0001"], ["The document is cut off inside this record."]),
        (XML + b"\n<script/>", ["0704.0001", "0704.0001"], ["There is garbage after the end of the document."]),
        (XML + b"\n" + XML, ["0704.0001"] * 4, []),
        (
            list_records(oai_record(arxiv()).removesuffix("</record>"), oai_record(raw())),
            ["0704.0001"],
            ["The record has no end."],
        ),
        (
            LINES + b'{"id": "0704.0003", "title": \n[1]\n{"title": "x"}\n' + lines(snapshot(id="0704.0004")),
            ["0704.0001", "hep-th/9901001", "0704.0004"],
            ["Line 3 is not JSON", "Line 4 is not a JSON object.", 'Line 5 has no "id"'],
        ),
        (b'{"id": "0704.0003", "title\n' + LINES, ["0704.0001", "hep-th/9901001"], ["Line 1 is not JSON"]),
        (LINES + b'{"id": "\xff"}\n', ["0704.0001", "hep-th/9901001"], ["Line 3 is not JSON"]),
        (LINES + b"[" * 100_000 + b"\n", ["0704.0001", "hep-th/9901001"], ["Line 3 is not JSON"]),
        (
            zipped(x=LINES, y=b"hello"),
            ["0704.0001", "hep-th/9901001"],
            ["y in a-name-that-says-nothing: This is not XML; it begins with 'hello'."],
        ),
    ],
    ids=short,
)
def test_what_is_whole_in_a_damaged_file_is_read_and_the_rest_explained(
    path: Path, body: bytes, found: list[str], reasons: list[str]
) -> None:
    records, damaged = read(path, body)

    assert identifiers(records) == found
    assert len(damaged) == len(reasons)
    for each, reason in zip(damaged, reasons, strict=True):
        assert each.reason.startswith(reason)
    assert {SOURCE.parse(record).title for record in records} == {"An invented title"}


def test_a_damaged_record_is_named_and_placed(path: Path) -> None:
    _, (damaged,) = read(path, list_records("\n", oai_record(arxiv()), "\n", BAD))

    assert damaged.external_id == "0704.0002"
    assert damaged.payload == BAD.encode()
    assert damaged.reason.endswith("It begins at line 8 of the document.")


def test_compressed_data_that_end_early_give_what_was_there(path: Path) -> None:
    objects = [snapshot(id=f"0704.{number:04}", abstract=str(number * 7919) * 40) for number in range(1, 2000)]
    records, damaged = read(path, gzip.compress(lines(*objects))[:-3000])

    assert 0 < len(records) < len(objects)
    assert identifiers(records) == [f"0704.{number:04}" for number in range(1, len(records) + 1)]
    assert "damaged" in damaged[-1].reason


def test_records_before_and_behind_damage_are_each_read_once(path: Path) -> None:
    whole = [oai_record(arxiv(identifier=f"0704.{n:04}"), identifier=f"0704.{n:04}") for n in range(1, 1502)]
    records, damaged = read(path, list_records(*whole[:1201], BAD, *whole[1201:]))

    assert identifiers(records) == [f"0704.{n:04}" for n in range(1, 1502)]
    assert [each.external_id for each in damaged] == ["0704.0002"]


@pytest.mark.parametrize("damaged", [False, True])
def test_memory_does_not_grow_with_the_file(path: Path, damaged: bool) -> None:
    record = oai_record(arxiv(more=f"<comments>{'x' * 3000}</comments>")).encode()
    with path.open("wb") as file:
        file.write(b"<OAI-PMH><ListRecords>")
        for _ in range(4000):
            file.write(record)
        file.write(b"<record><a></record>" if damaged else b"")
        file.write(b"</ListRecords></OAI-PMH>")

    tracemalloc.start()
    count = sum(len(page.records) for page in SOURCE.read_file(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 4000
    assert peak < 8_000_000  # the file has 14 million bytes


def test_a_record_without_end_does_not_fill_the_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papers.sources.arxiv.pieces.LARGEST_RECORD", 1_000_000)
    path.write_bytes(b"<OAI-PMH><ListRecords>" + oai_record(arxiv()).encode() + b"<record>" + b"<x>" * 1_000_000)

    records, damaged = read(path)

    assert identifiers(records) == ["0704.0001"]
    assert damaged[0].reason.startswith("The record is larger than")
    assert len(damaged[0].payload) < 100_000


def test_members_that_cannot_be_read_share_pages(path: Path) -> None:
    path.write_bytes(zipped(**{f"m{number:04}": b"hello" for number in range(1_200)}, records=LINES))

    pages = list(SOURCE.read_file(path))

    assert [len(page.damaged) for page in pages if not page.records] == [500, 500, 200]
    assert sum(len(page.records) for page in pages) == 2


def test_one_document_of_more_than_8_mb_is_refused(path: Path) -> None:
    path.write_bytes(b"[" + b" " * (8 * 1024 * 1024))

    with pytest.raises(PageRefused, match="one JSON document of more than 8 MB"):
        list(SOURCE.read_file(path))
