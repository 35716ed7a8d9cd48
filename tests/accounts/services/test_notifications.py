"""Who is told of what, why, and how often: once."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Follow, Notification, PaperEvent, User
from accounts.services.notifications import notify_of_papers
from papers.models import Category, Notice, Paper, PaperInstitution
from tests.accounts.alerting import days_ago, followed, new_paper, notify, revise, today, told
from tests.accounts.readers import reader
from tests.factories import CategoryFactory, InstitutionFactory, ListingFactory, PaperFactory
from tests.researchers.people import arrive, curator, merge, place, researcher, undo
from tests.researchers.test_concurrency import at_once
from wovepaper.pipeline.queue import enqueue
from wovepaper.pipeline.services import drain


@pytest.mark.django_db
class TestWhoIsTold:
    def test_of_a_new_paper_by_everything_that_is_followed_with_all_reasons_in_one(self) -> None:
        user, person, place_ = reader(), researcher(), InstitutionFactory()
        made = new_paper()
        arrive(person, place(made))
        PaperInstitution.objects.create(paper=made, institution=place_, sort_date=made.sort_date)
        for thing in (person, place_, made.primary_category):
            followed(user, thing)
        stranger = reader("other@papers.test")
        followed(stranger, researcher("Bo Spindle"))
        assert notify(made) == 1
        why = ["category:cs.CL", f"institution:{place_.pk}", f"researcher:{person.pk}"]
        assert told(user) == [(made.pk, "new", why)]
        assert told(stranger) == []

    def test_of_a_listing_elsewhere_only_who_wants_that(self) -> None:
        made, other = new_paper(), CategoryFactory(code="cs.LG")
        ListingFactory(paper=made, category=other, day=today(), kind="cross")
        wants, does_not = reader(), reader("other@papers.test")
        followed(wants, other, cross_list=True)
        followed(does_not, other)
        notify(made)
        assert told(wants) == [(made.pk, "new", ["cross_list:cs.LG"])]
        assert told(does_not) == []

    def test_a_listing_that_comes_later_is_told_for_itself(self) -> None:
        user, made, other = reader(), new_paper(), CategoryFactory(code="cs.LG")
        followed(user, other, cross_list=True)
        notify(made)
        ListingFactory(paper=made, category=other, day=today(), kind="cross")
        notify(made)
        assert told(user) == [(made.pk, "cross_list cs.LG", ["cross_list:cs.LG"])]

    def test_followers_of_a_paper_hear_of_versions_withdrawal_publication_and_retraction(self) -> None:
        user = reader()
        made = PaperFactory(doi="10.5555/loom.9", announced_on=days_ago(400))
        followed(user, made)
        notify(made)
        assert told(user) == []
        revise(made, 2)
        notify(made)
        revise(made, 3, withdrawn=True)
        notify(made)
        Paper.objects.filter(pk=made.pk).update(
            kind="article", dates={"published-online": str(days_ago(3)), "published-print": str(today())[:7]}
        )
        notify(made)
        Paper.objects.filter(pk=made.pk).update(status="retracted")
        Notice.objects.create(paper=made, kind="retraction", work=made.doi, day=today(), asserted_by="publisher")
        notify(made)
        why = [f"paper:{made.pk}"]
        happened = [kind for _, kind, _ in told(user)]
        assert [reasons for *_, reasons in told(user)] == [why] * len(happened)
        assert happened == ["revision 2", "withdrawn", "published", "retracted"]

    @pytest.mark.parametrize(
        "how",
        [
            lambda user, one: Follow.objects.filter(pk=one.pk).update(paused_at=timezone.now()),
            lambda user, one: Follow.objects.filter(pk=one.pk).update(new=False),
            lambda user, one: User.objects.filter(pk=user.pk).update(alerts_paused_at=timezone.now()),
            lambda user, one: User.objects.filter(pk=user.pk).update(is_active=False),
        ],
        ids=["paused", "switched off", "all paused", "asleep"],
    )
    def test_nobody_who_does_not_want_to_hear(self, how) -> None:
        user, made = reader(), new_paper()
        how(user, followed(user, made.primary_category))
        assert notify(made) == 0

    def test_the_most_frequent_of_several_follows_says_how_often(self) -> None:
        user, person, made = reader(cadence="weekly"), researcher(), new_paper()
        arrive(person, place(made))
        followed(user, person)
        followed(user, made.primary_category, cadence="at_once")
        notify(made)
        assert Notification.objects.get().cadence == "at_once"

    def test_an_alias_of_a_category_is_the_category(self) -> None:
        user, alias = reader(), Category.objects.get(code="math.MP")
        assert alias.canonical_id == "math-ph"
        followed(user, alias)
        made = new_paper(primary_category=alias)
        notify(made)
        assert told(user) == [(made.pk, "new", ["category:math-ph"])]


@pytest.mark.django_db
class TestWhatIsNoNews:
    def test_what_is_old_when_it_comes_in(self) -> None:
        user, made = reader(), new_paper(announced_on=days_ago(15))
        followed(user, made.primary_category, revision=True)
        revise(made, day=days_ago(15))
        assert notify(made) == 0
        assert PaperEvent.objects.count() == 0

    def test_what_happened_before_the_follow(self) -> None:
        early, late = reader(), reader("late@papers.test")
        made = new_paper(announced_on=days_ago(2))
        for user, days in ((early, 2), (late, 1)):
            followed(user, made.primary_category, created_at=timezone.now() - dt.timedelta(days=days))
        notify(made)
        assert [len(told(user)) for user in (early, late)] == [1, 0]

    def test_a_paper_without_a_day(self) -> None:
        user = reader()
        made = PaperFactory(announced_on=None, published_on=dt.date(today().year, 1, 1), published_precision="year")
        followed(user, made.primary_category)
        assert notify(made) == 0

    def test_the_same_again(self) -> None:
        user, made = reader(), new_paper()
        followed(user, made.primary_category)
        assert [notify(made) for _ in range(3)] == [1, 0, 0]
        Notification.objects.all().delete()
        assert notify(made) == 0

    def test_a_follow_made_after_it_was_noticed(self) -> None:
        user, made = reader(), new_paper()
        notify(made)
        followed(user, made.primary_category)
        assert notify(made) == 0

    def test_merges_of_researchers_and_their_undo(self) -> None:
        user, survivor, loser, by = reader(), researcher(), researcher(), curator()
        made = new_paper()
        arrive(loser, place(made))
        notify(made)
        followed(user, survivor)
        event = merge(loser, survivor, by).event
        notify(made, quiet=True)
        undo(event, by)
        notify(made, quiet=True)
        assert told(user) == []

    def test_followers_of_whoever_was_merged_hear_of_the_survivor(self) -> None:
        user, survivor, loser, by = reader(), researcher(), researcher(), curator()
        followed(user, loser)
        followed(user, survivor)
        arrive(loser)
        merge(loser, survivor, by)
        made = new_paper()
        arrive(survivor, place(made))
        notify(made)
        assert told(user) == [(made.pk, "new", [f"researcher:{survivor.pk}"])]

    def test_what_was_told_of_a_paper_that_was_merged_into_this_one(self) -> None:
        user, lost = reader(), new_paper()
        kept = new_paper(announced_on=None, published_on=None)
        followed(user, kept.primary_category)
        notify(lost, kept)
        assert [paper for paper, *_ in told(user)] == [lost.pk]
        Paper.objects.filter(pk=lost.pk).update(redirect_to=kept)
        Paper.objects.filter(pk=kept.pk).update(announced_on=today())
        assert notify(lost, kept) == 0

    def test_followers_of_a_merged_paper_hear_of_the_one_that_is_shown(self) -> None:
        user, lost, kept = reader(), PaperFactory(), PaperFactory()
        followed(user, lost)
        Paper.objects.filter(pk=lost.pk).update(redirect_to=kept)
        revise(kept)
        notify(kept)
        assert told(user) == [(kept.pk, "revision 2", [f"paper:{kept.pk}"])]


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow() -> None:
    def count(papers: int, readers: int) -> int:
        made = [new_paper() for _ in range(papers)]
        for number in range(readers):
            user = reader(f"{papers}-{number}@papers.test")
            followed(user, made[0].primary_category)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            notify(*made)
        return len(queries)

    assert count(1, 1) == count(20, 10) <= 5


@pytest.mark.django_db(transaction=True)
class TestOnce:
    def test_two_workers_at_once(self) -> None:
        user = reader()
        made = [new_paper() for _ in range(20)]
        followed(user, made[0].primary_category)
        numbers = [paper.pk for paper in made]
        results = at_once(*[lambda: notify_of_papers(papers=numbers)] * 3)
        assert sorted(results) == [0, 0, 20]
        assert len({paper for paper, *_ in told(user)}) == 20 == Notification.objects.count()

    def test_a_transaction_that_is_taken_back_told_nobody_and_the_next_does(self) -> None:
        user, made = reader(), new_paper()
        followed(user, made.primary_category)

        def die() -> None:
            with transaction.atomic():
                notify(made)
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            die()
        assert (Notification.objects.count(), PaperEvent.objects.count()) == (0, 0)
        assert notify(made) == 1

    def test_the_pipeline_tells_at_its_last_stage_and_is_quiet_about_merges(self) -> None:
        user, merged, harvested, both = reader(), *[new_paper() for _ in range(3)]
        followed(user, merged.primary_category)
        for paper, reasons in ((merged, ["merge"]), (harvested, [""]), (both, ["merge", ""])):
            for reason in reasons:
                enqueue(kind="paper", ids=[paper.pk], stage="notify", reason=reason)
        drain(stages=["notify"])
        assert sorted(paper for paper, *_ in told(user)) == sorted([harvested.pk, both.pk])
