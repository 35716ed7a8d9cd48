"""Admin pages for what only programs write: they show, they never save, and they stay fast on long tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest, ValidationError
from django.http import HttpRequest, HttpResponseBase

from wovepaper.lib.bounded_paginator import BoundedPaginator


def moment(name: str, label: str) -> Callable[[Any], str]:
    """A column for a date with time: short, in UTC, and sortable by eye."""

    @admin.display(description=f"{label} (UTC)")
    def shown(row: Any) -> str:
        value: dt.datetime | None = getattr(row, name)
        return "—" if value is None else value.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M")

    shown.__name__ = name
    return shown


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows can be looked at by whoever may view them; what else can be done has its own address and permission."""

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # each would be a count over the whole table
    list_per_page = 50
    list_max_show_all = 0
    change_list_template = "admin/bounded_change_list.html"
    sortable_by = ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody may."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody may."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody may."""
        return False

    def may_change(self, request: HttpRequest) -> bool:
        """Whether the user has the permission to change rows of this model, which the actions here ask for."""
        return bool(request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}"))

    # The stubs know an argument that this version of Django has not.
    def response_action(  # type: ignore[override]
        self, request: HttpRequest, queryset: Any
    ) -> HttpResponseBase | None:
        """Act on the rows that are ticked. Raises ``BadRequest`` where the form names something that is no row."""
        for text in request.POST.getlist(ACTION_CHECKBOX_NAME):
            try:
                self.opts.pk.to_python(text)
            except ValidationError as error:
                raise BadRequest(f"{text[:40]!r} is not the number of a row.") from error
        return super().response_action(request, queryset)
