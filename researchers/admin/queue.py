"""The queue: what may be one person, or may be several, the likeliest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from researchers.admin import bulk
from researchers.admin.comparing import ComparingViews
from researchers.admin.filters import FILTERS, StateFilter, among, kept
from researchers.admin.last_act import forget, recall
from researchers.admin.passing import address, keep_filter, to_next
from researchers.admin.screens import WRITE, banner
from researchers.matching.wording import likelihood
from researchers.merging import ADAPTER
from researchers.models import Candidate, Researcher
from researchers.services.merging import undo_act
from wovepaper.curation import sent
from wovepaper.curation.services import Action, LeaseLost, lease, may, release, waiting

TAKEN_BACK = "Taken back right away"
"""The reason of an undo by the banner of the last act."""
NAMED = 3
"""Members of an item whose names the list shows."""


_KINDS = {"pair": "two of a name", "group": "many of a name", "split": "several in one", "conflict": "contradiction"}


class _Queue(ChangeList):
    """With the names of the members, in one query for the page."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: Sequence[Candidate] = list(self.result_list)
        wanted = {member for row in rows for member in row.members[:NAMED]}
        people = Researcher.objects.filter(pk__in=wanted).select_related("root").in_bulk()
        for row in rows:
            row.people = [people[member].root for member in row.members[:NAMED] if member in people]  # type: ignore[attr-defined]
        self.result_list = rows


@admin.register(Candidate)
class CandidateAdmin(ComparingViews):
    """The list leases nothing; "Next" and the buttons of an item do, by POST."""

    change_list_template = "admin/researchers/candidate/change_list.html"
    list_display = ("who", "about", "likelihood", "papers", "followers", "worked_on")
    list_display_links = None
    list_filter = (*FILTERS, StateFilter)
    list_select_related = ("leased_to",)
    ordering = ("-score", "pk")
    actions = ("tell_apart", "merge_same_orcid")

    def get_urls(self) -> list[URLPattern]:
        """Adds what can be done."""
        return [
            path("next/", self.screen(self.next_view, methods=WRITE), name="researchers_candidate_next"),
            path("undo/", self.screen(self.undo_view, methods=WRITE), name="researchers_candidate_undo"),
            *self.comparing_urls(),
            *super().get_urls(),
        ]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """With names."""
        return _Queue

    def get_queryset(self, request: HttpRequest) -> QuerySet[Candidate]:
        """Without the reasons, which no list shows."""
        return super().get_queryset(request).defer("reasons")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, how many are left, and the button that begins."""
        context = {
            "title": "Who is who",
            "left": waiting(ADAPTER).filter(among(request.GET.dict())).count(),
            "filtered": bool(kept(request.GET.dict())),
            **banner(request),
            "filters": kept(request.GET.dict()).items(),
        }
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def has_merge_permission(self, request: HttpRequest) -> bool:
        """For the action of the list."""
        return may(ADAPTER, request.user, Action.MERGE)  # type: ignore[arg-type]

    @admin.display(description="Who")
    def who(self, row: Candidate) -> SafeString:
        """Names of the first members, and how many more there are."""
        people: list[Researcher] = row.people  # type: ignore[attr-defined]
        names = format_html_join(" · ", "{} <small>{}</small>", ((one.display_name, one.pk) for one in people))
        more = len(row.members) - NAMED
        text = format_html("{} <small>and {} more</small>", names, more) if more > 0 else names
        return format_html('<a href="{}">{}</a>', address(row.pk), text or f"item {row.pk}")

    @admin.display(description="Score")
    def likelihood(self, row: Candidate) -> str:
        """The probability as people read it."""
        return likelihood(row.score)

    @admin.display(description="Papers")
    def papers(self, row: Candidate) -> int:
        """So many are affected."""
        return row.rows_affected

    @admin.display(description="About")
    def about(self, row: Candidate) -> SafeString | str:
        """What it is, in a word, and whether sources contradict each other, in red."""
        kind = _KINDS[row.kind]
        if not row.has_conflict or row.kind == Candidate.Kind.CONFLICT:
            return kind
        return format_html('{} <span class="state state--failed">in conflict</span>', kind)

    @admin.display(description="Worked on by")
    def worked_on(self, row: Candidate) -> str:
        """Whoever has the lease, and until when."""
        if row.leased_to is None or row.leased_until is None or row.leased_until <= timezone.now():
            return "—"
        return f"{row.leased_to}, until {row.leased_until:%H:%M} UTC"

    # --- what can be done ------------------------------------------------------------------------------------

    @admin.action(description="Different people", permissions=["view"])
    def tell_apart(self, request: HttpRequest, queryset: QuerySet[Candidate]) -> HttpResponse | None:
        """Say of the two of each chosen pair that they are two people."""
        return bulk.tell_apart(self, request, queryset)

    @admin.action(description="Merge pairs with the same trusted ORCID", permissions=["merge"])
    def merge_same_orcid(self, request: HttpRequest, queryset: QuerySet[Candidate]) -> HttpResponse | None:
        """Merge those of the chosen pairs that share a trusted ORCID."""
        return bulk.merge_same_orcid(self, request, queryset)

    def next_view(self, request: HttpRequest) -> HttpResponse:
        """Begin, or go on: lease the next item of the filter that the form names."""
        keep_filter(request)
        return to_next(request)

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        """Take back what this curator did last, and show its item again."""
        act = recall(request)
        if act is None or request.POST.get("act") != act.token:
            messages.info(request, "There is nothing to take back any more. The history has everything that was done.")
            return HttpResponseRedirect(reverse("admin:researchers_candidate_changelist"))
        current = sent.optional_number(request.POST.get("candidate", ""))
        undo_act(
            kind=act.kind,
            numbers=act.numbers,
            candidate=act.candidate if act.wakes else None,
            actor=request.user,  # type: ignore[arg-type]
            reason=TAKEN_BACK,
            key=sent.key(request),
        )
        forget(request)
        messages.success(request, f"Taken back: {act.text}")
        if current is not None and current != act.candidate:
            release(ADAPTER, candidate=current, actor=request.user)  # type: ignore[arg-type]
        if act.candidate is None:
            return HttpResponseRedirect(reverse("admin:researchers_candidate_changelist"))
        try:
            lease(ADAPTER, candidate=act.candidate, actor=request.user)  # type: ignore[arg-type]
        except LeaseLost:
            messages.info(request, "Somebody else works on it by now.")
            return to_next(request)
        return HttpResponseRedirect(address(act.candidate))
