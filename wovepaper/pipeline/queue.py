"""The rows of the queue: putting objects in, claiming a batch, moving it on, noting a failure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from wovepaper.pipeline import registry
from wovepaper.pipeline.handover import hand_over_on_commit
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.registry import Stage

MAX_ATTEMPTS = 5
FIRST_BACK_OFF = 60
"""Seconds until the second attempt; each further one waits four times as long."""
ERROR_LENGTH = 4_000


@dataclass(frozen=True, slots=True)
class Claim:
    """Items this transaction holds: one object each in ``objects``, rising, and all rows that wait for them."""

    objects: tuple[int, ...]
    items: tuple[int, ...]


def enqueue(*, kind: str, ids: Iterable[int], stage: str | None = None, reason: str = "") -> int:
    """Let objects wait for a stage, by default the first one of their kind, in one statement.

    Part of the caller's transaction: the rows exist exactly if what made them necessary does. Returns the number of
    rows, which is 0 where this installation registers no such stage. Raises ``ValueError`` for a stage that cannot
    exist.
    """
    if stage is not None and stage not in registry.ORDER:
        raise ValueError(f"Unknown stage {stage!r}; stages are {', '.join(registry.ORDER)}.")
    first = next((known for known in registry.stages_for(kind) if stage in (None, known.name)), None)
    wanted = sorted(set(ids))
    if first is None or not wanted:
        return 0
    _insert(kind=kind, stage=first.name, objects=wanted, reason=reason)
    hand_over_on_commit()
    return len(wanted)


def _insert(*, kind: str, stage: str, objects: Sequence[int], reason: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO pipeline_workitem"
            " (kind, object_id, stage, reason, attempts, available_at, error, enqueued_at)"
            " SELECT %s, object_id, %s, %s, 0, now(), '', now() FROM unnest(%s::bigint[]) AS object_id",
            [kind, stage, reason, list(objects)],
        )


def claim(stage: Stage, *, limit: int, among: Sequence[int] | None = None) -> Claim:
    """Take up to ``limit`` objects that are due, or those ``among`` the given ones, for this transaction.

    All rows waiting for an object are taken together. An object of which another worker holds a row is left alone:
    that worker may have read it before its last change, so the two must not overlap.
    """
    due = "SELECT object_id FROM pipeline_workitem WHERE stage = %s AND kind = %s AND parked_at IS NULL"
    parameters: list[str | list[int]] = [stage.name, stage.kind]
    if among is not None:
        due += " AND object_id = ANY(%s)"
        parameters.append(list(among))
    due += " AND available_at <= statement_timestamp() ORDER BY object_id, id LIMIT %s FOR UPDATE SKIP LOCKED"
    with connection.cursor() as cursor:
        cursor.execute(due, [*parameters, limit])
        found = sorted({row[0] for row in cursor.fetchall()})
        if not found:
            return Claim((), ())
        waiting = (
            "SELECT id, object_id FROM pipeline_workitem"
            " WHERE stage = %s AND kind = %s AND parked_at IS NULL AND object_id = ANY(%s)"
        )
        cursor.execute(waiting, [stage.name, stage.kind, found])
        seen = dict(cursor.fetchall())
        cursor.execute(waiting + " ORDER BY object_id, id FOR UPDATE SKIP LOCKED", [stage.name, stage.kind, found])
        held = dict(cursor.fetchall())
    busy = {object_id for item, object_id in seen.items() if item not in held}
    return Claim(
        tuple(object_id for object_id in found if object_id not in busy),
        tuple(item for item, object_id in held.items() if object_id not in busy),
    )


def finish(stage: Stage, claimed: Claim) -> None:
    """Delete the claimed rows and let their objects wait for the next stage, each reason once.

    Rows of these objects that were parked at this stage are settled with them.
    """
    following = registry.stage_after(stage.kind, stage.name)
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM pipeline_workitem"
            " WHERE parked_at IS NOT NULL AND stage = %s AND kind = %s AND object_id = ANY(%s)",
            [stage.name, stage.kind, list(claimed.objects)],
        )
        if following is None:
            cursor.execute("DELETE FROM pipeline_workitem WHERE id = ANY(%s)", [list(claimed.items)])
            return
        cursor.execute(
            "WITH done AS (DELETE FROM pipeline_workitem WHERE id = ANY(%s) RETURNING kind, object_id, reason)"
            " INSERT INTO pipeline_workitem"
            " (kind, object_id, stage, reason, attempts, available_at, error, enqueued_at)"
            " SELECT DISTINCT kind, object_id, %s, reason, 0, now(), '', now() FROM done",
            [list(claimed.items), following.name],
        )


def note_failure(stage: Stage, claimed: Claim, error: BaseException) -> bool:
    """Count a failed attempt and set the rows back, or park them after the last. Returns whether they are parked."""
    text = f"{type(error).__name__}: {error}".replace("\x00", "\N{SYMBOL FOR NULL}")[:ERROR_LENGTH]
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pipeline_workitem SET error = %s, attempts = attempts + 1,"
            " available_at = statement_timestamp() + make_interval(secs => %s * power(4, attempts)),"
            " parked_at = CASE WHEN attempts + 1 >= %s THEN statement_timestamp() END"
            " WHERE id = ANY(%s) RETURNING parked_at IS NOT NULL",
            [text, FIRST_BACK_OFF, MAX_ATTEMPTS, list(claimed.items)],
        )
        return any(row[0] for row in cursor.fetchall())


def parked() -> QuerySet[WorkItem]:
    """Items that failed too often and wait for a person, the latest first."""
    return WorkItem.objects.filter(parked_at__isnull=False).order_by("-parked_at", "-id")


def waiting() -> QuerySet[WorkItem]:
    """Items that are not parked, due or not."""
    return WorkItem.objects.filter(parked_at=None)


def has_due_items() -> bool:
    """Whether a worker would find something to do now."""
    known = Q(pk__in=[])
    for stage in registry.all_stages():
        known |= Q(stage=stage.name, kind=stage.kind)
    return waiting().filter(known, available_at__lte=Now()).exists()


@transaction.atomic
def retry_parked(ids: Iterable[int] | None = None) -> int:
    """Give parked items (all of them by default) a fresh start. Returns how many there were."""
    items = parked() if ids is None else parked().filter(pk__in=list(ids))
    count = items.order_by().update(parked_at=None, attempts=0, available_at=Now(), error="")
    if count:
        hand_over_on_commit()
    return count
