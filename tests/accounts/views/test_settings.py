"""The reader's own settings, and where they are signed in."""

from __future__ import annotations

import pytest
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests.accounts.passkeys import add_passkey
from tests.accounts.readers import PASSWORD, browser_of, reader

pytestmark = pytest.mark.django_db
SETTINGS = "/accounts/settings/"
SAID = {"display_name": " Ada  Weaver ", "time_zone": "Asia/Kathmandu", "cadence": "weekly", "delivery_hour": "6"}


def test_what_is_said_is_kept_and_nothing_else() -> None:
    user = reader()
    answer = browser_of(user).post(SETTINGS, {**SAID, "is_staff": "on", "email": "other@papers.test"})
    assert (answer.status_code, answer.headers["Location"]) == (302, SETTINGS)
    user.refresh_from_db()
    assert (user.display_name, user.time_zone, user.cadence, user.delivery_hour) == (
        "Ada Weaver", "Asia/Kathmandu", "weekly", 6,
    )  # fmt: skip
    assert (user.is_staff, user.email) == (False, "ada@papers.test")


@pytest.mark.parametrize(
    ("name", "value"),
    [("time_zone", "Asia/Nowhere"), ("time_zone", ""), ("cadence", "hourly"), ("delivery_hour", "24"),
     ("delivery_hour", "x"), ("display_name", "x" * 151), ("display_name", "a\0b")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_a_word_beside_it(name: str, value: str) -> None:
    user = reader()
    answer = browser_of(user).post(SETTINGS, {**SAID, name: value})
    assert answer.status_code == 200
    assert f'id="id_{name}_error"' in answer.content.decode()
    user.refresh_from_db()
    assert (user.display_name, user.time_zone) == ("", "UTC")


def test_a_zone_with_an_old_name_stays_among_the_choices() -> None:
    user = reader(time_zone="Asia/Katmandu")
    User.objects.filter(pk=user.pk).update(time_zone="US/Pacific")
    text = browser_of(user).get(SETTINGS).content.decode()
    assert '<option value="US/Pacific" selected>US/Pacific</option>' in text
    assert '<option value="Asia/Kathmandu">Kathmandu</option>' in text


def test_a_name_is_shown_as_text() -> None:
    user = reader(display_name="<b>Ada</b>")
    text = browser_of(user).get(SETTINGS).content.decode()
    assert 'value="&lt;b&gt;Ada&lt;/b&gt;"' in text
    assert "<b>Ada</b>" not in text


def test_how_one_signs_in_is_listed_in_few_queries() -> None:
    user = reader(password=PASSWORD)
    browser_of(user).get(SETTINGS)  # what is asked once for all is not counted
    counts = []
    for number in (1, 3):
        for place in range(number):
            add_passkey(user)
            SocialAccount.objects.create(user=user, provider="github", uid=f"{number}{place}")
        browser = browser_of(user)
        with CaptureQueriesContext(connection) as queries:
            text = browser.get(SETTINGS).content.decode()
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 12
    assert "GitHub" in text
    assert "4 · " in text


def test_first_questions_that_are_open_are_brought_to_mind() -> None:
    user = reader()
    assert "/accounts/welcome/" in browser_of(user).get(SETTINGS).content.decode()
    User.objects.filter(pk=user.pk).update(onboarding="done")
    assert "/accounts/welcome/" not in browser_of(user).get(SETTINGS).content.decode()


class TestSessions:
    @pytest.fixture
    def browsers(self) -> list[Client]:
        reader(password=PASSWORD)
        found = [Client(headers={"User-Agent": f"Loom/{number}"}) for number in range(3)]
        for one in found:
            one.post("/accounts/login/", {"login": "ada@papers.test", "password": PASSWORD})
        return found

    def test_all_are_listed_the_own_one_first(self, browsers: list[Client]) -> None:
        text = browsers[1].get("/accounts/sessions/").content.decode()
        places = [text.index(f"Loom/{number}") for number in (1, 2, 0)]
        assert places == sorted(places)
        assert text.index("This browser") < places[1]

    def test_all_others_end_at_once(self, browsers: list[Client]) -> None:
        answer = browsers[1].post("/accounts/sessions/", follow=True)
        assert "nowhere else" in answer.content.decode()
        assert [one.get(SETTINGS).status_code for one in browsers] == [302, 200, 302]

    def test_looking_ends_and_forgets_none(self, browsers: list[Client]) -> None:
        gone = UserSession.objects.get(user_agent="Loom/0")
        browsers[0].session.flush()
        text = browsers[1].get("/accounts/sessions/").content.decode()
        assert "Loom/0" not in text
        assert UserSession.objects.filter(pk=gone.pk).exists()

    def test_the_list_takes_as_many_queries_for_one_as_for_three(self, browsers: list[Client]) -> None:
        with CaptureQueriesContext(connection) as three:
            browsers[0].get("/accounts/sessions/")
        UserSession.objects.exclude(user_agent="Loom/0").delete()
        with CaptureQueriesContext(connection) as one:
            browsers[0].get("/accounts/sessions/")
        assert len(one) == len(three) <= 12

    def test_others_sessions_are_neither_seen_nor_ended(self, browsers: list[Client]) -> None:
        other = reader("bo@papers.test", PASSWORD)
        theirs = Client(headers={"User-Agent": "Shuttle/1"})
        theirs.post("/accounts/login/", {"login": other.email, "password": PASSWORD})
        assert "Loom" not in theirs.get("/accounts/sessions/").content.decode()
        theirs.post("/accounts/sessions/")
        assert [one.get(SETTINGS).status_code for one in browsers] == [200, 200, 200]
