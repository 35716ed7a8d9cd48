"""Versions and the log: every human change raises the version of what it touched and leaves one log entry for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import F

from wovepaper.curation.adapter import Action, Actor, Adapter
from wovepaper.curation.errors import Change, Conflict, KeyReused, NotPermitted, ReasonMissing
from wovepaper.curation.models import MergeEventModel


def require(adapter: Adapter, actor: Actor, action: Action) -> None:
    """Raises ``NotPermitted`` unless the account may."""
    if not may(adapter, actor, action):
        raise NotPermitted(f"Your account may not {action.value}: it needs {adapter.permissions[action]}.")


def may(adapter: Adapter, actor: Actor, action: Action) -> bool:
    """Whether the account may."""
    return actor.has_perm(adapter.permissions[action])


def require_reason(reason: str) -> str:
    """The reason without blanks around it. Raises ``ReasonMissing``."""
    if not reason.strip():
        raise ReasonMissing("Give a reason: others will read it in the history.")
    return reason.strip()


def compare_versions(adapter: Adapter, seen: Mapping[int, int], now: Mapping[int, int]) -> None:
    """Raises ``Conflict`` where an object is not the version the form showed, or the form did not say."""
    changes = [
        Change(
            subject,
            adapter.label(subject),
            seen.get(subject, 0),
            version,
            entries_since(adapter, subject, seen, version),
        )
        for subject, version in sorted(now.items())
        if seen.get(subject) != version
    ]
    if changes:
        raise Conflict(changes)


def entries_since(adapter: Adapter, subject: int, seen: Mapping[int, int], now: int) -> tuple[LogEntry, ...]:
    """What happened to an object since a version, oldest first: as many log entries as its version has risen."""
    behind = now - seen.get(subject, now)
    if behind <= 0:
        return ()
    entries = LogEntry.objects.select_related("user").filter(
        content_type=ContentType.objects.get_for_model(adapter.objects), object_id=str(subject)
    )
    return tuple(reversed(entries.order_by("-id")[:behind]))


def raise_versions(adapter: Adapter, subjects: Iterable[int]) -> dict[int, int]:
    """Count a human change of these objects; returns their versions after it."""
    objects = adapter.objects._default_manager.filter(pk__in=set(subjects))
    objects.update(version=F("version") + 1)
    return dict(objects.values_list("pk", "version"))


def write_log(adapter: Adapter, actor: Actor, messages: Mapping[int, str]) -> None:
    """One entry in Django's log for each object. Call it with exactly the objects whose version was raised.

    What no account did (``actor.pk`` is ``None``) raises no version and stands in the events alone.
    """
    if actor.pk is None:
        return
    content_type = ContentType.objects.get_for_model(adapter.objects)
    LogEntry.objects.bulk_create(
        LogEntry(
            user_id=actor.pk,
            content_type=content_type,
            object_id=str(subject),
            object_repr=adapter.label(subject),
            action_flag=CHANGE,
            change_message=message,
        )
        for subject, message in sorted(messages.items())
    )


def find_event(adapter: Adapter, key: str, *, kind: str, loser: int, survivor: int | None) -> MergeEventModel | None:
    """The event that a request with this key made before. Raises ``KeyReused`` if that was another request."""
    if not key:
        raise KeyReused("A request needs an idempotency key of its own.")
    event = adapter.events._default_manager.filter(idempotency_key=key).first()
    if event is None:
        return None
    if (event.kind, event.loser_id) != (kind, loser) or survivor not in (None, event.survivor_id):
        raise KeyReused("This form was sent before with other content. Open the page again.")
    return event


def versions_as_json(versions: Mapping[int, int]) -> dict[str, int]:
    """Numbers as JSON has them: text."""
    return {str(subject): version for subject, version in versions.items()}
