from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from institutions.sources.records import IdentifierRecord, NameRecord, PlaceRecord, RelationRecord
from institutions.sources.ror import RorSource
from tests.institutions.organisations import dump, lines, name, organisation, place, relation, ror_id
from tests.shared_data import shared_data_dir
from wovepaper.harvest.contracts import PageRefused, RawRecord, RecordRefused

SOURCE = RorSource()
ONE, TWO = organisation(1), organisation(2)


def parse(**said):
    record = {**organisation(1), **said}
    return SOURCE.parse(RawRecord(ror_id(1), "v2", "2025-01-01", json.dumps(record).encode()))


def read(path: Path, body: bytes) -> tuple[list[str], list[str]]:
    path.write_bytes(body)
    pages = list(SOURCE.read_file(path))
    return (
        [record.external_id for page in pages for record in page.records],
        [damaged.reason for page in pages for damaged in page.damaged],
    )


def zipped(**bodies: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for label, body in bodies.items():
            archive.writestr(label, body)
    return buffer.getvalue()


DUMP = {
    "v9.9-data.json": dump({"id": "https://ror.org/x", "name": "An old record"}),
    "v9.9-data_schema_v2.json": dump(ONE, TWO),
    "v9.9-data_schema_v2.csv": b"id,names\n",
}
FORMS = {
    "the dump": dump(ONE, TWO),
    "the dump, set out": json.dumps([ONE, TWO], indent=4).encode(),
    "the dump, zipped with the older schema and tables": zipped(**DUMP),
    "lines": lines(ONE, TWO),
    "lines, packed": gzip.compress(lines(ONE, TWO)),
    "an answer of the API": json.dumps({"number_of_results": 2, "items": [ONE, TWO]}).encode(),
    "two files of one record": zipped(a=dump(ONE)[1:-1], b=dump(TWO)[1:-1]),
}


@pytest.mark.parametrize("body", FORMS.values(), ids=FORMS.keys())
def test_every_form_holds_the_same_records(tmp_path, body):
    assert read(tmp_path / "dump", body) == ([ror_id(1), ror_id(2)], [])


def test_damage_costs_the_record_it_is_in(tmp_path):
    first, second = lines(ONE).strip(), lines(TWO)
    found, reasons = read(tmp_path / "dump", first[:-40] + b"\n" + second + b'7\n{"names": []}\n')
    assert found == [ror_id(2)]
    assert reasons[0].startswith("Record 1 is damaged: ")
    assert reasons[1:] == [
        "Record 3 is not a JSON object.",
        'Record 4 has no "id", so it is no organisation of ROR.',
    ]


@pytest.mark.parametrize("body", [b"<html>", b"id,names\n", b""])
def test_what_is_no_json_is_refused(tmp_path, body):
    with pytest.raises(PageRefused, match="not JSON"):
        read(tmp_path / "dump", body)


def test_an_answer_of_the_api_is_a_page_of_its_list():
    page = SOURCE.read_page(json.dumps({"number_of_results": 7, "items": [ONE, TWO, {}]}).encode(), stream="v2")
    assert [record.external_id for record in page.records] == [ror_id(1), ror_id(2)]
    assert [damaged.reason for damaged in page.damaged] == ['Record 1 has no "id", so it is no organisation of ROR.']
    assert page.complete_size == 7
    empty = SOURCE.read_page(json.dumps({"number_of_results": 0, "items": []}).encode(), stream="v2")
    assert (empty.records, empty.complete_size) == ((), 0)
    assert [each.external_id for each in SOURCE.read_page(json.dumps(ONE).encode(), stream="v2").records] == [ror_id(1)]


def test_the_list_ends_with_an_empty_page_or_with_its_only_one():
    full = SOURCE.read_page(json.dumps({"number_of_results": 5, "items": [ONE, TWO]}).encode(), stream="v2")
    whole = SOURCE.read_page(json.dumps({"number_of_results": 2, "items": [ONE, TWO]}).encode(), stream="v2")
    empty = SOURCE.read_page(json.dumps({"number_of_results": 5, "items": []}).encode(), stream="v2")
    assert SOURCE.token_after(full, token="") == "2"
    assert SOURCE.token_after(full, token="7") == "8"
    assert SOURCE.token_after(full, token="500") is None
    assert SOURCE.token_after(whole, token="") is None
    assert SOURCE.token_after(whole, token="2") == "3"
    assert SOURCE.token_after(empty, token="3") is None


def test_a_record_says_all_of_it():
    record = parse(
        names=[
            name("Woven University"),
            name("WU", "acronym", lang=None),
            name("Universität Weben", "alias", "label", lang="de"),
            name("Universität  Weben", "alias", lang="de"),
            name("", "alias"),
        ],
        locations=[place(), place("Loomstadt", "DE", 95.0, 7.0)],
        external_ids=[
            {"type": "fundref", "preferred": "10.1", "all": ["10.2", "10.1"]},
            {"type": "newid", "preferred": None, "all": ["1"]},
        ],
        relationships=[
            relation("parent", 2, "Guild"),
            relation("parent", 2),
            relation("cousin", 3),
            relation("child", 1),
            {"type": "child", "id": "https://ror.org/000000000", "label": "bad checksum"},
        ],
        links=[
            {"type": "website", "value": "javascript:alert(1)"},
            {"type": "website", "value": "https://weave.example.org"},
            {"type": "wikipedia", "value": "http://encyclopedia.example.org/Weave"},
        ],
        types=["funder", "education", "guild"],
        domains=["weave.example.org"],
    )
    assert (record.ror_id, record.stamp, record.display_name) == (ror_id(1), "2025-01-01", "Woven University")
    assert record.names == (
        NameRecord("Woven University", "en", "label"),
        NameRecord("WU", "", "acronym"),
        NameRecord("Universität Weben", "de", "label"),
        NameRecord("Universität Weben", "de", "alias"),
    )
    assert record.places == (
        PlaceRecord("Threadham", "Woolshire", "GB", 52.5, -1.25),
        PlaceRecord("Loomstadt", "Woolshire", "DE", None, None),
    )
    assert record.identifiers == (IdentifierRecord("fundref", "10.1", True), IdentifierRecord("fundref", "10.2", False))
    assert record.relations == (RelationRecord("parent", ror_id(2), "Guild"),)
    assert (record.homepage, record.wikipedia) == (
        "https://weave.example.org",
        "http://encyclopedia.example.org/Weave",
    )
    assert (record.status, record.kind, record.kinds) == ("active", "education", ("funder", "education", "other"))
    assert (record.established, record.domains) == (1851, ("weave.example.org",))


def test_what_is_missing_or_null_is_empty():
    record = parse(
        established=None, locations=None, links=None, external_ids=[], relationships=None, types=None, domains=None
    )
    assert (record.established, record.places, record.homepage, record.identifiers) == (None, (), "", ())
    assert (record.relations, record.kind, record.kinds, record.domains) == ((), "other", ("other",), ())


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"id": "https://ror.org/03yrm5c27"}, "its form or its checksum is wrong"),
        ({"id": 7}, "is no ROR id"),
        ({"names": []}, "has no name"),
        ({"names": [name("x" * 501)]}, "has no name"),
        ({"status": "asleep"}, "'asleep' is none of active, inactive, withdrawn"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_reason(said, reason):
    with pytest.raises(RecordRefused, match=reason):
        parse(**said)


def test_a_record_of_the_older_schema_is_refused():
    payload = json.dumps({"id": "https://ror.org/x", "name": "An old record"}).encode()
    with pytest.raises(RecordRefused, match="schema v1: take the dump of schema v2"):
        SOURCE.parse(RawRecord("x", "v2", "", payload))


def test_the_day_of_change_is_no_content():
    assert parse().content_hash == parse(admin={}).content_hash
    assert parse().content_hash != parse(established=1852).content_hash


@pytest.mark.shared_data
def test_every_real_record_is_read():
    path = shared_data_dir("ror", "ror_v2_36k.jsonl.gz")
    statuses: dict[str, int] = {}
    for page in SOURCE.read_file(path):
        assert page.damaged == ()
        for record in page.records:
            status = SOURCE.parse(record).status
            statuses[status] = statuses.get(status, 0) + 1
    assert statuses == {"active": 35_075, "inactive": 725, "withdrawn": 190}


@pytest.mark.shared_data
@pytest.mark.parametrize("document", ["schema/example_record_v2_1.json", "api_backend/test_data_retrieve_es7_v2.json"])
def test_real_documents_are_read_or_refused_with_a_reason(document):
    path = shared_data_dir("ror", *document.split("/"))
    pages = list(SOURCE.read_file(path))
    for record in [record for page in pages for record in page.records]:
        SOURCE.parse(record)
    assert sum(len(page.records) + len(page.damaged) for page in pages) >= 1
