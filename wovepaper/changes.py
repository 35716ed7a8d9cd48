"""What became of identifiers: merges, splits and their undoing, of papers, people and institutions, in one feed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any, Literal

from django.conf import settings
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router

from institutions.models import MergeEvent as InstitutionEvent
from papers.models import PaperMergeEvent
from researchers.models import MergeEvent as ResearcherEvent
from wovepaper.rest.answers import page, place_of, read_select
from wovepaper.rest.interface import answers
from wovepaper.rest.problems import Fault, Problem, bad_parameter
from wovepaper.rest.schemas import ListOf, PageParameters, Selectable

router = Router(tags=["Identity"])
EVENTS: dict[str, type[Model]] = {
    "institution": InstitutionEvent, "paper": PaperMergeEvent, "researcher": ResearcherEvent,
}  # fmt: skip
"""In the order in which events of one moment are told."""
EARLIEST, LATEST = dt.datetime(1900, 1, 1, tzinfo=dt.UTC), dt.datetime(2200, 1, 1, tzinfo=dt.UTC)

TypeName = Literal["paper", "researcher", "institution"]


class ChangeOut(Selectable):
    """A merge (old goes by new from now on), a split (a part of old goes by new), or the undoing of one of them."""

    id: str
    type: TypeName
    kind: Literal["merge", "split", "undo"]
    old_id: int
    old_url: str
    new_id: int
    new_url: str
    undoes: str | None = Field(description="The id of the change that is taken back.")
    at: dt.datetime


class ChangeList(ListOf[ChangeOut]):
    """A page of changes, the oldest first."""


class ChangeParameters(PageParameters):
    """What the feed of changes takes."""

    type: TypeName | None = None
    since: dt.datetime | None = Field(None, description="Changes from this moment on; UTC unless it says otherwise.")


@router.get(
    "/identity/changes", response=answers(ChangeList, "bad-cursor", "unknown-parameter"),
    operation_id="listChanges", url_name="changes", summary="What was merged, split and undone",
)  # fmt: skip
def changes(request: HttpRequest, asked: Query[ChangeParameters]) -> HttpResponse:
    """The oldest first. To follow the feed, ask again with `since` some minutes before the last `at`, and pass over the
    ids that you know.
    """
    wanted = read_select(asked.select, ChangeOut)
    kinds = [asked.type] if asked.type else list(EVENTS)
    since = _moment(asked.since) if asked.since else None
    rows = {kind: _rows(kind, since) for kind in kinds}
    place = _read_place(place_of(request))
    told: list[ChangeOut] = []
    for kind, events in rows.items():
        beyond = events if place is None else events.filter(_beyond(kind, place))
        told += _told(kind, beyond.order_by("created_at", "pk")[: asked.limit + 1])
    told.sort(key=_key)
    shown = told[: asked.limit]
    count = sum(events.count() for events in rows.values())
    following = _write_place(shown[-1]) if len(told) > asked.limit else None
    return page(request, shown, wanted=wanted, following=following, count=count)


def _rows(kind: str, since: dt.datetime | None) -> QuerySet[Any]:
    events = EVENTS[kind]._default_manager.all()
    return events.filter(created_at__gte=since) if since else events


def _told(kind: str, events: QuerySet[Any]) -> Iterator[ChangeOut]:
    for event in events.values("pk", "kind", "loser_id", "survivor_id", "undoes_id", "created_at"):
        yield ChangeOut(
            id=f"{kind}-{event['pk']}",
            type=kind,  # type: ignore[arg-type]
            kind=event["kind"],
            old_id=event["loser_id"],
            old_url=f"{settings.SITE_URL}/{kind}s/{event['loser_id']}",
            new_id=event["survivor_id"],
            new_url=f"{settings.SITE_URL}/{kind}s/{event['survivor_id']}",
            undoes=f"{kind}-{event['undoes_id']}" if event["undoes_id"] else None,
            at=event["created_at"],
        )


def _key(change: ChangeOut) -> tuple[dt.datetime, str, int]:
    return change.at, change.type, int(change.id.rpartition("-")[2])


def _beyond(kind: str, place: tuple[dt.datetime, str, int]) -> Q:
    """Events of this kind that come after a place in the feed, whose order is moment, kind, number."""
    moment, kind_there, number = place
    if kind < kind_there:
        return Q(created_at__gt=moment)
    if kind > kind_there:
        return Q(created_at__gte=moment)
    return Q(created_at__gt=moment) | Q(created_at=moment, pk__gt=number)


def _write_place(change: ChangeOut) -> str:
    moment, kind, number = _key(change)
    return f"{moment.astimezone(dt.UTC).isoformat()} {kind} {number}"


def _read_place(text: str) -> tuple[dt.datetime, str, int] | None:
    if not text:
        return None
    try:
        moment, kind, number = text.split(" ")
        return dt.datetime.fromisoformat(moment), kind, int(number)
    except ValueError:
        message = "This cursor is of another list."
        raise Problem("bad-cursor", message, [Fault("cursor", message)]) from None


def _moment(given: dt.datetime) -> dt.datetime:
    try:
        aware = given if given.tzinfo else given.replace(tzinfo=dt.UTC)
        moment = aware.astimezone(dt.UTC)
    except (OverflowError, ValueError):
        moment = dt.datetime.min.replace(tzinfo=dt.UTC)
    if not EARLIEST <= moment <= LATEST:
        raise bad_parameter("since", "Give a moment between 1900 and 2200, such as 2026-03-01T12:00:00Z.")
    return moment
