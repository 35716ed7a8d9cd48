"""Taking one's data along, and leaving."""

from __future__ import annotations

import datetime as dt

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.belongings import BELONGINGS
from accounts.services.deletion import LastOfItsKind, delete_account
from accounts.services.export import export_account
from accounts.views.reader import reader_of


@require_safe
@login_required
@reauthentication_required
@never_cache
def export(request: HttpRequest) -> StreamingHttpResponse:
    """``/accounts/settings/export/``: everything the site has of the reader, to whoever proved lately to be them."""
    response = StreamingHttpResponse(export_account(user=reader_of(request)), content_type="application/json")
    today = dt.datetime.now(dt.UTC).date()
    response.headers["Content-Disposition"] = f'attachment; filename="wovepaper-account-{today}.json"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required(allow_get=True)
def delete(request: HttpRequest) -> HttpResponse:
    """``/accounts/settings/delete/``: what goes, and the button, for whoever proved lately to be the reader."""
    user = reader_of(request)
    problem = ""
    if request.method == "POST":
        if request.POST.get("understood") != "yes":
            problem = "Tick the box first: what is deleted does not come back."
        else:
            try:
                delete_account(user=user)
            except LastOfItsKind as error:
                problem = str(error)
            else:
                logout(request)
                messages.success(request, "Your account and everything that was only yours is gone.")
                return HttpResponseRedirect("/")
    counted = [(one.name.replace("_", " "), one.rows(user.pk).count()) for one in BELONGINGS]
    context = {"belongings": [(name, count) for name, count in counted if count], "problem": problem}
    return render(request, "account/delete.html", context, status=400 if problem else 200)
