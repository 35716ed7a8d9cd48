"""The page from which a reader governs their account."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.forms import SettingsForm
from accounts.models import User
from accounts.sites import NAMES
from accounts.views.reader import reader_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: HttpRequest) -> HttpResponse:
    """``/accounts/settings/``."""
    user = reader_of(request)
    # A copy, so that what was typed and refused is not shown as the reader's name in the header.
    form = SettingsForm(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Your settings are kept.")
        return HttpResponseRedirect(reverse("account_settings"))
    accounts = SocialAccount.objects.filter(user=user)
    context = {
        "form": form,
        "addresses": EmailAddress.objects.filter(user=user).order_by("-primary", "email"),
        "has_password": user.has_usable_password(),
        "factors": _factors(user),
        # By name, and not by what allauth makes of them: that fails for a site that is not configured any more.
        "elsewhere": [NAMES.get(one.provider, one.provider) for one in accounts.order_by("provider")],
        "may_connect": bool(get_adapter(request).list_providers(request)),
        "onboarding_open": user.onboarding != User.Onboarding.DONE,
    }
    return render(request, "account/settings.html", context)


def _factors(user: User) -> dict[str, int]:
    """How many of each kind the reader has, by kind."""
    counted: dict[str, int] = {}
    for kind in Authenticator.objects.filter(user=user).values_list("type", flat=True):
        counted[kind] = counted.get(kind, 0) + 1
    return counted
