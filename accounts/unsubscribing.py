"""Signed addresses in mail that stop it: for everything, or for one of the things that a reader follows."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import Follow

_SALT = "wovepaper.alerts.unsubscribe"


@dataclass(frozen=True, slots=True)
class Unsubscription:
    """Which reader wants no mail, and about what: ``kind`` and ``key`` of a root, or nothing for all."""

    user: int
    kind: str = ""
    key: str = ""

    @classmethod
    def of_reason(cls, user: int, code: str) -> Unsubscription:
        """For what a notification names as its reason."""
        kind, _, key = code.partition(":")
        return cls(user, "category" if kind == "cross_list" else kind, key)

    @classmethod
    def read(cls, token: str) -> Unsubscription | None:
        """``None`` for a token that this site did not write."""
        try:
            user, kind, key = signing.loads(token, salt=_SALT)
        except (signing.BadSignature, ValueError, TypeError):
            return None
        if kind and kind not in Follow.Kind.values:
            return None
        return cls(user, kind, key)

    @property
    def url(self) -> str:
        """The absolute address. It does not expire: old mail can be unsubscribed from."""
        token = signing.dumps([self.user, self.kind, self.key], salt=_SALT)
        return settings.SITE_URL + reverse("alerts:unsubscribe", args=[token])
