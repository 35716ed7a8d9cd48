"""Researchers side by side, for whoever wants to know whether they are one person."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from papers.views.links import Link
from researchers.models import Researcher
from researchers.services.comparison import MOST_COMPARED, compare
from researchers.services.votes import votes_of
from researchers.views.refusal import refusal
from wovepaper.curation.services import moved_permanently
from wovepaper.lib.page_head import PageHead, shorten


class BadIds(ValueError):
    """The address names nobody who could be compared; the message is for the reader."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of those compared, to vote on."""

    one: Researcher
    other: Researcher
    my_vote: str = ""

    @property
    def label(self) -> str:
        """Both names, and the numbers that tell them apart."""
        return f"{self.one.display_name} ({self.one.pk}) and {self.other.display_name} ({self.other.pk})"


@require_safe
def compare_researchers(request: HttpRequest) -> HttpResponse:
    """``/researchers/compare?ids=1,2[,3,4]``. Numbers that were merged stand for their survivors."""
    try:
        asked = _read_ids(request)
    except BadIds as error:
        return refusal(request, 400, title="Whom to compare?", sentence=str(error))
    known = _roots_of(asked)
    gone = [number for number in asked if number not in known]
    if gone:
        numbers = ", ".join(map(str, gone))
        return refusal(request, 404, title="This page isn’t here", sentence=f"There is no researcher {numbers} here.")
    roots = list({known[number].pk: known[number] for number in asked}.values())
    if len(roots) == 1:
        return moved_permanently(roots[0].get_absolute_url())
    ids = ",".join(str(root.pk) for root in roots)
    path = f"{reverse('researchers:compare')}?ids={ids}"
    if request.get_full_path() != path:
        return moved_permanently(path)
    found = compare(roots)
    names = " and ".join(dict.fromkeys(root.display_name for root in roots))
    context = {
        "head": PageHead(
            title=shorten(f"Compare {names}", 160),
            description=shorten(f"{len(roots)} researchers called {names} side by side: one person or several?"),
            path=path,
            index=False,
        ),
        "comparison": found,
        "pairs": _pairs(request, roots),
        "crumbs": [Link("Researchers", reverse("researchers:researcher_list"))],
    }
    return render(request, "researchers/compare.html", context)


def _roots_of(asked: list[int]) -> dict[int, Researcher]:
    """The root of each number in one query; numbers never given out and erased people are left out."""
    rows = Researcher.objects.roots().filter(members__in=asked).annotate(asked=F("members"))
    return {row.asked: row for row in rows}


def _read_ids(request: HttpRequest) -> list[int]:
    texts = [text.strip() for text in ",".join(request.GET.getlist("ids")).split(",") if text.strip()]
    if not all(text.isascii() and text.isdigit() and len(text) <= 18 for text in texts):
        raise BadIds("Researchers are named by their numbers with commas between them: ?ids=12,34.")
    ids = list(dict.fromkeys(map(int, texts)))
    if len(ids) < 2:
        raise BadIds("Name at least two different researchers by their numbers: ?ids=12,34.")
    if len(ids) > MOST_COMPARED:
        raise BadIds(f"At most {MOST_COMPARED} researchers fit side by side; these are {len(ids)}.")
    return ids


def _pairs(request: HttpRequest, roots: list[Researcher]) -> list[Pair]:
    pairs = list(combinations(roots, 2))
    if not request.user.is_authenticated:
        return [Pair(one, other) for one, other in pairs]
    votes = votes_of(voter=request.user.pk, pairs=[(one.pk, other.pk) for one, other in pairs])
    return [Pair(one, other, votes.get((min(one.pk, other.pk), max(one.pk, other.pk)), "")) for one, other in pairs]
