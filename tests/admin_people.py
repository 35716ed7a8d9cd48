"""Accounts with different rights in the admin, and what they get from its addresses."""

from __future__ import annotations

from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User


def user_with(*permissions: str, is_staff: bool = True, is_superuser: bool = False) -> User:
    """An account with exactly these permissions (``app.codename``)."""
    number = User.objects.count()
    user = User.objects.create_user(f"person{number}@papers.test", None, is_staff=is_staff, is_superuser=is_superuser)
    for permission in permissions:
        app_label, codename = permission.split(".")
        user.user_permissions.add(Permission.objects.get(content_type__app_label=app_label, codename=codename))
    return user


def client_of(user: User) -> Client:
    """A browser in which ``user`` is signed in."""
    client = Client()
    client.force_login(user)
    return client


def statuses(method: str, url: str, *view_permissions: str, acting: str) -> dict[str, int]:
    """What each kind of visitor gets; ``acting`` is the permission that the address asks for."""
    visitors = {
        "anonymous": Client(),
        "reader": client_of(user_with(is_staff=False)),
        "staff": client_of(user_with()),
        "viewer": client_of(user_with(*view_permissions)),
        "actor": client_of(user_with(*view_permissions, acting)),
        "superuser": client_of(user_with(is_superuser=True)),
    }
    return {name: getattr(client, method)(url).status_code for name, client in visitors.items()}
