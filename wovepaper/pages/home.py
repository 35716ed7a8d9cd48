"""The front page: the search, and what is new in each group of the taxonomy."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from django.db.models import Count, F, OuterRef, Q, Subquery, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from papers.listed import ListedPaper, read_listed
from papers.models import Category, CategoryListing, Paper
from wovepaper.lib.page_head import PageHead

TITLES_PER_GROUP = 3
AUTHORS_ON_A_CARD = 4


@dataclass(slots=True)
class GroupNews:
    """The last announced day of a group: how many papers were new, and a few of them."""

    code: str
    name: str
    day: dt.date
    count: int = 0
    papers: list[ListedPaper] = field(default_factory=list)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """``/``."""
    news = find_news()
    context = {
        "head": PageHead(
            title="Papers, researchers and institutions, woven together",
            description="Search and read a catalogue of research papers: what is new in every field, versions, "
            "citations and where each statement comes from.",
            path="/",
            feed="latest.xml",
        ),
        "hide_header_search": True,
        "groups": news,
        "shows_demo": any(paper.is_demo for group in news for paper in group.papers),
    }
    return render(request, "pages/home.html", context)


def find_news() -> list[GroupNews]:
    """What each group announced on its own last day, in three queries however many papers there are."""
    newest = (
        CategoryListing.objects.filter(category=OuterRef("pk"), kind=CategoryListing.Kind.NEW)
        .order_by("-day")
        .values("day")[:1]
    )
    days: dict[str, GroupNews] = {}
    for category in Category.objects.filter(canonical=None).annotate(last_day=Subquery(newest)):
        if category.last_day is None:
            continue
        known = days.get(category.group)
        if known is None or category.last_day > known.day:
            days[category.group] = GroupNews(category.group, category.group_name, category.last_day)
    if not days:
        return []
    wanted = Q()
    for group in days.values():
        wanted |= Q(announced_on=group.day, primary_category__group=group.code)
    ranked = (
        Paper.objects.visible()
        .filter(wanted)
        .annotate(
            in_group=Window(Count("pk"), partition_by=F("primary_category__group")),
            rank=Window(RowNumber(), partition_by=F("primary_category__group"), order_by=F("pk").desc()),
        )
        .filter(rank__lte=TITLES_PER_GROUP)
        .order_by("primary_category__group", "rank")
        .values_list("pk", "primary_category__group", "in_group")
    )
    # Numbers first, so that names are looked up for the few papers shown and not for all of the day.
    chosen = list(ranked)
    shown = Paper.objects.filter(pk__in=[number for number, _, _ in chosen])
    papers = {paper.id: paper for paper in read_listed(shown, authors=AUTHORS_ON_A_CARD)}
    for number, code, in_group in chosen:
        days[code].count = in_group
        days[code].papers.append(papers[number])
    return sorted((group for group in days.values() if group.papers), key=lambda group: group.name)
