"""Where this site's accounts differ from allauth's."""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.http import HttpRequest

from accounts.models import User


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """Accounts that begin on another site."""

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """The name that the other site gives is the one shown, until the reader chooses another."""
        user: User = super().populate_user(request, sociallogin, data)
        given = (data.get("name") or f"{data.get('first_name') or ''} {data.get('last_name') or ''}").strip()
        if not user.display_name:
            user.display_name = " ".join(given.split())[: User._meta.get_field("display_name").max_length]
        return user
