"""Filters of the list of papers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from papers.models import Category, Paper


class CategoryFilter(admin.SimpleListFilter):
    """By category, primary or not, as a list to choose from: there are too many for links."""

    title = "category"
    parameter_name = "category"
    template = "admin/choice_filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Every category there is."""
        return [
            (code, f"{code} — {name}") for code, name in Category.objects.order_by("code").values_list("code", "name")
        ]

    def choices(self, changelist: Any) -> Any:
        """None: the form of the template needs the other parameters of the list instead."""
        self.others = [
            (name, value)
            for name, values in changelist.filter_params.items()
            if name not in {self.parameter_name, "p"}
            for value in (values if isinstance(values, list) else [values])
        ]
        return []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Paper]) -> QuerySet[Paper]:
        """Papers of the chosen one."""
        code = self.value()
        return queryset.filter(categories__contains=[code]) if code else queryset
