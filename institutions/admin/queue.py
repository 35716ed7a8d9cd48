"""The queue of institutions that may be one, the likeliest first: comparing, merging and telling them apart."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from institutions.admin.comparison import compare, roots_of
from institutions.admin.screens import InstitutionScreens, forget, queue_address, recall, remember, to_next
from institutions.merging import ADAPTER
from institutions.models import Candidate, Institution
from institutions.services.merging import (
    declare_different,
    merge_institutions,
    plan_merge,
    revoke_assertion,
    undo_event,
)
from wovepaper.curation import sent
from wovepaper.curation.screens import READ, WRITE
from wovepaper.curation.services import Action, LeaseLost, lease, may, release, snooze, waiting, wake

TAKEN_BACK = "Taken back right away"
MERGE_PHRASES = ("The registry has it twice", "One continues the other", "Same name, place and website")
DIFFERENT_PHRASES = ("Two institutions of one name", "One is part of the other", "At different places")
LATER = "Their papers are brought together by the pipeline, in batches: that may take some minutes."


class _Queue(ChangeList):
    """With the names of the members, in one query for the page."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: list[Candidate] = list(self.result_list)
        known = Institution.objects.in_bulk({member for row in rows for member in row.members})
        for row in rows:
            row.found = [known[member] for member in row.members if member in known]  # type: ignore[attr-defined]
        self.result_list = rows


class StateFilter(admin.SimpleListFilter):
    """Those that wait, by default."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The others; what waits has no value."""
        return [("merged", "merged"), ("different", "different"), ("closed", "closed")]

    def choices(self, changelist: Any) -> Any:
        """With the default under its own name."""
        for value, label in ((None, "waiting"), *self.lookup_choices):
            new, remove = ({self.parameter_name: value}, []) if value else ({}, [self.parameter_name])
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string(new, remove),
                "display": label,
            }

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Of the chosen state."""
        value = self.value()
        return queryset.filter(state=value) if value else queryset.filter(state__in=["open", "snoozed"])


@admin.register(Candidate)
class CandidateAdmin(InstitutionScreens):
    """GET shows and changes nothing; "Next" and the buttons of an item lease it, by POST."""

    change_list_template = "admin/institutions/candidate/change_list.html"
    list_display = ("which", "likelihood", "papers", "worked_on")
    list_display_links = None
    list_filter = (StateFilter,)
    list_select_related = ("leased_to",)
    ordering = ("-score", "pk")
    actions = None

    def get_urls(self) -> list[URLPattern]:
        """Adds what can be done. ``…/<item>/change/`` is Django's name for the page of one row."""
        screen, base = self.screen, "institutions_candidate"
        merge = screen(self.merge_view, methods=(*READ, *WRITE), needs=Action.MERGE)
        return [
            path("next/", screen(self.next_view, methods=WRITE), name=f"{base}_next"),
            path("undo/", screen(self.undo_view, methods=WRITE), name=f"{base}_undo"),
            path("merge/", merge, name=f"{base}_merge"),
            path("<int:number>/change/", screen(self.compare_view), name=f"{base}_change"),
            path("<int:number>/decide/", screen(self.decide_view, methods=WRITE), name=f"{base}_decide"),
            *super().get_urls(),
        ]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """With names."""
        return _Queue

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, how many are left, and the button that begins."""
        context = {"title": "Which institutions are one", "left": waiting(ADAPTER).count(), **self.banner_of(request)}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    @admin.display(description="Which")
    def which(self, row: Candidate) -> SafeString:
        """Their names and places."""
        found: list[Institution] = row.found  # type: ignore[attr-defined]
        names = format_html_join(" · ", "{} <small>{}</small>", ((one.display_name, one.place) for one in found))
        address = reverse("admin:institutions_candidate_change", args=[row.pk])
        return format_html('<a href="{}">{}</a>', address, names or f"item {row.pk}")

    @admin.display(description="Score")
    def likelihood(self, row: Candidate) -> str:
        """Of 100."""
        return f"{100 * row.score:.0f} %"

    @admin.display(description="Papers")
    def papers(self, row: Candidate) -> int:
        """Of the smaller one."""
        return row.rows_affected

    @admin.display(description="Worked on by")
    def worked_on(self, row: Candidate) -> str:
        """Whoever has the lease."""
        return str(row.leased_to) if row.leased_to and _is_leased(row) else "—"

    # --- one item --------------------------------------------------------------------------------------------

    def compare_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """The institutions of an item side by side."""
        candidate = _find(number)
        columns = compare(roots_of(candidate.members))
        leased = _is_leased(candidate)
        context = {
            "title": " and ".join(column.institution.display_name for column in columns) or f"Item {number}",
            "candidate": candidate,
            "columns": columns,
            "versions": [(column.institution.pk, column.institution.version) for column in columns],
            "left": waiting(ADAPTER).count(),
            "mine": leased and candidate.leased_to_id == request.user.pk,
            "others": leased and candidate.leased_to_id != request.user.pk,
            "phrases": DIFFERENT_PHRASES,
        }
        return self.page(request, "candidate/compare.html", context)

    def decide_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """What a button says: preview a merge, different, not sure, next."""
        _find(number)
        action = sent.one_of(request, "action", "merge", "different", "not-sure", "next", "take")
        # Another curator's work stays theirs; one's own lease lasts ten minutes from now.
        candidate: Candidate = lease(ADAPTER, candidate=number, actor=request.user)  # type: ignore[arg-type,assignment]
        match action:
            case "merge":
                return self._to_preview(request, candidate)
            case "different":
                return self._different(request, candidate)
            case "not-sure":
                snooze(ADAPTER, candidate=number, actor=request.user)  # type: ignore[arg-type]
                remember(request, "item", number, candidate=number, text="Put off for thirty days.")
                return to_next(request, after=number)
            case "next":
                release(ADAPTER, candidate=number, actor=request.user)  # type: ignore[arg-type]
                return to_next(request, after=number)
        return HttpResponseRedirect(reverse("admin:institutions_candidate_change", args=[number]))

    def _to_preview(self, request: HttpRequest, candidate: Candidate) -> HttpResponse:
        if not may(ADAPTER, request.user, Action.MERGE):  # type: ignore[arg-type]
            raise PermissionDenied
        roots = roots_of(candidate.members)
        survivor = sent.optional_number(request.POST.get("survivor", "")) or min(roots)
        losers = [root for root in roots if root != survivor]
        if survivor not in roots or len(losers) != 1:
            raise BadRequest("Choose which of the two survives.")
        address = reverse("admin:institutions_candidate_merge")
        query = f"survivor={survivor}&loser={losers[0]}&candidate={candidate.pk}"
        return HttpResponseRedirect(f"{address}?{query}")

    def _different(self, request: HttpRequest, candidate: Candidate) -> HttpResponse:
        roots = roots_of(candidate.members)
        if len(roots) != 2:
            raise BadRequest("They are shown as one by now.")
        made = declare_different(
            one=roots[0],
            other=roots[1],
            actor=request.user,  # type: ignore[arg-type]
            reason=sent.reason(request),
            versions=sent.versions(request),
        )
        text = f"Told {roots[0]} and {roots[1]} apart."
        remember(request, "assertion", made.pk, candidate=candidate.pk, text=text)
        return to_next(request, after=candidate.pk)

    # --- merging ---------------------------------------------------------------------------------------------

    def merge_view(self, request: HttpRequest) -> HttpResponse:
        """``…/merge/?survivor=…&loser=…``: GET shows what a merge would do, POST merges."""
        given = request.POST if request.method == "POST" else request.GET
        survivor, loser = sent.number(given.get("survivor", "")), sent.number(given.get("loser", ""))
        number = sent.optional_number(given.get("candidate", ""))
        candidate = None if number is None else _find(number)
        if request.method == "POST":
            return self._merge(request, candidate, survivor, loser)
        known = Institution.objects.in_bulk([survivor, loser])
        if len(known) < 2:
            raise Http404
        plan = plan_merge(loser=loser, survivor=survivor)
        context = {
            "title": "Merge?",
            "plan": plan,
            "survivor": known[survivor],
            "loser": known[loser],
            "overridable": bool(plan.obstacles) and all(one.overridable for one in plan.obstacles),
            "candidate": candidate,
            "phrases": MERGE_PHRASES,
            "reason": MERGE_PHRASES[0],
            "later": LATER,
            "key": uuid.uuid4().hex,
            "columns": compare([survivor, loser]) if survivor != loser else (),
        }
        return self.page(request, "candidate/merge.html", context)

    def _merge(self, request: HttpRequest, candidate: Candidate | None, survivor: int, loser: int) -> HttpResponse:
        if candidate is not None:
            lease(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
        outcome = merge_institutions(
            loser=loser,
            survivor=survivor,
            actor=request.user,  # type: ignore[arg-type]
            reason=sent.reason(request),
            versions=sent.versions(request),
            key=sent.key(request),
            override=request.POST.get("override") == "yes",
        )
        assert outcome.event is not None  # institutions need no second curator
        number = None if candidate is None else candidate.pk
        remember(
            request, "event", outcome.event.pk, candidate=number, text=f"Merged {loser} into {survivor}. {LATER}"
        )  # fmt: skip
        if candidate is None:
            return HttpResponseRedirect(reverse("admin:institutions_institution_change", args=[survivor]))
        return to_next(request, after=candidate.pk)

    # --- next and undo ---------------------------------------------------------------------------------------

    def next_view(self, request: HttpRequest) -> HttpResponse:
        """Begin, or go on."""
        return to_next(request)

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        """Take back what this curator did last, and show its item again."""
        act = recall(request)
        if act is None or request.POST.get("act") != act["token"]:
            messages.info(request, "There is nothing to take back any more. The history has everything that was done.")
            return HttpResponseRedirect(queue_address())
        user: Any = request.user
        match act["kind"]:
            case "event":
                undo_event(event=act["number"], actor=user, reason=TAKEN_BACK, key=sent.key(request))
            case "assertion":
                revoke_assertion(assertion=act["number"], actor=user, reason=TAKEN_BACK)
        forget(request)
        messages.success(request, f"Taken back: {act['text']}")
        candidate: int | None = act["candidate"]
        if candidate is None:
            return HttpResponseRedirect(queue_address())
        if act["kind"] == "item":
            wake(ADAPTER, candidate=candidate, actor=user)
        try:
            lease(ADAPTER, candidate=candidate, actor=user)
        except LeaseLost:
            messages.info(request, "Somebody else works on it by now.")
            return to_next(request)
        return HttpResponseRedirect(reverse("admin:institutions_candidate_change", args=[candidate]))


def _find(number: int) -> Candidate:
    found: Candidate | None = Candidate.objects.select_related("leased_to").filter(pk=number).first()
    if found is None:
        raise Http404
    return found


def _is_leased(candidate: Candidate) -> bool:
    return candidate.leased_until is not None and candidate.leased_until > timezone.now()
