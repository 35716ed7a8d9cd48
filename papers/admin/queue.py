"""The queue of papers that may be one work, the likeliest first; and the page that compares them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.defaultfilters import truncatechars
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from papers.admin.screens import (
    CONDITIONS,
    address,
    among,
    banner,
    forget,
    keep_filter,
    kept,
    kept_filter,
    recall,
    remember,
    to_next,
    to_previous,
)
from papers.admin.side_by_side import MOST_COLUMNS, set_side_by_side
from papers.admin.splitting import SplittingViews
from papers.curating import (
    compare_by_hand,
    declare_all_different,
    merge_papers,
    plan_merge,
    undo_act,
    versions_of,
)
from papers.merging import ADAPTER
from papers.models import Paper, PaperCandidate
from wovepaper.curation import sent
from wovepaper.curation.screens import READ, WRITE
from wovepaper.curation.services import Action, LeaseLost, close, lease, may, release, snooze, waiting
from wovepaper.lib.markup import plain

TAKEN_BACK = "Taken back right away"
"""The reason of an undo by the banner of the last act."""
FEWEST = 2
MERGE_PHRASES = ("The same work", "A preprint and its article", "The same article, taken in twice")
DIFFERENT_PHRASES = ("Two works of one title", "Parts of a series", "An erratum", "An extended version")


class _Choice(admin.SimpleListFilter):
    """A choice among conditions."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Values with their labels."""
        return [(value, label) for value, (label, _) in CONDITIONS[str(self.parameter_name)].items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[PaperCandidate]) -> QuerySet[PaperCandidate]:
        """What fulfils the chosen condition."""
        return queryset.filter(among({str(self.parameter_name): self.value() or ""}))


class ScoreFilter(_Choice):
    """How likely it is."""

    title = "score"
    parameter_name = "score"


class ConflictFilter(_Choice):
    """Whether sources contradict each other."""

    title = "conflict"
    parameter_name = "conflict"


class StateFilter(admin.SimpleListFilter):
    """Waiting items by default."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Waiting is the default and has no value."""
        return [("snoozed", "put off"), ("merged", "merged"), ("different", "different"), ("closed", "closed")]

    def choices(self, changelist: Any) -> Any:
        """With the default under its own name."""
        for value, label in ((None, "waiting"), *self.lookup_choices):
            new, remove = ({self.parameter_name: value}, []) if value else ({}, [self.parameter_name])
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string(new, remove),
                "display": label,
            }

    def queryset(self, request: HttpRequest, queryset: QuerySet[PaperCandidate]) -> QuerySet[PaperCandidate]:
        """Waiting ones are the open ones, and those that were put off until now."""
        value = self.value()
        now = timezone.now()
        if value == "snoozed":
            return queryset.filter(state="snoozed", snoozed_until__gt=now)
        if value:
            return queryset.filter(state=value)
        return queryset.filter(Q(state="open") | Q(state="snoozed", snoozed_until__lte=now))


class _Queue(ChangeList):
    """With the titles of the members, in one query for the page."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: Sequence[PaperCandidate] = list(self.result_list)
        wanted = {member for row in rows for member in row.members}
        titles = dict(Paper.objects.filter(pk__in=wanted).values_list("pk", "title"))
        for row in rows:
            row.titles = [(titles[member], member) for member in row.members if member in titles]  # type: ignore[attr-defined]
        self.result_list = rows


@admin.register(PaperCandidate)
class PaperCandidateAdmin(SplittingViews):
    """The list leases nothing; "Next" and the buttons of an item do, by POST."""

    change_list_template = "admin/papers/curation/queue.html"
    list_display = ("which", "about", "likelihood", "worked_on")
    list_display_links = None
    list_filter = (ScoreFilter, ConflictFilter, StateFilter)
    list_select_related = ("leased_to",)
    ordering = ("-score", "pk")
    actions = None

    def get_urls(self) -> list[URLPattern]:
        """Adds what can be done."""
        screen = self.screen
        return [
            path("next/", screen(self.next_view, methods=WRITE), name="papers_papercandidate_next"),
            path("undo/", screen(self.undo_view, methods=WRITE), name="papers_papercandidate_undo"),
            path("compare/", screen(self.by_hand_view, methods=WRITE), name="papers_papercandidate_compare"),
            path("<int:number>/change/", screen(self.compare_view), name="papers_papercandidate_change"),
            path("<int:number>/decide/", screen(self.decide_view, methods=WRITE), name="papers_papercandidate_decide"),
            path(
                "<int:number>/merge/",
                screen(self.merge_view, methods=(*READ, *WRITE), needs=Action.MERGE),
                name="papers_papercandidate_merge",
            ),
            *self.splitting_urls(),
            *super().get_urls(),
        ]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """With titles."""
        return _Queue

    def get_queryset(self, request: HttpRequest) -> QuerySet[PaperCandidate]:
        """Without the reasons, which no list shows."""
        return super().get_queryset(request).defer("reasons")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, how many are left, and the button that begins."""
        filters = kept(request.GET.dict())
        context = {
            "title": "Which papers are one",
            "left": waiting(ADAPTER).filter(among(filters)).count(),
            "filtered": bool(filters),
            **banner(request),
            "filters": filters.items(),
        }
        return super().changelist_view(request, {**context, **(extra_context or {})})

    @admin.display(description="Papers")
    def which(self, row: PaperCandidate) -> SafeString:
        """The titles of the members."""
        titles: list[tuple[str, int]] = row.titles  # type: ignore[attr-defined]
        named = format_html_join(
            SafeString("<br>"),
            "{} <small>{}</small>",
            ((truncatechars(plain(title), 110), pk) for title, pk in titles),
        )
        return format_html('<a href="{}">{}</a>', address(row.pk), named or f"item {row.pk}")

    @admin.display(description="About")
    def about(self, row: PaperCandidate) -> SafeString | str:
        """Whether sources contradict each other, in red."""
        if row.has_conflict:
            return format_html('<span class="state state--failed">{}</span>', "in conflict")
        return "alike"

    @admin.display(description="Score")
    def likelihood(self, row: PaperCandidate) -> str:
        """In per cent."""
        return f"{round(100 * row.score)}%"

    @admin.display(description="Worked on by")
    def worked_on(self, row: PaperCandidate) -> str:
        """Whoever has the lease, and until when."""
        return f"{row.leased_to}, until {row.leased_until:%H:%M} UTC" if _is_leased(row) else "—"

    # --- one item ----------------------------------------------------------------------------------------------

    def compare_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """The comparison. Changes nothing."""
        candidate = _find(number)
        shown = set_side_by_side(_roots(candidate))
        context = {
            "title": "One work?" if len(shown.columns) > 1 else "One paper by now",
            "candidate": candidate,
            "comparison": shown,
            "versions": versions_of([column.pk for column in shown.columns]).items(),
            "different_phrases": DIFFERENT_PHRASES,
            "left": waiting(ADAPTER).filter(among(kept_filter(request))).count(),
            "filtered": bool(kept_filter(request)),
            "mine": _is_leased(candidate) and candidate.leased_to_id == request.user.pk,
            "others": _is_leased(candidate) and candidate.leased_to_id != request.user.pk,
            "percent": round(100 * candidate.score),
        }
        return self.page(request, "compare.html", context)

    def decide_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """What a button says: preview a merge, different, not sure, settled, split, next, previous."""
        _find(number)
        # Another curator's work stays theirs; one's own lease lasts ten minutes from now.
        candidate: Any = lease(ADAPTER, candidate=number, actor=request.user)  # type: ignore[arg-type]
        handlers = {
            "merge": self._to_preview,
            "different": self._different,
            "not-sure": self._put_off,
            "settled": self._settle,
            "next": self._pass_on,
            "previous": self._pass_back,
            "take": self._take,
        }
        handler = handlers.get(request.POST.get("action", ""))
        if handler is None:
            raise BadRequest("This is no button of the page.")
        return handler(request, candidate)

    def _to_preview(self, request: HttpRequest, candidate: PaperCandidate) -> HttpResponse:
        if not may(ADAPTER, request.user, Action.MERGE):  # type: ignore[arg-type]
            raise PermissionDenied
        members = sent.numbers(request.POST.getlist("member"), most=MOST_COLUMNS)
        if len(members) < FEWEST:
            messages.warning(request, "Choose at least two to merge.")
            return HttpResponseRedirect(address(candidate.pk))
        survivor = sent.optional_number(request.POST.get("survivor", ""))
        query = [("survivor", survivor if survivor in members else min(members)), *(("member", one) for one in members)]
        return HttpResponseRedirect(
            f"{reverse('admin:papers_papercandidate_merge', args=[candidate.pk])}?{urlencode(query)}"
        )

    def _different(self, request: HttpRequest, candidate: PaperCandidate) -> HttpResponse:
        members = sent.numbers(request.POST.getlist("member"), most=MOST_COLUMNS)
        if len(members) < FEWEST:
            messages.warning(request, "Choose at least two that differ.")
            return HttpResponseRedirect(address(candidate.pk))
        actor: Any = request.user
        made = declare_all_different(
            papers=members, actor=actor, reason=sent.reason(request), versions=sent.versions(request)
        )
        candidate.refresh_from_db()
        if candidate.state in ("open", "snoozed"):
            close(ADAPTER, candidate=candidate.pk, actor=actor, state="different")
        if made:
            text = f"Papers {' and '.join(map(str, members))} are different works."
            remember(request, "assertions", [row.pk for row in made], candidate=candidate.pk, text=text)
        return to_next(request, after=candidate)

    def _put_off(self, request: HttpRequest, candidate: PaperCandidate) -> HttpResponse:
        snooze(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
        text = f"Item {candidate.pk} is put off for 30 days."
        remember(request, "item", [], candidate=candidate.pk, text=text, wakes=True)
        return to_next(request, after=candidate)

    def _settle(self, request: HttpRequest, candidate: PaperCandidate) -> HttpResponse:
        close(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
        text = f"Item {candidate.pk} is settled."
        remember(request, "item", [], candidate=candidate.pk, text=text, wakes=True)
        return to_next(request, after=candidate)

    def _pass_on(self, request: HttpRequest, candidate: PaperCandidate) -> HttpResponse:
        release(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
        return to_next(request, after=candidate)

    def _pass_back(self, request: HttpRequest, candidate: PaperCandidate) -> HttpResponse:
        return to_previous(request, before=candidate)

    def _take(self, request: HttpRequest, candidate: PaperCandidate) -> HttpResponse:
        return HttpResponseRedirect(address(candidate.pk))

    # --- merging -----------------------------------------------------------------------------------------------

    def merge_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """The preview, and its confirmation."""
        candidate = _find(number)
        sent_by = request.POST if request.method == "POST" else request.GET
        survivor = sent.number(sent_by.get("survivor", ""))
        members = sent.numbers(sent_by.getlist("member"), most=MOST_COLUMNS)
        losers = [member for member in members if member != survivor]
        if not losers:
            raise BadRequest("Name at least two papers.")
        if request.method == "POST":
            return self._merge(request, candidate, survivor, losers)
        papers = Paper.objects.in_bulk([survivor, *losers])
        if len(papers) < len(losers) + 1 or not {survivor, *losers} <= set(_roots(candidate)):
            raise Http404
        plans = [(papers[loser], plan_merge(loser=loser, survivor=survivor)) for loser in losers]
        obstacles = {one.message: one for _, plan in plans for one in plan.obstacles}
        pins = sorted({field for loser in losers for field in papers[loser].pinned if field in papers[survivor].pinned})
        context = {
            "title": "Merge?",
            "candidate": candidate,
            "survivor": papers[survivor],
            "kept_records": plans[0][1].evidence["survivor"]["records"],
            "sides": [
                (paper, plan.evidence["loser"]["records"], plan.redirects) for paper, plan in plans
            ],
            "obstacles": obstacles.values(),
            "overridable": bool(obstacles) and all(one.overridable for one in obstacles.values()),
            "versions": {pk: version for _, plan in plans for pk, version in plan.versions.items()}.items(),
            "dropped_pins": [field.replace("_", " ") for field in pins],
            "reason": "The same work",
            "phrases": MERGE_PHRASES,
            "different_phrases": DIFFERENT_PHRASES,
            "key": uuid.uuid4().hex,
        }  # fmt: skip
        return self.page(request, "merge.html", context)

    def _merge(self, request: HttpRequest, candidate: PaperCandidate, survivor: int, losers: list[int]) -> HttpResponse:
        actor: Any = request.user
        lease(ADAPTER, candidate=candidate.pk, actor=actor)
        events = merge_papers(
            survivor=survivor,
            losers=losers,
            actor=actor,
            reason=sent.reason(request),
            versions=sent.versions(request),
            key=sent.key(request),
            override=request.POST.get("override") == "yes",
        )
        text = f"Merged {', '.join(str(event.loser_id) for event in events)} into {survivor}."
        remember(request, "events", [event.pk for event in events], candidate=candidate.pk, text=text)
        return to_next(request, after=candidate)

    # --- the queue ---------------------------------------------------------------------------------------------

    def next_view(self, request: HttpRequest) -> HttpResponse:
        """Begin, or go on: lease the next item of the filter that the form names."""
        keep_filter(request)
        return to_next(request)

    def by_hand_view(self, request: HttpRequest) -> HttpResponse:
        """Put two papers into the queue, by number, and look at them."""
        papers = sent.numbers(request.POST.getlist("paper"), most=FEWEST)
        candidate = compare_by_hand(papers=papers, actor=request.user)  # type: ignore[arg-type]
        lease(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
        return HttpResponseRedirect(address(candidate.pk))

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        """Take back what this curator did last, and show its item again."""
        actor: Any = request.user
        act = recall(request)
        if act is None or request.POST.get("act") != act.token:
            messages.info(request, "There is nothing to take back any more. The history has everything that was done.")
            return HttpResponseRedirect(reverse("admin:papers_papercandidate_changelist"))
        undo_act(
            kind=act.kind,
            numbers=act.numbers,
            candidate=act.candidate if act.wakes else None,
            actor=actor,
            reason=TAKEN_BACK,
            key=sent.key(request),
        )
        forget(request)
        messages.success(request, f"Taken back: {act.text}")
        if act.candidate is None:
            return HttpResponseRedirect(reverse("admin:papers_papercandidate_changelist"))
        try:
            lease(ADAPTER, candidate=act.candidate, actor=actor)
        except LeaseLost:
            messages.info(request, "Somebody else works on it by now.")
            return to_next(request)
        return HttpResponseRedirect(address(act.candidate))


def _find(number: int) -> PaperCandidate:
    candidate = PaperCandidate.objects.select_related("leased_to").filter(pk=number).first()
    if candidate is None:
        raise Http404
    return candidate


def _roots(candidate: PaperCandidate) -> list[int]:
    """The papers that its members are shown as."""
    leads = Paper.objects.filter(pk__in=candidate.members).values_list("pk", "redirect_to")
    return sorted({target or pk for pk, target in leads})[:MOST_COLUMNS]


def _is_leased(candidate: PaperCandidate) -> bool:
    return candidate.leased_to_id is not None and bool(
        candidate.leased_until and candidate.leased_until > timezone.now()
    )
