"""The group of those who decide who is who."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db import transaction

CURATORS = "Curators"
RIGHTS = ("review_candidate", "merge_researcher", "undo_own_event", "split_researcher")
"""What every curator may. Undoing what others did and going against an earlier decision are given one by one."""


@transaction.atomic
def ensure_curators() -> Group:
    """The group, made with these rights if it is not there; one that is there keeps what it was given."""
    group, created = Group.objects.get_or_create(name=CURATORS)
    if created:
        group.permissions.set(Permission.objects.filter(content_type__app_label="researchers", codename__in=RIGHTS))
    return group
