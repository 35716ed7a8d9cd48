"""What researchers have in common: the same for readers and for curators."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from papers.models import Paper
from researchers.admin.comparison import compare as compare_for_curators
from researchers.models import Researcher
from researchers.services.comparison import (
    LARGEST_TEAM,
    DatedAffiliation,
    SharedVenue,
    affiliations_of,
    compare,
    shared_co_authors,
    shared_venues,
)
from tests.factories import affiliate
from tests.researchers.works import count, crowd, paper_of, people, write_many

pytestmark = pytest.mark.django_db


@pytest.fixture
def both() -> tuple[Researcher, Researcher, Researcher]:
    """Two of a name, each with a paper with the same friend in the same venue at the same place."""
    ada, other, friend = people("Ada Weaver", "Ada Weaver", "Bo Spindle")
    for one in (ada, other):
        made = paper_of(one, friend, venue="Journal of Looms", published_on=dt.date(2010, 5, 1))
        affiliate(made, 1, "Loom Hall")
    return ada, other, friend


def seen(*those: Researcher) -> list[tuple[object, ...]]:
    """What either page says of co-authors, venues, affiliations and years."""
    reader, curator = compare(those), compare_for_curators([one.pk for one in those])
    return [
        (
            [(one.name, one.counts) for one in page.co_authors],
            [(one.name, one.counts) for one in page.venues],
        )
        for page in (reader, curator)
    ] + [
        (
            [[(place.text, place.first_year) for place in column.affiliations] for column in reader.columns],
            [{one.year: one.papers for one in column.years if one.papers} for column in reader.columns],
        ),
        (
            [[(place.text, place.first) for place in column.places] for column in curator.columns],
            [{one.year: one.count for one in column.years} for column in curator.columns],
        ),
    ]


def test_readers_and_curators_see_the_same(both):
    ada, other, _ = both
    shared = ([("Bo Spindle", (1, 1))], [("Journal of Looms", (1, 1))])
    own = ([[("Loom Hall", 2010)]] * 2, [{2010: 1}] * 2)
    assert seen(ada, other) == [shared, shared, own, own]


def test_a_paper_that_was_merged_into_another_counts_nowhere(both):
    ada, other, _ = both
    kept = paper_of(other, title="Kept", published_on=dt.date(2011, 5, 1))
    Paper.objects.filter(attributions__root=other).exclude(pk=kept.pk).update(redirect_to=kept)
    nothing = ([], [])
    own = ([[("Loom Hall", 2010)], []], [{2010: 1}, {2011: 1}])
    assert seen(ada, other) == [nothing, nothing, own, own]
    assert [(one.name, one.count) for one in compare_for_curators([other.pk]).columns[0].names] == [("Ada Weaver", 1)]


def test_who_was_erased_is_no_co_author(both):
    ada, other, friend = both
    Researcher.objects.filter(pk=friend.pk).update(erased_at=timezone.now())
    assert [page[0] for page in seen(ada, other)[:2]] == [[], []]


def test_spellings_of_a_venue_and_of_a_place_are_one_by_case_and_spaces():
    ada, other = people("Ada Weaver", "Ada Weaver")
    for one, venue, place in (
        (ada, "Journal of Looms", "Loom Hall"),
        (ada, "journal  of looms ", "LOOM  HALL"),
        (other, "JOURNAL OF LOOMS", "loom hall"),
        (other, "Acta Textorum", "Knot College"),
    ):
        affiliate(paper_of(one, venue=venue, published_on=dt.date(2010, 5, 1)), 1, place)
    ids = [other.pk, ada.pk]
    (venue,) = shared_venues(ids, most=9)
    assert (venue.name.casefold().split(), venue.counts) == (["journal", "of", "looms"], (1, 2))
    found = affiliations_of(ids, first="most", most=9)
    assert [(one.text.casefold().split(), one.papers, one.shared) for one in found[ada.pk].shown] == [
        (["loom", "hall"], 2, True)
    ]
    assert {(one.text, one.papers, one.shared) for one in found[other.pk].shown} == {
        ("loom hall", 1, True),
        ("Knot College", 1, False),
    }


def test_of_many_affiliations_the_latest_or_the_commonest_come_first():
    (ada,) = people("Ada Weaver")
    for year, place in ((2001, "Old Hall"), (2002, "Old Hall"), (2009, "New Hall"), (None, "Somewhere")):
        made = paper_of(ada, published_on=None if year is None else dt.date(year, 5, 1))
        affiliate(made, 1, place)
    old = DatedAffiliation("Old Hall", 2001, 2002, 2, shared=False)
    new = DatedAffiliation("New Hall", 2009, 2009, 1, shared=False)
    for first, expected in (("latest", new), ("most", old)):
        found = affiliations_of([ada.pk], first=first, most=1)[ada.pk]
        assert (found.shown, found.more) == ((expected,), 2)
    assert affiliations_of([ada.pk], first="latest", most=3)[ada.pk].shown[-1].first_year is None


def test_the_rarest_co_authors_are_shown_and_the_others_counted():
    ada, other, rare, busy = people("Ada Weaver", "Ada Weaver", "Rare Spindle", "Busy Spindle")
    for one in (ada, other):
        paper_of(one, rare, busy)
    paper_of(busy)
    count(rare, busy)
    found = shared_co_authors([ada.pk, other.pk], most=1)
    assert ([one.people for one in found.shown], found.more) == ([(rare,)], 1)
    assert shared_co_authors([ada.pk], most=1).shown == ()


def test_those_of_one_name_are_one_line_for_readers_too(client):
    ada, other, *friends = people("Ada Weaver", "Ada Weaver", "Bo Spindle", "Bo Spindle")
    paper_of(ada, friends[0])
    paper_of(other, friends[1])
    (found,) = compare([ada, other]).co_authors
    assert (found.people, found.counts) == (tuple(friends), (1, 1))
    page = client.get(f"/researchers/compare?ids={ada.pk},{other.pk}").content.decode()
    assert "2 researchers of this name" in page


def test_papers_of_large_teams_tell_nothing():
    ada, other = people("Ada Weaver", "Ada Weaver")
    large, most = crowd(LARGEST_TEAM), crowd(1)
    for one in (ada, other):
        write_many(one, [large, most])
    found = shared_co_authors([ada.pk, other.pk], most=99)
    assert [[person.pk for person in one.people] for one in found.shown] == [most]
    assert found.more == 0


def test_a_venue_of_one_alone_is_not_shared():
    ada, other = people("Ada Weaver", "Ada Weaver")
    paper_of(ada, venue="Acta Textorum")
    paper_of(ada, venue="Acta Textorum")
    paper_of(other, venue="")
    paper_of(ada, venue="")
    assert shared_venues([ada.pk, other.pk], most=9) == ()
    paper_of(other, venue="Acta Textorum")
    assert shared_venues([other.pk, ada.pk], most=9) == (SharedVenue("Acta Textorum", (1, 2)),)
