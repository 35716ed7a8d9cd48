"""``manage.py curators``."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("curators", *arguments, stdout=out)
    return out.getvalue()


def test_accounts_become_curators_and_cease_to_be():
    ada = User.objects.create_user("ada@example.org")
    User.objects.create_user("bo@example.org", is_active=False)
    assert run() == "There is no curator yet: manage.py curators --add ADDRESS\n"
    assert run("--add", "ADA@example.org", "bo@example.org") == "ada@example.org\nbo@example.org (asleep)\n"
    ada = User.objects.get(pk=ada.pk)
    assert ada.is_staff
    assert ada.has_perms(["researchers.review_candidate", "researchers.merge_researcher"])
    assert not ada.has_perm("researchers.override_difference")
    assert not ada.is_superuser
    assert run("--remove", "ada@example.org") == "bo@example.org (asleep)\n"
    assert not User.objects.get(pk=ada.pk).has_perm("researchers.review_candidate")


def test_an_unknown_address_changes_nothing():
    User.objects.create_user("ada@example.org")
    with pytest.raises(CommandError, match=r"There is no account nobody@example\.org"):
        run("--add", "ada@example.org", "nobody@example.org")
    assert not User.objects.filter(is_staff=True).exists()
