"""Splitting: proposed parts, picked papers, targets, and taking it back."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.test.utils import CaptureQueriesContext

from researchers.admin import splitting
from researchers.models import Attribution, Decision, MergeEvent, Researcher
from researchers.services.comparison import LARGEST_TEAM
from researchers.services.decisions import decide_is
from tests.factories import affiliate
from tests.researchers.admin.conftest import Desk, item_of, key, states
from tests.researchers.people import arrive, curator, faults, merge, paper, papers_of, place, researcher, shown
from tests.researchers.works import crowd, write_many

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_in_one():
    """One researcher whose papers fall into two fields with co-authors of their own."""
    person = researcher("Yang Liu")
    friends = {field: [researcher(f"{field} Friend {number}") for number in range(2)] for field in ("Loom", "Gene")}
    made = {}
    for field, titles in (
        ("Loom", ["Weaving of dense cloth", "Weaving of thin cloth", "Dense cloth on a loom"]),
        ("Gene", ["Folding of proteins", "Proteins in deep water", "Folding under pressure"]),
    ):
        made[field] = []
        for title in titles:
            one = paper("Yang Liu", *(friend.display_name for friend in friends[field]))
            one.title, one.published_on = title, f"{2001 if field == 'Loom' else 2019}-01-01"
            one.save()
            affiliate(one, 1, f"Institute of {field}")
            arrive(person, place(one, 1))
            for position, friend in enumerate(friends[field], start=2):
                arrive(friend, place(one, position))
            made[field].append(one)
    return person, made


def rows_of(person: Researcher, papers: list) -> list[int]:
    return list(Attribution.objects.filter(root=person, paper__in=papers).values_list("pk", flat=True))


def send(desk: Desk, person: Researcher, rows: list[int], **data: object):
    version = Researcher.objects.get(pk=person.pk).version
    form = {"row": rows, "version": [f"{person.pk}:{version}"], "key": key(), "reason": "another field"}
    return desk.post("researcher_split", person.pk, **form | {"target": "new"} | data)


def test_the_parts_that_the_matching_proposes(desk, two_in_one):
    person, made = two_in_one
    page = desk.get("researcher_split", person.pk)
    assert re.findall(r"<legend>(Part \w: \d papers)</legend>", page) == ["Part A: 3 papers", "Part B: 3 papers"]
    checked = {int(row) for row in re.findall(r'name="row"\s+value="(\d+)"\s+checked', page)}
    assert checked in (set(rows_of(person, made["Loom"])), set(rows_of(person, made["Gene"])))
    assert "Institute of Gene" in page
    assert "with Gene Friend 0, Gene Friend 1" in page


def test_the_ticked_papers_go_to_somebody_new(desk, two_in_one):
    person, made = two_in_one
    item = item_of(person, kind="split")
    answer = send(desk, person, rows_of(person, made["Gene"]), candidate=item.pk)
    assert answer.url == "/admin/researchers/candidate/"
    event = MergeEvent.objects.get()
    assert (event.kind, event.loser, event.actor, event.reason) == ("split", person, desk.user, "another field")
    assert papers_of(event.survivor) == {one.pk for one in made["Gene"]}
    assert papers_of(person) == {one.pk for one in made["Loom"]}
    assert Decision.objects.filter(verdict="is", researcher=event.survivor).count() == 3
    assert states([item]) == ["closed"]
    desk.undo()
    assert papers_of(person) == {one.pk for one in made["Loom"] + made["Gene"]}
    assert states([item]) == ["open"]
    assert faults() == []


def test_the_same_form_twice_is_one_split(desk, two_in_one):
    person, made = two_in_one
    form = {"key": key(), "version": [f"{person.pk}:1"]}
    rows = rows_of(person, made["Gene"])
    for _ in range(2):
        assert send(desk, person, rows, **form).status_code == 302
    assert MergeEvent.objects.count() == 1
    assert Researcher.objects.filter(display_name="Yang Liu").count() == 2


def test_they_go_to_somebody_there_by_number_address_or_choice(desk, two_in_one):
    person, made = two_in_one
    other = researcher("Yang Liu")
    item = item_of(person, other)
    assert f'value="{other.pk}"' in desk.get("researcher_split", person.pk, candidate=item.pk)
    rows = rows_of(person, made["Gene"])
    answer = send(desk, person, rows[:1], target=str(other.pk), candidate=item.pk)
    assert answer.url == f"/admin/researchers/candidate/{item.pk}/change/"
    send(desk, person, rows[1:2], target="other", other=str(other.pk))
    send(desk, person, rows[2:], target="other", other=other.get_absolute_url())
    assert papers_of(other) == {one.pk for one in made["Gene"]}
    refused = send(desk, person, rows_of(person, made["Loom"]), target="other", other="somebody")
    assert refused.status_code == 409
    assert "is the number, address or ORCID iD of nobody here" in refused.content.decode()


def test_what_cannot_be_moved(desk, two_in_one):
    person, made = two_in_one
    assert send(desk, person, []).status_code == 422
    assert send(desk, person, ["x"]).status_code == 400
    assert send(desk, person, rows_of(person, made["Gene"]), reason="").status_code == 400
    assert send(desk, person, rows_of(person, made["Gene"]), version=[f"{person.pk}:7"]).status_code == 409
    foreign = arrive(researcher())
    row = Attribution.objects.get(authorship=foreign).pk
    answer = send(desk, person, [row])
    assert answer.status_code == 422
    assert "not theirs any more" in answer.content.decode()
    friend = Researcher.objects.get(display_name="Gene Friend 0")
    both = send(desk, person, rows_of(person, made["Gene"][:1]), target="other", other=str(friend.pk))
    assert both.status_code == 422
    assert not MergeEvent.objects.exists()


def test_of_somebody_merged_the_root_is_split(desk, two_in_one):
    person, _ = two_in_one
    root = researcher("Yang Liu")
    merge(person, root, desk.user)
    answer = desk.client.get(f"/admin/researchers/researcher/{person.pk}/split/")
    assert answer.url == f"/admin/researchers/researcher/{root.pk}/split/"


def test_doubted_authors_are_picked(desk):
    person = researcher("Shuai Wu")
    doubted = arrive(person, place(paper("Shuaihong Wu")))
    arrive(person)
    item = item_of(
        person, kind="split", key=f"doubt:{person.pk}",
        reasons=[{"text": "A paper prints another name.", "contribution": 0.0, "authorship": doubted.pk}],
    )  # fmt: skip
    page = desk.get("researcher_split", person.pk, candidate=item.pk)
    row = Attribution.objects.get(authorship=doubted).pk
    assert re.findall(r'name="row"\s+value="(\d+)"\s+checked', page) == [str(row)]
    assert shown(doubted) == person.pk


def test_what_looks_like_one_person_is_grouped_by_co_authors(desk):
    person, friend, other = researcher("Ada Weaver"), researcher("Bo Spindle"), researcher("Cy Weft")
    for co_author in (friend, friend, other, other):
        made = paper("Ada Weaver", co_author.display_name)
        arrive(person, place(made, 1))
        arrive(co_author, place(made, 2))
    arrive(person, place(paper("Ada Weaver")))
    page = desk.get("researcher_split", person.pk)
    labels = re.findall(r"<legend>(.*?)</legend>", page)
    assert labels[:2] in (
        ["Part A: 3 papers", "Part B: 2 papers"],
        ["Group 1, with co-authors in common: 2 papers", "Group 2, with co-authors in common: 2 papers"],
    )


def test_what_may_go_is_listed_however_old_it_is(desk, monkeypatch):
    monkeypatch.setattr("researchers.admin.splitting.MOST_ROWS", 2)
    person = researcher("Shuai Wu")
    doubted = arrive(person, place(paper("Shuaihong Wu")))
    for _ in range(4):
        arrive(person)
    page = desk.get("researcher_split", person.pk, authorship=doubted.pk)
    assert len(re.findall(r'name="row"', page)) == 3
    assert "Only the latest are listed; 2 are older." in page
    assert len(re.findall(r'name="row"\s+value="\d+"\s+checked', page)) == 1


def test_the_number_of_queries(desk, two_in_one):
    person, _ = two_in_one
    single = researcher()
    arrive(single)
    desk.get("researcher_split", single.pk)
    with CaptureQueriesContext(connection) as many:
        desk.get("researcher_split", person.pk)
    for _ in range(5):
        arrive(person)
    with CaptureQueriesContext(connection) as more:
        desk.get("researcher_split", person.pk)
    assert len(many) == len(more)


def test_of_the_papers_of_a_crowd_only_the_authors_that_are_named_are_read(desk, monkeypatch):
    person = researcher("Ada Weaver")
    large, small = crowd(LARGEST_TEAM), crowd(3)
    write_many(person, [large, small])
    read = []
    execute = CursorWrapper.execute

    def counted(self, sql, params=None):
        result = execute(self, sql, params)
        if "researchers_attribution" in sql:
            read.append(self.rowcount)
        return result

    monkeypatch.setattr(CursorWrapper, "execute", counted)
    page = " ".join(desk.get("researcher_split", person.pk).split())
    named = ", ".join(f"Member {number} Crowder" for number in range(6))
    assert f"with {named}" in page
    assert "Member 6 Crowder" not in page
    assert "with Member 0 Crowder, Member 1 Crowder, Member 2 Crowder<" in page.replace(" <", "<")
    assert read
    assert max(read) <= 6


def test_a_crowd_ties_no_papers_together():
    person = researcher("Ada Weaver")
    everybody = crowd(LARGEST_TEAM)
    write_many(person, [everybody, everybody, everybody[1:], everybody[1:]])
    ties = {row.paper: len(row.ties) for row in splitting._rows(person, set())}
    assert sorted(ties.values()) == [0, 0, LARGEST_TEAM - 1, LARGEST_TEAM - 1]


def test_what_somebody_else_decided_goes_only_with_the_box_and_the_permission(desk, two_in_one):
    person, made = two_in_one
    another = curator("another")
    at = place(made["Gene"][0])
    decide_is(authorship=at.pk, researcher=person.pk, actor=another, reason="hers")
    rows = rows_of(person, made["Gene"])
    weak = Desk(curator("weak", ["review_candidate", "split_researcher"]))
    page = weak.get("researcher_split", person.pk)
    assert page.count("decided by somebody else to be theirs") == 1
    assert "Your account may not move what somebody else decided to be theirs" in page
    assert 'name="override"' not in page
    refused = send(weak, person, rows)
    assert refused.status_code == 422
    assert f"author {at.pk} of paper {at.paper_id} is researcher {person.pk}: hers" in refused.content.decode()
    assert send(weak, person, rows, override="yes").status_code == 403
    assert send(desk, person, rows).status_code == 422
    assert not MergeEvent.objects.exists()
    assert 'name="override"' in desk.get("researcher_split", person.pk)
    assert send(desk, person, rows, override="yes").status_code == 302
    event = MergeEvent.objects.get()
    assert [text.rpartition(": ")[2] for text in event.evidence["overridden"]] == ["hers"]
    assert shown(at) == event.survivor_id
    desk.undo()
    assert shown(at) == person.pk
    assert Decision.objects.filter(by=another, verdict="is", revoked=False).count() == 1
    assert faults() == []


def test_what_is_decided_by_the_curator_or_by_nobody_asks_for_no_box(desk, two_in_one):
    person, made = two_in_one
    decide_is(authorship=place(made["Gene"][0]).pk, researcher=person.pk, actor=desk.user, reason="hers")
    weak = Desk(curator("weak", ["review_candidate", "split_researcher"]))
    assert "decided by somebody else" in weak.get("researcher_split", person.pk)
    page = desk.get("researcher_split", person.pk)
    assert "decided by somebody else" not in page
    assert 'name="override"' not in page
    assert send(desk, person, rows_of(person, made["Gene"])).status_code == 302
    assert send(weak, person, rows_of(person, made["Loom"][:1])).status_code == 302


def test_splitting_needs_the_permission():
    person = researcher()
    weak = Desk(curator("weak", ["review_candidate"]))
    weak.get("researcher_split", person.pk, status=403)
    assert "/split/" not in weak.get("researcher_change", person.pk)
