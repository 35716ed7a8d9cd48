"""The history of papers: every merge, split and undo, and what was said of pairs; all of it can be taken back."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from papers.addresses import find_paper, find_pasted
from papers.admin.screens import PaperCurationAdmin, banner
from papers.curating import plan_undo, revoke_assertions, undo_event
from papers.merging import ADAPTER
from papers.models import CuratedPaper, Paper, PaperAssertion, PaperMergeEvent, SourceRecord
from wovepaper.curation import sent
from wovepaper.curation.screens import WRITE
from wovepaper.curation.services import Action, CurationError, may
from wovepaper.lib.markup import plain
from wovepaper.lib.read_only_admin import moment

UNDO_PHRASES = ("Two works", "Parts of a series", "Merged by mistake")
MOST_LISTED = 50
LONGEST_NUMBER = 18


class _OfPaper(PaperCurationAdmin):
    """Lists in which a paper's entries are looked for."""

    change_list_template = "admin/papers/curation/list.html"
    search_fields = ("pk",)  # switches the box on
    search_help_text = "Number, arXiv id or DOI of a paper"
    ordering = ("-pk",)

    def members_of(self, search_term: str) -> list[int] | None:
        """All that is one with the paper that is named; ``None`` for an empty search."""
        text = search_term.strip()
        if not text:
            return None
        is_number = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
        found = find_paper(text) if is_number else find_pasted(text)
        return [*CuratedPaper.objects.filter(root=found.pk).values_list("pk", flat=True)] if found else []


class InForceFilter(admin.SimpleListFilter):
    """Those that nobody has taken back, or the others."""

    title = "state"
    parameter_name = "live"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """An undo is neither."""
        return [("yes", "in force"), ("no", "undone")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[PaperMergeEvent]) -> QuerySet[PaperMergeEvent]:
        """Of the chosen state."""
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(live=self.value() == "yes").exclude(kind="undo")


@admin.register(PaperMergeEvent)
class PaperMergeEventAdmin(_OfPaper):
    """Events are written by the engine alone; here they are read and taken back."""

    list_display = ("what", moment("created_at", "When"), "by", "reason", "in_force")
    list_filter = ("kind", InForceFilter)
    list_select_related = ("actor",)
    list_display_links = ("what",)

    def get_urls(self) -> list[URLPattern]:
        """Adds the page of one event, and its undo."""
        return [
            path("<int:number>/change/", self.screen(self.event_view), name="papers_papermergeevent_change"),
            path("<int:number>/undo/", self.screen(self.undo_view, methods=WRITE), name="papers_papermergeevent_undo"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under the banner."""
        context = {"title": "History of papers", **banner(request), **(extra_context or {})}
        return super().changelist_view(request, context)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[PaperMergeEvent], search_term: str
    ) -> tuple[QuerySet[PaperMergeEvent], bool]:
        """Events of everything that is one with the paper that is named."""
        members = self.members_of(search_term)
        return queryset if members is None else queryset.filter(subjects__overlap=members), False

    @admin.display(description="What")
    def what(self, event: PaperMergeEvent) -> str:
        """In one line, by numbers."""
        return in_one_line(event)

    @admin.display(description="By")
    def by(self, event: PaperMergeEvent) -> str:
        """Who did it."""
        return actor_of(event)

    @admin.display(description="State")
    def in_force(self, event: PaperMergeEvent) -> SafeString | str:
        """Whether it can be taken back."""
        if event.kind == "undo":
            return "—"
        if event.live:
            return format_html('<span class="state state--ready">{}</span>', "in force")
        return format_html('<span class="state">{}</span>', "undone")

    def event_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """One event: what it did, and what undoing it would do."""
        event = PaperMergeEvent.objects.select_related("actor").filter(pk=number).first()
        if event is None:
            raise Http404
        plan, refusal = None, ""
        if event.live:
            try:
                plan = plan_undo(event=event.pk)
            except CurationError as error:
                refusal = str(error)
        user: Any = request.user
        own = bool(event.evidence.get("automatic")) or user.pk == event.actor_id
        titles = dict(Paper.objects.filter(pk__in=(event.loser_id, event.survivor_id)).values_list("pk", "title"))
        moved = [move["row"] for move in event.base_moves][:MOST_LISTED]
        context = {
            "title": in_one_line(event),
            "event": event,
            "actor": actor_of(event),
            "loser_title": plain(titles[event.loser_id]),
            "survivor_title": plain(titles[event.survivor_id]),
            "undone_by": PaperMergeEvent.objects.filter(undoes=event.pk).select_related("actor").first(),
            "plan": plan,
            "refusal": refusal,
            "may_undo": may(ADAPTER, user, Action.UNDO_ANY) or (own and may(ADAPTER, user, Action.UNDO_OWN)),
            "moved": SourceRecord.objects.filter(pk__in=moved).defer("payload").order_by("source", "pk"),
            "pins": [field.replace("_", " ") for field in event.field_changes],
            "phrases": UNDO_PHRASES,
            "key": uuid.uuid4().hex,
        }
        return self.page(request, "event.html", context)

    def undo_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Take an event back."""
        outcome = undo_event(
            event=number,
            actor=request.user,  # type: ignore[arg-type]
            reason=sent.reason(request),
            key=sent.key(request),
            versions=sent.versions(request),
        )
        text = "Taken back."
        if outcome.arrived:
            text += f" {len(outcome.arrived)} records that came in since go where their identifiers say."
        if outcome.returned is not None and outcome.returned.kept:
            text += f" {len(outcome.returned.kept)} stayed: {'; '.join(sorted(set(outcome.returned.kept.values())))}."
        messages.success(request, text)
        return HttpResponseRedirect(reverse("admin:papers_papermergeevent_change", args=[number]))


@admin.register(PaperAssertion)
class PaperAssertionAdmin(_OfPaper):
    """What was said of two papers, to be taken back one by one."""

    list_display = ("what", moment("created_at", "When"), "by", "reason", "state")
    list_filter = ("kind", "revoked")
    list_select_related = ("by", "revoked_by")
    list_display_links = ("what",)

    def get_urls(self) -> list[URLPattern]:
        """Adds the page of one, and taking it back."""
        return [
            path("<int:number>/change/", self.screen(self.assertion_view), name="papers_paperassertion_change"),
            path(
                "<int:number>/revoke/",
                self.screen(self.revoke_view, methods=WRITE),
                name="papers_paperassertion_revoke",
            ),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under the banner."""
        context = {"title": "Same or different papers", **banner(request), **(extra_context or {})}
        return super().changelist_view(request, context)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[PaperAssertion], search_term: str
    ) -> tuple[QuerySet[PaperAssertion], bool]:
        """Of everything that is one with the paper that is named."""
        members = self.members_of(search_term)
        if members is None:
            return queryset, False
        return queryset.filter(a__in=members) | queryset.filter(b__in=members), False

    @admin.display(description="What")
    def what(self, row: PaperAssertion) -> str:
        """By numbers."""
        return f"Papers {row.a_id} and {row.b_id} are {row.get_kind_display().lower()}"

    @admin.display(description="State")
    def state(self, row: PaperAssertion) -> str:
        """Whether it stands."""
        return "revoked" if row.revoked else "stands"

    def assertion_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """One of them."""
        row = PaperAssertion.objects.select_related("by", "revoked_by").filter(pk=number).first()
        if row is None:
            raise Http404
        titles = dict(Paper.objects.filter(pk__in=(row.a_id, row.b_id)).values_list("pk", "title"))
        context = {
            "title": self.what(row),
            "assertion": row,
            "papers": [(pk, plain(titles[pk])) for pk in (row.a_id, row.b_id)],
        }
        return self.page(request, "assertion.html", context)

    def revoke_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Take it back."""
        revoke_assertions(assertions=[number], actor=request.user, reason=sent.reason(request))  # type: ignore[arg-type]
        messages.success(request, "Taken back. The pair is in the queue again, if it was there before.")
        return HttpResponseRedirect(reverse("admin:papers_paperassertion_change", args=[number]))


def in_one_line(event: PaperMergeEvent) -> str:
    """By numbers."""
    if event.kind == "merge":
        return f"Merged paper {event.loser_id} into {event.survivor_id}"
    if event.kind == "split":
        return f"Split paper {event.loser_id}: {len(event.base_moves)} records to {event.survivor_id}"
    return f"Undid event {event.undoes_id}, of papers {event.loser_id} and {event.survivor_id}"


def actor_of(event: PaperMergeEvent) -> str:
    """Who did it, ingest among them."""
    if event.evidence.get("automatic"):
        return "ingest"
    return str(event.actor or "an account that is gone")
