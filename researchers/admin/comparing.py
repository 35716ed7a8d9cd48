"""One item of the queue: its researchers side by side, and what a curator says to them."""

from __future__ import annotations

import itertools
import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from researchers.admin.comparison import MOST_COLUMNS, compare, roots_of
from researchers.admin.disputes import dispute_of
from researchers.admin.earlier import earlier_of
from researchers.admin.last_act import remember
from researchers.admin.passing import kept_filter, left, to_next, to_previous
from researchers.admin.reasons import DIFFERENT_PHRASES, suggest_different, suggest_merge, tell
from researchers.admin.screens import WRITE, CurationAdmin
from researchers.merging import ADAPTER
from researchers.models import Assertion, Candidate, Researcher
from researchers.services.merging import declare_all_different
from wovepaper.curation import sent
from wovepaper.curation.services import Action, close, lease, may, release, snooze

MOST_CHOICES = 200
"""Members of a group that are listed to choose from, those with most papers first."""
FIRST_COMPARED = 2
MOST_APART = sent.MOST_MEMBERS
"""So many can be told apart from each other at once."""


class ComparingViews(CurationAdmin):
    """Part of ``CandidateAdmin``. GET shows and changes nothing; every button sends the one form of the page."""

    def comparing_urls(self) -> list[URLPattern]:
        """``…/<item>/change/`` is Django's name for the page of one row; ``…/<item>/decide/`` takes the form."""
        decide = self.screen(self.decide_view, methods=WRITE)
        return [
            path("<int:number>/change/", self.screen(self.compare_view), name="researchers_candidate_change"),
            path("<int:number>/decide/", decide, name="researchers_candidate_decide"),
        ]

    def compare_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """The comparison. ``?member=…`` chooses whom of a group."""
        candidate = _find(number)
        shown = roots_of(candidate.members)
        roots = list(dict.fromkeys(shown[member] for member in sorted(shown)))
        choices = list(Researcher.objects.filter(pk__in=roots).order_by("-paper_count", "pk")[:MOST_CHOICES])
        wanted = sent.numbers(request.GET.getlist("member"), most=MOST_COLUMNS)
        chosen = [root for root in wanted if root in roots] or self._first(candidate, roots, choices)
        comparison = compare(chosen)
        told = tell(candidate.reasons)
        apart = Assertion.objects.filter(a__root__in=chosen, b__root__in=chosen, kind="different", revoked=False)
        context: dict[str, Any] = {
            "title": _title(candidate),
            "candidate": candidate,
            "comparison": comparison,
            "single": comparison.columns[0] if len(comparison.columns) == 1 else None,
            "told": told,
            "dispute": dispute_of(candidate),
            "choices": choices if len(roots) > len(chosen) or len(roots) > FIRST_COMPARED else [],
            "more_choices": len(roots) - len(choices),
            "group_size": len(roots),
            "all_roots": roots if len(roots) > len(chosen) and len(roots) <= MOST_APART else [],
            "versions": _versions(roots if FIRST_COMPARED < len(roots) <= MOST_APART else chosen),
            "merge_reason": suggest_merge(told),
            "different_reason": suggest_different(
                told, both_on_paper=bool(comparison.papers_of_both), other_orcids=comparison.other_orcids
            ),
            "different_phrases": DIFFERENT_PHRASES,
            "earlier": earlier_of(comparison, chosen),
            "told_apart": apart.exists(),
            "left": left(request),
            "filtered": bool(kept_filter(request)),
            "mine": candidate.leased_to_id == request.user.pk and _is_leased(candidate),
            "others": _is_leased(candidate) and candidate.leased_to_id != request.user.pk,
            "waiting": candidate.state in ("open", "snoozed"),
            "key": uuid.uuid4().hex,
        }  # fmt: skip
        return self.page(request, "candidate/compare.html", context)

    def decide_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """What a button says: preview a merge, different, not sure, settled, split, next, previous."""
        _find(number)
        # Another curator's work stays theirs; one's own lease lasts ten minutes from now.
        candidate: Candidate = lease(ADAPTER, candidate=number, actor=request.user)  # type: ignore[arg-type,assignment]
        handlers = {
            "merge": self._to_preview,
            "different": self._different,
            "all-different": self._different,
            "not-sure": self._put_off,
            "settled": self._settle,
            "split": self._to_split,
            "next": self._pass_on,
            "previous": self._pass_back,
            "take": self._take,
        }
        handler = handlers.get(request.POST.get("action", ""))
        if handler is None:
            raise BadRequest("This is no button of the page.")
        return handler(request, candidate)

    def _to_preview(self, request: HttpRequest, candidate: Candidate) -> HttpResponse:
        if not may(ADAPTER, request.user, Action.MERGE):  # type: ignore[arg-type]
            raise PermissionDenied
        members = sent.numbers(request.POST.getlist("member"), most=MOST_COLUMNS)
        if len(members) < FIRST_COMPARED:
            messages.warning(request, "Choose at least two to merge.")
            return self._here(candidate, members)
        survivor = sent.optional_number(request.POST.get("survivor", ""))
        if survivor not in members:
            survivor = min(members)
        query = [("candidate", candidate.pk), ("survivor", survivor), *(("member", member) for member in members)]
        return HttpResponseRedirect(f"{reverse('admin:researchers_researcher_merge')}?{urlencode(query)}")

    def _different(self, request: HttpRequest, candidate: Candidate) -> HttpResponse:
        every = request.POST.get("action") == "all-different"
        members = sent.numbers(request.POST.getlist("everybody" if every else "member"))
        if len(members) < FIRST_COMPARED:
            messages.warning(request, "Choose at least two who are different people.")
            return self._here(candidate, members)
        shown = sent.versions(request)
        made = declare_all_different(
            researchers=members, actor=request.user, reason=sent.reason(request), versions=shown  # type: ignore[arg-type]
        )  # fmt: skip
        open_still = self._some_are_left(candidate)
        if not open_still and Candidate.objects.filter(pk=candidate.pk, state__in=("open", "snoozed")).exists():
            close(ADAPTER, candidate=candidate.pk, actor=request.user, state="different")  # type: ignore[arg-type]
        if made:
            text = f"{len(members)} researchers are different people ({', '.join(map(str, members[:6]))})."
            remember(
                request, "assertions", [row.pk for row in made], candidate=candidate.pk, text=text,
                wakes=not open_still and len(candidate.members) != FIRST_COMPARED,
            )  # fmt: skip
        return self._here(candidate, []) if open_still else to_next(request, after=candidate)

    def _put_off(self, request: HttpRequest, candidate: Candidate) -> HttpResponse:
        snooze(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
        text = f"Item {candidate.pk} is put off for 30 days."
        remember(request, "item", [], candidate=candidate.pk, text=text, wakes=True)
        return to_next(request, after=candidate)

    def _settle(self, request: HttpRequest, candidate: Candidate) -> HttpResponse:
        close(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
        text = f"Item {candidate.pk} is settled."
        remember(request, "item", [], candidate=candidate.pk, text=text, wakes=True)
        return to_next(request, after=candidate)

    def _to_split(self, request: HttpRequest, candidate: Candidate) -> HttpResponse:
        if not may(ADAPTER, request.user, Action.SPLIT):  # type: ignore[arg-type]
            raise PermissionDenied
        source = sent.optional_number(request.POST.get("survivor", "")) or candidate.members[0]
        address = reverse("admin:researchers_researcher_split", args=[source])
        return HttpResponseRedirect(f"{address}?{urlencode({'candidate': candidate.pk})}")

    def _pass_on(self, request: HttpRequest, candidate: Candidate) -> HttpResponse:
        release(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
        return to_next(request, after=candidate)

    def _pass_back(self, request: HttpRequest, candidate: Candidate) -> HttpResponse:
        return to_previous(request, before=candidate)

    def _take(self, request: HttpRequest, candidate: Candidate) -> HttpResponse:
        return self._here(candidate, sent.numbers(request.POST.getlist("member"), most=MOST_COLUMNS))

    @staticmethod
    def _here(candidate: Candidate, members: list[int]) -> HttpResponse:
        query = urlencode([("member", member) for member in members])
        address = reverse("admin:researchers_candidate_change", args=[candidate.pk])
        return HttpResponseRedirect(f"{address}?{query}" if query else address)

    @staticmethod
    def _some_are_left(candidate: Candidate) -> bool:
        """Whether two of its members are neither one nor told apart yet."""
        return bool(pairs_left(candidate))

    @staticmethod
    def _first(candidate: Candidate, roots: list[int], choices: list[Researcher]) -> list[int]:
        """Whom to compare before anybody is chosen: all of a few; of a group the first two not told apart."""
        if len(roots) <= FIRST_COMPARED + 1:
            return roots
        listed = {one.pk for one in choices}
        order = {one.pk: place for place, one in enumerate(choices)}
        open_pairs = [pair for pair in pairs_left(candidate) if listed.issuperset(pair)]
        best = min(open_pairs, key=lambda pair: sorted(order[one] for one in pair), default=None)
        return sorted(best) if best else [one.pk for one in choices[:FIRST_COMPARED]]


def pairs_left(candidate: Candidate) -> list[tuple[int, int]]:
    """Pairs of those who are shown apart and about whom nobody said that they are different."""
    roots = sorted(set(roots_of(candidate.members).values()))[:MOST_CHOICES]
    standing = Assertion.objects.filter(kind="different", revoked=False, a__root__in=roots, b__root__in=roots)
    apart = {tuple(sorted(pair)) for pair in standing.values_list("a__root_id", "b__root_id")}
    return [pair for pair in itertools.combinations(roots, 2) if pair not in apart]


def _find(number: int) -> Candidate:
    candidate = Candidate.objects.select_related("leased_to").filter(pk=number).first()
    if candidate is None:
        raise Http404
    return candidate


def _versions(numbers: list[int]) -> list[tuple[int, int]]:
    return list(Researcher.objects.filter(pk__in=numbers).order_by("pk").values_list("pk", "version"))


def _is_leased(candidate: Candidate) -> bool:
    return candidate.leased_until is not None and candidate.leased_until > timezone.now()


def _title(candidate: Candidate) -> str:
    return {
        "pair": "Are they one person?",
        "group": "Who of them is one person?",
        "split": "Are these several people?",
        "conflict": "The sources contradict each other",
    }[candidate.kind]
