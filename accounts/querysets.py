"""Chainable reads of follows and saved searches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from django.db import models
from django.db.models import Min, Q, TextField
from django.db.models.expressions import Case, F, Value, When
from django.db.models.functions import Cast, Coalesce

_ROOTS: dict[str, str] = {
    "researcher": "researcher__root",
    "institution": "institution__root",
    "category": "category",
    "saved_search": "saved_search",
}


class FollowQuerySet(models.QuerySet["Follow"]):  # type: ignore[name-defined]
    """Adjectives for follows."""

    def of(self, user_id: int) -> Self:
        """What one reader follows."""
        return self.filter(user=user_id)

    def following(self, kind: str, keys: Iterable[int | str]) -> Self:
        """Follows whose root is one of these. ``kind`` is one of ``Follow.Kind``, ``keys`` are those of roots.

        Joined to the roots as they are now, so it finds the followers of everything that was merged into them.
        """
        wanted = list(keys)
        if kind == "paper":
            return self.filter(Q(paper__redirect_to__in=wanted) | Q(paper__in=wanted, paper__redirect_to=None))
        return self.filter(**{f"{_ROOTS[kind]}__in": wanted})

    def telling(self) -> Self:
        """Those of which the reader wants to hear now: neither the follow, nor all alerts, nor the account rests."""
        return self.filter(paused_at=None, user__alerts_paused_at=None, user__is_active=True)

    def with_roots(self) -> Self:
        """Each with ``root``, the primary key of what it is shown as, as text, and ``root_kind``."""
        shown = Case(
            *(When(**{f"{kind}__isnull": False}, then=Cast(F(path), TextField())) for kind, path in _ROOTS.items()),
            default=Cast(Coalesce("paper__redirect_to", "paper"), TextField()),
        )
        kinds = Case(*(When(**{f"{kind}__isnull": False}, then=Value(kind)) for kind in _ROOTS), default=Value("paper"))
        return self.annotate(root_kind=kinds, root=shown)

    def shown(self) -> Self:
        """One for each reader and root, the oldest: what is merged is followed once. With ``with_roots``."""
        each = self.with_roots().order_by().values("user", "root_kind", "root")
        oldest = each.annotate(oldest=Min("pk")).values("oldest")
        return self.model._default_manager.with_roots().filter(pk__in=oldest)

    def with_targets(self) -> Self:
        """With what is followed and its root, for showing: one query, however many there are."""
        return self.select_related(
            "researcher__root", "institution__root", "category", "paper__redirect_to", "saved_search"
        )


class SavedSearchQuerySet(models.QuerySet["SavedSearch"]):  # type: ignore[name-defined]
    """Adjectives for saved searches."""

    def of(self, user_id: int) -> Self:
        """What one reader saved."""
        return self.filter(user=user_id)


class NotificationQuerySet(models.QuerySet["Notification"]):  # type: ignore[name-defined]
    """Adjectives for notifications."""

    def of(self, user_id: int) -> Self:
        """What one reader was told."""
        return self.filter(user=user_id)

    def unread(self) -> Self:
        """What the reader has not marked as read."""
        return self.filter(read_at=None)

    def unsent(self) -> Self:
        """What no mail was made of yet."""
        return self.filter(delivery=None)

    def with_events(self) -> Self:
        """Each with its event, and ``shown_paper``, the number of the paper that it is shown as today."""
        return self.select_related("event").annotate(shown_paper=Coalesce("paper__redirect_to", "paper"))
