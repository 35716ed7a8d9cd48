"""The stages of the pipeline, registered by the apps in the order in which an object passes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

ORDER = ("affiliate", "attribute", "link", "embed", "index", "notify")
"""Every stage there can be; an installation runs those that some app registered for the kind of object."""


class StageUnavailable(Exception):
    """A stage cannot work at all just now, whatever the objects: nothing is counted against them."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One step for one kind of object.

    ``handle`` takes distinct ids in rising order and is idempotent. It may raise: then the batch is taken apart until
    the objects at fault are found. ``StageUnavailable`` leaves the whole batch for the next time.
    """

    name: str
    kind: str
    handle: Callable[[Sequence[int]], None]
    batch_size: int = 500


_stages: dict[tuple[str, str], Stage] = {}


def register(stage: Stage) -> None:
    """Add a stage. Raises ``ValueError`` for a name outside ``ORDER`` or a stage that another function handles."""
    if stage.name not in ORDER:
        raise ValueError(f"Unknown stage {stage.name!r}; stages are {', '.join(ORDER)}.")
    known = _stages.get((stage.kind, stage.name))
    if known is not None and known.handle is not stage.handle:
        raise ValueError(f"Two handlers want the stage {stage.name!r} of {stage.kind!r}.")
    _stages[stage.kind, stage.name] = stage


def unregister(*, kind: str, name: str) -> None:
    """Take a stage away again; unknown ones are ignored."""
    _stages.pop((kind, name), None)


def stages_for(kind: str) -> list[Stage]:
    """The stages of a kind, in order."""
    return [_stages[kind, name] for name in ORDER if (kind, name) in _stages]


def all_stages() -> list[Stage]:
    """Every registered stage, in the order of the line."""
    return [stage for name in ORDER for (_, stage_name), stage in sorted(_stages.items()) if stage_name == name]


def stage_after(kind: str, name: str) -> Stage | None:
    """The stage that follows ``name`` for this kind, or ``None`` at the end."""
    later = ORDER[ORDER.index(name) + 1 :]
    return next((_stages[kind, candidate] for candidate in later if (kind, candidate) in _stages), None)
