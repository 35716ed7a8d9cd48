"""Removing an account with everything that is its reader's."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import connection, transaction

from accounts.models import User
from accounts.services.errors import AccountError

MARKER = "deleted-account@wovepaper.invalid"
"""The address of the account that stands where the log cannot do without one. Nobody can sign in to it."""


class LastOfItsKind(AccountError):
    """Without this account nobody could look after the site."""


@transaction.atomic
def delete_account(*, user: User) -> None:
    """Remove the account, all that is listed in ``accounts.belongings``, and its sessions. There is no way back.

    What a curator decided stays in force, said by nobody; entries of the log name an account that stands for all who
    left. Entries about the account itself stay without its name. Raises ``LastOfItsKind`` for the only active account
    that may do everything.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    others = User.objects.select_for_update().filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and user.is_active and not others.exists():
        raise LastOfItsKind("This is the only account that may do everything here. Give another one that right first.")
    about = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk))
    about.update(object_repr="a deleted account", object_id=None, change_message="")
    said = LogEntry.objects.filter(user=user.pk)
    if said.exists():
        said.update(user=_marker())
    with connection.cursor() as cursor:
        # Who pinned a value of a paper stands in the value.
        cursor.execute(
            "UPDATE papers_paper SET pinned = ("
            " SELECT jsonb_object_agg(name, CASE WHEN pin->'by' = to_jsonb(%(id)s::bigint)"
            " THEN jsonb_set(pin, '{by}', 'null') ELSE pin END) FROM jsonb_each(pinned) AS each(name, pin))"
            " WHERE pinned <> '{}' AND pinned @? ('$.*.by ? (@ == ' || %(id)s || ')')::jsonpath",
            {"id": user.pk},
        )
    keys = list(UserSession.objects.filter(user=user.pk).values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    user.delete()


def _marker() -> User:
    marker, made = User.objects.get_or_create(
        email=MARKER, defaults={"display_name": "Somebody who left", "is_active": False}
    )
    if made:
        marker.set_unusable_password()
        marker.save(update_fields=["password"])
    return marker
