"""Records that could not be used: why, what they are, and another try."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from wovepaper.harvest.admin.filters import SourceFilter
from wovepaper.harvest.errors import HarvestError
from wovepaper.harvest.models import QuarantinedRecord
from wovepaper.harvest.registry import UnknownSource
from wovepaper.harvest.services import replay_quarantined
from wovepaper.lib.payloads import readable_payload
from wovepaper.lib.read_only_admin import ReadOnlyAdmin, moment

MOST_AT_ONCE = 500
"""Records tried again in one request; ``manage.py replay SOURCE --quarantined`` takes all."""


class ResolvedFilter(admin.SimpleListFilter):
    """Waiting records by default."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Waiting is the default and has no value."""
        return [("resolved", "resolved"), ("all", "all")]

    def choices(self, changelist: Any) -> Any:
        """With the default under its own name."""
        for value, label in ((None, "waiting"), *self.lookup_choices):
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string(
                    {self.parameter_name: value} if value else {}, [] if value else [self.parameter_name]
                ),
                "display": label,
            }

    def queryset(self, request: HttpRequest, queryset: QuerySet[QuarantinedRecord]) -> QuerySet[QuarantinedRecord]:
        """By whether a later state could be used."""
        match self.value():
            case "resolved":
                return queryset.filter(resolved_at__isnull=False)
            case "all":
                return queryset
        return queryset.filter(resolved_at=None)


@admin.register(QuarantinedRecord)
class QuarantinedRecordAdmin(ReadOnlyAdmin):
    """Trying again needs the permission to change quarantined records."""

    list_display = (
        "name",
        "source",
        "format",
        "damaged",
        "reason",
        "attempts",
        moment("last_seen_at", "Last seen"),
        moment("resolved_at", "Resolved"),
    )
    list_filter = (ResolvedFilter, SourceFilter, "damaged")
    search_fields = ("external_id__startswith",)
    search_help_text = "The beginning of a record's id, as the source writes it"
    ordering = ("-last_seen_at", "-pk")
    actions = ("try_again",)
    fields = (
        "source",
        "format",
        "external_id",
        "stamp",
        "what",
        "reason",
        "attempts",
        "first_seen_at",
        "last_seen_at",
        "resolved_at",
        "shown_page",
        "shown_payload",
    )
    change_form_template = "admin/harvest/quarantinedrecord/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[QuarantinedRecord]:
        """Without the payloads, which no list shows."""
        return super().get_queryset(request).defer("payload_zstd")

    def get_urls(self) -> list[URLPattern]:
        """Adds the button of a record's page."""
        replay = path(
            "<int:record_id>/replay/",
            self.admin_site.admin_view(self.replay_view),
            name="harvest_quarantinedrecord_replay",
        )
        return [replay, *super().get_urls()]

    def has_replay_permission(self, request: HttpRequest) -> bool:
        """For the action of the list."""
        return self.may_change(request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The record, with its payload as text."""
        context = {"may_replay": self.may_change(request), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    @admin.display(description="Record", ordering="external_id")
    def name(self, record: QuarantinedRecord) -> str:
        """Its id, or that it has none."""
        return record.external_id or f"piece {record.payload_sha256[:12]}"

    @admin.display(description="What")
    def what(self, record: QuarantinedRecord) -> str:
        """A record that was refused, or a piece of an answer that is none."""
        return "damaged piece" if record.damaged else "record"

    @admin.display(description="Came in")
    def shown_page(self, record: QuarantinedRecord) -> str:
        """A link to the answer it was part of."""
        if record.raw_page_id is None:
            return "The answer is no longer kept."
        url = reverse("admin:harvest_rawpage_change", args=[record.raw_page_id])
        return format_html('<a href="{}">answer {}</a>', url, record.raw_page_id)

    @admin.display(description="Payload")
    def shown_payload(self, record: QuarantinedRecord) -> str:
        """Set out where it is XML or JSON, as sent otherwise."""
        payload = readable_payload(record.payload)
        note = "Only the beginning is shown. " if payload.cut else ""
        return format_html('{}<pre class="payload" tabindex="0">{}</pre>', note, payload.text)

    @admin.action(description="Try again, from what is stored", permissions=["replay"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[QuarantinedRecord]) -> None:
        """Parse the chosen records again."""
        chosen = queryset.filter(resolved_at=None).order_by("pk").values_list("source", "pk")
        self._replay(request, list(chosen[: MOST_AT_ONCE + 1]))

    def replay_view(self, request: HttpRequest, record_id: int) -> HttpResponse:
        """Parse one record again."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.may_change(request):
            raise PermissionDenied
        record = QuarantinedRecord.objects.filter(pk=record_id).defer("payload_zstd").first()
        if record is None:
            raise Http404
        if record.resolved_at is not None:
            messages.info(request, "This record was resolved before: there is nothing to try again.")
        else:
            self._replay(request, [(record.source, record.pk)])
        return HttpResponseRedirect(reverse("admin:harvest_quarantinedrecord_change", args=[record_id]))

    def _replay(self, request: HttpRequest, chosen: list[tuple[str, int]]) -> None:
        by_source: dict[str, list[int]] = defaultdict(list)
        for source, number in chosen[:MOST_AT_ONCE]:
            by_source[source].append(number)
        if len(chosen) > MOST_AT_ONCE:
            messages.warning(request, f"Only the first {MOST_AT_ONCE} were tried: use manage.py replay for all.")
        if not chosen:
            messages.info(request, "None of them is waiting: there is nothing to try again.")
        for source, numbers in sorted(by_source.items()):
            try:
                summary = replay_quarantined(name=source, ids=numbers)
            except (HarvestError, UnknownSource) as error:
                messages.error(request, str(error.args[0] if error.args else error))
                continue
            waiting = QuarantinedRecord.objects.unresolved().filter(pk__in=numbers).count()
            done = len(numbers) - waiting
            level = messages.SUCCESS if not waiting else messages.WARNING
            messages.add_message(
                request,
                level,
                f"{done} of {len(numbers)} records of {source} could now be used, {waiting} still cannot.",
            )
            for problem in (*summary.problems, *summary.warnings):
                messages.warning(request, problem)
