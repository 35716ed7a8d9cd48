from __future__ import annotations

import itertools

import pytest
from django.core.management import call_command
from django.db import connection

from institutions.models import Institution, InstitutionIdentifier, InstitutionName, InstitutionRelation
from institutions.services.successors import without_circles
from tests.institutions.organisations import dump, name, organisation, place, relation, ror_id
from wovepaper.harvest import hooks
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db

MODELS = (Institution, InstitutionName, InstitutionIdentifier, InstitutionRelation)


@pytest.fixture(autouse=True)
def _without_the_pipeline(monkeypatch):
    monkeypatch.setattr(hooks, "_callbacks", [])


@pytest.fixture
def harvest(tmp_path, capsys):
    numbers = itertools.count()

    def run(*records) -> str:
        path = tmp_path / f"{next(numbers)}.json"
        path.write_bytes(dump(*records))
        call_command("harvest", "ror", "--file", str(path))
        return capsys.readouterr().out.strip()

    return run


def row_versions() -> list[tuple]:
    """Which transaction wrote each row."""
    found = []
    with connection.cursor() as cursor:
        for model in MODELS:
            cursor.execute(f"SELECT xmin::text, ctid::text, id FROM {model._meta.db_table} ORDER BY id")
            found.append(cursor.fetchall())
    return found


def facts() -> list:
    """All that is known, without numbers and times of this database."""
    return [
        sorted(Institution.objects.values_list("ror_id", "display_name", "status", "established", "root__ror_id")),
        sorted(InstitutionName.objects.values_list("institution__ror_id", "value", "lang", "kind", "key")),
        sorted(
            InstitutionRelation.objects.values_list("institution__ror_id", "kind", "target_ror_id", "target__ror_id"),
            key=str,
        ),
    ]


def redirects() -> dict[str, str]:
    moved = Institution.objects.exclude(merged_into=None).select_related("root")
    return {institution.ror_id: institution.root.ror_id for institution in moved}


def test_a_record_becomes_an_institution(harvest):
    said = harvest(
        organisation(
            1,
            name("Żywe Krosno"),
            name("織物大学", "label", lang="ja"),
            name("WU", "acronym", lang=None),
            locations=[place(), place("Loomstadt", "DE")],
            relationships=[relation("parent", 2, "The Guild")],
        )
    )
    assert said == "ror: seen 1, new 1, changed 0, unchanged 0, quarantined 0"
    found = Institution.objects.get()
    assert (found.ror_id, found.display_name, found.slug) == (ror_id(1), "Żywe Krosno", "zywe-krosno")
    assert (found.status, found.kind, found.kinds) == ("active", "education", ["education", "funder"])
    assert (found.city, found.country, found.latitude, found.longitude) == ("Threadham", "GB", 52.5, -1.25)
    assert [each["city"] for each in found.places] == ["Threadham", "Loomstadt"]
    assert (found.established, found.homepage, found.is_root) == (1851, "https://weave.example.org", True)
    assert list(found.names.values_list("value", "lang", "kind", "key")) == [
        ("Żywe Krosno", "en", "label", " zywe krosno"),
        ("織物大学", "ja", "label", " 織物大学"),
        ("WU", "", "acronym", " wu"),
    ]
    assert list(found.identifiers.values_list("scheme", "value", "preferred")) == [
        ("isni", "0000 0000 0000 0001", False)
    ]
    assert list(found.relations.values_list("kind", "target_ror_id", "target", "label")) == [
        ("parent", ror_id(2), None, "The Guild")
    ]
    assert list(WorkItem.objects.values_list("kind", "object_id")) == [("institution", found.pk)]


def test_the_same_again_writes_no_row(harvest):
    records = [
        organisation(1, relationships=[relation("successor", 2)], status="withdrawn"),
        organisation(2, relationships=[relation("predecessor", 1)]),
    ]
    harvest(*records)
    before = row_versions()
    said = harvest(*[{**record, "admin": {}} for record in records], records[0])
    assert said == "ror: seen 3, new 0, changed 0, unchanged 3, quarantined 0"
    assert row_versions() == before


def test_only_what_changed_is_written(harvest):
    harvest(organisation(1, name("Loom Hall"), name("LH", "acronym")), organisation(2))
    before = row_versions()
    said = harvest(
        organisation(1, name("Loom Hall"), name("Weavers", "alias"), changed="2025-02-01", status="inactive")
    )
    assert said == "ror: seen 1, new 0, changed 1, unchanged 0, quarantined 0"
    assert Institution.objects.get(ror_id=ror_id(1)).status == "inactive"
    assert list(InstitutionName.objects.filter(institution__ror_id=ror_id(1)).values_list("value", flat=True)) == [
        "Loom Hall",
        "Weavers",
    ]
    kept = [set(rows) & set(again) for rows, again in zip(before, row_versions(), strict=True)]
    assert [len(rows) for rows in kept] == [1, 2, 2, 0]


def test_an_older_dump_changes_nothing(harvest):
    harvest(organisation(1, name("New"), changed="2025-02-01"))
    assert "unchanged 1" in harvest(organisation(1, name("Old"), changed="2024-02-01"))
    assert Institution.objects.get().display_name == "New"


def test_targets_that_come_later_are_tied(harvest):
    harvest(organisation(1, relationships=[relation("child", 2)]))
    assert InstitutionRelation.objects.get().target is None
    harvest(organisation(2))
    assert InstitutionRelation.objects.get().target.ror_id == ror_id(2)


def test_a_single_successor_is_followed_and_several_are_not(harvest):
    harvest(
        organisation(1, status="withdrawn", relationships=[relation("successor", 2)]),
        organisation(2, status="inactive", relationships=[relation("successor", 3)]),
        organisation(3),
        organisation(4, status="inactive", relationships=[relation("successor", 2), relation("successor", 3)]),
        organisation(5, relationships=[relation("successor", 3)]),  # still active
        organisation(6, status="withdrawn"),
        organisation(7, status="withdrawn", relationships=[relation("successor", 99)]),  # never arrives
    )
    assert redirects() == {ror_id(1): ror_id(3), ror_id(2): ror_id(3)}
    assert Institution.objects.get(ror_id=ror_id(1)).follows_successor is True


def test_a_redirect_is_undone_when_its_reason_is_gone(harvest):
    harvest(organisation(1, status="inactive", relationships=[relation("successor", 2)]), organisation(2))
    harvest(organisation(1, changed="2025-03-01"))
    assert redirects() == {}
    assert Institution.objects.get(ror_id=ror_id(1)).follows_successor is False


def test_a_circle_of_successors_leads_nowhere(harvest):
    harvest(
        organisation(1, status="inactive", relationships=[relation("successor", 2)]),
        organisation(2, status="inactive", relationships=[relation("successor", 1)]),
        organisation(3, status="inactive", relationships=[relation("successor", 1)]),
    )
    assert redirects() == {ror_id(3): ror_id(1)}


def test_what_a_curator_merged_stays_merged(harvest):
    harvest(organisation(1), organisation(2), organisation(3))
    one, two = Institution.objects.get(ror_id=ror_id(1)), Institution.objects.get(ror_id=ror_id(2))
    Institution.objects.filter(pk=one.pk).update(merged_into=two, root=two)
    harvest(organisation(1, status="withdrawn", changed="2025-02-01", relationships=[relation("successor", 3)]))
    assert redirects() == {ror_id(1): ror_id(2)}


def test_any_order_of_arrival_ends_the_same(harvest):
    records = [
        organisation(1, status="withdrawn", relationships=[relation("successor", 2)]),
        organisation(2, name("Loom Hall"), status="inactive", relationships=[relation("successor", 3)]),
        organisation(3, relationships=[relation("predecessor", 2), relation("child", 1)]),
        organisation(2, name("Old Loom"), changed="2024-01-01"),
    ]
    results = []
    for order in itertools.permutations(records):
        for model in reversed(MODELS):
            model._base_manager.all()._raw_delete("default")
        for record in order:
            harvest(record)
        results.append(facts())
    assert all(result == results[0] for result in results)
    assert [row[4] for row in results[0][0]] == [ror_id(3)] * 3


@pytest.mark.parametrize(
    ("edges", "kept"),
    [
        ({1: 2, 2: 3}, {1: 2, 2: 3}),
        ({1: 1}, {}),
        ({1: 2, 2: 1, 3: 1, 4: 3}, {3: 1, 4: 3}),
        ({5: 1, 1: 2, 2: 3, 3: 1}, {5: 1}),
    ],
)
def test_circles_are_cut_and_what_leads_to_them_stays(edges, kept):
    assert without_circles(edges) == kept
