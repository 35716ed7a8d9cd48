"""Field choices of merges: writing them, and giving a field back when its merge is undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wovepaper.curation.adapter import Adapter, Ids
from wovepaper.curation.errors import ChoiceRefused
from wovepaper.curation.models import MergeEventModel


@dataclass(frozen=True, slots=True)
class FieldsBack:
    """What an undo does to the survivor's fields: ``restored`` to these values, ``kept`` because they changed since."""

    restored: dict[str, Any]
    kept: tuple[str, ...]


def write_choices(
    adapter: Adapter, survivor: int, choices: Mapping[str, Any], *, losers: Ids, survivors: Ids
) -> dict[str, dict[str, Any]]:
    """Write what was chosen where it differs; returns ``{field: {before, after}}``. Raises ``ChoiceRefused``."""
    if not choices:
        return {}
    allowed = adapter.choices(losers, survivors)
    for field, value in choices.items():
        if value not in allowed.get(field, ()):
            raise ChoiceRefused(f"{field}: choose one of the values shown.")
    present = adapter.read_fields(survivor)
    values = {field: value for field, value in choices.items() if present[field] != value}
    if values:
        adapter.write_fields(survivor, values)
    return {field: {"before": present[field], "after": value} for field, value in values.items()}


def plan_fields_back(adapter: Adapter, event: MergeEventModel, *, leaving: Ids = frozenset()) -> FieldsBack:
    """What undoing ``event``, by which ``leaving`` leave the component, means for fields.

    A field goes back only if it still holds what this merge wrote and no later merge in force wrote it. It goes back
    to what it was before the merge; where that came from a merge undone since, to what was before that one, and so on.
    So undoing all merges in any order restores the beginning.
    """
    present = adapter.read_fields(event.survivor_id)
    restored, kept = {}, []
    writers = adapter.events._default_manager.filter(kind="merge", survivor=event.survivor_id)
    for field, change in event.field_changes.items():
        others = writers.filter(field_changes__has_key=field)
        if present[field] != change["after"] or others.filter(live=True, pk__gt=event.pk).exists():
            kept.append(field)
            continue
        value = change["before"]
        for earlier in others.filter(pk__lt=event.pk).order_by("-pk"):
            wrote = earlier.field_changes[field]
            if earlier.live:
                break
            if wrote["after"] == value:
                value = wrote["before"]
        if value == present[field] or adapter.may_show(event.survivor_id, field, value, leaving=leaving):
            restored[field] = value
        else:
            kept.append(field)
    return FieldsBack(restored, tuple(kept))
