"""Curators' merges of institutions: what becomes of addresses, papers and counts, and what an undo brings back."""

from __future__ import annotations

import json

import pytest

from institutions.merging import ADAPTER
from institutions.models import Candidate, Institution, MergeEvent
from institutions.services.duplicates import find_duplicates
from institutions.services.ingest import ingest_organisations
from institutions.services.merging import declare_different, merge_institutions, plan_merge, undo_event
from institutions.sources.ror import RorSource
from papers.affiliating import affiliate_papers
from papers.models import Affiliation, Authorship, PaperInstitution
from tests.admin_people import user_with
from tests.factories import PaperFactory
from tests.institutions.organisations import name, organisation, place, relation, ror_id
from tests.searching import index_papers  # noqa: F401
from wovepaper.curation.services import Blocked, Conflict, NotPermitted
from wovepaper.harvest.contracts import RawRecord
from wovepaper.pipeline.services import drain

pytestmark = pytest.mark.django_db
MERGE = ("institutions.review_candidate", "institutions.merge_institution", "institutions.undo_own_event")


def bring(*records: dict) -> None:
    source = RorSource()
    raw = [RawRecord(record["id"][-9:], "v2", "", json.dumps(record).encode()) for record in records]
    ingest_organisations([(each, source.parse(each)) for each in raw])


def of(number: int) -> Institution:
    return Institution.objects.get(ror_id=ror_id(number))


def paper(text: str):
    made = PaperFactory(authors=["Ada Weaver"])
    Affiliation.objects.create(authorship=Authorship.objects.get(paper=made), text=text)
    affiliate_papers([made.pk])
    return made


REGISTRY = (
    organisation(1, name("University of Threadham"), name("Threadham Weavers", "alias")),
    organisation(2, name("Weaving College of Threadham"), name("Threadham Weavers", "alias")),
    organisation(3, name("Loomstadt Institute of Knots"), locations=[place("Loomstadt", "DE")]),
    organisation(4, name("Knots Annex"), relationships=[relation("parent", 3)]),
    organisation(5, name("Old Threadham College"), status="inactive", relationships=[relation("successor", 2)]),
)


@pytest.fixture
def registry(index_papers):  # noqa: F811
    bring(*REGISTRY)


@pytest.fixture
def curator():
    return user_with(*MERGE)


def merge(curator, loser: int, survivor: int, **more) -> MergeEvent:
    one, other = of(loser), of(survivor)
    outcome = merge_institutions(
        loser=one.pk,
        survivor=other.pk,
        actor=curator,
        reason="The registry has it twice",
        versions={one.pk: one.version, other.pk: other.version},
        key=f"{MergeEvent.objects.count():032x}",
        **more,
    )
    assert outcome.event is not None
    return outcome.event


def listed() -> dict[str, int]:
    return dict(Institution.objects.filter(paper_count__gt=0).values_list("ror_id", "paper_count"))


def test_addresses_at_once_papers_and_counts_by_the_pipeline(client, registry, curator):
    first, second = paper("University of Threadham"), paper("Weaving College of Threadham")
    both = paper("University of Threadham; Weaving College of Threadham")
    unclear = paper("Threadham Weavers, Threadham, UK")
    drain()
    assert listed() == {ror_id(1): 2, ror_id(2): 2}
    assert not PaperInstitution.objects.filter(paper=unclear).exists()
    merge(curator, 2, 1)
    target = of(1).get_absolute_url()
    # One hop, also from what had become the one that was merged.
    for old in (of(2).get_absolute_url(), f"/institutions/{ror_id(2)}", f"/institutions/{ror_id(5)}"):
        answer = client.get(old)
        assert (answer.status_code, answer["Location"]) == (301, target)
    drain()
    assert listed() == {ror_id(1): 4}
    numbers = set(PaperInstitution.objects.values_list("paper", "institution"))
    assert numbers == {(one.pk, of(1).pk) for one in (first, second, both, unclear)}
    assert Affiliation.objects.filter(institution=of(2)).count() == 0
    page = client.get(target).content.decode()
    assert "Weaving College of Threadham" in page


def test_an_undo_brings_everything_back(client, registry, curator):
    paper("University of Threadham")
    second = paper("Weaving College of Threadham")
    event = merge(curator, 2, 1)
    drain()
    assert listed() == {ror_id(1): 2}
    undo_event(event=event.pk, actor=curator, reason="No", key="e" * 32)
    drain()
    assert listed() == {ror_id(1): 1, ror_id(2): 1}
    assert list(PaperInstitution.objects.filter(paper=second).values_list("institution", flat=True)) == [of(2).pk]
    assert client.get(of(2).get_absolute_url()).status_code == 200
    assert of(5).root == of(2)


def test_imports_leave_a_merge_alone(registry, curator):
    merge(curator, 2, 1)
    bring(organisation(2, name("Weaving College"), changed="2030-01-01"))
    assert (of(2).merged_into, of(2).root, of(2).follows_successor) == (of(1), of(1), False)
    # Even where the survivor's record goes on to name the other as its successor.
    bring(
        organisation(
            1, name("University of Threadham"), status="inactive", relationships=[relation("successor", 2)],
            changed="2030-01-02",
        )
    )  # fmt: skip
    assert (of(2).root, of(1).root) == (of(1), of(1))


def test_what_the_registry_calls_a_part_needs_an_override(registry, curator):
    assert [one.code for one in plan_merge(loser=of(4).pk, survivor=of(3).pk).obstacles] == ["part"]
    with pytest.raises(Blocked):
        merge(curator, 4, 3)
    with pytest.raises(NotPermitted):
        merge(curator, 4, 3, override=True)
    may = user_with(*MERGE, "institutions.override_difference")
    assert merge(may, 4, 3, override=True).live


def test_without_the_right_or_with_a_stale_page_nothing_changes(registry, curator):
    with pytest.raises(NotPermitted):
        merge(user_with("institutions.review_candidate"), 2, 1)
    Institution.objects.filter(ror_id=ror_id(1)).update(version=9)
    one, other = of(2), of(1)
    with pytest.raises(Conflict):
        merge_institutions(
            loser=one.pk, survivor=other.pk, actor=curator, reason="x", versions={one.pk: 1, other.pk: 1}, key="f" * 32
        )
    assert of(2).is_root


class TestDuplicates:
    def test_the_same_name_at_the_same_place(self, registry):
        assert find_duplicates() == 1
        item = Candidate.objects.get()
        assert item.members == [of(1).pk, of(2).pk]
        assert item.score == pytest.approx(0.78)
        assert item.reasons == [
            "Both are called “Threadham Weavers”, one of them besides its own name.",
            f"Both are in {of(1).place}.",
            "Both have the website weave.example.org.",
        ]

    def test_relatives_other_places_and_common_names_are_none(self):
        bring(
            organisation(1, name("Loom Hall"), relationships=[relation("child", 2)]),
            organisation(2, name("Loom Hall"), relationships=[relation("parent", 1)]),
            organisation(3, name("Yarn Hall")),
            organisation(4, name("Yarn Hall"), locations=[place("Loomstadt", "DE")]),
            *(organisation(number, name("General Hospital")) for number in range(10, 17)),
        )
        assert find_duplicates() == 0

    def test_what_was_told_apart_is_not_asked_again(self, registry, curator):
        find_duplicates()
        one, two = of(1), of(2)
        declare_different(
            one=two.pk, other=one.pk, actor=curator, reason="Two", versions={one.pk: one.version, two.pk: two.version}
        )
        assert find_duplicates() == 0
        assert Candidate.objects.get().state == "different"

    def test_a_merge_closes_its_item_and_an_undo_opens_it(self, registry, curator):
        find_duplicates()
        event = merge(curator, 2, 1)
        assert Candidate.objects.get().state == "merged"
        undo_event(event=event.pk, actor=curator, reason="No", key="e" * 32)
        assert Candidate.objects.get().state == "open"


def test_the_proof_finds_nothing_wrong(registry, curator):
    merge(curator, 2, 1)
    assert ADAPTER.audit() == []
    Institution.objects.filter(ror_id=ror_id(2)).update(follows_successor=True)
    assert ADAPTER.audit() == [f"institution {of(2).pk} follows its record, not the curator"]
