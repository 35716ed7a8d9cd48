"""What a merge would do, and doing it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from papers.models import Paper
from researchers.admin.comparison import MOST_COLUMNS, roots_of
from researchers.admin.fullest_name import fullest_first
from researchers.admin.last_act import remember
from researchers.admin.passing import to_next
from researchers.admin.reasons import MERGE_PHRASES, suggest_different, suggest_merge, tell
from researchers.admin.screens import READ, WRITE, CurationAdmin
from researchers.merging import ADAPTER, MOST_NAMED
from researchers.models import Candidate, MergeEvent, MergeProposal, Researcher
from researchers.services.merging import merge_several, plan_merge
from wovepaper.curation import sent
from wovepaper.curation.services import Action, MergePlan, Obstacle, lease, snooze
from wovepaper.lib.markup import plain


@dataclass(frozen=True, slots=True)
class Side:
    """A researcher who would be merged."""

    researcher: Researcher
    plan: MergePlan

    @property
    def papers(self) -> int:
        """So many move."""
        return int(self.plan.evidence["loser"]["papers"])

    @property
    def addresses(self) -> list[int]:
        """Numbers whose addresses will redirect."""
        return list(self.plan.redirects)


@dataclass(frozen=True, slots=True)
class Preview:
    """The whole page, for one survivor and one or more who are merged into them."""

    survivor: Researcher
    sides: tuple[Side, ...]
    names: tuple[str, ...]
    """Names to choose from, the one to propose first: the survivor's own, or one that spells it out."""
    obstacles: tuple[Obstacle, ...]
    causes: tuple[str, ...]
    """Why a second curator is needed; empty if none is."""
    papers_of_both: tuple[tuple[int, str], ...]
    versions: dict[int, int]

    @property
    def papers_kept(self) -> int:
        """Papers of the survivor now."""
        return int(self.sides[0].plan.evidence["survivor"]["papers"])

    @property
    def papers_after(self) -> int:
        """Papers of the survivor then."""
        return self.papers_kept + sum(side.papers for side in self.sides)

    @property
    def other_orcids(self) -> bool:
        """Whether two of them have different trusted ORCIDs."""
        plans = [side.plan.evidence for side in self.sides]
        trusted = {one for plan in plans for part in ("loser", "survivor") for one in plan[part]["trusted_ids"]}
        return sum(one.startswith("orcid:") for one in trusted) > 1

    @property
    def overridable(self) -> bool:
        """Whether everything in the way is an earlier decision, which a permission may override."""
        return bool(self.obstacles) and all(obstacle.overridable for obstacle in self.obstacles)


def preview_merge(*, survivor: int, losers: Sequence[int]) -> Preview:
    """What merging these into the survivor would do. Raises ``NotMergeable``, ``Http404``."""
    people = Researcher.objects.in_bulk([survivor, *losers])
    if len(people) < len(losers) + 1:
        raise Http404
    sides = tuple(Side(people[loser], plan_merge(loser=loser, survivor=survivor)) for loser in losers)
    # The survivor's own first, unless one of the others had it hidden.
    offered = [set(side.plan.choices["display_name"]) for side in sides]
    own = people[survivor].display_name
    names = dict.fromkeys([own] if all(own in names for names in offered) else [])
    for side in sides:
        names |= dict.fromkeys(side.plan.choices["display_name"])
    obstacles = {obstacle.message: obstacle for side in sides for obstacle in side.plan.obstacles}
    both = {
        paper
        for obstacle in obstacles.values()
        if obstacle.code == "both-on-paper"
        for paper in obstacle.references[:MOST_NAMED]
    }
    titles = Paper.objects.filter(pk__in=both).order_by("pk").values_list("pk", "title")
    return Preview(
        survivor=people[survivor],
        sides=sides,
        names=fullest_first(names, people=people),
        obstacles=tuple(obstacles.values()),
        causes=tuple(dict.fromkeys(cause for side in sides for cause in side.plan.second_curator_causes)),
        papers_of_both=tuple((pk, plain(title)) for pk, title in titles),
        versions={number: version for side in sides for number, version in side.plan.versions.items()},
    )


class MergingViews(CurationAdmin):
    """Part of ``ResearcherAdmin``: from an item of the queue, or of any two researchers."""

    def merging_urls(self) -> list[URLPattern]:
        """``…/merge/?survivor=…&member=…``: GET shows the preview, POST merges."""
        view = self.screen(self.merge_view, methods=(*READ, *WRITE), needs=Action.MERGE)
        return [path("merge/", view, name="researchers_researcher_merge")]

    def merge_view(self, request: HttpRequest) -> HttpResponse:
        """The preview, and its confirmation."""
        sent_by = request.POST if request.method == "POST" else request.GET
        survivor = sent.number(sent_by.get("survivor", ""))
        members = sent.numbers(sent_by.getlist("member"), most=MOST_COLUMNS)
        losers = [member for member in members if member != survivor]
        if not losers:
            raise BadRequest("Name at least two researchers.")
        number = sent.optional_number(sent_by.get("candidate", ""))
        candidate = None if number is None else Candidate.objects.filter(pk=number).first()
        if number is not None and candidate is None:
            raise Http404
        if request.method == "POST":
            return self._merge(request, candidate, survivor, losers)
        return self._preview(request, candidate, survivor, losers)

    def _preview(
        self, request: HttpRequest, candidate: Candidate | None, survivor: int, losers: list[int]
    ) -> HttpResponse:
        shown = preview_merge(survivor=survivor, losers=losers)
        told = tell(candidate.reasons if candidate else ())
        context = {
            "title": "Merge?",
            "preview": shown,
            "candidate": candidate,
            "told": told,
            "reason": suggest_merge(told) if candidate else "",
            "different_reason": suggest_different(
                told, both_on_paper=bool(shown.papers_of_both), other_orcids=shown.other_orcids
            ),
            "phrases": MERGE_PHRASES,
            "key": uuid.uuid4().hex,
            "followers": candidate.followers if candidate else 0,
            "back_url": reverse("admin:researchers_candidate_change", args=[candidate.pk])
            if candidate
            else reverse("admin:researchers_researcher_change", args=[survivor]),
        }
        return self.page(request, "researcher/merge.html", context)

    def _merge(
        self, request: HttpRequest, candidate: Candidate | None, survivor: int, losers: list[int]
    ) -> HttpResponse:
        if candidate is not None:
            lease(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
        events, proposals = merge_several(
            survivor=survivor,
            losers=losers,
            actor=request.user,  # type: ignore[arg-type]
            reason=sent.reason(request),
            versions=sent.versions(request),
            key=sent.key(request),
            display_name=request.POST.get("display_name") or None,
            override=request.POST.get("override") == "yes",
        )
        self._tell(request, candidate, survivor, events, proposals)
        if candidate is None:
            return HttpResponseRedirect(reverse("admin:researchers_researcher_change", args=[survivor]))
        candidate.refresh_from_db()
        if candidate.state == "open" and len(set(roots_of(candidate.members).values())) > 1 and not proposals:
            return HttpResponseRedirect(reverse("admin:researchers_candidate_change", args=[candidate.pk]))
        return to_next(request, after=candidate)

    @staticmethod
    def _tell(
        request: HttpRequest,
        candidate: Candidate | None,
        survivor: int,
        events: Sequence[MergeEvent],
        proposals: Sequence[MergeProposal],
    ) -> None:
        number = None if candidate is None else candidate.pk
        if proposals:
            merged = f" {len(events)} merged at once: see the history." if events else ""
            messages.info(request, f"A second curator must agree: it waits under proposals.{merged}")
            if candidate is not None and candidate.state in ("open", "snoozed"):
                snooze(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
            remember(
                request, "proposals", [row.pk for row in proposals], candidate=number,
                text=f"Proposed to merge {_named(row.loser_id for row in proposals)} into {survivor}.", wakes=True,
            )  # fmt: skip
        else:
            remember(
                request, "events", [row.pk for row in events], candidate=number,
                text=f"Merged {_named(row.loser_id for row in events)} into {survivor}.",
            )  # fmt: skip


def _named(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in numbers)
