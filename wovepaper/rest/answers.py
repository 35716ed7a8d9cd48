"""Answers as JSON, with the fields that were selected."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from wovepaper.rest.cursors import list_name, read_cursor, write_cursor
from wovepaper.rest.problems import bad_parameter
from wovepaper.rest.schemas import Shape


def read_select(text: str, *shapes: type[Shape]) -> frozenset[str]:
    """The fields of ``shapes`` that are to be sent. Raises ``Problem`` for a field that none of them has."""
    known = {name for shape in shapes for name in shape.model_fields}
    if not text.strip():
        return frozenset(known)
    wanted = {name.strip() for name in text.split(",") if name.strip()}
    if unknown := sorted(wanted - known):
        shown = ", ".join(name[:40] for name in unknown[:5])
        raise bad_parameter("select", f"No field is called {shown}; fields are {', '.join(sorted(known))}.")
    return frozenset(wanted or known)


def place_of(request: HttpRequest) -> str:
    """The place that the request's cursor leads to; empty for the first page. Raises ``Problem``."""
    text = request.GET.get("cursor", "")
    return read_cursor(text, of=_name(request)) if text else ""


def next_address(request: HttpRequest, place: object | None) -> str | None:
    """The address of the same list from ``place`` on; ``None`` where nothing follows."""
    if place is None:
        return None
    query = {name: value for name, value in request.GET.items() if name != "cursor"}
    query["cursor"] = write_cursor(str(place), of=_name(request))
    return f"{request.build_absolute_uri(request.path)}?{urlencode(query)}"


def one(shape: Shape, wanted: frozenset[str]) -> HttpResponse:
    """The answer with one object."""
    return _json(shape.model_dump(mode="json", include=set(wanted)))


def page(
    request: HttpRequest,
    items: Sequence[Shape],
    *,
    wanted: frozenset[str],
    following: object | None,
    count: int,
    exact: bool = True,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """The answer with a page of a list. ``following``: the place where the next page begins."""
    return _json(
        {
            "items": [item.model_dump(mode="json", include=set(wanted)) for item in items],
            "next": next_address(request, following),
            "count": count,
            "count_is_exact": exact,
            **(more or {}),
        }
    )


def moved(location: str) -> HttpResponse:
    """301 to where the object is now; not for ever, since a merge can be undone."""
    response = HttpResponse(status=301, headers={"Location": location})
    patch_cache_control(response, max_age=3600)
    return response


def _name(request: HttpRequest) -> str:
    return list_name(request.path, request.GET.dict())


def _json(content: Mapping[str, Any]) -> HttpResponse:
    response = HttpResponse(json.dumps(content, ensure_ascii=False), content_type="application/json")
    # To be asked about each time: what has not changed is answered with 304.
    patch_cache_control(response, public=True, no_cache=True)
    return response
