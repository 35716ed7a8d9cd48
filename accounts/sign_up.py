"""The form for a new account."""

from __future__ import annotations

from typing import Any

from allauth.account import forms
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest


class SignupForm(forms.SignupForm):
    """Allauth's, that takes as long whether or not the address has an account."""

    def try_save(self, request: HttpRequest) -> Any:
        """Allauth answers alike in both cases, but hashes the password of a new account only."""
        if self.account_already_exists and self.cleaned_data.get("password1"):
            make_password(self.cleaned_data["password1"])
        return super().try_save(request)
