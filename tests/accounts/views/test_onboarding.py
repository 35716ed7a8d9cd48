"""The first questions: each can be answered, skipped and come back to."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Follow, User
from accounts.services.follows import Target, follow
from accounts.suggestions import suggest_institutions, suggest_researchers
from institutions.models import Institution
from papers.models import Category, PaperInstitution
from tests.accounts.readers import browser_of, reader
from tests.factories import ListingFactory, PaperFactory
from tests.institutions.organisations import ror_id
from tests.researchers.people import arrive, curator, merge, place, researcher

pytestmark = pytest.mark.django_db
WELCOME = "/accounts/welcome/"


@pytest.fixture
def user() -> User:
    return reader()


@pytest.fixture
def browser(user: User) -> Client:
    return browser_of(user)


def published(person, code: str = "cs.CL", *, papers: int = 1, at: Institution | None = None) -> None:
    """Papers of a researcher that were listed in a category."""
    for _ in range(papers):
        paper = PaperFactory(authors=["A. Weaver"])
        ListingFactory(paper=paper, category=Category.objects.get(code=code))
        arrive(person, place(paper))
        if at:
            PaperInstitution.objects.create(paper=paper, institution=at, sort_date=paper.sort_date)


def hall(number: int = 1) -> Institution:
    return Institution.objects.create(
        ror_id=ror_id(number), display_name=f"Loom Hall {number}", kind="education", status="active", country="NP",
        hash="0",
    )  # fmt: skip


def followed(user: User) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for one in Follow.objects.of(user.pk).order_by("pk"):
        found.setdefault(one.kind.value, []).append(one.target_id)
    return found


class TestTheWay:
    def test_from_fields_to_home(self, user: User, browser: Client) -> None:
        person, place_ = researcher("Ada Weaver"), hall()
        published(person, at=place_)
        answer = browser.post(WELCOME, {"step": "fields", "categories": ["cs.CL", "math.CO"]})
        assert answer.headers["Location"] == f"{WELCOME}?step=people"
        text = browser.get(answer.headers["Location"]).content.decode()
        assert "Ada Weaver" in text
        assert "Loom Hall 1" in text
        assert "Nepal" in text
        answer = browser.post(WELCOME, {"step": "people", "researchers": [person.pk], "institutions": [place_.pk]})
        assert answer.headers["Location"] == f"{WELCOME}?step=cadence"
        answer = browser.post(
            WELCOME, {"step": "cadence", "cadence": "weekly", "delivery_hour": "18", "time_zone": "Asia/Kathmandu"}
        )
        assert answer.headers["Location"] == "/"
        assert followed(user) == {
            "category": ["cs.CL", "math.CO"], "researcher": [person.pk], "institution": [place_.pk],
        }  # fmt: skip
        user.refresh_from_db()
        assert (user.cadence, user.delivery_hour, user.time_zone, user.onboarding) == (
            "weekly", 18, "Asia/Kathmandu", "done",
        )  # fmt: skip

    def test_whoever_comes_back_goes_on_where_they_were(self, user: User, browser: Client) -> None:
        assert 'name="step" value="fields"' in browser.get(WELCOME).content.decode()
        browser.post(WELCOME, {"step": "fields", "categories": ["cs.CL"]})
        assert 'name="step" value="people"' in browser.get(WELCOME).content.decode()
        text = browser.get(f"{WELCOME}?step=fields").content.decode()
        assert 'value="cs.CL" checked' in text
        assert 'value="math.CO" checked' not in text

    def test_each_question_can_be_skipped(self, user: User, browser: Client) -> None:
        for step, following in (("fields", "?step=people"), ("people", "?step=cadence"), ("cadence", "")):
            answer = browser.post(WELCOME, {"step": step, "action": "skip", "categories": ["cs.CL"]})
            assert answer.headers["Location"] == (WELCOME + following if following else "/")
        user.refresh_from_db()
        assert (user.onboarding, followed(user)) == ("done", {})

    def test_all_can_be_skipped_at_once(self, user: User, browser: Client) -> None:
        assert browser.post(WELCOME, {"step": "fields", "action": "stop"}).headers["Location"] == "/"
        user.refresh_from_db()
        assert user.onboarding == "done"

    def test_answers_can_be_changed(self, user: User, browser: Client) -> None:
        browser.post(WELCOME, {"step": "fields", "categories": ["cs.CL", "math.CO"]})
        browser.post(WELCOME, {"step": "fields", "categories": ["math.CO", "cs.LG"]})
        browser.post(WELCOME, {"step": "fields", "categories": ["math.CO", "cs.LG"]})
        assert followed(user) == {"category": ["math.CO", "cs.LG"]}

    def test_a_closed_category_that_is_followed_stays(self, user: User, browser: Client) -> None:
        closed = Category.objects.filter(is_active=False, canonical=None).first()
        follow(user=user, target=Target.read("category", closed.pk))
        browser.post(WELCOME, {"step": "fields", "categories": ["cs.CL"]})
        assert set(followed(user)["category"]) == {closed.pk, "cs.CL"}

    @pytest.mark.parametrize(
        "form",
        [
            {"step": "fields", "categories": ["no.XX"]},
            {"step": "people", "researchers": ["999999999"]},
            {"step": "people", "institutions": ["999999999"]},
            {"step": "cadence", "cadence": "hourly"},
        ],
    )
    def test_what_makes_no_sense_is_refused(self, user: User, browser: Client, form: dict[str, object]) -> None:
        answer = browser.post(WELCOME, form)
        assert answer.status_code == 400
        user.refresh_from_db()
        assert (user.onboarding, followed(user)) == ("fields", {})

    def test_too_many_fields_are_refused(self, user: User, browser: Client) -> None:
        codes = list(Category.objects.filter(is_active=True, canonical=None).values_list("pk", flat=True)[:31])
        answer = browser.post(WELCOME, {"step": "fields", "categories": codes})
        assert "at most 30" in answer.content.decode()
        assert followed(user) == {}

    def test_a_step_that_there_is_not_is_the_first(self, browser: Client) -> None:
        assert 'name="step" value="fields"' in browser.get(f"{WELCOME}?step=done").content.decode()

    def test_without_fields_there_is_nobody_to_suggest(self, browser: Client) -> None:
        assert "Choose one" in browser.get(f"{WELCOME}?step=people").content.decode()


class TestSuggestions:
    def test_the_most_followed_come_first_then_the_most_active(self, user: User) -> None:
        busy, liked, idle, elsewhere = (researcher(name) for name in ("Busy", "Liked", "Idle", "Elsewhere"))
        published(busy, papers=3)
        published(liked)
        published(idle)
        published(elsewhere, "math.CO", papers=5)
        follow(user=reader("other@papers.test"), target=Target.read("researcher", liked.pk))
        found = suggest_researchers(user_id=user.pk, codes=["cs.CL"])
        assert [(one.key, one.recent_papers) for one in found] == [(liked.pk, 1), (busy.pk, 3), (idle.pk, 1)]
        assert [one.key for one in suggest_researchers(user_id=user.pk, codes=["cs.CL"], most=1)] == [liked.pk]

    def test_whom_one_follows_is_left_out_also_by_an_earlier_number(self, user: User) -> None:
        one, other = researcher(), researcher()
        for person in (one, other):
            published(person)
        follow(user=user, target=Target.read("researcher", other.pk))
        merge(other, one, curator())
        assert suggest_researchers(user_id=user.pk, codes=["cs.CL"]) == []

    def test_followers_of_what_was_merged_count(self, user: User) -> None:
        busy, survivor, merged = (researcher() for _ in range(3))
        published(busy, papers=2)
        published(survivor)
        published(merged)
        follow(user=reader("other@papers.test"), target=Target.read("researcher", merged.pk))
        merge(merged, survivor, curator())
        published(busy, papers=2)
        assert suggest_researchers(user_id=user.pk, codes=["cs.CL"])[0].key == survivor.pk

    def test_institutions(self, user: User) -> None:
        one, other = hall(1), hall(2)
        published(researcher(), at=one)
        published(researcher(), papers=2, at=other)
        found = suggest_institutions(user_id=user.pk, codes=["cs.CL"])
        assert [(one.name, one.where, one.recent_papers) for one in found] == [
            ("Loom Hall 2", "NP", 2), ("Loom Hall 1", "NP", 1),
        ]  # fmt: skip

    def test_a_paper_in_two_of_the_fields_counts_once(self, user: User) -> None:
        person = researcher()
        published(person)
        ListingFactory(paper=person.attributions.get().paper, category=Category.objects.get(code="cs.LG"))
        assert suggest_researchers(user_id=user.pk, codes=["cs.CL", "cs.LG"])[0].recent_papers == 1

    def test_pages_take_the_same_queries_for_one_as_for_many(self, user: User, browser: Client) -> None:
        browser.post(WELCOME, {"step": "fields", "categories": ["cs.CL"]})
        counts = []
        for number in (1, 4):
            for _ in range(number):
                published(researcher(), at=hall(Institution.objects.count() + 1))
            with CaptureQueriesContext(connection) as queries:
                browser.get(WELCOME)
            counts.append(len(queries))
        assert counts[0] == counts[1] <= 12
