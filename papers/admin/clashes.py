"""Identifiers that two papers claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import truncatechars
from django.utils.html import format_html
from django.utils.safestring import SafeString

from papers.admin.screens import PaperCurationAdmin, banner
from papers.models import IdentifierClash, PaperIdentifier
from wovepaper.lib.markup import plain
from wovepaper.lib.read_only_admin import moment


class _Clashes(ChangeList):
    """With the owners, in one query for the page."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: Sequence[IdentifierClash] = list(self.result_list)
        owners = {
            (one.scheme, one.value): one.paper
            for one in PaperIdentifier.objects.filter(value__in={row.value for row in rows}).select_related("paper")
        }
        for row in rows:
            row.owner = owners.get((row.scheme, row.value))  # type: ignore[attr-defined]
        self.result_list = rows


@admin.register(IdentifierClash)
class IdentifierClashAdmin(PaperCurationAdmin):
    """What ingest could not settle: seen here, compared in the queue."""

    change_list_template = "admin/papers/curation/list.html"
    list_display = ("identifier", "owned_by", "claimed_by", moment("noted_at", "Noted"))
    list_display_links = None
    list_filter = ("scheme",)
    list_select_related = ("paper",)
    ordering = ("-pk",)
    actions = None

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """With owners."""
        return _Clashes

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under the banner."""
        context = {"title": "Identifiers that two papers claim", **banner(request), **(extra_context or {})}
        return super().changelist_view(request, context)

    @admin.display(description="Identifier")
    def identifier(self, row: IdentifierClash) -> str:
        """Scheme and value."""
        return f"{row.get_scheme_display()} {row.value}"

    @admin.display(description="Owned by")
    def owned_by(self, row: IdentifierClash) -> SafeString | str:
        """The paper that is found by it."""
        return _link(row.owner)  # type: ignore[attr-defined]

    @admin.display(description="Claimed by")
    def claimed_by(self, row: IdentifierClash) -> SafeString | str:
        """The paper whose records name it too."""
        return _link(row.paper)


def _link(paper: Any) -> SafeString | str:
    if paper is None:
        return "—"
    url = paper.get_absolute_url()
    return format_html('<a href="{}">{}</a> <small>{}</small>', url, truncatechars(plain(paper.title), 80), paper.pk)
