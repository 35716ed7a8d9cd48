"""Following, and ceasing to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.core.exceptions import FieldError
from django.db import transaction
from django.utils import timezone

from accounts.models import Cadence, Follow, SavedSearch, User
from accounts.querysets import FollowQuerySet
from accounts.services.errors import NothingToFollow, TooManyFollows
from institutions.models import Institution
from papers.addresses import survivor
from papers.models import Category, Paper
from researchers.models import Researcher

MOST_FOLLOWS = 5_000
"""Of one account. More is a harvest, for which there are better ways."""
ALL_SWITCHES = tuple(sorted({name for names in Follow.SWITCHES.values() for name in names}))
_LARGEST_NUMBER = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Target:
    """Something to follow: ``key`` is a number, or the code of a category."""

    kind: Follow.Kind
    key: str

    @classmethod
    def read(cls, kind: str, key: object) -> Target:
        """From what a form or an address says. Raises ``NothingToFollow`` for what can be no target."""
        text = str(key).strip()
        if kind not in Follow.Kind.values or not text or "\0" in text:
            raise NothingToFollow("There is nothing of this kind to follow.")
        if kind != Follow.Kind.CATEGORY and not (
            text.isascii() and text.isdecimal() and 0 < int(text) <= _LARGEST_NUMBER
        ):
            raise NothingToFollow("There is nothing under this number to follow.")
        return cls(Follow.Kind(kind), text)


@transaction.atomic
def follow(*, user: User, target: Target) -> Follow:
    """Follow what ``target`` is today: the survivor of what was merged, the category behind an alias.

    Whoever follows it already, under whichever of its bases, keeps that follow with its switches; sent twice at once it
    is one follow. Raises ``NothingToFollow`` for what is not there, was removed, or is another reader's search, and
    ``TooManyFollows``.
    """
    # One at a time for each reader, so that neither the limit nor a merged base is overlooked.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    key = root_of(user=user, target=target)
    mine = Follow.objects.of(user.pk)
    known = mine.following(target.kind, [key]).order_by("pk").first()
    if known is not None:
        return known
    if mine.count() >= MOST_FOLLOWS:
        raise TooManyFollows(f"One account follows at most {MOST_FOLLOWS:,}. Unfollow something first.")
    switches = dict.fromkeys(Follow.ON_AT_FIRST[target.kind], True)
    return Follow.objects.create(user_id=user.pk, **{f"{target.kind.value}_id": key}, **switches)


@transaction.atomic
def unfollow(*, user: User, target: Target) -> int:
    """Cease to follow ``target`` under all of its bases; returns how many follows went, 0 where there was none.

    Also what can no longer be followed can be unfollowed. Raises nothing.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    mine = Follow.objects.of(user.pk)
    try:
        doomed = mine.following(target.kind, [root_of(user=user, target=target)])
    except NothingToFollow:
        doomed = mine.filter(**{f"{target.kind.value}_id": target.key})
    return Follow.objects.filter(pk__in=list(doomed.values_list("pk", flat=True))).delete()[0]


@transaction.atomic
def change_follow(
    *, user: User, follow_id: int, switches: Collection[str], cadence: str, paused: bool | None = None
) -> bool:
    """Set what a follow of this reader tells of and how often; all follows with the same root get the same.

    ``switches`` that mean nothing for its kind are left out, a ``cadence`` that does not exist is the reader's usual
    one; ``paused`` is left alone where it is ``None``. Whether there was such a follow.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    asked = Follow.objects.of(user.pk).with_roots().filter(pk=follow_id).first()
    if asked is None:
        return False
    values: dict[str, object] = {name: name in switches and name in asked.switches for name in ALL_SWITCHES}
    values["cadence"] = cadence if cadence in Cadence.values else ""
    if paused is not None:
        values["paused_at"] = timezone.now() if paused else None
    _alike(user, asked).update(**values)
    return True


@transaction.atomic
def pause_follow(*, user: User, kind: str, key: str, paused: bool) -> int:
    """Let all follows of this reader with this root rest, or tell again; returns how many there are."""
    try:
        mine = Follow.objects.of(user.pk).following(kind, [key])
        return mine.update(paused_at=timezone.now() if paused else None)
    except (ValueError, FieldError):
        return 0


def pause_alerts(*, user: User, paused: bool) -> None:
    """Let everything rest, inbox and mail, or tell again from now on."""
    User.objects.filter(pk=user.pk).update(alerts_paused_at=timezone.now() if paused else None)


def stop_mail(*, user: int, stopped: bool) -> bool:
    """Send no more mail with alerts to this reader, or again; the inbox goes on. Whether there is such a reader."""
    values = {"mail_stopped_at": timezone.now() if stopped else None, "mail_refusal": ""}
    return bool(User.objects.filter(pk=user).update(**values))


def _alike(user: User, follow: Follow) -> FollowQuerySet:
    found: FollowQuerySet = Follow.objects.of(user.pk).following(follow.kind.value, [follow.root])  # type: ignore[attr-defined]
    return found


def root_of(*, user: User, target: Target) -> int | str:
    """The primary key of what ``target`` is shown as today. Raises ``NothingToFollow``."""
    match target.kind:
        case Follow.Kind.RESEARCHER:
            found: int | str | None = (
                Researcher.objects.filter(pk=target.key, root__erased_at=None).values_list("root", flat=True).first()
            )
        case Follow.Kind.INSTITUTION:
            found = Institution.objects.filter(pk=target.key).values_list("root", flat=True).first()
        case Follow.Kind.CATEGORY:
            category = Category.objects.filter(pk=target.key).first()
            found = (category.canonical_id or category.pk) if category else None
        case Follow.Kind.PAPER:
            paper = Paper.objects.filter(pk=target.key).first()
            found = survivor(paper).pk if paper else None
        case Follow.Kind.SAVED_SEARCH:
            found = SavedSearch.objects.of(user.pk).filter(pk=target.key).values_list("pk", flat=True).first()
    if found is None:
        raise NothingToFollow("What you wanted to follow is not here any more.")
    return found
