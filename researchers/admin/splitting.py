"""Splitting a researcher: clusters as proposed, papers picked one by one, to somebody new or to somebody there."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from papers.models import Paper
from researchers.admin.last_act import remember
from researchers.admin.passing import to_next
from researchers.admin.reasons import SPLIT_PHRASES, tell
from researchers.admin.screens import READ, WRITE, CurationAdmin
from researchers.former_names import as_curators_see
from researchers.merging import ADAPTER
from researchers.models import Attribution, Candidate, Researcher
from researchers.moving import standing_for
from researchers.services.attribution.proposals import proposed_split
from researchers.services.attribution.reasons import for_candidates
from researchers.services.comparison import LARGEST_TEAM
from researchers.services.finding import find_named
from researchers.services.merging import split_researcher
from wovepaper.curation import sent
from wovepaper.curation.services import Action, NotMergeable, close, lease
from wovepaper.lib.markup import plain

MOST_ROWS = 300
"""Papers of one page, of those that may go and of the others: of somebody with more, the latest."""

MOST_CO_AUTHORS = 6
"""Co-authors of a paper that are named."""


@dataclass(frozen=True, slots=True)
class Row:
    """One authorship, as the page lists it."""

    attribution: int
    authorship: int
    paper: int
    title: str
    year: int | None
    venue: str
    printed: str
    affiliations: tuple[str, ...]
    co_authors: tuple[str, ...]
    ties: frozenset[int]
    """Numbers of the co-authors, of papers with few enough to mean something."""


@dataclass(frozen=True, slots=True)
class Part:
    """Papers that go together. Those of the first part stay unless they are picked."""

    label: str
    rows: tuple[Row, ...]
    picked: bool


class SplittingViews(CurationAdmin):
    """Part of ``ResearcherAdmin``."""

    def splitting_urls(self) -> list[URLPattern]:
        """``…/<researcher>/split/``: GET shows what could go, POST moves it."""
        view = self.screen(self.split_view, methods=(*READ, *WRITE), needs=Action.SPLIT)
        return [path("<int:number>/split/", view, name="researchers_researcher_split")]

    def split_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """The papers in parts, and the move of those that are picked."""
        researcher = Researcher.objects.filter(pk=number).first()
        if researcher is None:
            raise Http404
        if request.method == "POST":
            return self._split(request, researcher)
        if researcher.root_id != number:
            query = request.GET.urlencode()
            target = reverse("admin:researchers_researcher_split", args=[researcher.root_id])
            return HttpResponseRedirect(f"{target}?{query}" if query else target)
        proposal = proposed_split(researcher=researcher.pk)
        doubtful = sent.optional_number(request.GET.get("authorship", ""))
        candidate = _candidate(request.GET.get("candidate", ""))
        picked = {doubtful} if doubtful else _doubted(candidate)
        going = picked | {authorship for part in (proposal.parts[1:] if proposal else ()) for authorship in part}
        rows = _rows(researcher, going)
        parts = _parts(rows, proposal.parts if proposal and not picked else (), picked)
        told = tell(for_candidates(proposal.reasons) if proposal else ())
        context = {
            "title": f"Split {researcher.display_name}",
            "researcher": researcher,
            "parts": parts,
            "proposal": proposal,
            "told": told,
            "more": max(0, researcher.paper_count - len(rows)),
            "suggested": SPLIT_PHRASES[0] if len(parts) > 1 else "",
            "split_phrases": SPLIT_PHRASES,
            "candidate": candidate,
            "others": _others(researcher, candidate),
            "decided": _decided_by_others(rows, request.user.pk),
            "key": uuid.uuid4().hex,
        }
        return self.page(request, "researcher/split.html", context)

    def _split(self, request: HttpRequest, researcher: Researcher) -> HttpResponse:
        rows = sent.numbers(request.POST.getlist("row"), most=2 * MOST_ROWS)
        candidate = _candidate(request.POST.get("candidate", ""))
        if candidate is not None:
            lease(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
        target, versions = self._target(request), sent.versions(request)
        if target is not None:
            # Whom the form could not show: they are as they are found now.
            versions.setdefault(target, Researcher.objects.values_list("version", flat=True).get(pk=target))
        outcome = split_researcher(
            source=researcher.pk,
            attributions=rows,
            actor=request.user,  # type: ignore[arg-type]
            reason=sent.reason(request),
            versions=versions,
            key=sent.key(request),
            target=target,
            override=request.POST.get("override") == "yes",
        )
        event = outcome.event
        count = len(event.base_moves)
        remember(
            request, "events", [event.pk], candidate=None if candidate is None else candidate.pk,
            text=f"{count} paper{'' if count == 1 else 's'} of {researcher.pk} went to {event.survivor_id}.",
            wakes=candidate is not None and candidate.kind == "split",
        )  # fmt: skip
        if candidate is None:
            messages.success(request, f"Split: see researcher {event.survivor_id}.")
            return HttpResponseRedirect(reverse("admin:researchers_researcher_change", args=[researcher.pk]))
        if candidate.kind == "split":
            if candidate.state in ("open", "snoozed"):
                close(ADAPTER, candidate=candidate.pk, actor=request.user)  # type: ignore[arg-type]
            return to_next(request, after=candidate)
        return HttpResponseRedirect(reverse("admin:researchers_candidate_change", args=[candidate.pk]))

    @staticmethod
    def _target(request: HttpRequest) -> int | None:
        """Whom the papers go to; ``None`` for somebody new. Raises ``NotMergeable`` for what names nobody."""
        choice = request.POST.get("target", "new")
        if choice == "new":
            return None
        text = request.POST.get("other", "") if choice == "other" else choice
        found = find_named(text)
        if found is None:
            raise NotMergeable(f"“{text[:80]}” is the number, address or ORCID iD of nobody here.")
        return found.pk


def _candidate(text: str) -> Candidate | None:
    number = sent.optional_number(text)
    if number is None:
        return None
    candidate = Candidate.objects.filter(pk=number).first()
    if candidate is None:
        raise BadRequest("There is no such item.")
    return candidate


def _doubted(candidate: Candidate | None) -> set[int]:
    """Authorships that the item names by number."""
    if candidate is None:
        return set()
    return {entry["authorship"] for entry in candidate.reasons if isinstance(entry, dict) and "authorship" in entry}


def _others(researcher: Researcher, candidate: Candidate | None) -> list[Researcher]:
    """The item's other researchers, to whom the papers could go."""
    if candidate is None:
        return []
    roots = Researcher.objects.filter(pk__in=candidate.members).values("root")
    return list(Researcher.objects.filter(pk__in=roots, erased_at=None).exclude(pk=researcher.pk).order_by("pk")[:12])


def _decided_by_others(rows: Sequence[Row], actor: int | None) -> dict[int, int]:
    """Authorships of which somebody else said whose they are, with the decision."""
    said = standing_for([row.authorship for row in rows]).exclude(by=actor)
    return dict(said.values_list("authorship_id", "pk"))


def _rows(researcher: Researcher, going: set[int]) -> list[Row]:
    """Their latest papers, and those of the authorships that may go, with what tells people apart."""
    theirs = (
        Attribution.objects.filter(root=researcher.pk)
        .select_related("paper", "authorship")
        .prefetch_related("authorship__affiliations")
        .defer("paper__abstract", "evidence")
        .order_by("-paper__sort_date", "-pk")
    )
    attributions = [
        *theirs.filter(authorship__in=going)[:MOST_ROWS],
        *theirs.exclude(authorship__in=going)[:MOST_ROWS],
    ]
    ties = _ties([one.paper for one in attributions], researcher)
    named = _first_named([one.paper for one in attributions], researcher, ties)
    return [
        Row(
            attribution=one.pk,
            authorship=one.authorship_id,
            paper=one.paper_id,
            title=plain(one.paper.title),
            year=one.paper.published_on.year if one.paper.published_on else None,
            venue=one.paper.venue,
            printed=as_curators_see(one.authorship),
            affiliations=tuple(affiliation.text for affiliation in one.authorship.affiliations.all())[:2],
            co_authors=named.get(one.paper_id, ()),
            ties=frozenset(ties.get(one.paper_id, ())),
        )
        for one in attributions
    ]


def _ties(papers: Sequence[Paper], researcher: Researcher) -> dict[int, list[int]]:
    """Numbers of the co-authors of each paper that has few enough, in their order."""
    small = [paper.pk for paper in papers if paper.author_count <= LARGEST_TEAM]
    return _others_on(Attribution.objects.filter(paper__in=small), researcher)


def _first_named(
    papers: Sequence[Paper], researcher: Researcher, ties: Mapping[int, Sequence[int]]
) -> dict[int, tuple[str, ...]]:
    """Names of the first co-authors of each paper. Of a large team's paper no more authors are read than that."""
    large = [paper.pk for paper in papers if paper.author_count > LARGEST_TEAM]
    # By the author's paper and place: one index gives just these.
    first = Attribution.objects.filter(authorship__paper__in=large, authorship__position__lte=MOST_CO_AUTHORS + 1)
    found = {paper: others[:MOST_CO_AUTHORS] for paper, others in (dict(ties) | _others_on(first, researcher)).items()}
    wanted = {other for others in found.values() for other in others}
    names = dict(Researcher.objects.filter(pk__in=wanted).values_list("pk", "display_name"))
    return {paper: tuple(names[other] for other in others) for paper, others in found.items()}


def _others_on(attributions: QuerySet[Attribution], researcher: Researcher) -> dict[int, list[int]]:
    others: defaultdict[int, list[int]] = defaultdict(list)
    rows = attributions.exclude(root=researcher.pk).order_by("paper", "authorship__position")
    for paper, root in rows.values_list("paper_id", "root_id"):
        others[paper].append(root)
    return others


def _parts(rows: Sequence[Row], proposed: Sequence[Sequence[int]], picked: set[int]) -> list[Part]:
    """Rows in the proposed parts. Without a proposal ``picked`` stand apart, or groups that share co-authors."""
    if picked:
        apart = tuple(row for row in rows if row.authorship in picked)
        rest = tuple(row for row in rows if row.authorship not in picked)
        return [part for part in (Part("Picked for you", apart, True), Part("All others", rest, False)) if part.rows]
    part_of = {authorship: place for place, part in enumerate(proposed) for authorship in part}
    found: list[list[Row]] = [[] for _ in range(max(1, len(proposed)))]
    for row in rows:
        found[part_of.get(row.authorship, 0)].append(row)
    if len(found) == 1:
        return _by_co_authors(found[0])
    return [
        Part(f"Part {chr(ord('A') + place) if place < 26 else place + 1}", tuple(part), place == 1)
        for place, part in enumerate(found)
        if part
    ]


def _by_co_authors(rows: Sequence[Row]) -> list[Part]:
    """Rows in groups that co-authors hold together, the largest first; those that nothing ties come last."""
    leader = list(range(len(rows)))

    def find(place: int) -> int:
        while leader[place] != place:
            leader[place] = leader[leader[place]]
            place = leader[place]
        return place

    first_of: dict[int, int] = {}
    for place, row in enumerate(rows):
        for tie in row.ties:
            leader[find(place)] = find(first_of.setdefault(tie, place))
    groups: defaultdict[int, list[Row]] = defaultdict(list)
    for place, row in enumerate(rows):
        groups[find(place)].append(row)
    tied = sorted((group for group in groups.values() if len(group) > 1), key=len, reverse=True)
    if len(tied) < 2:
        return [Part("All of them", tuple(rows), False)]
    parts = [
        Part(f"Group {place}, with co-authors in common", tuple(group), False) for place, group in enumerate(tied, 1)
    ]
    loose = tuple(row for group in groups.values() if len(group) == 1 for row in group)
    return [*parts, Part("Tied to none of them", loose, False)] if loose else parts
