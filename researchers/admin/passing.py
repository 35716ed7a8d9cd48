"""From one item of the queue to the next or the one before, each leased to one curator."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from researchers.admin.filters import among, kept
from researchers.merging import ADAPTER
from researchers.models import Candidate
from wovepaper.curation.services import LeaseLost, lease, lease_next, release, waiting

_FILTER = "curation_filter"
ATTEMPTS = 5


def keep_filter(request: HttpRequest) -> None:
    """Remember which items this curator works through."""
    request.session[_FILTER] = kept(request.POST)


def kept_filter(request: HttpRequest) -> dict[str, str]:
    """The values of the filters, by parameter."""
    return dict(request.session.get(_FILTER, {}))


def address(candidate: int) -> str:
    """The page that compares an item's researchers."""
    return reverse("admin:researchers_candidate_change", args=[candidate])


def to_next(request: HttpRequest, *, after: Candidate | None = None) -> HttpResponse:
    """Lease the next free item and go there: what follows ``after``, then from the beginning again."""
    condition = among(kept_filter(request))
    number = None if after is None else after.pk
    found: list[Candidate] = []
    if after is not None:
        later = Q(score__lt=after.score) | Q(score=after.score, pk__gt=after.pk)
        found = lease_next(ADAPTER, actor=request.user, among=condition & later, after=number)  # type: ignore[arg-type,assignment]
    if not found:
        found = lease_next(ADAPTER, actor=request.user, among=condition, after=number)  # type: ignore[arg-type,assignment]
    if found:
        return HttpResponseRedirect(address(found[0].pk))
    return _nothing_more(request)


def to_previous(request: HttpRequest, *, before: Candidate) -> HttpResponse:
    """Lease the nearest free item before this one and go there; stay where it is the first."""
    earlier = Q(score__gt=before.score) | Q(score=before.score, pk__lt=before.pk)
    free = Q(leased_until=None) | Q(leased_until__lte=timezone.now()) | Q(leased_to=request.user.pk)
    rows = waiting(ADAPTER).filter(earlier, free, among(kept_filter(request))).order_by("score", "-pk")
    for number in rows.values_list("pk", flat=True)[:ATTEMPTS]:
        try:
            lease(ADAPTER, candidate=number, actor=request.user)  # type: ignore[arg-type]
        except LeaseLost:  # taken between the two
            continue
        release(ADAPTER, candidate=before.pk, actor=request.user)  # type: ignore[arg-type]
        return HttpResponseRedirect(address(number))
    messages.info(request, "This is the first of them.")
    return HttpResponseRedirect(address(before.pk))


def left(request: HttpRequest) -> int:
    """How many items of the filter wait."""
    return waiting(ADAPTER).filter(among(kept_filter(request))).count()


def _nothing_more(request: HttpRequest) -> HttpResponse:
    condition = among(kept_filter(request))
    if waiting(ADAPTER).filter(condition).exists():
        messages.info(request, "Nothing is free: others work on what is left. Try again in a few minutes.")
    else:
        messages.success(request, "Nothing is left to review here.")
    return HttpResponseRedirect(reverse("admin:researchers_candidate_changelist"))
