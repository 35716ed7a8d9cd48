"""The history: every merge, split and undo, each of which can be taken back while it is in force."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from papers.models import Paper
from researchers.admin.reasons import UNDO_PHRASES
from researchers.admin.screens import WRITE, CurationAdmin, banner
from researchers.merging import ADAPTER
from researchers.models import Attribution, MergeEvent, Researcher
from researchers.services.finding import find_named
from researchers.services.merging import plan_undo, undo_event
from researchers.services.names import presentable
from wovepaper.curation import sent
from wovepaper.curation.services import Action, CurationError, may
from wovepaper.lib.markup import plain
from wovepaper.lib.read_only_admin import moment

MOST_LISTED = 50


class InForceFilter(admin.SimpleListFilter):
    """Those that nobody has taken back, or the others."""

    title = "state"
    parameter_name = "live"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """In the words of the column; an undo is neither."""
        return [("yes", "in force"), ("no", "undone")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[MergeEvent]) -> QuerySet[MergeEvent]:
        """Of the chosen state."""
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(live=self.value() == "yes").exclude(kind=MergeEvent.Kind.UNDO)


class ActorFilter(admin.SimpleListFilter):
    """By who did it: those who did anything."""

    title = "curator"
    parameter_name = "actor"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Accounts that are named by an event."""
        actors = MergeEvent.objects.order_by().values("actor").distinct()
        users = get_user_model().objects.filter(pk__in=actors).order_by("display_name", "email")
        return [(str(user.pk), str(user)) for user in users[:MOST_LISTED]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[MergeEvent]) -> QuerySet[MergeEvent]:
        """Of the chosen one."""
        value = self.value() or ""
        return queryset.filter(actor=int(value)) if value.isascii() and value.isdecimal() else queryset


@admin.register(MergeEvent)
class MergeEventAdmin(CurationAdmin):
    """Events are written by the engine alone; here they are read and taken back."""

    change_list_template = "admin/researchers/journal_list.html"
    list_display = ("what", moment("created_at", "When"), "by", "confirmed_by", "reason", "in_force")
    list_filter = ("kind", InForceFilter, ActorFilter)
    list_select_related = ("actor", "confirmed_by")
    ordering = ("-pk",)
    search_fields = ("pk",)  # switches the box on
    search_help_text = "Number, address or ORCID iD of a researcher: their history"
    list_display_links = ("what",)

    def get_urls(self) -> list[URLPattern]:
        """Adds the page of one event, and its undo."""
        return [
            path("<int:number>/change/", self.screen(self.event_view), name="researchers_mergeevent_change"),
            path("<int:number>/undo/", self.screen(self.undo_view, methods=WRITE), name="researchers_mergeevent_undo"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under the banner."""
        return super().changelist_view(request, {"title": "History", **banner(request), **(extra_context or {})})

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[MergeEvent], search_term: str
    ) -> tuple[QuerySet[MergeEvent], bool]:
        """Events of everybody who is one with the researcher that is named."""
        if not search_term.strip():
            return queryset, False
        named = find_named(search_term)
        members = list(Researcher.objects.filter(root=named.pk).values_list("pk", flat=True)) if named else []
        return queryset.filter(subjects__overlap=members) if members else queryset.none(), False

    @admin.display(description="What")
    def what(self, event: MergeEvent) -> str:
        """In one line, by numbers."""
        return in_one_line(event)

    @admin.display(description="By")
    def by(self, event: MergeEvent) -> str:
        """Who did it."""
        return str(event.actor or "—")

    @admin.display(description="State")
    def in_force(self, event: MergeEvent) -> SafeString | str:
        """Whether it can be taken back."""
        if event.kind == MergeEvent.Kind.UNDO:
            return "—"
        if event.live:
            return format_html('<span class="state state--ready">{}</span>', "in force")
        return format_html('<span class="state">{}</span>', "undone")

    def event_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """One event: what it did, and what undoing it would do."""
        event = MergeEvent.objects.select_related("actor", "confirmed_by", "undoes", "loser", "survivor").filter(
            pk=number
        ).first()  # fmt: skip
        if event is None:
            raise Http404
        plan, refusal = None, ""
        if event.live:
            try:
                plan = plan_undo(event=event.pk)
            except CurationError as error:
                refusal = str(error)
        own = request.user.pk in (event.actor_id, event.confirmed_by_id)
        user: Any = request.user
        may_undo = may(ADAPTER, user, Action.UNDO_ANY) or (own and may(ADAPTER, user, Action.UNDO_OWN))
        arrived = Attribution.objects.filter(pk__in=plan.arrived).select_related("paper") if plan else ()
        context = {
            "title": in_one_line(event),
            "event": event,
            "loser_name": _presentable(event, event.loser.display_name),
            "survivor_name": _presentable(event, event.survivor.display_name),
            "undone_by": MergeEvent.objects.filter(undoes=event.pk).select_related("actor").first(),
            "plan": plan,
            "refusal": refusal,
            "may_undo": may_undo,
            "arrived": [(one.paper_id, plain(one.paper.title)) for one in list(arrived)[:MOST_LISTED]],
            "fields": _fields(event),
            "restored": _shown(event, plan.fields.restored) if plan else {},
            "moved": _moved(event),
            "phrases": UNDO_PHRASES,
            "key": uuid.uuid4().hex,
        }
        return self.page(request, "mergeevent/event.html", context)

    def undo_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Take an event back."""
        outcome = undo_event(
            event=number,
            actor=request.user,  # type: ignore[arg-type]
            reason=sent.reason(request),
            key=sent.key(request),
            versions=sent.versions(request),
        )
        self._tell(request, outcome)
        return HttpResponseRedirect(reverse("admin:researchers_mergeevent_change", args=[number]))

    def _tell(self, request: HttpRequest, outcome: Any) -> None:
        arrived, returned = len(outcome.arrived), outcome.returned
        text = "Taken back."
        if arrived:
            text += f" {arrived} paper{'' if arrived == 1 else 's'} that came in since will be attributed anew."
        if returned is not None:
            text += f" {len(returned.rows)} went back."
            if returned.kept:
                text += f" {len(returned.kept)} stayed: {'; '.join(sorted(set(returned.kept.values())))}."
        self.message_user(request, text)


def in_one_line(event: MergeEvent) -> str:
    """By numbers, since names may be hidden one day."""
    if event.kind == MergeEvent.Kind.MERGE:
        return f"Merged {event.loser_id} into {event.survivor_id}"
    if event.kind == MergeEvent.Kind.SPLIT:
        return f"Split off {event.loser_id}: {len(event.base_moves)} to {event.survivor_id}"
    return f"Undid event {event.undoes_id}, of {event.loser_id} and {event.survivor_id}"


def _fields(event: MergeEvent) -> dict[str, tuple[str, str]]:
    """Fields the merge wrote, as a page may show them."""
    return {
        field.replace("_", " "): (
            _presentable(event, change["before"]),
            _presentable(event, change["after"]),
        )
        for field, change in event.field_changes.items()
    }


def _shown(event: MergeEvent, values: dict[str, Any]) -> dict[str, str]:
    return {field.replace("_", " "): _presentable(event, value) for field, value in values.items()}


def _presentable(event: MergeEvent, name: str) -> str:
    """A name of either side, unless one of them has it hidden now."""
    survivors = presentable(researcher=event.survivor_id, name=name)
    return survivors if survivors != name else presentable(researcher=event.loser_id, name=name)


def _moved(event: MergeEvent) -> list[tuple[int, str]]:
    """Papers a split moved."""
    numbers = [move["paper"] for move in event.base_moves][:MOST_LISTED]
    titles = dict(Paper.objects.filter(pk__in=numbers).values_list("pk", "title"))
    return [(number, plain(titles[number])) for number in numbers if number in titles]
