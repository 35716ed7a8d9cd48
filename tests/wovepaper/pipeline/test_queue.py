"""What waits, and what becomes of it when a batch fails."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.wovepaper.pipeline.conftest import KIND, Line
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.registry import StageUnavailable
from wovepaper.pipeline.services import drain, enqueue, has_due_items, parked, retry_parked, waiting

pytestmark = pytest.mark.django_db


def rows(*fields: str) -> list[Any]:
    return list(WorkItem.objects.order_by("object_id", "id").values_list(*fields, flat=len(fields) == 1))


def make_due() -> None:
    WorkItem.objects.update(available_at=Now())


def failing_for(*bad: int) -> Any:
    def handle(ids: Sequence[int]) -> None:
        if set(ids) & set(bad):
            raise ValueError(f"cannot stand {sorted(set(ids) & set(bad))}")

    return handle


class TestEnqueue:
    def test_at_the_first_stage_once_each_in_one_statement(self, line: Line) -> None:
        line.add("index")
        line.add("embed")
        with CaptureQueriesContext(connection) as captured:
            assert enqueue(kind=KIND, ids=[3, 1, 3, 2], reason="test") == 3
        assert len(captured) == 1
        assert rows("kind", "object_id", "stage", "reason", "attempts", "error", "parked_at") == [
            (KIND, number, "embed", "test", 0, "", None) for number in (1, 2, 3)
        ]
        assert has_due_items() is True

    def test_at_a_stage_of_choice(self, line: Line) -> None:
        line.add("embed")
        line.add("index")
        assert enqueue(kind=KIND, ids=[1], stage="index") == 1
        assert rows("stage") == ["index"]

    def test_nothing(self, line: Line) -> None:
        line.add("index")
        with CaptureQueriesContext(connection) as captured:
            assert enqueue(kind=KIND, ids=[]) == 0
            assert enqueue(kind=KIND, ids=[1], stage="notify") == 0
            assert enqueue(kind="nobody's", ids=[1]) == 0
        assert len(captured) == 0

    def test_an_unknown_stage(self) -> None:
        with pytest.raises(ValueError, match="Unknown stage 'polish'"):
            enqueue(kind=KIND, ids=[1], stage="polish")


class TestDrain:
    def test_every_stage_in_order_and_nothing_is_left(self, line: Line) -> None:
        line.add("embed")
        line.add("index")
        enqueue(kind=KIND, ids=[2, 1])
        report = drain()
        assert line.batches == [("embed", [1, 2]), ("index", [1, 2])]
        assert (report.done, report.failed, report.parked, report.stopped) == ({"embed": 2, "index": 2}, {}, 0, {})
        assert report.total == 4
        assert rows("id") == []
        assert has_due_items() is False

    def test_batches(self, line: Line) -> None:
        line.add("index", batch_size=2)
        enqueue(kind=KIND, ids=range(1, 6))
        drain()
        assert line.batches == [("index", [1, 2]), ("index", [3, 4]), ("index", [5])]

    def test_what_waits_twice_is_worked_once(self, line: Line) -> None:
        line.add("embed", batch_size=2)
        line.add("index")
        for _ in range(3):
            enqueue(kind=KIND, ids=[1, 2, 3])
        drain()
        assert sorted(line.objects("embed")) == [1, 2, 3]
        assert line.objects("index") == [1, 2, 3]

    def test_the_reason_goes_along(self, line: Line) -> None:
        reasons: list[Any] = []
        line.add("embed")
        line.add("index", then=lambda ids: reasons.extend(rows("stage", "object_id", "reason")))
        enqueue(kind=KIND, ids=[1], reason="one")
        enqueue(kind=KIND, ids=[1], reason="two")
        drain()
        assert sorted(reasons) == [("index", 1, "one"), ("index", 1, "two")]

    def test_only_some_stages(self, line: Line) -> None:
        line.add("embed")
        line.add("index")
        enqueue(kind=KIND, ids=[1])
        drain(stages=["index"])
        assert line.batches == []
        drain(stages=["embed"])
        assert rows("stage") == ["index"]

    def test_a_limit(self, line: Line) -> None:
        line.add("index", batch_size=2)
        enqueue(kind=KIND, ids=range(1, 8))
        assert drain(limit=3).total == 3
        assert rows("object_id") == [4, 5, 6, 7]

    def test_no_time_left(self, line: Line) -> None:
        line.add("index")
        enqueue(kind=KIND, ids=[1])
        assert drain(time_budget=0).total == 0
        assert rows("object_id") == [1]

    def test_progress(self, line: Line) -> None:
        line.add("index", batch_size=2)
        enqueue(kind=KIND, ids=[1, 2, 3])
        seen: list[tuple[str, int]] = []
        drain(on_progress=lambda stage, count: seen.append((stage, count)))
        assert seen == [("index", 2), ("index", 1)]

    def test_not_before_its_time(self, line: Line) -> None:
        line.add("index")
        enqueue(kind=KIND, ids=[1])
        WorkItem.objects.update(available_at=timezone.now() + dt.timedelta(hours=1))
        assert has_due_items() is False
        assert drain().total == 0

    def test_what_is_enqueued_by_a_stage_is_worked_on_in_the_same_drain(self, line: Line) -> None:
        def again(ids: Sequence[int]) -> None:
            if 1 in ids:
                enqueue(kind=KIND, ids=[9], stage="embed")

        line.add("embed")
        line.add("index", then=again)
        enqueue(kind=KIND, ids=[1])
        drain()
        assert line.batches == [("embed", [1]), ("index", [1]), ("embed", [9]), ("index", [9])]

    def test_a_batch_takes_a_fixed_number_of_statements(self, line: Line) -> None:
        line.add("index")

        def statements(count: int) -> int:
            enqueue(kind=KIND, ids=range(1, count + 1))
            with CaptureQueriesContext(connection) as captured:
                drain()
            return len(captured)

        assert statements(1) == statements(400)


class TestFailure:
    def test_the_guilty_are_singled_out_and_the_rest_goes_on(self, line: Line) -> None:
        line.add("embed", then=failing_for(7, 30))
        line.add("index")
        enqueue(kind=KIND, ids=range(1, 41))
        report = drain()
        assert sorted(line.objects("index")) == [number for number in range(1, 41) if number not in (7, 30)]
        assert (report.done, report.failed) == ({"embed": 38, "index": 38}, {"embed": 2})
        assert rows("object_id", "attempts", "error", "parked_at") == [
            (7, 1, "ValueError: cannot stand [7]", None),
            (30, 1, "ValueError: cannot stand [30]", None),
        ]

    def test_back_off_grows_until_the_item_is_parked(self, line: Line) -> None:
        line.add("index", then=failing_for(1))
        enqueue(kind=KIND, ids=[1])
        waits = []
        for _ in range(4):
            now = timezone.now()
            assert drain().failed == {"index": 1}
            waits.append(round((WorkItem.objects.get().available_at - now).total_seconds(), -1))
            assert drain().failed == {}
            make_due()
        assert waits == [60, 240, 960, 3840]
        report = drain()
        assert report.parked == 1
        item = parked().get()
        assert (item.object_id, item.attempts, item.error) == (1, 5, "ValueError: cannot stand [1]")
        make_due()
        assert drain().failed == {}
        assert waiting().count() == 0

    def test_a_parked_item_gets_a_fresh_start(self, line: Line) -> None:
        bad = {1, 2}

        def handle(ids: Sequence[int]) -> None:
            if set(ids) & bad:
                raise ValueError

        line.add("index", then=handle)
        enqueue(kind=KIND, ids=[1, 2])
        for _ in range(5):
            drain()
            make_due()
        assert parked().count() == 2
        bad.clear()
        assert retry_parked([parked().get(object_id=1).pk]) == 1
        assert rows("object_id", "attempts", "error") == [(1, 0, ""), (2, 5, "ValueError: ")]
        assert drain().done == {"index": 1}
        assert retry_parked() == 1
        assert drain().done == {"index": 1}
        assert rows("id") == []

    def test_a_parked_item_is_settled_when_the_object_goes_through_later(self, line: Line) -> None:
        line.add("index")
        enqueue(kind=KIND, ids=[1, 2])
        WorkItem.objects.update(parked_at=timezone.now())
        enqueue(kind=KIND, ids=[1])
        drain()
        assert rows("object_id") == [2]

    def test_what_the_handler_wrote_before_it_failed_is_gone(self, line: Line) -> None:
        def handle(ids: Sequence[int]) -> None:
            enqueue(kind=KIND, ids=[100 + number for number in ids], stage="index")
            raise ValueError

        line.add("index", then=handle)
        enqueue(kind=KIND, ids=[1])
        drain()
        assert rows("object_id") == [1]

    def test_a_failure_of_the_database_in_a_handler_is_like_any_other(self, line: Line) -> None:
        def handle(ids: Sequence[int]) -> None:
            if 2 in ids:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT 1 / 0")

        line.add("index", then=handle)
        enqueue(kind=KIND, ids=[1, 2, 3])
        report = drain()
        assert (report.done, report.failed) == ({"index": 2}, {"index": 1})
        assert rows("object_id", "error") == [(2, "DataError: division by zero")]

    def test_a_stage_that_is_not_available_costs_nobody_an_attempt(self, line: Line) -> None:
        def handle(ids: Sequence[int]) -> None:
            raise StageUnavailable("The index is being rebuilt.")

        line.add("embed", then=handle)
        line.add("index")
        enqueue(kind=KIND, ids=[1, 2])
        enqueue(kind=KIND, ids=[3], stage="index")
        report = drain()
        assert report.stopped == {"embed": "The index is being rebuilt."}
        assert (report.done, report.failed) == ({"index": 1}, {})
        assert rows("object_id", "stage", "attempts") == [(1, "embed", 0), (2, "embed", 0)]

    def test_a_stage_in_which_everything_fails_is_given_up_for_this_time(self, line: Line) -> None:
        line.add("index", then=failing_for(*range(1, 101)))
        enqueue(kind=KIND, ids=range(1, 101))
        report = drain()
        assert report.failed == {"index": 8}
        assert report.stopped == {"index": "8 objects in a row failed; the last: ValueError: cannot stand [8]"}
        assert WorkItem.objects.filter(attempts=0).count() == 92

    def test_many_bad_ones_do_not_keep_the_good_ones_behind_them_for_ever(self, line: Line) -> None:
        line.add("index", then=failing_for(*range(1, 21)))
        enqueue(kind=KIND, ids=range(1, 31))
        drains = 0
        while drain().total == 0:
            drains += 1
            assert drains < 4
        assert sorted(rows("object_id")) == list(range(1, 21))

    def test_an_error_with_a_nul(self, line: Line) -> None:
        def handle(ids: Sequence[int]) -> None:
            raise ValueError("a\x00b")

        line.add("index", then=handle)
        enqueue(kind=KIND, ids=[1])
        drain()
        assert rows("error") == ["ValueError: a␀b"]
