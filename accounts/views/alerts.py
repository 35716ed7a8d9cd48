"""The inbox, the log of mail, and the way out of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Delivery, Notification, User
from accounts.reasons import Reason, explain, what_happened
from accounts.services.follows import pause_follow, stop_mail
from accounts.services.notifications import mark_read, mark_unread
from accounts.unsubscribing import Unsubscription
from accounts.views.reader import reader_of, sign_in_then
from papers.listed import ListedPaper, read_listed
from papers.models import Paper

PAGE_SIZE = 25
MOST_DELIVERIES = 100


@dataclass(frozen=True, slots=True)
class Told:
    """A notification as it is shown."""

    pk: int
    what: str
    day: object
    paper: ListedPaper
    reasons: list[Reason]
    is_read: bool


def show(rows: Iterable[Notification]) -> list[Told]:
    """These, with their papers and reasons; without those whose paper has no page any more."""
    rows = list(rows)
    numbers = {one.shown_paper for one in rows}
    papers = {paper.id: paper for paper in read_listed(Paper.objects.visible().filter(pk__in=numbers))}
    words = explain(rows)
    return [
        Told(
            one.pk,
            what_happened(one.event),
            one.event.day,
            papers[one.shown_paper],
            [words[code] for code in one.reasons],
            one.read_at is not None,
        )
        for one in rows
        if one.shown_paper in papers
    ]


@require_safe
@login_required
def inbox(request: HttpRequest) -> HttpResponse:
    """``/inbox``: the latest first; ``?unread=1`` only what is not marked as read."""
    user = reader_of(request)
    mine = Notification.objects.of(user.pk)
    only_unread = request.GET.get("unread") == "1"
    if only_unread:
        mine = mine.unread()
    before = request.GET.get("before", "")
    if before.isascii() and before.isdecimal() and len(before) <= 18:
        mine = mine.filter(pk__lt=int(before))
    rows = list(mine.with_events().order_by("-pk")[: PAGE_SIZE + 1])
    more = len(rows) > PAGE_SIZE
    rows = rows[:PAGE_SIZE]
    unread = "unread=1&" if only_unread else ""
    context = {
        "told": show(rows),
        "newest": rows[0].pk if rows else 0,
        "only_unread": only_unread,
        "has_unread": any(one.read_at is None for one in rows),
        "next_url": f"{request.path}?{unread}before={rows[-1].pk}" if more else "",
        "here": request.get_full_path(),
    }
    return render(request, "alerts/inbox.html", context)


@require_POST
@sign_in_then("alerts:inbox")
def read(request: HttpRequest) -> HttpResponse:
    """``POST /inbox/read`` with ``notification``, ``unread`` (to take it back) or ``up_to``."""
    user = reader_of(request)
    if one := _number(request, "notification"):
        mark_read(user=user, notifications=[one])
    if one := _number(request, "unread"):
        mark_unread(user=user, notification=one)
    if last := _number(request, "up_to"):
        mark_read(user=user, up_to=last)
    only_unread = "?unread=1" if request.POST.get("only_unread") == "1" else ""
    return HttpResponseRedirect(reverse("alerts:inbox") + only_unread)


@require_POST
@sign_in_then("alerts:inbox")
def seen(request: HttpRequest) -> HttpResponse:
    """``POST /inbox/seen``: what is on the reader's home now is not new any more."""
    User.objects.filter(pk=reader_of(request).pk).update(last_visit_at=timezone.now())
    return HttpResponseRedirect("/")


@require_safe
@login_required
def deliveries(request: HttpRequest) -> HttpResponse:
    """``/inbox/mail``: what was sent to the reader, when, and whether it went."""
    rows = Delivery.objects.filter(user=reader_of(request).pk).annotate(size=Count("notifications"))
    return render(request, "alerts/deliveries.html", {"deliveries": rows.order_by("-pk")[:MOST_DELIVERIES]})


@require_safe
@login_required
def delivery(request: HttpRequest, delivery_id: int) -> HttpResponse:
    """``/inbox/mail/<number>``: what stood in one, and why. 404 for another reader's."""
    found = Delivery.objects.filter(user=reader_of(request).pk, pk=delivery_id).first()
    if found is None:
        raise Http404("No mail of yours has this number.")
    rows = found.notifications.with_events().order_by("pk")[:200]
    return render(request, "alerts/delivery.html", {"delivery": found, "told": show(rows)})


@csrf_exempt  # mail programs post here by themselves (RFC 8058); the signed address says who wants it
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """``/unsubscribe/<token>``: POST stops mail, or lets one follow rest, without signing in; GET only asks."""
    asked = Unsubscription.read(token)
    if asked is None:
        raise Http404("This address is not one of ours; it may have been cut off.")
    done = False
    if request.method == "POST":
        done = True
        if asked.kind:
            if user := User.objects.filter(pk=asked.user).first():
                pause_follow(user=user, kind=asked.kind, key=asked.key, paused=True)
        else:
            stop_mail(user=asked.user, stopped=True)
    return render(request, "alerts/unsubscribe.html", {"one": bool(asked.kind), "done": done})


def home_news(user: User, most: int = 12) -> list[Told]:
    """What the reader was told of since they last said that they have seen it, the latest first."""
    rows = Notification.objects.of(user.pk)
    if user.last_visit_at is not None:
        rows = rows.filter(created_at__gt=user.last_visit_at)
    return show(rows.with_events().order_by("-pk")[:most])


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 else None
