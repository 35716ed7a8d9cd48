"""Institutions of the demo catalogue: records that the registry's own reader takes, and places that name them."""

from __future__ import annotations

import pytest

from institutions.models import Institution
from institutions.sources.ror import RorSource
from wovepaper.demo.institutions import (
    INSTITUTIONS,
    REGISTERED,
    demo_institution,
    invented_ror_id,
    is_doubled,
    is_withdrawn,
    parent_of,
    printed_place,
    registry_lines,
)
from wovepaper.harvest.services import harvest_files
from wovepaper.lib import ror


def test_every_record_is_read_and_no_identifier_can_be_a_real_one(tmp_path) -> None:
    path = tmp_path / "institutions.jsonl"
    path.write_bytes(b"".join(registry_lines()))
    source = RorSource()
    records = [source.parse(record) for page in source.read_file(path) for record in page.records]
    assert len(records) == REGISTERED + sum(is_doubled(number) for number in range(REGISTERED))
    assert len({record.ror_id for record in records}) == len(records)
    assert all(ror.normalise(record.ror_id) == record.ror_id for record in records)
    assert all(ror.is_invented(record.ror_id) for record in records)
    assert not any(record.homepage or record.wikipedia or record.identifiers for record in records)
    assert {name.lang for record in records for name in record.names} > {"en", "de", "fr", "es"}
    assert {name.kind for record in records for name in record.names} == {"label", "alias", "acronym"}
    assert [record.status for record in records].count("withdrawn") == sum(map(is_withdrawn, range(REGISTERED)))


def test_a_real_identifier_is_not_called_invented() -> None:
    assert not ror.is_invented("05dxps055")
    assert not ror.is_invented("")


def test_no_two_institutions_are_called_alike() -> None:
    names = {demo_institution(number).name for number in range(INSTITUTIONS)}
    assert len(names) > INSTITUTIONS - 10


def test_a_group_prints_its_place_in_one_way_in_every_catalogue() -> None:
    assert printed_place("hep-ex", 3) == printed_place("hep-ex", 3)
    assert len({printed_place("hep-ex", group) for group in range(300)}) > 100


@pytest.mark.django_db
def test_imported_they_are_tied_to_each_other(tmp_path) -> None:
    path = tmp_path / "institutions.jsonl"
    path.write_bytes(b"".join(registry_lines()))
    summary = harvest_files(name="ror", paths=[path])
    assert summary.ok
    withdrawn = next(filter(is_withdrawn, range(REGISTERED)))
    former = Institution.objects.select_related("root").get(ror_id=invented_ror_id(withdrawn))
    assert former.root is not None
    assert former.root.ror_id == invented_ror_id(withdrawn - 1)
    part = next(filter(parent_of, range(REGISTERED)))
    relation = Institution.objects.get(ror_id=invented_ror_id(part)).relations.get(kind="parent")
    assert relation.target is not None
    assert relation.target.ror_id == invented_ror_id(parent_of(part))
