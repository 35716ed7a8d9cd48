"""The comparison: what it shows, in which order, and what its buttons do."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.models import Paper, SourceAuthorship
from researchers.admin.comparison import compare
from researchers.admin.reasons import suggest_different, suggest_merge, tell
from researchers.models import Assertion, Candidate, Researcher, ResearcherIdentifier, ResearcherName, SamePersonVote
from researchers.services.names import hide_former_name
from tests.factories import SourceRecordFactory, affiliate
from tests.researchers.admin.conftest import Desk, item_of, pair, states, together
from tests.researchers.people import arrive, curator, different, faults, merge, orcid, paper, place, researcher, undo

pytestmark = pytest.mark.django_db


def wrote(person: Researcher, name: str, year: int, title: str = "", venue: str = "", *friends: Researcher) -> Paper:
    made = paper(name, *(one.display_name for one in friends))
    day = dt.date(year, 5, 1)
    Paper.objects.filter(pk=made.pk).update(published_on=day, sort_date=day, venue=venue, title=title or made.title)
    arrive(person, place(made, 1))
    for position, one in enumerate(friends, start=2):
        arrive(one, place(made, position))
    return made


def test_names_as_printed_with_their_counts():
    one, other = researcher("Ada Weaver"), researcher("Ada M. Weaver")
    for name in ("A. Weaver", "Ada Weaver", "A. Weaver"):
        wrote(one, name, 2010)
    found = compare([one.pk, other.pk])
    assert [(name.name, name.count) for name in found.columns[0].names] == [("A. Weaver", 2), ("Ada Weaver", 1)]
    assert [(name.name, name.count) for name in found.columns[1].names] == [("Ada M. Weaver", 0)]


def test_a_hidden_name_is_nowhere(desk):
    one, other, item = pair("Ada Weaver")
    wrote(one, "Adam Weaver", 2010)
    ResearcherName.objects.create(researcher=one, value="Adam Weaver")
    hide_former_name(researcher=one.pk, name="Adam Weaver", actor=desk.user, reason="a former name")
    names = {name.name: name.count for name in compare([one.pk]).columns[0].names}
    assert sum(names.values()) == 2
    assert "Adam Weaver" not in names
    for page in (
        desk.get("candidate_change", item.pk),
        desk.get("researcher_change", one.pk),
        desk.get("researcher_split", one.pk),
        desk.get("researcher_merge", survivor=one.pk, member=[one.pk, other.pk]),
    ):
        assert "Adam Weaver" not in page


def test_whoever_is_merged_counts_as_one(desk):
    one, other, item = pair()
    third = researcher("Ada Weaver")
    wrote(third, "A. W.", 2012)
    event = merge(third, other, desk.user).event
    found = compare([one.pk, other.pk])
    assert found.columns[1].members == (other.pk, third.pk)
    assert sum(name.count for name in found.columns[1].names) == 2
    assert f"merged: {third.pk} and {other.pk}" in desk.get("candidate_change", item.pk)
    undo(event, desk.user)
    assert f"undone: the merge of {third.pk} and {other.pk}" in " ".join(desk.get("candidate_change", item.pk).split())


def test_conflicts_come_first_in_words(desk):
    one, other, item = pair()
    orcid(one, "0000-0002-1825-0097")
    orcid(other, "0000-0001-5109-3700")
    orcid(other, "0000-0002-1825-0097", state="conflict")
    ResearcherIdentifier.objects.create(researcher=other, scheme="openalex", value="A1", state="claimed")
    shared = together(one, other)
    found = compare([one.pk, other.pk])
    assert found.conflicts == (
        "Different trusted ORCIDs: A and B. Some people own two; most are two people.",
        "ORCID 0000-0002-1825-0097 on B is in conflict.",
        "They stand together on 1 paper, and nobody is twice on a paper.",
    )
    ids = found.columns[1].identifiers
    assert [(one.scheme, one.value, bool(one.conflict)) for one in ids] == [
        ("orcid", "0000-0002-1825-0097", True),
        ("orcid", "0000-0001-5109-3700", False),
        ("openalex", "A1", False),
    ]
    assert ids[0].shared == (one.pk,)
    assert found.papers_of_both == (type(found.papers_of_both[0])(shared.pk, shared.title, "AB"),)
    page = desk.get("candidate_change", item.pk)
    assert page.index("Different trusted ORCIDs") < page.index("Names as printed")
    assert 'value="They stand on one paper together; different trusted ORCIDs"' in page


def test_two_trusted_orcids_of_one_are_a_conflict():
    one = researcher()
    orcid(one, "0000-0002-1825-0097")
    orcid(one, "0000-0001-5109-3700")
    assert compare([one.pk]).conflicts == ("A has 2 trusted ORCIDs. They may be several people.",)


def test_shared_co_authors_the_rarest_first():
    one, other = researcher("Ada Weaver"), researcher("Ada Weaver")
    often, rarely, alone = researcher("Often There"), researcher("Rarely There"), researcher("Once There")
    for person in (one, other):
        wrote(person, "Ada Weaver", 2010, "", "", often, rarely)
    wrote(one, "Ada Weaver", 2011, "", "", often, alone)
    found = compare([one.pk, other.pk]).co_authors
    assert [(one.people[0].display_name, one.counts) for one in found] == [
        ("Rarely There", (1, 1)),
        ("Often There", (2, 1)),
    ]


def test_co_authors_of_one_name_count_together():
    one, other = researcher("Ada Weaver"), researcher("Ada Weaver")
    friends = researcher("Bo Spindle"), researcher("Bo Spindle")
    wrote(one, "Ada Weaver", 2010, "", "", friends[0])
    wrote(other, "Ada Weaver", 2010, "", "", friends[1])
    (found,) = compare([one.pk, other.pk]).co_authors
    assert (found.people, found.counts, found.papers) == (friends, (1, 1), 2)


def test_affiliations_with_their_years_venues_and_years():
    one, other = researcher("Ada Weaver"), researcher("Ada Weaver")
    for person, year, text in ((one, 2010, "Loom Hall"), (one, 2014, "Loom Hall"), (one, 2012, "Knot College"),
                               (other, 2013, "loom  hall")):  # fmt: skip
        affiliate(wrote(person, "Ada Weaver", year, venue="Journal of Looms"), 1, text)
    found = compare([one.pk, other.pk])
    places = [(one.text, one.years, one.papers, one.shared, one.x, one.width) for one in found.columns[0].places]
    assert places == [("Loom Hall", "2010–2014", 2, True, 0, 50), ("Knot College", "2012", 1, False, 20, 10)]
    assert [(one.text, one.shared) for one in found.columns[1].places] == [("loom  hall", True)]
    assert [(venue.name, venue.counts) for venue in found.venues] == [("Journal of Looms", (3, 1))]
    assert (found.axis.first, found.axis.last) == (2010, 2014)
    assert [(bar.year, bar.count, bar.x, bar.height) for bar in found.columns[0].years] == [
        (2010, 1, 0, 40), (2012, 1, 20, 40), (2014, 1, 40, 40),
    ]  # fmt: skip


def test_the_nearest_titles():
    one, other = researcher("Ada Weaver"), researcher("Ada Weaver")
    first = wrote(one, "Ada Weaver", 2010, "Weaving knots on small looms")
    wrote(one, "Ada Weaver", 2011, "Proteins of the deep sea")
    second = wrote(other, "Ada Weaver", 2012, "Weaving knots on large looms")
    best = compare([one.pk, other.pk]).titles[0]
    assert (best.one[0], best.other[0]) == (first.pk, second.pk)
    assert best.likeness > 85


def test_each_row_has_its_share_of_the_score(desk):
    reasons = [
        {"text": "a co-author in common", "contribution": 2.5, "about": "co_author"},
        {"text": "one name has only an initial", "contribution": -1.25, "about": "relation: initial"},
        {"text": "about 1 in 10 names this common are several people", "contribution": -0.7, "about": "namesakes"},
        {"text": "They have different ORCIDs.", "contribution": 0.0},
        "a line of text",
    ]
    _, _, item = pair(reasons=reasons)
    told = tell(item.reasons)
    assert {row: [phrase.text for phrase in phrases] for row, phrases in told.rows.items()} == {
        "co_authors": ["a co-author in common"],
        "names": ["one name has only an initial", "about 1 in 10 names this common are several people"],
    }
    assert told.sentences == ("They have different ORCIDs.", "a line of text")
    assert suggest_merge(told) == "A co-author in common"
    assert suggest_different(told, both_on_paper=False, other_orcids=False) == (
        "One name has only an initial; about 1 in 10 names this common are several people"
    )
    page = " ".join(desk.get("candidate_change", item.pk).split())
    assert page.index("Co-authors in common") < page.index("speaks for one person: +2.5")
    assert "speaks against: −1.2" in page or "speaks against: −1.3" in page


def test_what_agrees_is_no_reason_for_two_people():
    told = tell(
        [
            {"text": "affiliations agree by 100%", "contribution": -1.5, "about": "affiliation"},
            {"text": "titles agree by 3%", "contribution": -0.6, "about": "title"},
        ]
    )
    assert suggest_different(told, both_on_paper=False, other_orcids=False) == "Titles agree by 3%"


def test_votes_and_earlier_words(desk):
    one, other, item = pair()
    for number in range(3):
        SamePersonVote.objects.create(
            user=curator(f"reader{number}", []), a=one, b=other, verdict="same" if number else "different",
            cast_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        )  # fmt: skip
    different(one, other, desk.user)
    page = " ".join(desk.get("candidate_change", item.pk).split())
    assert "Of A and B, 2 readers say that they are the same person, 1 reader says different people." in page
    assert f"{one.pk} and {other.pk} are different people, says {desk.user}: two faces" in page


def test_the_number_of_queries_does_not_depend_on_what_they_wrote(desk):
    one, other, item = pair()
    friend = researcher("Friend")
    for person in (one, other):
        wrote(person, "Ada Weaver", 2009, "", "Journal", friend)
    desk.get("candidate_change", item.pk)
    with CaptureQueriesContext(connection) as few:
        desk.get("candidate_change", item.pk)
    friends = [researcher(f"Friend {number}") for number in range(3)]
    for person in (one, other):
        for year in (2010, 2011, 2012):
            affiliate(wrote(person, "Ada Weaver", year, "", "Journal", *friends), 1, f"Place {year}", "Loom Hall")
            orcid(person, f"0000-0000-0000-{person.pk % 10}{year % 1000:03}", state="conflict")
    with CaptureQueriesContext(connection) as many:
        desk.get("candidate_change", item.pk)
    assert len(many) == len(few)
    assert len(few) <= 24


# --- the buttons ---------------------------------------------------------------------------------------------


def test_different_people(desk):
    one, other, item = pair(score=0.9)
    following = pair(score=0.8)[2]
    answer = desk.decide(item, "different", one, other, reason="  two   faces ")
    assert answer.url.endswith(f"/{following.pk}/change/")
    assertion = Assertion.objects.get()
    assert (assertion.a, assertion.b, assertion.kind, assertion.by, assertion.reason) == (
        one, other, "different", desk.user, "two faces",
    )  # fmt: skip
    assert states([item, following]) == ["different", "open"]
    assert Candidate.objects.get(leased_to=desk.user) == following
    desk.decide(item, "different", one, other)
    assert Assertion.objects.count() == 1


def test_different_needs_a_reason_and_two(desk):
    one, other, item = pair()
    answer = desk.decide(item, "different", one, other, reason=" ")
    assert answer.status_code == 400
    assert "Give a reason" in answer.content.decode()
    answer = desk.decide(item, "different", one)
    assert answer.url.endswith(f"/{item.pk}/change/?member={one.pk}")
    assert not Assertion.objects.exists()


def test_a_page_that_is_out_of_date_shows_what_changed(desk, other_desk):
    one, other, item = pair()
    shown = {one.pk: one.version, other.pk: other.version}
    third = researcher()
    merge(third, other, other_desk.user, reason="they share a desk")
    answer = desk.decide(item, "different", one, other, versions=shown)
    page = " ".join(answer.content.decode().split())
    assert answer.status_code == 409
    assert "Somebody was faster" in page
    assert f"Researcher {other.pk}</a></strong> is at version 2; your page showed 1." in page
    assert f"{other_desk.user}: Took in researcher {third.pk}" in page
    assert "they share a desk" in page
    assert f'href="/admin/researchers/candidate/{item.pk}/change/"' in page
    assert not Assertion.objects.exists()
    assert states([item]) == ["open"]


def test_not_sure_puts_it_off(desk):
    item = pair()[2]
    desk.decide(item, "not-sure")
    item.refresh_from_db()
    assert item.state == "snoozed"
    assert item.leased_to is None
    assert dt.timedelta(days=29) < item.snoozed_until - item.filed_at < dt.timedelta(days=31)


def test_a_split_item_can_be_settled_and_brought_back(desk):
    person = researcher()
    item = item_of(person, kind="split")
    page = desk.get("candidate_change", item.pk)
    assert "One person" in page
    assert 'data-key="m"' not in page
    desk.decide(item, "settled")
    assert states([item]) == ["closed"]
    desk.undo()
    assert states([item]) == ["open"]
    assert desk.decide(item, "split").url == f"/admin/researchers/researcher/{person.pk}/split/?candidate={item.pk}"


def test_merge_leads_to_the_preview_with_the_oldest_or_the_chosen_survivor(desk):
    one, other, item = pair()
    base = f"/admin/researchers/researcher/merge/?candidate={item.pk}&survivor="
    members = f"&member={one.pk}&member={other.pk}"
    assert desk.decide(item, "merge", one, other).url == f"{base}{one.pk}{members}"
    assert desk.decide(item, "merge", one, other, survivor=other.pk).url == f"{base}{other.pk}{members}"
    assert desk.decide(item, "merge", one, other, survivor=999).url == f"{base}{one.pk}{members}"
    page = " ".join(desk.get("candidate_change", item.pk).split())
    assert f'name="survivor" value="{one.pk}" checked' in page
    assert f'name="survivor" value="{other.pk}" checked' not in page
    weak = Desk(curator("weak", ["review_candidate"]))
    assert 'data-key="m"' not in weak.get("candidate_change", pair()[2].pk)


@pytest.mark.parametrize("data", [{"action": "destroy"}, {}, {"action": "different", "member": ["1; DROP"]},
                                  {"action": "different", "member": ["9" * 30, "1"]},
                                  {"action": "different", "member": [str(n) for n in range(100)]}])  # fmt: skip
def test_bad_input_is_a_bad_request(desk, data):
    item = pair()[2]
    assert desk.post("candidate_decide", item.pk, **data).status_code == 400


def test_an_unknown_item_is_not_found(desk):
    desk.get("candidate_change", 999_999, status=404)
    assert desk.post("candidate_decide", 999_999, action="next").status_code == 404


def test_members_that_are_one_by_now_are_shown_as_one(desk):
    one, other, item = pair()
    merge(other, one, desk.user)
    Candidate.objects.filter(pk=item.pk).update(state="open")
    page = desk.get("candidate_change", item.pk)
    assert "Settled" in page
    assert 'value="different"' not in page


# --- groups --------------------------------------------------------------------------------------------------


@pytest.fixture
def crowd():
    people = [researcher("Yang Liu") for _ in range(5)]
    for number, one in enumerate(people):
        for _ in range(number + 1):
            arrive(one)
    return people, item_of(*people, kind="group", key="group:yangliu")


def test_of_a_group_the_first_two_are_compared_and_others_can_be_chosen(desk, crowd):
    people, item = crowd
    page = desk.get("candidate_change", item.pk)
    assert "Choose whom to compare, of 5" in page
    columns = [f'name="survivor" value="{one.pk}"' in " ".join(page.split()) for one in people]
    assert columns == [False, False, False, True, True]  # those with most papers
    page = desk.get("candidate_change", item.pk, member=[one.pk for one in people[:3]])
    columns = [f'name="survivor" value="{one.pk}"' in " ".join(page.split()) for one in people]
    assert columns == [True, True, True, False, False]
    desk.get("candidate_change", item.pk, member=list(range(1, 9)), status=400)


def test_some_of_a_group_merge_and_the_rest_stays_open(desk, crowd):
    people, item = crowd
    answer = desk.merge(people[0], people[1], people[2], item=item)
    assert answer.url == f"/admin/researchers/candidate/{item.pk}/change/"
    assert Researcher.objects.filter(root=people[0]).count() == 3
    assert states([item]) == ["open"]
    assert "of 3" in desk.get("candidate_change", item.pk)
    desk.undo()
    assert Researcher.objects.filter(root=people[0]).count() == 1
    assert faults() == []


def test_all_of_a_group_are_different(desk, crowd):
    people, item = crowd
    before = {one.pk: one.version for one in people}
    answer = desk.decide(item, "all-different", everybody=[one.pk for one in people], versions=before)
    assert answer.url == "/admin/researchers/candidate/"
    assert Assertion.objects.filter(revoked=False).count() == 10
    assert set(Researcher.objects.filter(pk__in=before).values_list("version", flat=True)) == {2}
    assert states([item]) == ["different"]
    # Filed again with the same members it stays closed; somebody new reopens it.
    assert item_of(*people, kind="group", key="group:yangliu").state == "different"
    desk.undo()
    assert states([item]) == ["open"]
    assert not Assertion.objects.filter(revoked=False).exists()
    desk.decide(item, "all-different", *people, everybody=[one.pk for one in people])
    newcomer = researcher("Yang Liu")
    assert item_of(*people, newcomer, kind="group", key="group:yangliu").state == "open"


def test_a_group_told_apart_pair_by_pair_closes_with_the_last(desk, crowd):
    people, item = crowd
    item.members = sorted(one.pk for one in people[:3])
    item.save()
    first, second, third = people[:3]
    assert desk.decide(item, "different", first, second).url.endswith(f"/{item.pk}/change/")
    assert states([item]) == ["open"]
    desk.decide(item, "different", first, third)
    desk.decide(item, "different", second, third)
    assert states([item]) == ["different"]


def test_the_place_in_dispute(desk):
    one, other = researcher("Ada Weaver"), researcher("Bo Spindle")
    made = together(one, other)
    record = SourceRecordFactory(paper=made, source="crossref")
    for position in (1, 2):
        SourceAuthorship.objects.create(
            authorship=place(made, position), source_record=record, position=position, name="x",
            orcid="0000-0002-1825-0097",
        )  # fmt: skip
    item = item_of(one, other, kind="conflict", key=f"conflict:0000-0002-1825-0097:{place(made, 1).pk}")
    page = " ".join(desk.get("candidate_change", item.pk).split())
    assert f'In question: author 1 of <a href="/papers/{made.pk}">{made.title}</a>' in page
    assert "Crossref prints <code>0000-0002-1825-0097</code> on author 1, the one in question" in page
    assert "Crossref prints <code>0000-0002-1825-0097</code> on author 2 </li>" in page
    assert f"/admin/researchers/researcher/{one.pk}/authorships/{place(made, 1).pk}/" in page
