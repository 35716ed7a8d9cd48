"""The cases that must come out right, each from harvested records through the pipeline to its exact outcome."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from papers.models import Paper
from researchers.merging import ADAPTER
from researchers.models import Attribution, Candidate, MergeEvent, Researcher
from researchers.services import merging
from researchers.services.decisions import decide_is, decide_is_not
from researchers.services.names import hide_former_name
from tests.papers.services.invented import author
from tests.researchers.harvested import (
    ORCID,
    OTHER_ORCID,
    decided_by,
    harvest,
    identifiers,
    listed,
    many_people,
    names_of,
    pair,
    place,
    researcher,
    shown,
    sources,
    who,
    work,
)
from tests.researchers.matching.building import COMMON
from tests.researchers.people import curator, different, faults, key, merge, undo, versions
from wovepaper.curation.services import Blocked, Conflict, resolve

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _with_sources(db: None) -> Iterator[None]:
    with sources():
        yield
    assert faults() == []


@pytest.fixture
def rare(db: None) -> None:
    """Every name is one person's in all likelihood."""
    many_people()


@pytest.fixture
def common(db: None) -> None:
    """Names whose parts many people bear."""
    many_people(*COMMON)


@pytest.fixture
def someone(db: None) -> User:
    return curator()


def address_of(number: int | None) -> int:
    """Where the address of a researcher leads."""
    found = resolve(ADAPTER, number or 0)
    assert found is not None
    return found.shown


def test_01_an_orcid_of_two_names_without_a_common_word_is_a_conflict(rare: None) -> None:
    first, second = harvest(work(author("Ada Weaver", orcid=ORCID)), work(author("Bo Spindle", orcid=ORCID)))
    assert who(first) != who(second)
    assert identifiers() == {(who(first), ORCID, "trusted"), (who(second), ORCID, "conflict")}
    assert listed("conflict") == pair(who(first), who(second))
    assert listed() == set()


def test_02_orcids_of_zeros_or_with_a_wrong_check_digit_count_for_nothing(rare: None) -> None:
    papers = harvest(
        work(author("Ada Weaver", orcid="0000-0000-0000-0000")),
        work(author("Bo Spindle", orcid="0000-0002-1825-0098")),
        work(author("Cy Shuttle", orcid="0000-0002-1694-233x")),
        work(author("Cy Shuttle", orcid="000000021694233X")),
    )
    assert identifiers() == {(who(papers[2]), "0000-0002-1694-233X", "trusted")}
    assert who(papers[2]) == who(papers[3])
    assert (decided_by(papers[2]), decided_by(papers[3])) == ("new", "orcid")
    assert listed("conflict") == set()


def test_03_an_orcid_on_two_authors_of_a_paper_is_trusted_for_neither(rare: None) -> None:
    (paper,) = harvest(work(author("Ada Weaver", orcid=ORCID), author("Bo Weaver", orcid=ORCID)))
    assert identifiers() == {(who(paper, 1), ORCID, "conflict"), (who(paper, 2), ORCID, "conflict")}
    assert who(paper, 1) != who(paper, 2)
    assert listed("conflict") == {(who(paper, 1),), (who(paper, 2),)}


def test_04_one_more_of_24_people_of_one_name_is_new_and_one_item(common: None) -> None:
    before = harvest(*(work("Yang Liu") for _ in range(24)))
    people = {who(paper) for paper in before}
    assert len(people) == 24
    assert [len(members) for members in listed("group")] == [24]
    (paper,) = harvest(work("Yang Liu"))
    assert who(paper) not in people
    assert decided_by(paper) == "new"
    assert listed("group") == {tuple(sorted({*people, who(paper)}))}
    assert listed() == set()


def test_05_an_initial_between_two_full_names_stays_apart(common: None) -> None:
    papers = harvest(work("Jia Lee"), work("Jun Lee"))
    (paper,) = harvest(work("J. Lee"))
    assert len({who(papers[0]), who(papers[1]), who(paper)}) == 3


def test_06_a_changed_given_name_with_the_same_orcid_is_one_person(rare: None, someone: User) -> None:
    (before,) = harvest(work(author("Adam Weaver", orcid=ORCID)))
    address = researcher(who(before)).get_absolute_url()
    (after,) = harvest(work(author("Ada Weaver", orcid=ORCID)))
    assert who(before) == who(after)
    assert names_of(who(after)) == ["Ada Weaver", "Adam Weaver"]
    hide_former_name(researcher=who(after) or 0, name="Adam Weaver", actor=someone, reason="asked by mail")
    assert researcher(who(after)).display_name == "Ada Weaver"
    assert address == f"/researchers/{who(after)}-adam-weaver"
    assert address_of(who(after)) == who(after)
    # What is hidden still finds her, and stays hidden when it is printed again.
    (again,) = harvest(work("Adam Weaver"))
    assert who(again) == who(after)
    hidden = researcher(who(after)).names.filter(visibility="hidden")
    assert list(hidden.values_list("value", flat=True)) == ["Adam Weaver"]


def test_07_swapped_names_are_listed(rare: None) -> None:
    first, second = harvest(work("Li Qing", "Mo Bobbin"), work("Qing Li", "Mo Bobbin"))
    assert listed() == pair(who(first), who(second))


def test_08_capitals_and_hyphens_make_no_other_name(rare: None) -> None:
    papers = harvest(work("MING-WEI CHANG"), work("Ming-Wei Chang"), work("Mingwei Chang"))
    (number,) = {who(paper) for paper in papers}
    assert names_of(number) == ["MING-WEI CHANG", "Ming-Wei Chang", "Mingwei Chang"]


def test_09_umlauts_spelt_out_are_listed_and_left_out_are_the_same(rare: None) -> None:
    first, second, third, fourth = harvest(
        work("Bernhard Schölkopf", "Mo Bobbin"),
        work("Bernhard Schoelkopf", "Mo Bobbin"),
        work("Karla Müller"),
        work("Karla Muller"),
    )
    assert listed() == pair(who(first), who(second))
    assert who(third) == who(fourth)


def test_10_parts_of_family_names_are_listed(rare: None) -> None:
    first, second, third, fourth = harvest(
        work("Laura Cabello", "Mo Bobbin"),
        work(author("Laura Cabello Piqueras", given="Laura", family="Cabello Piqueras"), "Mo Bobbin"),
        work(author("Amina Al Khatib", given="Amina", family="Al Khatib"), "Nia Treadle"),
        work("Amina Khatib", "Nia Treadle"),
    )
    assert listed() == pair(who(first), who(second)) | pair(who(third), who(fourth))


def test_11_a_suffix_more_is_one_person_and_two_suffixes_with_two_orcids_are_two(rare: None) -> None:
    papers = harvest(
        work("Hal Daumé III"),
        work("Hal Daume"),
        work(author("Ned Weaver Jr.", orcid=ORCID)),
        work(author("Ned Weaver III", orcid=OTHER_ORCID)),
    )
    assert who(papers[0]) == who(papers[1])
    assert who(papers[2]) != who(papers[3])
    assert identifiers() == {(who(papers[2]), ORCID, "trusted"), (who(papers[3]), OTHER_ORCID, "trusted")}


def test_12_a_single_name_beside_a_full_one_is_listed(rare: None) -> None:
    first, second = harvest(work("Suharto", "Mo Bobbin"), work("Budi Suharto", "Mo Bobbin"))
    assert listed() == pair(who(first), who(second))


def test_13_collaborations_and_placeholders_get_no_researcher(rare: None) -> None:
    names = ("ATLAS Collaboration", "et al.", "Anonymous", "Mehmet Ali")
    (paper,) = harvest(work(*names, author("The Loom Consortium", is_collaboration=True)))
    assert [who(paper, position) is not None for position in range(1, 6)] == [False, False, False, True, False]
    assert Researcher.objects.count() == 1


def test_14_a_paper_of_3000_authors_is_bounded(rare: None) -> None:
    letters = "abcdefghij"
    spelt = ["".join(letters[int(digit)] for digit in f"{number:04}") for number in range(3000)]
    names = [f"Q{one} Z{one}" for one in spelt]
    with CaptureQueriesContext(connection) as queries:
        first, second = harvest(work(*names), work(*names))
    with CaptureQueriesContext(connection) as few:
        harvest(work("Ada Weaver"), work("Bo Weaver"))
    people = [who(first, position) for position in (1, 1500, 3000)]
    assert people == [who(second, position) for position in (1, 1500, 3000)]
    assert Attribution.objects.filter(paper=first).count() == 3000
    assert len(queries) <= len(few)


def test_15_two_of_one_name_on_a_paper_are_two_for_ever(rare: None) -> None:
    (paper,) = harvest(work("Bing Liu", "Bing Liu", doi="10.5555/woven.twice"))
    two = {who(paper, 1), who(paper, 2)}
    assert len(two) == 2
    assert listed() == set()
    harvest(work("Bing Liu", "Mo Bobbin", "Bing Liu", doi="10.5555/woven.twice", stamp="2021-01-01"))
    assert {who(paper, 1), who(paper, 3)} == two


def test_16_a_name_in_two_scripts_is_only_suggested(rare: None) -> None:
    first, second = harvest(work("李明", "Mo Bobbin"), work("Ming Li", "Mo Bobbin"))
    assert listed() == pair(who(first), who(second))
    assert list(researcher(who(first)).names.values_list("value", "script")) == [("李明", "Hani")]


def three(*extra: str) -> list[Paper]:
    return harvest(work("Ada Weaver"), work("Ada Weber"), work("Ida Weaver"), *(work(name) for name in extra))


def test_17_a_chain_whose_first_link_is_undone(rare: None, someone: User) -> None:
    papers = three()
    a, b, c = (researcher(who(paper)) for paper in papers)
    first = merge(a, b, someone).event
    merge(b, c, someone)
    assert [who(paper) for paper in papers] == [c.pk] * 3
    undo(first, someone)
    assert [who(paper) for paper in papers] == [a.pk, c.pk, c.pk]
    assert [address_of(one.pk) for one in (a, b, c)] == [a.pk, c.pk, c.pk]


def test_18_merged_anew_elsewhere_before_the_other_link_is_undone(rare: None, someone: User) -> None:
    papers = three()
    a, b, c = (researcher(who(paper)) for paper in papers)
    first = merge(a, b, someone).event
    second = merge(b, c, someone).event
    undo(first, someone)
    merge(a, c, someone)
    undo(second, someone)
    assert [who(paper) for paper in papers] == [c.pk, b.pk, c.pk]


def test_19_of_two_opposite_merges_the_later_gets_what_changed(rare: None, someone: User) -> None:
    a, b, _ = (researcher(who(paper)) for paper in three())
    stale = versions(a, b)
    merge(a, b, someone, versions=stale)
    with pytest.raises(Conflict):
        merge(b, a, curator("another"), versions=stale)
    assert MergeEvent.objects.count() == 1


def test_20_what_arrives_for_a_merged_researcher_is_theirs_again_after_the_undo(rare: None, someone: User) -> None:
    of_a, of_b = harvest(work("Ada Weaver", "Mo Bobbin"), work("Ida Weber", "Nia Treadle"))
    a, b = researcher(who(of_a)), researcher(who(of_b))
    event = merge(a, b, someone).event
    for_a, for_b = harvest(work("Ada Weaver", "Mo Bobbin"), work("Ida Weber", "Nia Treadle"))
    assert [who(for_a), who(for_b)] == [b.pk, b.pk]
    undo(event, someone)
    assert [who(for_a), who(for_b)] == [a.pk, b.pk]


def test_21_not_hers_stays_not_hers_when_authors_are_reordered_and_spelt_out(rare: None, someone: User) -> None:
    (hers,) = harvest(work("Ada Weaver", "Mo Bobbin"))
    doi = "10.5555/woven.nothers"
    (paper,) = harvest(work("A. Weaver", "Mo Bobbin", doi=doi))
    assert who(paper) == who(hers)
    decide_is_not(authorship=place(paper).pk, researcher=who(hers) or 0, actor=someone, reason="never in Rome")
    harvest()
    other = who(paper)
    assert other not in (None, who(hers))
    harvest(work("Mo Bobbin", "Ada Weaver", doi=doi, stamp="2021-01-01"))
    assert who(paper, 1) == who(hers, 2)
    assert who(paper, 2) not in (None, who(hers))


def test_22_a_difference_holds_across_whatever_is_merged(rare: None, someone: User) -> None:
    a, b, c = (researcher(who(paper)) for paper in three())
    assertion = different(a, b, someone)
    merge(a, c, someone)
    with pytest.raises(Blocked, match=rf"\(assertion {assertion.pk}\)"):
        merge(c, b, someone)
    (paper,) = harvest(work("Ada Weaver"))
    assert who(paper) == c.pk


def test_23_unfollowing_the_one_shown_unfollows_all_that_are_one(rare: None, someone: User) -> None:
    a, b, _ = (researcher(who(paper)) for paper in three())
    follows = {a.pk, b.pk}
    event = merge(a, b, someone).event
    follows -= set(Researcher.objects.together_with(b.pk).values_list("pk", flat=True))
    undo(event, someone)
    assert follows == set()
    assert address_of(a.pk) == a.pk


def test_24_renumbered_authors_of_a_source_leave_researchers_as_they_are(common: None) -> None:
    def given(number: int, ident: str, stamp: str):
        name = author("Yang Liu", source_author_id=ident)
        doi = f"10.5555/woven.oa{number}"
        return work(name, doi=doi, title=f"number{number}", source="openalex", stamp=stamp)

    papers = harvest(*(given(number, f"A{number}", "2021-01-01") for number in (1, 2)))
    people = [who(paper) for paper in papers]
    assert len(set(people)) == 2
    assert identifiers("openalex") == {(people[0], "A1", "claimed"), (people[1], "A2", "claimed")}
    harvest(*(given(number, "A9", "2022-01-01") for number in (1, 2)))
    assert [who(paper) for paper in papers] == people
    assert identifiers("openalex") == {
        (people[0], "A1", "deprecated"),
        (people[1], "A2", "deprecated"),
        (people[0], "A9", "claimed"),
        (people[1], "A9", "claimed"),
    }
    assert listed() == pair(*people)


def test_25_a_preprint_and_its_article_are_one_work(rare: None) -> None:
    names = ["Ada Weaver", "Bo Spindle", "Cy Shuttle", "Di Treadle", "Ed Bobbin"]
    identity = [("arxiv", "2001.00001"), ("doi", "10.5555/woven.article")]
    (preprint,) = harvest(work(*names, doi="2001.00001", identifiers=identity, source="arxiv-like", title="Of looms"))
    people = [who(preprint, position) for position in range(1, 6)]
    short = ["F. Heddle", "B. Spindle", "A. Weaver", "C. Shuttle", "E. Bobbin", "D. Treadle"]
    (article,) = harvest(work(*short, doi="10.5555/woven.article", title="Of looms"))
    assert article == preprint
    by_name = dict(
        Attribution.objects.filter(paper=article).values_list("authorship__source_authorships__name", "root_id")
    )
    assert [by_name[name] for name in names] == people
    for full, initial in zip(names, ("A. Weaver", "B. Spindle", "C. Shuttle", "D. Treadle", "E. Bobbin"), strict=True):
        assert by_name.get(initial, by_name[full]) == by_name[full]
    assert len(shown()) == Attribution.objects.filter(paper=article).count()


def test_26_a_paper_under_a_strange_name_is_listed_as_doubtful(rare: None, someone: User) -> None:
    papers = harvest(*(work("Shuai Wu", "Mo Bobbin") for _ in range(3)))
    (strange,) = harvest(work("Shuaihong Wu", "Mo Bobbin"))
    person = who(papers[0])
    assert who(strange) != person
    assert listed() == pair(person, who(strange))
    decide_is(authorship=place(strange).pk, researcher=person or 0, actor=someone, reason="the same mail address")
    harvest(work("Shuai Wu", "Mo Bobbin"))
    doubt = Candidate.objects.get(key=f"doubt:{person}")
    assert (doubt.kind, doubt.members) == ("split", [person])
    assert doubt.reasons == [
        {
            "text": "A paper prints a name that they do not otherwise go by.",
            "contribution": 0.0,
            "authorship": place(strange).pk,
        }
    ]


def test_a_merge_is_undone_by_the_same_key_once(rare: None, someone: User) -> None:
    """The double submit of an undo, on harvested people."""
    a, b, _ = (researcher(who(paper)) for paper in three())
    event = merge(a, b, someone).event
    again = key()
    first = merging.undo_event(event=event.pk, actor=someone, reason="a mistake", key=again)
    assert merging.undo_event(event=event.pk, actor=someone, reason="a mistake", key=again).event == first.event
