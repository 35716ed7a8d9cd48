"""Filters by columns whose values are few: asked of the table by its index instead of read from all rows."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from wovepaper.harvest import registry
from wovepaper.harvest.models import SourceState


class SourceFilter(admin.SimpleListFilter):
    """By source: those that are registered or were once harvested."""

    title = "source"
    parameter_name = "source"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Their names."""
        names = set(registry.names()) | set(SourceState.objects.values_list("name", flat=True))
        return [(name, name) for name in sorted(names)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Rows of the chosen one."""
        return queryset.filter(source=self.value()) if self.value() else queryset
