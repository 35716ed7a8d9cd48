"""Parked work in the admin: seen, understood, tried again."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.admin_people import client_of, statuses, user_with
from tests.html import get
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db
URL = "/admin/pipeline/workitem/"
VIEW, CHANGE = "pipeline.view_workitem", "pipeline.change_workitem"
AT = dt.datetime(2025, 6, 3, 5, tzinfo=dt.UTC)
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def viewer():
    return client_of(user_with(VIEW))


@pytest.fixture
def keeper():
    return client_of(user_with(VIEW, CHANGE))


def item(number: int, *, parked: bool = True, **values) -> WorkItem:
    return WorkItem.objects.create(**{
        "kind": "thing", "object_id": number, "stage": "index", "available_at": AT, "enqueued_at": AT,
        "parked_at": AT + dt.timedelta(minutes=number) if parked else None,
        "attempts": 5 if parked else 0, "error": "ValueError: no\nmore" if parked else "", **values,
    })  # fmt: skip


def rows(page) -> list[str]:
    """Cells of a row with a bar between."""
    found = page.all("//table[@id='result_list']/tbody/tr")
    return ["|".join(" ".join(cell.text_content().split()) for cell in row.xpath("./*")) for row in found]


def messages(client) -> list[str]:
    return get(client, URL).texts("//ul[@class='messagelist']/li")


def test_parked_items_are_listed_with_their_errors(viewer):
    item(1)
    item(2, stage="embed")
    item(3, parked=False)
    page = get(viewer, URL)
    assert rows(page) == [
        "thing 2|embed|5|ValueError: no more|2025-06-03 05:00|2025-06-03 05:00|2025-06-03 05:02",
        "thing 1|index|5|ValueError: no more|2025-06-03 05:00|2025-06-03 05:00|2025-06-03 05:01",
    ]
    assert "Parked: 1 at embed (thing), 1 at index (thing)" in page.texts("//p[@class='list-end']")
    assert rows(get(viewer, f"{URL}?state=waiting")) == ["thing 3|index|0|—|2025-06-03 05:00|2025-06-03 05:00|—"]
    assert len(rows(get(viewer, f"{URL}?stage=index"))) == 1
    assert page.all("//button[text()='Try all parked again']") == []


def test_an_empty_queue_says_so(viewer):
    assert "Parked: nothing." in get(viewer, URL).texts("//p[@class='list-end']")


def test_an_error_is_shown_whole_and_as_text(viewer):
    parked = item(1, error=f"ValueError: {SCRIPT}\n  second line")
    page = get(viewer, f"{URL}{parked.pk}/change/")
    assert page.value("//pre[@class='payload']/text()") == f"ValueError: {SCRIPT}\n  second line"
    assert [script for script in page.all("//script") if "alert" in (script.text or "")] == []
    assert page.all("//button[text()='Try again']") == []


def test_one_item_is_tried_again(keeper):
    parked, other = item(1), item(2)
    page = get(keeper, f"{URL}{parked.pk}/change/")
    response = keeper.post(page.value("//form[button[text()='Try again']]/@action"))
    assert (response.status_code, response["Location"]) == (302, URL)
    parked.refresh_from_db()
    assert (parked.parked_at, parked.attempts, parked.error) == (None, 0, "")
    assert parked.available_at <= timezone.now()
    assert messages(keeper) == ["1 item will be tried again."]
    assert list(WorkItem.objects.filter(parked_at__isnull=False)) == [other]
    keeper.post(f"{URL}{parked.pk}/retry/")
    assert messages(keeper) == ["Nothing is parked among them: there is nothing to try again."]


def test_chosen_items_are_tried_again(keeper):
    first, second, third = item(1), item(2), item(3)
    keeper.post(URL, {"action": "try_again", "_selected_action": [first.pk, third.pk]})
    assert list(WorkItem.objects.filter(parked_at__isnull=False)) == [second]
    assert messages(keeper) == ["2 items will be tried again."]


def test_all_items_are_tried_again(keeper):
    item(1)
    item(2)
    page = get(keeper, URL)
    keeper.post(page.value("//form[button[text()='Try all parked again']]/@action"))
    assert WorkItem.objects.filter(parked_at__isnull=False).count() == 0


def test_who_may_do_what():
    parked = item(1, parked=False)
    looking = {"anonymous": 302, "reader": 302, "staff": 403, "viewer": 200, "actor": 200, "superuser": 200}
    acting = {"anonymous": 302, "reader": 302, "staff": 403, "viewer": 403, "actor": 302, "superuser": 302}
    assert statuses("get", URL, VIEW, acting=CHANGE) == looking
    assert statuses("get", f"{URL}{parked.pk}/change/", VIEW, acting=CHANGE) == looking
    assert statuses("post", f"{URL}{parked.pk}/retry/", VIEW, acting=CHANGE) == acting
    assert statuses("post", f"{URL}retry-all/", VIEW, acting=CHANGE) == acting
    admin = client_of(user_with(is_superuser=True))
    assert admin.get(f"{URL}{parked.pk}/retry/").status_code == 405
    assert admin.get(f"{URL}retry-all/").status_code == 405
    assert admin.post(f"{URL}0/retry/").status_code == 404
    assert admin.post(f"{URL}{parked.pk}/change/", {"kind": "x"}).status_code == 403
    assert admin.post(f"{URL}{parked.pk}/delete/", {"post": "yes"}).status_code == 403
    item(2)
    page = get(client_of(user_with(VIEW)), URL)
    assert page.all("//select[@name='action']/option[@value='try_again']") == []


def test_queries_do_not_grow_with_the_rows(viewer):
    counts = []
    for number in (1, 20):
        for each in range(number):
            item(each)
        with CaptureQueriesContext(connection) as queries:
            get(viewer, URL)
        counts.append(len(queries))
    assert counts[0] == counts[1]
