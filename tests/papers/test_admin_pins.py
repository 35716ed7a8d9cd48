"""Pinning and unpinning in the admin."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.test import Client

from papers.models import Paper
from papers.services.ingest import ingest_records
from tests.admin_people import client_of, statuses, user_with
from tests.factories import CategoryFactory
from tests.html import Page, get
from tests.papers.services.invented import arxiv_record, pairs, paper_record

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("invented_source")]


@pytest.fixture
def user():
    return user_with("papers.view_paper", "papers.pin_paper")


@pytest.fixture
def curator(user):
    return client_of(user)


@pytest.fixture
def paper() -> Paper:
    for code in ("cs.CL", "math.CO"):
        CategoryFactory(code=code)
    other = paper_record(
        external_id="x2", format="raw", rank=60, identifiers=[("arxiv", "2001.00001")], title="The weft, revised"
    )
    ingest_records(pairs(arxiv_record(title="The weft"), other))
    return Paper.objects.get()


def address(paper: Paper, action: str, field: str) -> str:
    return f"/admin/papers/paper/{paper.pk}/{action}/{field}/"


def detail(paper: Paper) -> str:
    return f"/admin/papers/paper/{paper.pk}/change/"


def test_a_field_is_pinned_with_a_reason(curator, user, paper):
    response = curator.post(address(paper, "pin", "title"), {"value": " The  warp ", "reason": "Misprint."})
    assert (response.status_code, response["Location"]) == (302, detail(paper))
    paper.refresh_from_db()
    assert paper.title == "The warp"
    pin = paper.pinned["title"]
    assert (pin["value"], pin["by"], pin["reason"]) == ("The warp", user.pk, "Misprint.")
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id, entry.action_flag) == (user, str(paper.pk), CHANGE)
    assert entry.get_change_message() == "Pinned title: Misprint."
    assert "Title is pinned: this value is shown whatever the sources say." in get(curator, detail(paper)).text
    assert "Pinned title: Misprint." in get(curator, f"/admin/papers/paper/{paper.pk}/history/").text


def test_a_pin_outlives_the_next_harvest_and_is_let_go_of(curator, paper):
    curator.post(address(paper, "pin", "title"), {"value": "The warp", "reason": "Misprint."})
    ingest_records(pairs(arxiv_record(title="The weft, again", stamp="2020-05-05")))
    assert Paper.objects.get().title == "The warp"
    response = curator.post(address(paper, "unpin", "title"), {"reason": "Mended upstream."})
    assert (response.status_code, response["Location"]) == (302, detail(paper))
    paper.refresh_from_db()
    assert (paper.title, paper.pinned) == ("The weft, again", {})
    assert LogEntry.objects.first().get_change_message() == "Unpinned title: Mended upstream."


def test_a_form_proposes_what_is_shown_or_what_a_source_says(curator, paper):
    page = get(curator, address(paper, "pin", "title"))
    assert page.one("//textarea[@name='value']") == "The weft"
    record = paper.source_records.get(format="raw")
    page = get(curator, f"{address(paper, 'pin', 'title')}?record={record.pk}")
    assert page.one("//textarea[@name='value']") == "The weft, revised"
    for unknown in ("0", "x", "9" * 30):
        page = get(curator, f"{address(paper, 'pin', 'title')}?record={unknown}")
        assert page.one("//textarea[@name='value']") == "The weft"
    page = get(curator, address(paper, "pin", "published_on"))
    assert page.value("//input[@name='value']/@value") == "2020-01-01"
    page = get(curator, address(paper, "pin", "status"))
    assert page.all("//select[@name='value']/option/@value") == ["current", "withdrawn", "retracted"]
    assert Paper.objects.get().pinned == {}


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("title", "", "This field is required."),
        ("title", " \u200b ", "A paper needs a title."),
        ("published_on", "2020-13", "is no date: write 2015, 2015-03 or 2015-03-04."),
        ("kind", "poem", "Select a valid choice. poem is not one of the available choices."),
        ("volume", "x" * 65, "Ensure this value has at most 64 characters (it has 65)."),
    ],
)
def test_a_value_that_will_not_do_is_said_beside_the_field(curator, paper, field, value, problem):
    response = curator.post(address(paper, "pin", field), {"value": value, "reason": "Because."})
    assert response.status_code == 200
    [said] = Page(response).texts("//ul[contains(@class, 'errorlist')]/li")
    assert problem in said
    assert (Paper.objects.get().pinned, LogEntry.objects.count()) == ({}, 0)


@pytest.mark.parametrize(
    ("action", "data"), [("pin", {"value": "The warp"}), ("unpin", {}), ("pin", {"value": "x", "reason": " "})]
)
def test_a_reason_is_asked_for(curator, paper, action, data):
    response = curator.post(address(paper, action, "title"), data)
    assert Page(response).texts("//ul[contains(@class, 'errorlist')]/li") == ["This field is required."]
    assert (Paper.objects.get().title, LogEntry.objects.count()) == ("The weft", 0)


def test_a_field_that_is_not_pinned_cannot_be_unpinned(curator, paper):
    response = curator.post(address(paper, "unpin", "venue"), {"reason": "Because."})
    assert Page(response).one("//p[@class='errornote']") == "'venue' of this paper is not pinned."
    assert LogEntry.objects.count() == 0


@pytest.mark.parametrize("field", ["arxiv_id", "doi", "authors", "pinned", "nothing", "is_demo"])
def test_other_fields_have_no_form(curator, paper, field):
    assert curator.get(address(paper, "pin", field)).status_code == 404
    assert curator.post(address(paper, "pin", field), {"value": "x", "reason": "y"}).status_code == 404
    assert curator.get("/admin/papers/paper/0/pin/title/").status_code == 404


@pytest.mark.parametrize("action", ["pin", "unpin"])
def test_permissions_and_methods(paper, action):
    seen = statuses("get", address(paper, action, "title"), "papers.view_paper", acting="papers.pin_paper")
    refused = {"anonymous": 302, "reader": 302, "staff": 403, "viewer": 403}
    assert seen == refused | {"actor": 200, "superuser": 200}
    assert statuses("post", address(paper, action, "title"), "papers.view_paper", acting="papers.pin_paper") == seen
    # The permission to pin alone does not open what may not be viewed.
    assert client_of(user_with("papers.pin_paper")).get(address(paper, action, "title")).status_code == 403
    admin = client_of(user_with(is_superuser=True))
    for method in ("put", "delete", "patch"):
        assert getattr(admin, method)(address(paper, action, "title")).status_code == 405
    assert (Paper.objects.get().pinned, LogEntry.objects.count()) == ({}, 0)


def test_a_forged_form_is_refused(user, paper):
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    assert client.post(address(paper, "pin", "title"), {"value": "x", "reason": "y"}).status_code == 403
    assert Paper.objects.get().pinned == {}
