"""The volume brake: a source that suddenly sends mostly rubbish, or leaves a field out, is not believed. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wovepaper.harvest.options import HarvestOptions

_HISTORY = 10_000
"""Records after which a profile counts the older half less, so that it follows slow change."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Of ``records`` records, in how many each field was filled."""

    records: int = 0
    filled: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, parsed: Iterable[Any]) -> Profile:
        """Count the fields of dataclasses or mappings; anything else has none."""
        records = 0
        filled: dict[str, int] = {}
        for item in parsed:
            records += 1
            for name, value in _fields(item):
                filled[name] = filled.get(name, 0) + (not _is_empty(value))
        return cls(records, filled)

    def __add__(self, other: Profile) -> Profile:
        names = self.filled.keys() | other.filled.keys()
        summed = {name: self.filled.get(name, 0) + other.filled.get(name, 0) for name in sorted(names)}
        records = self.records + other.records
        if records > _HISTORY:
            return Profile(records // 2, {name: count // 2 for name, count in summed.items()})
        return Profile(records, summed)


def _fields(item: Any) -> Iterable[tuple[str, Any]]:
    if dataclasses.is_dataclass(item):
        return ((each.name, getattr(item, each.name)) for each in dataclasses.fields(item))
    if isinstance(item, Mapping):
        return item.items()
    return ()


def _is_empty(value: Any) -> bool:
    return value is None or (hasattr(value, "__len__") and len(value) == 0)


def why_refused_too_much(*, refused: int, seen: int, options: HarvestOptions, where: str) -> str | None:
    """The reason to stop when too large a share is refused; ``None`` when all is well."""
    if seen < options.brake_records or refused <= options.brake_share * seen:
        return None
    return f"{refused} of {seen} records of the {where} were refused: the source's format may have changed."


def why_field_vanished(*, now: Profile, before: Profile, options: HarvestOptions) -> str | None:
    """The reason to stop when a field that used to be filled is now empty everywhere; ``None`` when all is well."""
    if now.records < options.brake_records or before.records < options.brake_history:
        return None
    gone = [
        name
        for name, count in before.filled.items()
        if count >= options.brake_filled * before.records and not now.filled.get(name, 0)
    ]
    if not gone:
        return None
    names = " and ".join(repr(name) for name in sorted(gone))
    return f"The field {names} is empty in all {now.records} records, and used to be filled."
