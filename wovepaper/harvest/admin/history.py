"""Runs, windows, files and answers, to look at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from wovepaper.harvest.admin.filters import SourceFilter
from wovepaper.harvest.models import GoneRecord, HarvestFile, HarvestRun, HarvestWindow, RawPage
from wovepaper.lib.payloads import readable_payload
from wovepaper.lib.read_only_admin import ReadOnlyAdmin, moment

STARTED = moment("started_at", "Started")
NOTICED = moment("noticed_at", "Noticed")
FETCHED = moment("fetched_at", "Fetched")
_COUNTS = ("seen", "new", "changed", "unchanged", "quarantined")


def _state(value: str, label: str) -> str:
    return format_html('<span class="state state--{}">{}</span>', value, label)


@admin.register(HarvestRun)
class HarvestRunAdmin(ReadOnlyAdmin):
    """Every call of the harvest, the latest first."""

    list_display = (STARTED, "source", "kind", "shown_outcome", "duration", *_COUNTS, "requests")
    list_display_links = (STARTED,)
    list_filter = (SourceFilter, "kind", "outcome")
    ordering = ("-started_at", "-pk")
    fieldsets = (
        (None, {"fields": ("source", "kind", "shown_outcome", "message", "shown_warnings")}),
        ("What it was asked", {"fields": ("set_spec", "first_day", "last_day")}),
        ("When", {"fields": ("pass_started_at", "started_at", "ended_at", "duration")}),
        ("What became of the records", {"fields": _COUNTS}),
        ("What it cost", {"fields": ("requests", "bytes_received")}),
    )

    @admin.display(description="Outcome")
    def shown_outcome(self, run: HarvestRun) -> str:
        """Marked by colour too."""
        return _state(run.outcome, run.get_outcome_display())

    @admin.display(description="Took")
    def duration(self, run: HarvestRun) -> str:
        """From start to end."""
        if run.ended_at is None:
            return "—"
        seconds = int((run.ended_at - run.started_at).total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"

    @admin.display(description="Warnings")
    def shown_warnings(self, run: HarvestRun) -> str:
        """One a line."""
        return "\n".join(str(warning) for warning in run.warnings) or "—"


@admin.register(HarvestWindow)
class HarvestWindowAdmin(ReadOnlyAdmin):
    """Closed days and how far they were read."""

    list_display = ("days", "source", "stream", "set_spec", "shown_state", "reason", "pages", *_COUNTS)
    list_display_links = ("days",)
    list_filter = (SourceFilter, "state")
    ordering = ("-first_day", "-pk")

    @admin.display(description="Days")
    def days(self, window: HarvestWindow) -> str:
        """One, or from and to."""
        if window.first_day == window.last_day:
            return window.first_day.isoformat()
        return f"{window.first_day.isoformat()} to {window.last_day.isoformat()}"

    @admin.display(description="State")
    def shown_state(self, window: HarvestWindow) -> str:
        """Marked by colour too."""
        return _state(window.state, window.get_state_display())


@admin.register(HarvestFile)
class HarvestFileAdmin(ReadOnlyAdmin):
    """Files that were handed in."""

    list_display = ("name", "source", "shown_state", "reason", "size", STARTED, "pages", *_COUNTS)
    list_filter = (SourceFilter, "state")
    ordering = ("-pk",)

    @admin.display(description="State")
    def shown_state(self, file: HarvestFile) -> str:
        """Marked by colour too."""
        return _state(file.state, file.get_state_display())


@admin.register(GoneRecord)
class GoneRecordAdmin(ReadOnlyAdmin):
    """Records that are here, and that their source no longer has. Nothing follows from it by itself."""

    list_display = ("external_id", "source", NOTICED)
    list_filter = (SourceFilter,)
    search_fields = ("external_id",)
    ordering = ("-noticed_at", "-pk")


class RefusedFilter(admin.SimpleListFilter):
    """Whether an answer was taken in."""

    title = "use"
    parameter_name = "use"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Taken in, or refused."""
        return [("taken", "taken in"), ("refused", "refused")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[RawPage]) -> QuerySet[RawPage]:
        """By the reason of the refusal."""
        match self.value():
            case "taken":
                return queryset.filter(refused_because="")
            case "refused":
                return queryset.exclude(refused_because="")
        return queryset


@admin.register(RawPage)
class RawPageAdmin(ReadOnlyAdmin):
    """Answers as the sources sent them."""

    list_display = (FETCHED, "source", "stream", "number", "kind", "size", "record_count", "refused_because")
    list_display_links = (FETCHED,)
    list_filter = (SourceFilter, "kind", RefusedFilter)
    ordering = ("-pk",)
    fields = (
        "source",
        "stream",
        "kind",
        "number",
        "attempt",
        "fetched_at",
        "url",
        "refused_because",
        "record_count",
        "next_token",
        "size",
        "sha256",
        "shown_headers",
        "shown_body",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[RawPage]:
        """Without the bodies, which no list shows."""
        return super().get_queryset(request).defer("body_zstd", "headers")

    @admin.display(description="Headers")
    def shown_headers(self, page: RawPage) -> str:
        """One a line."""
        lines = "\n".join(f"{name}: {value}" for name, value in page.headers.items())
        return format_html('<pre class="payload" tabindex="0">{}</pre>', lines) if lines else "—"

    @admin.display(description="Body")
    def shown_body(self, page: RawPage) -> str:
        """Its beginning, as text."""
        payload = readable_payload(page.body)
        note = "Only the beginning is shown. " if payload.cut else ""
        return format_html('{}<pre class="payload" tabindex="0">{}</pre>', note, payload.text)
