from __future__ import annotations

import json

import pytest
from django.db import connection

from institutions.models import AffiliationRule, Institution
from institutions.services.ingest import ingest_organisations
from institutions.sources.ror import RorSource
from papers import affiliating
from papers.affiliating import affiliate_papers, rematch
from papers.asserted_affiliations import read_asserted
from papers.models import Affiliation, Authorship, Paper, PaperInstitution
from tests.admin_people import client_of, user_with
from tests.factories import PaperFactory, SourceRecordFactory
from tests.institutions.organisations import name, organisation, place, relation, ror_id
from tests.researchers.people import arrive, curator, merge, researcher, undo
from tests.researchers.people import place as place_of
from tests.searching import index_papers  # noqa: F401
from wovepaper.harvest.contracts import RawRecord
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import drain

pytestmark = pytest.mark.django_db

WEAVERS, KNOTS = "University of Threadham", "Loomstadt Institute of Knots"


def bring(*records: dict) -> None:
    source = RorSource()
    raw = [RawRecord(record["id"][-9:], "v2", "", json.dumps(record).encode()) for record in records]
    ingest_organisations([(each, source.parse(each)) for each in raw])


def institution(number: int) -> Institution:
    return Institution.objects.get(ror_id=ror_id(number))


def paper(*texts: str, **more) -> Paper:
    made = PaperFactory(authors=["Ada Weaver"], **more)
    authorship = Authorship.objects.get(paper=made)
    for text in texts:
        Affiliation.objects.create(authorship=authorship, text=text)
    return made


def found(of: Paper) -> list[tuple]:
    rows = Affiliation.objects.filter(authorship__paper=of).order_by("id")
    return [(row.institution.ror_id if row.institution else None, row.how, row.others) for row in rows.select_related()]


def counts() -> dict[str, int]:
    return dict(Institution.objects.filter(paper_count__gt=0).values_list("ror_id", "paper_count"))


@pytest.fixture
def registry() -> None:
    bring(
        organisation(1, name(WEAVERS)),
        organisation(2, name(KNOTS), locations=[place("Loomstadt", "DE")]),
    )


def test_without_institutions_nothing_is_done(django_assert_num_queries):
    one = paper(WEAVERS)
    with django_assert_num_queries(1):
        affiliate_papers([one.pk])
    assert found(one) == [(None, "", None)]


def test_affiliations_lists_and_counts(registry):
    one, two = paper(f"Dept. of Wool, {WEAVERS}, UK", "Nowhere"), paper(f"{WEAVERS}; {KNOTS}, Loomstadt")
    affiliate_papers([one.pk, two.pk])
    assert found(one) == [(ror_id(1), "label", None), (None, "", None)]
    assert found(two) == [(ror_id(1), "label", [institution(2).pk])]
    assert set(PaperInstitution.objects.values_list("paper", "institution__ror_id", "sort_date")) == {
        (one.pk, ror_id(1), one.sort_date),
        (two.pk, ror_id(1), two.sort_date),
        (two.pk, ror_id(2), two.sort_date),
    }
    assert counts() == {ror_id(1): 2, ror_id(2): 1}


def test_the_same_again_writes_nothing(registry):
    one = paper(WEAVERS)
    affiliate_papers([one.pk])
    with connection.cursor() as cursor:
        tables = ("papers_affiliation", "papers_paperinstitution", "institutions_institution")

        def versions() -> list:
            rows = []
            for table in tables:
                cursor.execute(f"SELECT xmin::text, ctid::text FROM {table}")
                rows.append(sorted(cursor.fetchall()))
            return rows

        before = versions()
        affiliate_papers([one.pk])
        assert versions() == before


def test_what_changes_is_followed_and_counted_once(registry):
    one = paper(WEAVERS)
    affiliate_papers([one.pk])
    Affiliation.objects.update(text=KNOTS)
    Paper.objects.update(sort_date="2001-02-03")
    affiliate_papers([one.pk])
    affiliate_papers([one.pk])
    assert counts() == {ror_id(2): 1}
    assert PaperInstitution.objects.get().sort_date.isoformat() == "2001-02-03"
    Paper.objects.filter(pk=one.pk).update(redirect_to=PaperFactory())
    affiliate_papers([one.pk])
    assert (counts(), PaperInstitution.objects.count()) == ({}, 0)


def test_the_cost_does_not_grow_with_the_papers(registry, django_assert_max_num_queries):
    papers = [paper(f"{WEAVERS}, Room {number}") for number in range(6)]
    affiliate_papers([papers[0].pk])
    with django_assert_max_num_queries(14):
        affiliate_papers([one.pk for one in papers[1:]])


def test_what_a_source_asserts_wins_over_the_name(registry):
    one = paper(WEAVERS, "Institut für Knoten")
    said = [
        {"name": WEAVERS, "id": [{"id": f"https://ror.org/{ror_id(2)}", "id-type": "ROR"}]},
        {"name": "INSTITUT FÜR KNOTEN", "id": [{"id": f"https://ror.org/{ror_id(99)}", "id-type": "ROR"}]},
    ]
    SourceRecordFactory(paper=one, payload=json.dumps({"author": [{"affiliation": said}]}).encode())
    affiliate_papers([one.pk])
    assert found(one) == [(ror_id(2), "source", None), (None, "", None)]


def test_a_curator_wins_over_all_and_outlives_harvests(registry):
    one = paper(f"Weavers of {WEAVERS}", KNOTS)
    said = [{"name": KNOTS, "id": [{"id": ror_id(1), "id-type": "ROR"}]}]
    SourceRecordFactory(
        paper=one, payload=f'{{"author": [{{"affiliation": {json.dumps(said)}}}], "x": "ror.org"}}'.encode()
    )
    AffiliationRule.objects.create(pattern="weavers of *", institution=institution(2), reason="They moved.")
    AffiliationRule.objects.create(pattern="*institute of KNÓTS", institution=None, reason="Not that one.")
    for _ in range(2):
        affiliate_papers([one.pk])
        assert found(one) == [(ror_id(2), "rule", None), (None, "rule", None)]


def test_a_rule_lets_those_wait_that_it_concerns(registry):
    one, two = paper("Weavers' Guild"), paper("Elsewhere")
    affiliate_papers([one.pk, two.pk])
    WorkItem.objects.all().delete()
    rule = AffiliationRule.objects.create(pattern="weavers guild", institution=institution(1), reason="Known.")
    assert rematch(rules_only=True) == 1
    assert list(WorkItem.objects.values_list("object_id", "stage")) == [(one.pk, "affiliate")]
    affiliate_papers([one.pk])
    rule.delete()
    assert rematch(rules_only=True) == 1
    affiliate_papers([one.pk])
    assert found(one) == [(None, "", None)]


def test_an_import_lets_those_wait_whose_institution_is_another_now(registry):
    one, two, three = paper("Guild of Carpets"), paper(WEAVERS), paper("Institut für Knoten")
    said = [{"name": "Institut für Knoten", "id": [{"id": f"https://ror.org/{ror_id(1)}", "id-type": "ROR"}]}]
    SourceRecordFactory(paper=three, payload=json.dumps({"author": [{"affiliation": said}]}).encode())
    affiliate_papers([one.pk, two.pk, three.pk])
    assert rematch() == 0
    gone = {"status": "inactive", "relationships": [relation("successor", 3)], "changed": "2025-05-05"}
    bring(organisation(1, name(WEAVERS), **gone), organisation(3, name("Guild of Carpets")))
    assert rematch() >= 3
    affiliate_papers([one.pk, two.pk, three.pk])
    assert found(one) == [(ror_id(3), "label", None)]
    assert found(two) == [(ror_id(3), "label", None)]
    assert found(three) == [(ror_id(3), "source", None)]
    assert counts() == {ror_id(3): 3}
    assert rematch() == 0


def test_only_the_registry_makes_texts_mean_something_else(registry, monkeypatch):
    from wovepaper.harvest.counts import Counts
    from wovepaper.harvest.hooks import FinishedRun

    asked = []
    monkeypatch.setattr(affiliating, "rematch", lambda: asked.append(True))
    for source, counts_ in (("arxiv", Counts(new=1)), ("ror", Counts(unchanged=3)), ("ror", Counts(changed=1))):
        affiliating.rematch_after_import(FinishedRun(1, source, "completed", counts_))
    assert asked == [True]


def test_a_rule_saved_in_the_admin_waits_for_the_pipeline_and_so_does_its_end(registry, index_papers):  # noqa: F811
    one = paper("Hall of Looms, Threadham")
    browser = client_of(user_with(is_superuser=True))
    form = {"pattern": "Hall of Looms*", "institution": institution(1).pk, "reason": "It says so on its door"}
    answer = browser.post("/admin/institutions/affiliationrule/add/", form, follow=True)
    assert "in batches" in answer.content.decode()
    assert found(one) == [(None, "", None)]
    assert WorkItem.objects.filter(kind=affiliating.RULES, stage="affiliate").count() == 1
    drain()
    assert found(one) == [(ror_id(1), "rule", None)]
    assert counts() == {ror_id(1): 1}
    rule = AffiliationRule.objects.get()
    browser.post(f"/admin/institutions/affiliationrule/{rule.pk}/delete/", {"post": "yes"})
    drain()
    assert found(one) == [(None, "", None)]
    assert counts() == {}


def test_researchers_of_an_institution_are_counted_anew_after_a_merge(registry, index_papers):  # noqa: F811
    first, second = paper(WEAVERS), paper(WEAVERS)
    ada, bo = researcher("Ada Weaver"), researcher("A. Weaver")
    arrive(ada, place_of(first))
    arrive(bo, place_of(second))
    affiliate_papers([first.pk, second.pk])
    drain()
    assert institution(1).researcher_count == 2
    event = merge(bo, ada, curator()).event
    drain()
    assert institution(1).researcher_count == 1
    undo(event, curator("other", ["undo_any_event", "review_candidate"]))
    drain()
    assert institution(1).researcher_count == 2


def test_records_of_openalex_assert_too():
    payload = {
        "authorships": [
            {
                "institutions": [{"id": "I1", "ror": f"https://ror.org/{ror_id(1)}"}, {"id": "I2", "ror": None}],
                "affiliations": [
                    {"raw_affiliation_string": "Univ. Threadham", "institution_ids": ["I1", "I2", 3]},
                    {"raw_affiliation_string": None, "institution_ids": ["I1"]},
                ],
            }
        ]
    }
    assert read_asserted(json.dumps(payload).encode()) == {"univ threadham": (ror_id(1),)}


@pytest.mark.parametrize("payload", [b"<xml/>", b"[]", b'{"author": 7, "authorships": [7]}', b"\xff"])
def test_other_payloads_assert_nothing(payload):
    assert read_asserted(payload) == {}
