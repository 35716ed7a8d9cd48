"""What a curator did last, kept in their session so that the next page can offer to take it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import cast

from django.http import HttpRequest

from researchers.services.merging import ActKind

_KEY = "curation_last_act"


@dataclass(frozen=True, slots=True)
class LastAct:
    """``numbers`` are those of events, assertions or proposals; an item that was put off or closed has only its own."""

    kind: ActKind
    numbers: tuple[int, ...]
    candidate: int | None
    text: str
    wakes: bool = False
    """Whether undoing must also put the item back: it was closed or put off by the same act."""

    @property
    def token(self) -> str:
        """What the banner's form carries, so that a page left open takes back nothing else."""
        return f"{self.kind}:{self.candidate or ''}:{'-'.join(map(str, self.numbers[:3]))}:{len(self.numbers)}"


def remember(
    request: HttpRequest,
    kind: ActKind,
    numbers: Sequence[int],
    *,
    candidate: int | None,
    text: str,
    wakes: bool = False,
) -> None:
    """Keep what was done, in place of what was done before."""
    request.session[_KEY] = asdict(LastAct(kind, tuple(numbers), candidate, text, wakes))


def recall(request: HttpRequest) -> LastAct | None:
    """What was done last, if it was not taken back."""
    kept = request.session.get(_KEY)
    if not kept:
        return None
    return LastAct(**{**kept, "numbers": tuple(cast("list[int]", kept["numbers"]))})


def forget(request: HttpRequest) -> None:
    """It is taken back."""
    request.session.pop(_KEY, None)
