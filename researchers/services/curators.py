"""The group of those who decide who is who, and which papers are one."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db import transaction

CURATORS = "Curators"
RIGHTS = ("review_candidate", "merge_researcher", "undo_own_event", "split_researcher")
PAPER_RIGHTS = ("review_papercandidate", "merge_paper", "undo_own_paper_event", "split_paper")
INSTITUTION_RIGHTS = ("review_candidate", "merge_institution", "undo_own_event", "view_institution")
"""What every curator may. Undoing what others did and going against an earlier decision are given one by one."""


@transaction.atomic
def ensure_curators() -> Group:
    """The group, made with these rights if it is not there; one that is there keeps what it was given."""
    group, created = Group.objects.get_or_create(name=CURATORS)
    if created:
        for app, rights in (
            ("researchers", RIGHTS),
            ("papers", PAPER_RIGHTS),
            ("institutions", INSTITUTION_RIGHTS),
        ):
            group.permissions.add(*Permission.objects.filter(content_type__app_label=app, codename__in=rights))
    return group
