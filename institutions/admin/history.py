"""What was merged and taken back, by whom and why; and the way to take it back."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from institutions.admin.queue import LATER
from institutions.admin.screens import InstitutionScreens
from institutions.merging import ADAPTER
from institutions.models import MergeEvent
from institutions.services.merging import plan_undo, undo_event
from wovepaper.curation import sent
from wovepaper.curation.screens import WRITE
from wovepaper.curation.services import Action, CurationError, may
from wovepaper.lib.read_only_admin import moment


@admin.register(MergeEvent)
class MergeEventAdmin(InstitutionScreens):
    """Events are written by the engine alone; here they are read and taken back."""

    change_list_template = "admin/institutions/journal_list.html"
    list_display = ("what", moment("created_at", "When"), "actor", "reason", "in_force")
    list_filter = ("kind",)
    list_select_related = ("actor", "loser", "survivor")
    ordering = ("-pk",)
    list_display_links = ("what",)

    def get_urls(self) -> list[URLPattern]:
        """Adds the page of one event, and its undo."""
        undo = self.screen(self.undo_view, methods=WRITE)
        return [
            path("<int:number>/change/", self.screen(self.event_view), name="institutions_mergeevent_change"),
            path("<int:number>/undo/", undo, name="institutions_mergeevent_undo"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under the banner."""
        context = {"title": "History of institutions", **self.banner_of(request)}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    @admin.display(description="What")
    def what(self, event: MergeEvent) -> str:
        """In one line."""
        done = "Merged" if event.kind == MergeEvent.Kind.MERGE else "Parted"
        return f"{done} {event.loser.display_name} ({event.loser_id}) and {event.survivor.display_name}"

    @admin.display(description="State")
    def in_force(self, event: MergeEvent) -> str:
        """Whether it can be taken back."""
        if event.kind == MergeEvent.Kind.UNDO:
            return "—"
        return "in force" if event.live else "undone"

    def event_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """One event, and what undoing it would do."""
        rows = MergeEvent.objects.select_related("actor", "undoes", "loser", "survivor")
        event = rows.filter(pk=number).first()
        if event is None:
            raise Http404
        plan, refusal = None, ""
        if event.live:
            try:
                plan = plan_undo(event=event.pk)
            except CurationError as error:
                refusal = str(error)
        user: Any = request.user
        own = user.pk == event.actor_id and may(ADAPTER, user, Action.UNDO_OWN)
        context = {
            "title": self.what(event),
            "event": event,
            "plan": plan,
            "refusal": refusal,
            "may_undo": own or may(ADAPTER, user, Action.UNDO_ANY),
            "undone_by": MergeEvent.objects.filter(undoes=event.pk).select_related("actor").first(),
            "later": LATER,
            "key": uuid.uuid4().hex,
        }
        return self.page(request, "mergeevent/event.html", context)

    def undo_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Take an event back."""
        undo_event(
            event=number,
            actor=request.user,  # type: ignore[arg-type]
            reason=sent.reason(request),
            key=sent.key(request),
        )
        self.message_user(request, f"Taken back. {LATER}")
        return HttpResponseRedirect(reverse("admin:institutions_mergeevent_change", args=[number]))
