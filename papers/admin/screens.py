"""The curators' screens of papers: what they share, and what a curator did last."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from papers.curating import ActKind
from papers.merging import ADAPTER
from papers.models import PaperCandidate
from wovepaper.curation.screens import CurationScreens
from wovepaper.curation.services import LeaseLost, lease, lease_next, release, waiting

_ACT = "paper_curation_last_act"
_FILTER = "paper_curation_filter"
_ATTEMPTS = 5
CONDITIONS: dict[str, dict[str, tuple[str, Q]]] = {
    "score": {
        "high": ("90% and more", Q(score__gte=0.9)),
        "likely": ("60% to 90%", Q(score__gte=0.6, score__lt=0.9)),
        "low": ("less than 60%", Q(score__lt=0.6)),
    },
    "conflict": {
        "yes": ("in conflict", Q(has_conflict=True)),
        "no": ("no conflict", Q(has_conflict=False)),
    },
}
"""The filters of the queue: parameter, value, label and condition."""


@dataclass(frozen=True, slots=True)
class LastAct:
    """What a curator did last. ``wakes`` says that undoing it puts its item back, which the act itself had closed."""

    kind: ActKind
    numbers: tuple[int, ...]
    candidate: int | None
    text: str
    wakes: bool = False

    @property
    def token(self) -> str:
        """What the banner's form carries, so that a page left open takes back nothing else."""
        return f"{self.kind}:{self.candidate or ''}:{'-'.join(map(str, self.numbers[:3]))}:{len(self.numbers)}"


def remember(
    request: HttpRequest, kind: ActKind, numbers: Sequence[int], *, candidate: int | None, text: str,
    wakes: bool = False,
) -> None:  # fmt: skip
    """Keep what was done, in place of what was done before."""
    request.session[_ACT] = asdict(LastAct(kind, tuple(numbers), candidate, text, wakes))


def recall(request: HttpRequest) -> LastAct | None:
    """What was done last, if it was not taken back."""
    kept = request.session.get(_ACT)
    return LastAct(**{**kept, "numbers": tuple(kept["numbers"])}) if kept else None


def forget(request: HttpRequest) -> None:
    """It is taken back."""
    request.session.pop(_ACT, None)


def banner(request: HttpRequest) -> dict[str, Any]:
    """What the banner with Undo needs."""
    return {"last_act": recall(request), "last_act_key": uuid.uuid4().hex}


def among(values: dict[str, str]) -> Q:
    """The condition of the filters with these values."""
    condition = Q()
    for name, choices in CONDITIONS.items():
        condition &= choices.get(values.get(name, ""), ("", Q()))[1]
    return condition


def kept(values: dict[str, Any]) -> dict[str, str]:
    """Those of the values that are a filter's."""
    return {name: str(values[name]) for name, choices in CONDITIONS.items() if str(values.get(name, "")) in choices}


def keep_filter(request: HttpRequest) -> None:
    """Remember which items this curator works through."""
    request.session[_FILTER] = kept(request.POST.dict())


def kept_filter(request: HttpRequest) -> dict[str, str]:
    """The values of the filters, by parameter."""
    return dict(request.session.get(_FILTER, {}))


def address(candidate: int) -> str:
    """The page that compares an item's papers."""
    return reverse("admin:papers_papercandidate_change", args=[candidate])


def to_next(request: HttpRequest, *, after: PaperCandidate | None = None) -> HttpResponse:
    """Lease the next free item and go there: what follows ``after``, then from the beginning again."""
    condition = among(kept_filter(request))
    number = None if after is None else after.pk
    actor: Any = request.user
    found: Sequence[Any] = []
    if after is not None:
        later = Q(score__lt=after.score) | Q(score=after.score, pk__gt=after.pk)
        found = lease_next(ADAPTER, actor=actor, among=condition & later, after=number)
    if not found:
        found = lease_next(ADAPTER, actor=actor, among=condition, after=number)
    if found:
        return HttpResponseRedirect(address(found[0].pk))
    if waiting(ADAPTER).filter(condition).exists():
        messages.info(request, "Nothing is free: others work on what is left. Try again in a few minutes.")
    else:
        messages.success(request, "Nothing is left to review here.")
    return HttpResponseRedirect(reverse("admin:papers_papercandidate_changelist"))


def to_previous(request: HttpRequest, *, before: PaperCandidate) -> HttpResponse:
    """Lease the nearest free item before this one and go there; stay where it is the first."""
    actor: Any = request.user
    earlier = Q(score__gt=before.score) | Q(score=before.score, pk__lt=before.pk)
    free = Q(leased_until=None) | Q(leased_until__lte=timezone.now()) | Q(leased_to=actor.pk)
    rows = waiting(ADAPTER).filter(earlier, free, among(kept_filter(request))).order_by("score", "-pk")
    for number in rows.values_list("pk", flat=True)[:_ATTEMPTS]:
        try:
            lease(ADAPTER, candidate=number, actor=actor)
        except LeaseLost:  # taken between the two
            continue
        release(ADAPTER, candidate=before.pk, actor=actor)
        return HttpResponseRedirect(address(number))
    messages.info(request, "This is the first of them.")
    return HttpResponseRedirect(address(before.pk))


class PaperCurationAdmin(CurationScreens):
    """A curators' screen of papers."""

    adapter = ADAPTER
    templates = "admin/papers/curation"

    def banner_of(self, request: HttpRequest) -> dict[str, Any]:
        """The banner of what the curator did last."""
        return banner(request)

    def filters_of(self, request: HttpRequest) -> dict[str, str]:
        """As the session keeps it."""
        return kept_filter(request)
