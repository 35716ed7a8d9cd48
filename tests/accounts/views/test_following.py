"""Following from every page, and the page of all follows."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Follow, Notification, PaperEvent, SavedSearch, User
from accounts.services.follows import pause_follow
from tests.accounts.alerting import followed, new_paper, notify, today
from tests.accounts.readers import browser_of, reader
from tests.factories import InstitutionFactory, PaperFactory
from tests.researchers.people import arrive, curator, merge, place, researcher

pytestmark = pytest.mark.django_db
ADD, REMOVE = "/follows/add", "/follows/remove"


def queries(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as counted:
        assert client.get(address).status_code == 200
    return len(counted)


def things() -> dict[str, tuple[str, object]]:
    """A page of each kind, with the key of what it is about."""
    person, hall, paper = researcher(), InstitutionFactory(), PaperFactory()
    arrive(person, place(paper))
    person.refresh_from_db()
    return {
        "researcher": (person.get_absolute_url(), person.pk),
        "institution": (hall.get_absolute_url(), hall.pk),
        "category": (paper.primary_category.get_absolute_url(), paper.primary_category.pk),
        "paper": (paper.get_absolute_url(), paper.pk),
    }


def test_every_page_has_a_form_that_follows_and_one_that_takes_it_back() -> None:
    user = reader()
    browser = browser_of(user)
    for kind, (address, key) in things().items():
        text = browser.get(address).content.decode()
        assert f'action="{ADD}"' in text
        assert f'<input type="hidden" name="key" value="{key}">' in text
        answer = browser.post(ADD, {"kind": kind, "key": key, "next": address})
        assert (answer.status_code, answer.headers["Location"]) == (302, address)
        assert f'action="{REMOVE}"' in browser.get(address).content.decode()
        assert browser.post(ADD, {"kind": kind, "key": key, "next": address}).status_code == 302
        assert Follow.objects.of(user.pk).count() == 1
        browser.post(REMOVE, {"kind": kind, "key": key, "next": address})
        assert f'action="{ADD}"' in browser.get(address).content.decode()
        assert Follow.objects.count() == 0


def test_for_whoever_is_not_signed_in_it_costs_no_query_and_leads_to_signing_in_and_back() -> None:
    client = Client()
    for kind, (address, key) in things().items():
        with CaptureQueriesContext(connection) as asked:
            text = client.get(address).content.decode()
        assert not [one for one in asked if "accounts_" in one["sql"]]
        assert f'href="{ADD}?kind={kind}&amp;key={key}&amp;next=' in text
        answer = client.get(ADD, {"kind": kind, "key": key, "next": address})
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/accounts/login/?next=/follows/add%3Fkind")
        assert "csrftoken" not in client.cookies
    assert Follow.objects.count() == 0


def test_after_signing_in_one_is_asked_and_looking_follows_nothing() -> None:
    browser = browser_of(reader())
    made = PaperFactory()
    text = browser.get(ADD, {"kind": "paper", "key": made.pk, "next": "/papers"}).content.decode()
    assert "Follow this?" in text
    assert Follow.objects.count() == 0


@pytest.mark.parametrize("where", ["https://evil.test/", "//evil.test/", "/\\evil.test", "", "javascript:alert(1)"])
def test_nobody_is_led_off_the_site(where: str) -> None:
    browser, made = browser_of(reader()), PaperFactory()
    answer = browser.post(ADD, {"kind": "paper", "key": made.pk, "next": where})
    assert answer.headers["Location"] == "/follows"
    assert "evil" not in browser.get(ADD, {"kind": "paper", "key": "1", "next": where}).content.decode().replace(
        f'value="{where}"', ""
    )


@pytest.mark.parametrize(
    ("kind", "key"), [("paper", "0"), ("paper", "x"), ("loom", "1"), ("category", "no.SUCH"), ("search", "")]
)
def test_what_is_not_there_cannot_be_followed(kind: str, key: str) -> None:
    answer = browser_of(reader()).post(ADD, {"kind": kind, "key": key})
    assert answer.status_code == 400
    assert Follow.objects.count() == 0


def test_a_search_is_kept_and_followed() -> None:
    user = reader()
    browser = browser_of(user)
    browser.post(ADD, {"kind": "search", "query": "q=loom&sort=newest", "next": "/search?q=loom"})
    one = SavedSearch.objects.get(user=user)
    assert (one.query, Follow.objects.get().saved_search) == ("q=loom", one)
    other = browser_of(reader("other@papers.test"))
    assert other.post(ADD, {"kind": "saved_search", "key": one.pk}).status_code == 400


class TestThePage:
    def test_what_was_merged_stands_there_once_and_goes_at_once(self) -> None:
        user, one, other, by = reader(), researcher("Ada Weaver"), researcher("Ada L. Weaver"), curator()
        for person in (one, other):
            arrive(person)
            followed(user, person)
        merge(other, one, by)
        browser = browser_of(user)
        text = browser.get("/follows").content.decode()
        assert text.count('<li class="follow-row"') == 1
        assert "Ada L. Weaver" not in text
        browser.post(REMOVE, {"kind": "researcher", "key": one.pk, "next": "/follows"})
        assert Follow.objects.count() == 0

    def test_switches_cadence_and_rest_hold_for_all_that_was_merged(self) -> None:
        user, one, other, by = reader(), researcher(), researcher(), curator()
        follows = [followed(user, person) for person in (one, other)]
        merge(other, one, by)
        browser = browser_of(user)
        browser.post(
            f"/follows/{follows[0].pk}",
            {"switches": ["revision", "cross_list", "is_staff"], "cadence": "weekly", "action": "pause"},
        )
        for follow in Follow.objects.all():
            assert (follow.new, follow.revision, follow.cross_list, follow.cadence) == (False, True, False, "weekly")
            assert follow.is_paused
        browser.post(f"/follows/{follows[0].pk}", {"switches": ["new"], "cadence": "hourly", "action": "resume"})
        for follow in Follow.objects.all():
            assert (follow.new, follow.cadence, follow.is_paused) == (True, "", False)

    def test_nobody_changes_another_readers(self) -> None:
        mine = followed(reader(), PaperFactory())
        browser = browser_of(reader("other@papers.test"))
        assert browser.post(f"/follows/{mine.pk}", {"action": "pause"}).status_code == 404
        browser.post(REMOVE, {"kind": "paper", "key": mine.paper_id})
        assert Follow.objects.get() == mine
        assert "follow-row" not in browser.get("/follows").content.decode()

    def test_everything_rests_and_goes_on(self) -> None:
        user = reader()
        browser = browser_of(user)
        for action, field, is_set in (
            ("pause", "alerts_paused_at", True), ("resume", "alerts_paused_at", False),
            ("stop-mail", "mail_stopped_at", True), ("send-mail", "mail_stopped_at", False),
        ):  # fmt: skip
            assert browser.post("/follows/all", {"action": action}).status_code == 302
            assert (getattr(User.objects.get(), field) is not None) is is_set
        assert browser.post("/follows/all", {"action": "dance"}).status_code == 400

    def test_it_goes_on_over_the_page_and_costs_the_same_for_any_number(self) -> None:
        user = reader()
        browser = browser_of(user)
        followed(user, researcher())
        few = queries(browser, "/follows")
        for _ in range(9):
            for thing in (researcher(), PaperFactory(), InstitutionFactory()):
                followed(user, thing)
        assert queries(browser, "/follows") == few <= 8
        first = browser.get("/follows").content.decode()
        assert first.count('<li class="follow-row"') == 25
        (following,) = {line.split('"')[1] for line in first.split("href=")[1:] if line.startswith('"/follows?before=')}
        assert browser.get(following).content.decode().count('<li class="follow-row"') == 3

    def test_whoever_was_removed_is_not_named_and_can_be_unfollowed(self) -> None:
        user, person = reader(), researcher("Una Formerly")
        followed(user, person)
        type(person).objects.filter(pk=person.pk).update(erased_at=timezone.now())
        browser = browser_of(user)
        text = browser.get("/follows").content.decode()
        assert "Somebody who is not here any more" in text
        assert "Una" not in text
        browser.post(REMOVE, {"kind": "researcher", "key": person.pk, "next": "/follows"})
        assert Follow.objects.count() == 0

    def test_a_name_is_text(self) -> None:
        user = reader()
        followed(user, researcher("<i>Ada</i>"))
        text = browser_of(user).get("/follows").content.decode()
        assert "&lt;i&gt;Ada&lt;/i&gt;" in text
        assert "<i>Ada" not in text


class TestTheInbox:
    def test_what_it_says_and_why(self) -> None:
        user, person, made = reader(), researcher("Ada Weaver"), new_paper(title="Looms")
        arrive(person, place(made))
        followed(user, person)
        notify(made)
        text = browser_of(user).get("/inbox").content.decode()
        assert "Looms</a>" in text
        assert 'You follow the researcher <a href="/researchers/' in text
        assert '<span class="badge">1<span class="visually-hidden"> unread</span></span>' in text

    def test_read_and_unread_again_and_all_at_once(self) -> None:
        user = reader()
        made = [new_paper() for _ in range(3)]
        followed(user, made[0].primary_category)
        notify(*made)
        browser = browser_of(user)
        first, second, third = Notification.objects.order_by("pk").values_list("pk", flat=True)
        unread = lambda: set(Notification.objects.unread().values_list("pk", flat=True))  # noqa: E731
        browser.post("/inbox/read", {"notification": first})
        assert unread() == {second, third}
        browser.post("/inbox/read", {"unread": first})
        assert unread() == {first, second, third}
        browser.post("/inbox/read", {"up_to": second})
        assert unread() == {third}
        assert browser.get("/inbox?unread=1").content.decode().count('<li class="told') == 1

    def test_another_readers_is_neither_seen_nor_marked(self) -> None:
        user, made = reader(), new_paper(title="Looms")
        followed(user, made.primary_category)
        notify(made)
        browser = browser_of(reader("other@papers.test"))
        assert "Looms" not in browser.get("/inbox").content.decode()
        one = Notification.objects.get()
        for field in ("notification", "up_to"):
            browser.post("/inbox/read", {field: one.pk})
        assert Notification.objects.unread().count() == 1

    def test_it_costs_the_same_for_any_number(self) -> None:
        user = reader()
        browser = browser_of(user)
        made = [new_paper() for _ in range(8)]
        followed(user, made[0].primary_category)
        for paper in made:
            person = researcher()
            arrive(person, place(paper))
            followed(user, person)
        notify(made[0])
        one = queries(browser, "/inbox"), queries(browser, "/")
        notify(*made[1:])
        assert (queries(browser, "/inbox"), queries(browser, "/")) == one
        assert one[0] <= 9
        assert one[1] <= 12

    def test_a_name_that_was_hidden_since_is_not_told(self) -> None:
        user, person, made = reader(), researcher("Una Formerly"), new_paper()
        arrive(person, place(made))
        followed(user, person)
        notify(made)
        type(person).objects.filter(pk=person.pk).update(display_name="Una Heddle")
        text = browser_of(user).get("/inbox").content.decode()
        assert "Una Heddle" in text
        assert "Una Formerly" not in text


def test_home_shows_what_is_new_until_one_has_seen_it() -> None:
    user, made = reader(), new_paper(title="Looms of yesterday")
    event = PaperEvent.objects.create(paper=made, kind="new", day=today(), noticed_at=made.created_at)
    Notification.objects.create(
        user=user, paper=made, event=event, reasons=["category:cs.CL"], cadence="daily", created_at=made.created_at
    )
    browser = browser_of(user)
    for _ in range(2):
        text = browser.get("/").content.decode()
        assert "New since your last visit" in text
        assert "You follow the category" in text
    assert browser.post("/inbox/seen").status_code == 302
    text = browser.get("/").content.decode()
    assert "Nothing has happened in" in text
    assert "New since your last visit" not in Client().get("/").content.decode()


def test_pausing_what_is_no_number_does_nothing() -> None:
    assert pause_follow(user=reader(), kind="paper", key="x", paused=True) == 0
