"""Accounts to sign in as on a machine where nothing is configured."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from accounts.models import User
from researchers.services.curators import ensure_curators

DEMO_DOMAIN = "demo.example"
"""A domain that can never be anybody's: reserved for examples by RFC 2606."""

EDITORS = "Editors"
"""The group whose members may look at everything that is harvested and fix what is shown of papers."""


@dataclass(frozen=True, slots=True)
class DemoUser:
    """An account to sign in as; ``password`` is empty when its owner has changed it."""

    email: str
    role: str
    password: str


_ROLES = (("admin", "staff"), ("curator", "curator"), ("reader", "reader"))


def password_for(email: str) -> str:
    """The first password of a demo account: derived from this instance's secret, so it is stored nowhere, differs
    between instances, and can be told again at every start."""
    digest = salted_hmac("wovepaper.demo.users", email, algorithm="sha256").digest()
    letters = base64.b32encode(digest)[:20].decode("ascii").lower()
    return "-".join(letters[place : place + 5] for place in range(0, 20, 5))


@transaction.atomic
def ensure_demo_users() -> list[DemoUser]:
    """Create the accounts that are missing, with confirmed addresses, and tell how to sign in to each.

    Does nothing and returns an empty list unless this is a single machine where nothing is configured
    (``SINGLE_MACHINE``): a site that others can reach gets no account whose password a log may hold. An account that
    exists is left as it is.
    """
    if not settings.SINGLE_MACHINE:
        return []
    for name, role in _ROLES:
        email = f"{name}@{DEMO_DOMAIN}"
        if not User.objects.filter(email__iexact=email).exists():
            _create(email, role)
    return find_demo_users()


def find_demo_users() -> list[DemoUser]:
    """The demo accounts that are there and may sign in. Makes none: one that somebody deleted stays away."""
    if not settings.SINGLE_MACHINE:
        return []
    found = []
    for name, role in _ROLES:
        email = f"{name}@{DEMO_DOMAIN}"
        user = User.objects.filter(email__iexact=email, is_active=True).first()
        if user is not None:
            password = password_for(email)
            found.append(DemoUser(email, role, password if user.check_password(password) else ""))
    return found


def _create(email: str, role: str) -> User:
    user = User.objects.create_user(
        email,
        password_for(email),
        display_name=f"Demo {role}",
        is_staff=role in ("staff", "curator"),
        is_superuser=role == "staff",
    )
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    if role == "curator":
        user.groups.add(ensure_curators(), _editors())
    return user


def _editors() -> Group:
    group, created = Group.objects.get_or_create(name=EDITORS)
    if created:
        group.permissions.set(
            Permission.objects.filter(
                Q(content_type__app_label__in=("papers", "harvest", "pipeline"), codename__startswith="view_")
                | Q(content_type__app_label="papers", codename__in=("pin_paper", "change_paper"))
            )
        )
    return group
