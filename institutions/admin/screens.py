"""What the curators' screens of institutions share: what was done last, and the way to the next item."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from institutions.merging import ADAPTER
from wovepaper.curation.screens import CurationScreens
from wovepaper.curation.services import lease_next, waiting

_LAST_ACT = "curation_last_act_institutions"


class InstitutionScreens(CurationScreens):
    """A curators' screen: seen by whoever may review duplicate institutions."""

    adapter = ADAPTER
    templates = "admin/institutions"

    def banner_of(self, request: HttpRequest) -> dict[str, Any]:
        """What was done last, if it was not taken back."""
        return {"last_act": recall(request), "last_act_key": uuid.uuid4().hex}

    def filters_of(self, request: HttpRequest) -> dict[str, str]:
        """None: the queue of institutions is worked through as a whole."""
        return {}


def remember(request: HttpRequest, kind: str, number: int, *, candidate: int | None, text: str) -> None:
    """Keep what was done in the session. ``kind`` is ``event``, ``assertion`` or ``item``, ``number`` that of it."""
    token = f"{kind}:{number}"
    request.session[_LAST_ACT] = {
        "kind": kind, "number": number, "candidate": candidate, "text": text, "token": token,
    }  # fmt: skip


def recall(request: HttpRequest) -> dict[str, Any] | None:
    """What was kept."""
    kept: dict[str, Any] | None = request.session.get(_LAST_ACT)
    return kept


def forget(request: HttpRequest) -> None:
    """It is taken back."""
    request.session.pop(_LAST_ACT, None)


def queue_address() -> str:
    """The list of the queue."""
    return reverse("admin:institutions_candidate_changelist")


def to_next(request: HttpRequest, *, after: int | None = None) -> HttpResponse:
    """Lease the next free item and go there."""
    found = lease_next(ADAPTER, actor=request.user, after=after)  # type: ignore[arg-type]
    if found:
        return HttpResponseRedirect(reverse("admin:institutions_candidate_change", args=[found[0].pk]))
    if waiting(ADAPTER).exclude(pk=after).exists():
        messages.info(request, "Nothing is free: others work on what is left. Try again in a few minutes.")
    else:
        messages.success(request, "Nothing is left to review here.")
    return HttpResponseRedirect(queue_address())
