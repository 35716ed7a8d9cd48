"""The first questions to a new reader: fields, people and places, how often."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from accounts.models import Follow, User
from accounts.services.follows import Target, follow, unfollow

STEPS = (User.Onboarding.FIELDS, User.Onboarding.PEOPLE, User.Onboarding.CADENCE)


def next_step(step: User.Onboarding) -> User.Onboarding:
    """What comes after a step."""
    return (*STEPS, User.Onboarding.DONE)[STEPS.index(step) + 1] if step in STEPS else User.Onboarding.DONE


@transaction.atomic
def choose_fields(*, user: User, codes: Collection[str]) -> None:
    """Follow these categories and no others. Raises what ``follow`` raises, and then nothing has changed."""
    followed = set(Follow.objects.of(user.pk).exclude(category=None).values_list("category", flat=True))
    for code in sorted(set(codes) - followed):
        follow(user=user, target=Target.read("category", code))
    for code in sorted(followed - set(codes)):
        unfollow(user=user, target=Target.read("category", code))


@transaction.atomic
def choose_people(*, user: User, researchers: Collection[int], institutions: Collection[int]) -> None:
    """Follow these too. Raises what ``follow`` raises, and then nothing has changed."""
    for kind, keys in (("researcher", researchers), ("institution", institutions)):
        for key in keys:
            follow(user=user, target=Target.read(kind, key))


def reach_step(*, user: User, step: User.Onboarding) -> None:
    """Keep where the reader goes on next time."""
    User.objects.filter(pk=user.pk).update(onboarding=step)
    user.onboarding = step
