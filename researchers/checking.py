"""Proof that the figures beside researchers follow from their papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from researchers.counts import BATCH, KIND, WrongFigures, find_wrong
from researchers.models import Researcher
from wovepaper.curation.services import Fault
from wovepaper.pipeline.services import waiting

SAMPLE = 10_000
"""Researchers whose figures are counted again where nobody asks for all."""
_MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class CheckedFigures:
    """How many researchers' figures were counted again, how many wait for the pipeline, and what is wrong."""

    checked: int
    waiting: int
    faults: tuple[Fault, ...]


def check_figures(*, sample: int | None = SAMPLE, advance: Callable[[int], None] | None = None) -> CheckedFigures:
    """Count the figures of ``sample`` researchers by chance again, or of all for ``None``. Writes nothing.

    Who waits for the pipeline may have old figures and is passed over; who is parked there is not. ``advance`` is
    called with numbers of researchers that are done.
    """
    everybody = Researcher.objects.order_by("pk" if sample is None else "?").values_list("pk", flat=True)
    chosen = sorted(everybody if sample is None else everybody[:sample])
    wrong: list[WrongFigures] = []
    checked = 0
    for start in range(0, len(chosen), BATCH):
        batch = chosen[start : start + BATCH]
        ready = _not_waiting(batch)
        # What changed between the two looks waits by now; what did not is looked at once more.
        suspects = _not_waiting([one.researcher for one in find_wrong(ready)])
        wrong += find_wrong(suspects)
        checked += len(ready)
        if advance is not None:
            advance(len(batch))
    return CheckedFigures(checked, len(chosen) - checked, tuple(_faults(wrong)))


def _not_waiting(researchers: Sequence[int]) -> list[int]:
    busy = set(waiting().filter(kind=KIND, object_id__in=researchers).order_by().values_list("object_id", flat=True))
    return [one for one in researchers if one not in busy]


def _faults(wrong: Sequence[WrongFigures]) -> list[Fault]:
    if not wrong:
        return []
    examples = [f"researcher {one.researcher}: {', '.join(one.names)}" for one in wrong[:_MOST_NAMED]]
    return [Fault("figures that do not follow from the papers", len(wrong), tuple(examples))]
