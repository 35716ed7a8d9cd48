"""Following: once, under whichever base, through merges and undos."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import TARGETS, Follow, SavedSearch, User
from accounts.services import follows
from accounts.services.errors import NothingToFollow, TooManyFollows
from accounts.services.follows import Target, follow, unfollow
from institutions.models import Institution
from papers.models import Category, Paper
from tests.factories import CategoryFactory, PaperFactory
from tests.institutions.organisations import ror_id
from tests.researchers.people import curator, merge, researcher, undo
from tests.researchers.test_concurrency import at_once


def reader(name: str = "ada") -> User:
    return User.objects.create_user(f"{name}@papers.test")


def target(thing: object) -> Target:
    kind = {"Researcher": "researcher", "Institution": "institution", "Category": "category", "Paper": "paper"}
    return Target.read(kind.get(type(thing).__name__, "saved_search"), thing.pk)


def institution(number: int) -> Institution:
    return Institution.objects.create(
        ror_id=ror_id(number), display_name=f"Hall {number}", kind="education", status="active", hash="0"
    )


def search(user: User, words: str = "loom") -> SavedSearch:
    return SavedSearch.objects.create(user=user, name=words, query=f"q={words}", key=words)


def roots(user: User) -> list[tuple[str, str]]:
    return list(Follow.objects.of(user.pk).shown().order_by("pk").values_list("root_kind", "root"))


@pytest.mark.django_db
class TestTheRow:
    def test_it_is_of_exactly_one_thing(self) -> None:
        user, paper = reader(), PaperFactory()
        for given in ({}, {"paper": paper, "category": paper.primary_category}):
            with pytest.raises(IntegrityError, match="follow_of_one_thing"), transaction.atomic():
                Follow.objects.create(user=user, **given)

    def test_once_for_each_reader_and_thing(self) -> None:
        user = reader()
        things = {
            "researcher": researcher(),
            "institution": institution(1),
            "category": CategoryFactory(),
            "paper": PaperFactory(),
            "saved_search": search(user),
        }
        assert tuple(things) == TARGETS
        for name, thing in things.items():
            Follow.objects.create(user=user, **{name: thing})
            with pytest.raises(IntegrityError, match=f"follow_{name}_once"), transaction.atomic():
                Follow.objects.create(user=user, **{name: thing})
            Follow.objects.create(user=reader(name), **{name: thing})
        assert Follow.objects.count() == 10

    def test_switches_exist_for_every_kind(self) -> None:
        names = {field.name for field in Follow._meta.get_fields()}
        assert set(Follow.SWITCHES) == set(Follow.ON_AT_FIRST) == set(Follow.Kind.values) == set(TARGETS)
        for kind, switches in Follow.SWITCHES.items():
            assert set(Follow.ON_AT_FIRST[kind]) <= set(switches) <= names


@pytest.mark.django_db
class TestFollowing:
    def test_each_kind_with_its_first_switches(self) -> None:
        user = reader()
        for thing, on in (
            (researcher(), ["new"]),
            (institution(1), ["new"]),
            (CategoryFactory(), ["new"]),
            (PaperFactory(), ["revision", "withdrawal", "publication"]),
            (search(user), ["new"]),
        ):
            made = follow(user=user, target=target(thing))
            assert (made.kind, made.target_id) == (target(thing).kind, thing.pk)
            assert [name for name in made.switches if getattr(made, name)] == on
            assert (made.cadence, made.is_paused) == ("", False)

    def test_twice_is_once_and_keeps_the_switches(self) -> None:
        user, person = reader(), researcher()
        first = follow(user=user, target=target(person))
        Follow.objects.filter(pk=first.pk).update(new=False, citation=True, cadence="weekly")
        again = follow(user=user, target=target(person))
        assert (again.pk, again.new, again.citation, again.cadence) == (first.pk, False, True, "weekly")
        assert Follow.objects.count() == 1

    def test_unfollowing_is_only_ones_own_and_may_be_repeated(self) -> None:
        user, other, person = reader(), reader("bo"), researcher()
        follow(user=user, target=target(person))
        follow(user=other, target=target(person))
        assert [unfollow(user=user, target=target(person)) for _ in range(2)] == [1, 0]
        assert [one.user for one in Follow.objects.all()] == [other]

    def test_what_is_not_there_cannot_be_followed(self) -> None:
        user = reader()
        erased = researcher(erased_at="2025-01-01T00:00Z")
        theirs = search(reader("bo"))
        for kind, key in (
            ("researcher", 10**9), ("institution", 1), ("category", "no.XX"), ("paper", 1), ("saved_search", 1),
            ("researcher", erased.pk), ("saved_search", theirs.pk),
        ):  # fmt: skip
            with pytest.raises(NothingToFollow):
                follow(user=user, target=Target.read(kind, key))
            assert unfollow(user=user, target=Target.read(kind, key)) == 0
        assert not Follow.objects.exists()

    @pytest.mark.parametrize(
        ("kind", "key"),
        [("user", "1"), ("", "1"), ("paper", "x"), ("paper", "-1"), ("paper", "0"), ("paper", 2**63), ("paper", "١"),
         ("category", ""), ("category", "cs\0")],
    )  # fmt: skip
    def test_what_can_be_no_target(self, kind: str, key: object) -> None:
        with pytest.raises(NothingToFollow):
            Target.read(kind, key)

    def test_there_is_an_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(follows, "MOST_FOLLOWS", 2)
        user, people = reader(), [researcher() for _ in range(3)]
        for person in people[:2]:
            follow(user=user, target=target(person))
        with pytest.raises(TooManyFollows, match="at most 2"):
            follow(user=user, target=target(people[2]))
        follow(user=user, target=target(people[1]))
        assert Follow.objects.count() == 2

    def test_an_erased_person_can_still_be_unfollowed(self) -> None:
        user, person = reader(), researcher()
        follow(user=user, target=target(person))
        type(person).objects.filter(pk=person.pk).update(erased_at="2025-01-01T00:00Z")
        assert unfollow(user=user, target=target(person)) == 1


@pytest.mark.django_db
class TestMerging:
    def test_a_merged_researcher_is_followed_as_the_survivor(self) -> None:
        user, a, b = reader(), researcher(), researcher()
        event = merge(b, a, curator()).event
        assert follow(user=user, target=target(b)).researcher_id == a.pk
        undo(event, curator())
        assert roots(user) == [("researcher", str(a.pk))]

    def test_follows_of_both_are_shown_once_and_come_back_with_an_undo(self) -> None:
        user, a, b = reader(), researcher(), researcher()
        for person in (b, a):
            follow(user=user, target=target(person))
        event = merge(b, a, curator()).event
        assert roots(user) == [("researcher", str(a.pk))]
        assert Follow.objects.of(user.pk).shown().get().researcher_id == b.pk, "the older one"
        assert set(Follow.objects.following("researcher", [a.pk]).values_list("researcher", flat=True)) == {a.pk, b.pk}
        undo(event, curator())
        assert roots(user) == [("researcher", str(b.pk)), ("researcher", str(a.pk))]

    def test_who_follows_a_base_follows_the_survivor_already(self) -> None:
        user, a, b = reader(), researcher(), researcher()
        known = follow(user=user, target=target(b))
        merge(b, a, curator())
        assert follow(user=user, target=target(a)) == known
        assert Follow.objects.count() == 1

    def test_follow_both_merge_unfollow_undo_leaves_nothing(self) -> None:
        user, a, b = reader(), researcher(), researcher()
        for person in (a, b):
            follow(user=user, target=target(person))
        event = merge(b, a, curator()).event
        assert unfollow(user=user, target=target(b)) == 2
        undo(event, curator())
        assert roots(user) == []

    def test_institutions_papers_and_aliases_lead_to_what_they_became(self) -> None:
        user, hall, old = reader(), institution(1), institution(2)
        article, double = PaperFactory(), PaperFactory()
        alias = Category.objects.get(code="cmp-lg")
        Institution.objects.filter(pk=old.pk).update(merged_into=hall, root=hall)
        Paper.objects.filter(pk=double.pk).update(redirect_to=article)
        made = [follow(user=user, target=target(one)) for one in (old, double, alias)]
        assert [one.target_id for one in made] == [hall.pk, article.pk, "cs.CL"]
        assert [unfollow(user=user, target=target(one)) for one in (old, double, alias)] == [1, 1, 1]

    def test_papers_that_were_followed_before_they_were_found_to_be_one(self) -> None:
        user, article, double = reader(), PaperFactory(), PaperFactory()
        for paper in (article, double):
            follow(user=user, target=target(paper))
        Paper.objects.filter(pk=double.pk).update(redirect_to=article)
        assert roots(user) == [("paper", str(article.pk))]
        assert Follow.objects.following("paper", [article.pk]).count() == 2
        assert unfollow(user=user, target=target(article)) == 2


@pytest.mark.django_db
def test_who_wants_to_hear_now(django_assert_num_queries) -> None:
    person = researcher()
    users = {name: reader(name) for name in ("awake", "resting", "asleep", "choosy")}
    for user in users.values():
        follow(user=user, target=target(person))
    User.objects.filter(pk=users["resting"].pk).update(alerts_paused_at="2025-01-01T00:00Z")
    User.objects.filter(pk=users["asleep"].pk).update(is_active=False)
    Follow.objects.of(users["choosy"].pk).update(paused_at="2025-01-01T00:00Z")
    assert [one.user_id for one in Follow.objects.telling()] == [users["awake"].pk]


@pytest.mark.django_db
def test_showing_takes_one_query_however_many_there_are() -> None:
    user = reader()
    counts = []
    for number in (1, 3):
        for _ in range(number):
            follow(user=user, target=target(researcher()))
            follow(user=user, target=target(PaperFactory()))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            shown = [
                str(one.researcher.root if one.researcher else one.paper)
                for one in Follow.objects.of(user.pk).shown().with_targets()
            ]
        counts.append((len(shown), len(queries)))
    assert counts == [(2, 1), (8, 1)]


@pytest.mark.django_db(transaction=True)
def test_a_button_pressed_twice_at_once_is_one_follow() -> None:
    user, person = reader(), researcher()
    at_once(*[lambda: follow(user=user, target=target(person))] * 4)
    assert Follow.objects.count() == 1
