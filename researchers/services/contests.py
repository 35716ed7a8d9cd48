"""Readers' objections to attributions. They wait for a curator and change nothing by themselves."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from papers.models import Authorship
from researchers.models import Attribution, Contest, Researcher
from researchers.services.errors import ContestRefused, ContestStale, TooMany
from wovepaper.curation.services import Actor
from wovepaper.lib.text import clean

A_DAY = 20
OPEN_AT_ONCE = 50
"""Objections of one reader: more are not looked at before those are answered."""
SHORTEST_REASON = 10
LONGEST_REASON = 2_000
"""Characters."""


@transaction.atomic
def open_contest(
    *, reader: Actor, authorship: int, seen: int | None, reason: str, claimed: Researcher | None = None
) -> Contest:
    """Keep what a reader objects to an attribution: "this is not them", or that it is the root ``claimed``.

    ``seen`` is the root that the form showed, ``None`` for nobody. An objection of theirs to this author that is still
    open is replaced. Raises ``ContestRefused``, ``ContestStale`` where somebody else is shown by now, ``TooMany``.
    """
    # Objections to one author wait for each other, so that a reader has one of them open at most.
    place = Authorship.objects.select_for_update(no_key=True).filter(pk=authorship).first()
    if place is None:
        raise ContestRefused("The paper has no such author any more.")
    if place.is_collaboration:
        raise ContestRefused("A collaboration is attributed to nobody.")
    reason = clean(reason)
    if not SHORTEST_REASON <= len(reason) <= LONGEST_REASON:
        raise ContestRefused(
            f"Say why, in {SHORTEST_REASON} to {LONGEST_REASON:,} characters: a curator knows only what you write."
        )
    attribution = Attribution.objects.filter(authorship=place).first()
    shown = attribution.root_id if attribution else None
    if shown != seen:
        raise ContestStale("The attribution has changed since you opened this page. Look at it once more.")
    if claimed is None and attribution is None:
        raise ContestRefused("This author is attributed to nobody, so there is nobody they could not be.")
    if claimed is not None and claimed.pk == shown:
        raise ContestRefused("This author is attributed to that researcher already.")
    values = {
        "paper_id": place.paper_id,
        "printed_name": place.printed_name,
        "attributed_id": attribution.base_id if attribution else None,
        "claimed": claimed,
        "reason": reason,
    }
    own = Contest.objects.filter(user=reader.pk)
    standing = own.filter(authorship=place, state=Contest.State.OPEN).first()
    if standing is None:
        _limit(reader)
        return Contest.objects.create(user_id=reader.pk, authorship=place, **values)
    for name, value in values.items():
        setattr(standing, name, value)
    standing.save()
    return standing


def _limit(reader: Actor) -> None:
    # One at a time, or those sent at once would not see each other.
    get_user_model().objects.select_for_update(no_key=True).get(pk=reader.pk)
    own = Contest.objects.filter(user=reader.pk)
    if own.filter(created_at__gt=timezone.now() - dt.timedelta(days=1)).count() >= A_DAY:
        raise TooMany(f"At most {A_DAY} objections a day are taken from one reader. Come back tomorrow.")
    if own.filter(state=Contest.State.OPEN).count() >= OPEN_AT_ONCE:
        raise TooMany(f"{OPEN_AT_ONCE} of your objections wait for an answer. Please wait for some of them first.")
