"""Following, from every page; and the page of all follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Cadence, Follow
from accounts.services.errors import AccountError
from accounts.services.follows import Target, change_follow, follow, pause_alerts, stop_mail, unfollow
from accounts.services.saved_searches import save_search
from accounts.views.reader import reader_of, sign_in_then
from institutions.models import Institution
from researchers.models import Researcher
from wovepaper.lib.error_page import error_page

PAGE_SIZE = 25
SWITCH_LABELS = {
    "new": "New papers",
    "cross_list": "Papers listed here too",
    "revision": "New versions",
    "withdrawal": "Withdrawals and retractions",
    "publication": "Publication of preprints",
}
"""Of the switches that anything is told of yet."""


@dataclass(frozen=True, slots=True)
class ShownFollow:
    """A line of the page: ``name`` and ``url`` are those of the root; no address where it has no page any more."""

    follow: Follow
    name: str
    url: str
    switches: list[tuple[str, str, bool]]
    """Name, label, and whether it is on."""


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest) -> HttpResponse:
    """``/follows/add`` with ``kind``, ``key``, ``next``: by POST follows; by GET only asks, after signing in.

    With ``kind=search`` and ``query`` the search is kept and followed.
    """
    if not request.user.is_authenticated:
        asked = request.POST if request.method == "POST" else request.GET
        again = asked.copy()
        again.pop("csrfmiddlewaretoken", None)
        return redirect_to_login(f"{request.path}?{again.urlencode()}")
    if request.method != "POST":
        return render(request, "alerts/add.html", {"asked": request.GET, "back": _way_back(request, request.GET)})
    user = reader_of(request)
    try:
        if request.POST.get("kind") == "search":
            search = save_search(user=user, query=request.POST.get("query", ""), name=request.POST.get("name", ""))
            target = Target(Follow.Kind.SAVED_SEARCH, str(search.pk))
        else:
            target = Target.read(request.POST.get("kind", ""), request.POST.get("key", ""))
        follow(user=user, target=target)
    except AccountError as error:
        return _refused(request, str(error))
    messages.success(request, "You follow this now. What you are told of, and how often, stands under Follows.")
    return HttpResponseRedirect(_way_back(request, request.POST))


@require_POST
def remove(request: HttpRequest) -> HttpResponse:
    """``POST /follows/remove`` with ``kind``, ``key``, ``next``."""
    back = _way_back(request, request.POST)
    if not request.user.is_authenticated:
        return redirect_to_login(back)
    try:
        gone = unfollow(
            user=reader_of(request), target=Target.read(request.POST.get("kind", ""), request.POST.get("key", ""))
        )
    except AccountError as error:
        return _refused(request, str(error))
    if gone:
        messages.success(request, "You do not follow this any more.")
    return HttpResponseRedirect(back)


@require_safe
@login_required
def follows(request: HttpRequest) -> HttpResponse:
    """``/follows``: all of them, the latest first, what is merged once."""
    user = reader_of(request)
    rows = Follow.objects.filter(pk__in=Follow.objects.of(user.pk).shown().values("pk"))
    before = request.GET.get("before", "")
    if before.isascii() and before.isdecimal() and len(before) <= 18:
        rows = rows.filter(pk__lt=int(before))
    page = list(rows.with_targets().order_by("-pk")[: PAGE_SIZE + 1])
    more = page[PAGE_SIZE:]
    context = {
        "follows": [_shown(one) for one in page[:PAGE_SIZE]],
        "next_url": f"{request.path}?before={page[PAGE_SIZE - 1].pk}" if more else "",
        "cadences": Cadence.choices,
        "usual": Cadence(user.cadence).label,
        "here": request.get_full_path(),
    }
    return render(request, "alerts/follows.html", context)


@require_POST
@sign_in_then("alerts:follows")
def change(request: HttpRequest, follow_id: int) -> HttpResponse:
    """``POST /follows/<number>``: switches, cadence, and with ``action`` ``pause`` or ``resume``."""
    paused = {"pause": True, "resume": False}.get(request.POST.get("action", ""))
    found = change_follow(
        user=reader_of(request),
        follow_id=follow_id,
        switches=request.POST.getlist("switches"),
        cadence=request.POST.get("cadence", ""),
        paused=paused,
    )
    if not found:
        raise Http404("You follow nothing under this number.")
    messages.success(request, "Kept.")
    return HttpResponseRedirect(_way_back(request, request.POST))


@require_POST
@sign_in_then("alerts:follows")
def change_all(request: HttpRequest) -> HttpResponse:
    """``POST /follows/all`` with ``action``: ``pause``, ``resume``, ``stop-mail`` or ``send-mail``."""
    user = reader_of(request)
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "pause": (lambda: pause_alerts(user=user, paused=True), "Everything rests until you say otherwise."),
        "resume": (lambda: pause_alerts(user=user, paused=False), "You hear of what happens from now on."),
        "stop-mail": (lambda: stop_mail(user=user.pk, stopped=True), "No mail any more; your inbox goes on."),
        "send-mail": (lambda: stop_mail(user=user.pk, stopped=False), "Mail is sent again."),
    }
    said = request.POST.get("action", "")
    if said not in acts:
        return _refused(request, "Choose one of the buttons on the page of follows.")
    act, words = acts[said]
    act()
    messages.success(request, words)
    return HttpResponseRedirect(reverse("alerts:follows"))


def _shown(one: Follow) -> ShownFollow:
    match one.kind:
        case Follow.Kind.RESEARCHER:
            assert one.researcher is not None
            person = cast("Researcher", one.researcher.root)
            name, url = person.display_name, person.get_absolute_url()
            if person.erased_at is not None:
                name, url = "Somebody who is not here any more", ""
        case Follow.Kind.INSTITUTION:
            assert one.institution is not None
            place = cast("Institution", one.institution.root)
            name, url = place.display_name, place.get_absolute_url()
        case Follow.Kind.CATEGORY:
            assert one.category is not None
            name, url = f"{one.category.name} ({one.category.code})", one.category.get_absolute_url()
        case Follow.Kind.PAPER:
            assert one.paper is not None
            paper = one.paper.redirect_to or one.paper
            name, url = paper.title, paper.get_absolute_url()
        case Follow.Kind.SAVED_SEARCH:
            assert one.saved_search is not None
            name, url = one.saved_search.name, one.saved_search.get_absolute_url()
    switches = [
        (switch, SWITCH_LABELS[switch], getattr(one, switch)) for switch in one.switches if switch in SWITCH_LABELS
    ]
    return ShownFollow(one, name, url, switches)


def _way_back(request: HttpRequest, given: Any) -> str:
    """The page of this site that the form was sent from; the page of follows for any other address."""
    wanted = str(given.get("next", ""))
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        return wanted
    return reverse("alerts:follows")


def _refused(request: HttpRequest, sentence: str) -> HttpResponse:
    where = ((reverse("alerts:follows"), "what you follow"), (reverse("alerts:inbox"), "what you were told"))
    return error_page(request, 400, title="This can’t be done", sentence=sentence, where_to_look=where)
