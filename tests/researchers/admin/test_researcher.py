"""The page of one researcher: names, identifiers, single papers; and the list."""

from __future__ import annotations

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext

from researchers.models import Attribution, Decision, Researcher, ResearcherIdentifier, ResearcherName
from tests.researchers.admin.conftest import Desk, item_of
from tests.researchers.people import arrive, curator, faults, merge, orcid, paper, place, researcher, shown

pytestmark = pytest.mark.django_db


def flat(page: str) -> str:
    return " ".join(page.split())


def test_everything_about_one(desk):
    one = researcher("Ada Weaver")
    other = researcher("A. Weaver")
    at = arrive(one)
    item = item_of(one, other)
    event = merge(other, one, desk.user).event
    item.__class__.objects.filter(pk=item.pk).update(state="open")
    orcid(one, "0000-0002-1825-0097")
    page = flat(desk.get("researcher_change", one.pk))
    for expected in (
        f"Number {one.pk} · 1 paper",
        f"A. Weaver, {other.pk}",
        "0000-0002-1825-0097",
        f'href="/admin/researchers/candidate/{item.pk}/change/"',
        f'href="/admin/researchers/mergeevent/{event.pk}/change/"',
        f'href="/admin/researchers/researcher/{one.pk}/authorships/{at.pk}/"',
        "in force",
    ):
        assert expected in page
    merged = flat(desk.get("researcher_change", other.pk))
    assert f"{other.pk} is merged into" in merged
    desk.get("researcher_change", 999_999, status=404)


def test_papers_come_in_pages(desk):
    one = researcher()
    for _ in range(53):
        arrive(one)
    first = desk.get("researcher_change", one.pk)
    before = int(re.search(r'href="\?before=(\d+)#papers"', first)[1])
    second = desk.get("researcher_change", one.pk, before=before)
    numbers = [set(re.findall(r"authorships/(\d+)/", page)) for page in (first, second)]
    assert [len(found) for found in numbers] == [50, 3]
    assert numbers[0].isdisjoint(numbers[1])
    desk.get("researcher_change", one.pk, before="x", status=400)


def test_the_number_of_queries(desk):
    one = researcher()
    arrive(one)
    desk.get("researcher_change", one.pk)
    with CaptureQueriesContext(connection) as few:
        desk.get("researcher_change", one.pk)
    for number in range(4):
        arrive(one)
        orcid(one, f"0000-0000-0000-000{number}", state="conflict")
        merge(researcher(f"A{number}"), one, desk.user)
    with CaptureQueriesContext(connection) as many:
        desk.get("researcher_change", one.pk)
    assert len(few) == len(many) <= 16


def test_a_former_name_is_hidden(desk):
    one = researcher("Adam Weaver")
    ResearcherName.objects.create(researcher=one, value="Ada Weaver")
    answer = desk.post("researcher_hide_name", one.pk, name="Adam Weaver", reason="at her wish")
    assert answer.url == f"/admin/researchers/researcher/{one.pk}/change/"
    one.refresh_from_db()
    assert one.display_name == "Ada Weaver"
    page = desk.get("researcher_change", one.pk)
    assert "Adam" not in page
    assert "1 former name hidden" in page
    for data in ({"name": "Nobody", "reason": "so"}, {"name": "Ada Weaver", "reason": "so"}):
        assert desk.post("researcher_hide_name", one.pk, **data).status_code == 409
    assert desk.post("researcher_hide_name", one.pk, name="Ada Weaver", reason="").status_code == 400
    assert "Adam" not in "".join(LogEntry.objects.values_list("change_message", flat=True))


def test_a_hidden_name_is_shown_again(desk):
    one = researcher("Ada Weaver")
    at = arrive(one, place(paper("Adam Weaver")))
    assert "Show a former name again" not in desk.get("researcher_change", one.pk)
    ResearcherName.objects.create(researcher=one, value="Adam Weaver")
    desk.post("researcher_hide_name", one.pk, name="Adam Weaver", reason="at her wish")
    at.refresh_from_db()
    assert (at.name, at.replaced_name) == ("Ada Weaver", "Adam Weaver")
    page = desk.get("researcher_change", one.pk)
    assert "Show a former name again" in page
    assert "Adam" not in page
    version = Researcher.objects.get(pk=one.pk).version
    for data, status in (
        ({"name": "Eve Weaver", "reason": "so"}, 409),
        ({"name": "", "reason": "so"}, 409),
        ({"name": "Adam Weaver", "reason": ""}, 400),
    ):
        answer = desk.post("researcher_show_name", one.pk, **data)
        assert answer.status_code == status
        assert "Adam" not in answer.content.decode()
    assert desk.client.get(f"/admin/researchers/researcher/{one.pk}/show-name/").status_code == 405
    weak = Desk(curator("weak", ["review_candidate"]))
    assert weak.post("researcher_show_name", one.pk, name="Adam Weaver", reason="so").status_code == 403
    at.refresh_from_db()
    assert at.name == "Ada Weaver"
    answer = desk.post("researcher_show_name", one.pk, name="ADAM WEAVER", reason="she asked for it")
    assert answer.url == f"/admin/researchers/researcher/{one.pk}/change/"
    at.refresh_from_db()
    assert (at.name, at.replaced_name) == ("Adam Weaver", None)
    one.refresh_from_db()
    assert (one.display_name, one.version) == ("Ada Weaver", version + 1)
    page = flat(desk.get("researcher_change", one.pk))
    assert "<li>Adam Weaver</li>" in page
    assert "Show a former name again" not in page
    said = LogEntry.objects.order_by("pk").values_list("change_message", flat=True)
    assert list(said) == ["A former name was hidden.", "A former name is shown again."]
    assert faults() == []


@pytest.mark.parametrize("instead", ["z" * 301, "?!", "\x00"])
def test_what_is_shown_instead_is_a_name(desk, instead):
    one = researcher("Adam Weaver")
    answer = desk.post("researcher_hide_name", one.pk, name="Adam Weaver", reason="so", show_instead=instead)
    assert answer.status_code == 409
    one.refresh_from_db()
    assert one.display_name == "Adam Weaver"
    assert list(one.names.values_list("visibility", flat=True)) == ["public"]


def test_what_no_database_takes_is_left_out_of_a_reason(desk):
    one = researcher()
    at = arrive(one)
    answer = desk.post("researcher_authorship", one.pk, at.pk, answer="is-not", reason="\x00not\u202e hers\x00")
    assert answer.status_code == 302
    assert Decision.objects.get().reason == "not hers"


def test_no_other_button_than_those_of_the_page(desk):
    one = researcher()
    at = arrive(one)
    orcid(one, "0000-0002-1825-0097", state="conflict")
    identifier = one.identifiers.get()
    addresses = {
        "researcher_settle": [one.pk],
        "researcher_authorship": [one.pk, at.pk],
        "contest_answer": [1],
        "mergeproposal_answer": [1],
    }
    for name, numbers in addresses.items():
        for pressed in ("", "x", "\x00"):
            answer = desk.post(name, *numbers, identifier=identifier.pk, answer=pressed, reason="so")
            assert answer.status_code == 400


def test_whose_an_orcid_is(desk):
    one, other = researcher(), researcher()
    orcid(one, "0000-0002-1825-0097")
    orcid(other, "0000-0002-1825-0097", state="conflict")
    theirs = ResearcherIdentifier.objects.get(researcher=other)
    wrong = ResearcherIdentifier.objects.get(researcher=one)
    ResearcherIdentifier.objects.filter(pk=theirs.pk).update(provenance={"from": "sources", "authorship": 7})
    assert desk.post("researcher_settle", other.pk, identifier=theirs.pk, answer="theirs").status_code == 400
    desk.post("researcher_settle", other.pk, identifier=theirs.pk, answer="theirs", reason="her own page has it")
    theirs.refresh_from_db()
    wrong.refresh_from_db()
    assert (theirs.state, wrong.state) == ("trusted", "deprecated")
    assert theirs.provenance == {
        "from": "curator", "by": desk.user.pk, "before": {"from": "sources", "authorship": 7},
    }  # fmt: skip
    assert set(Researcher.objects.filter(pk__in=[one.pk, other.pk]).values_list("version", flat=True)) == {2}
    assert LogEntry.objects.count() == 2
    # Said again it changes nothing; the other way round it goes back.
    desk.post("researcher_settle", other.pk, identifier=theirs.pk, answer="theirs", reason="again")
    assert LogEntry.objects.count() == 2
    desk.post("researcher_settle", one.pk, identifier=wrong.pk, answer="theirs", reason="it was his")
    theirs.refresh_from_db()
    wrong.refresh_from_db()
    assert (theirs.state, wrong.state) == ("deprecated", "trusted")
    desk.post("researcher_settle", one.pk, identifier=wrong.pk, answer="not-theirs", reason="nobody's")
    wrong.refresh_from_db()
    assert wrong.state == "deprecated"
    refused = desk.post("researcher_settle", one.pk, identifier=999_999, answer="theirs", reason="so")
    assert refused.status_code == 409


def test_what_a_curator_said_of_an_orcid_no_source_changes(desk):
    from researchers.services.attribution.identifiers import GivenOrcid, write_orcids

    one = researcher()
    orcid(one, "0000-0002-1825-0097")
    row = ResearcherIdentifier.objects.get()
    desk.post("researcher_settle", one.pk, identifier=row.pk, answer="not-theirs", reason="printed on the wrong author")
    write_orcids([GivenOrcid(base=one.pk, orcid="0000-0002-1825-0097", authorship=1, trusted=True)])
    row.refresh_from_db()
    assert row.state == "deprecated"


def test_one_paper_is_not_theirs_or_somebody_elses(desk):
    one, other = researcher(), researcher("Bo Spindle")
    first, second, third = arrive(one), arrive(one), arrive(one)

    def say(at, **data):
        return desk.post("researcher_authorship", one.pk, at.pk, **{"reason": "it says so", **data})

    page = flat(desk.get("researcher_authorship", one.pk, first.pk))
    assert f'Attributed to <a href="/admin/researchers/researcher/{one.pk}/change/">' in page
    say(first, answer="is-not")
    say(second, answer="is", other=other.get_absolute_url())
    say(third, answer="is")
    assert [shown(at) for at in (first, second, third)] == [None, other.pk, one.pk]
    assert sorted(Decision.objects.values_list("authorship", "researcher", "verdict")) == sorted(
        [(first.pk, one.pk, "is_not"), (second.pk, other.pk, "is"), (third.pk, one.pk, "is")]
    )
    assert Attribution.objects.get(authorship=second).decided_by == "human"
    assert "Attributed to nobody at present." in desk.get("researcher_authorship", one.pk, first.pk)
    assert say(third, answer="is", other="nobody").status_code == 409
    assert say(third, answer="perhaps").status_code == 400
    assert say(third, answer="is-not", reason="").status_code == 400
    assert desk.post("researcher_authorship", one.pk, 999_999, answer="is").status_code == 404
    assert faults() == []


def test_the_list_finds_by_number_address_and_orcid(desk):
    one, other = researcher("Ada Weaver"), researcher("Bo Spindle")
    orcid(other, "0000-0002-1825-0097")

    def found(text):
        page = desk.get("researcher_changelist", q=text)
        return list(dict.fromkeys(map(int, re.findall(r"/researcher/(\d+)/change/", page))))

    assert found(str(one.pk)) == [one.pk]
    assert found(other.get_absolute_url()) == [other.pk]
    assert found("https://orcid.org/0000-0002-1825-0097") == [other.pk]
    assert found("") == [other.pk, one.pk]


def test_the_list_without_the_search_engine(desk, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError

    monkeypatch.setattr("wovepaper.search.backend.TantivySearchBackend.search", fail)
    one = researcher("Ada Weaver")
    researcher("Bo Spindle")
    page = desk.get("researcher_changelist", q="Ada Weaver")
    assert "The search engine does not answer" in page
    assert f"/researcher/{one.pk}/change/" in page
    assert "Bo Spindle" not in page


def test_a_reviewer_is_offered_nothing_they_may_not_do(db):
    one = researcher()
    at = arrive(one)
    orcid(one, "0000-0002-1825-0097")
    weak = Desk(curator("weak", ["review_candidate"]))
    page = weak.get("researcher_change", one.pk)
    for offered in ("Merge with", "Hide a former name", "Decide<", "Move…", "Split…"):
        assert f">{offered}" not in page, offered
    weak.get("researcher_authorship", one.pk, at.pk, status=403)
