"""What pages show of follows and notifications. For whoever is not signed in nothing here asks the database."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from django import template
from django.template import RequestContext
from django.urls import reverse

from accounts.backends import MOST_COUNTED, MOST_REMEMBERED
from accounts.models import Follow, Notification
from accounts.searches import key_of, normalise_query
from accounts.views.alerts import Told, home_news

register = template.Library()

_NOUNS = {
    "researcher": "this researcher",
    "institution": "this institution",
    "category": "this category",
    "paper": "this paper",
    "search": "this search",
}


@register.inclusion_tag("alerts/_follow_button.html", takes_context=True)
def follow_button(context: RequestContext, kind: str, key: object) -> dict[str, Any]:
    """A button to follow, or not any more: a form for readers, a link to signing in for everybody else.

    ``key`` is the number or code of what the page is about, or with ``search`` what its address asks. Only the latter
    costs readers a query.
    """
    request = context["request"]
    # A refused page is shown at the address of a form.
    here = request.get_full_path()
    asked = {"kind": kind, ("query" if kind == "search" else "key"): str(key), "next": here}
    if kind == "search":
        asked["query"] = normalise_query(str(key))
        if not asked["query"]:
            return {"hidden": True}
    values: dict[str, Any] = {
        "noun": _NOUNS[kind],
        "kind": kind,
        "fields": asked.items(),
        "url": f"{reverse('alerts:add')}?{urlencode(asked)}",
    }
    user = request.user
    if not user.is_authenticated:
        return values
    values |= {"user": user, "csrf_token": context.get("csrf_token")}
    if kind == "search":
        followed = Follow.objects.of(user.pk).filter(saved_search__key=key_of(asked["query"]))
        found = followed.values_list("saved_search", flat=True).first()
        if found is not None:
            values["fields"] = {"kind": "saved_search", "key": str(found), "next": here}.items()
        return {**values, "followed": found is not None}
    return {**values, "followed": _follows(user, kind, str(key))}


def _follows(user: Any, kind: str, key: str) -> bool:
    """Known of the reader already, unless they follow very much or did not come by a session."""
    followed = _state_of(user).get("follows")
    if followed is not None and (f"{kind}:{key}" in followed or len(followed) <= MOST_REMEMBERED):
        return f"{kind}:{key}" in followed
    return Follow.objects.of(user.pk).following(kind, [key]).exists()


def _state_of(user: Any) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(getattr(user, "reading_state", None) or "{}")
    return state


@register.simple_tag(takes_context=True)
def unread_count(context: RequestContext) -> int:
    """How many notifications a reader has not read, up to ``MOST_COUNTED``; 0 for everybody else."""
    user: Any = context.get("user")
    if user is None or not user.is_authenticated:
        return 0
    unread = _state_of(user).get("unread")
    return Notification.objects.of(user.pk).unread()[:MOST_COUNTED].count() if unread is None else int(unread)


@register.simple_tag(takes_context=True)
def news_for_reader(context: RequestContext) -> list[Told]:
    """What is new to a reader on their home."""
    user = context["request"].user
    return home_news(user) if user.is_authenticated else []
