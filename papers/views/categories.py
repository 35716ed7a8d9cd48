"""The taxonomy, one category, and its listings by day as readers of arXiv know them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from papers.category_groups import group_categories
from papers.keyset import PAGE_SIZE, BadCursor, KeysetPage, Place, read_page
from papers.listed import AUTHORS_ON_A_CARD, FIELDS, ListedPaper, read_listed
from papers.models import Category, CategoryListing, Paper
from papers.querysets import author_names
from papers.views.archives import find_archive, read_day, show_archive
from papers.views.links import Link, Pager, address, crumbs_json_ld, moved
from wovepaper.lib.page_head import PageHead

KIND_TITLES = {
    CategoryListing.Kind.NEW: "New",
    CategoryListing.Kind.CROSS_LIST: "Cross-listed",
    CategoryListing.Kind.REVISED: "Revised",
}


@dataclass(frozen=True, slots=True)
class DaySection:
    """The papers of one day that were new, cross-listed or revised: the first page of them, and how many there are."""

    title: str
    kind: str
    papers: list[ListedPaper]
    total: int
    all_url: str
    """Where the whole section is paged; empty when it is all here."""


@require_safe
def category_list(request: HttpRequest) -> HttpResponse:
    """``/categories``: every group with its categories."""
    path = reverse("papers:category_list")
    context = {
        "head": PageHead("Categories", "The fields of research in this catalogue, as arXiv’s taxonomy has them.", path),
        "groups": group_categories(Category.objects.all()),
    }
    return render(request, "papers/category_list.html", context)


@require_safe
def category(request: HttpRequest, code: str) -> HttpResponse:
    """``/categories/<code>``: all papers listed there, or with ``?day=`` what was announced on one day.

    The code of an archive that is no category, such as ``cs``, shows what was new in all its categories.
    """
    found = Category.objects.select_related("canonical").filter(code=code).first()
    found = found or Category.objects.select_related("canonical").filter(code__iexact=code).first()
    if found is None:
        if (archive := find_archive(code)) is not None:
            return show_archive(request, archive, code)
        raise Http404(f"There is no category “{code[:40]}”. The list of categories has them all.")
    canonical = found.canonical or found
    path = canonical.get_absolute_url()
    if canonical.code != code:
        return moved(address(path, request.GET.dict()))

    problems: list[str] = []
    day = read_day(request.GET.get("day", ""), problems)
    kind = request.GET.get("kind", "")
    if kind not in {"", *CategoryListing.Kind.values}:
        problems.append("A listing is new, cross or revised; all three are shown.")
        kind = ""
    try:
        place = Place.parse(request.GET)
    except BadCursor as error:
        place = Place()
        problems.append(str(error))

    listings = CategoryListing.objects.filter(category=canonical)
    crumbs = [
        Link("Categories", reverse("papers:category_list")),
        Link(canonical.group_name, f"{reverse('papers:category_list')}#{canonical.group}"),
        *_archive_crumb(canonical),
    ]
    context = {
        "category": canonical,
        "problems": problems,
        "crumbs": crumbs,
        "json_ld": crumbs_json_ld([*crumbs, Link(canonical.name, path)]),
    }
    if day is None:
        context |= _whole_category(canonical, listings, place)
        template = "papers/category.html"
    elif kind:
        context |= _whole_section(canonical, listings, day, kind, place)
        template = "papers/category_day.html"
    else:
        context |= _whole_day(canonical, listings, day)
        template = "papers/category_day.html"
    return render(request, template, context, status=400 if problems else 200)


def _archive_crumb(category: Category) -> list[Link]:
    """The way to the archive; none where it has but this category."""
    if category.archive == category.code:
        return []
    path = reverse("papers:category", args=[category.archive])
    return [Link(f"{category.archive_name} ({category.archive})", path)]


class _Listing(NamedTuple):
    day: dt.date
    paper_id: int
    paper: ListedPaper


def _read_listings(listings: QuerySet[CategoryListing], place: Place) -> KeysetPage[_Listing]:
    """A page of the papers that these listings announced."""
    values = listings.filter(paper__redirect_to=None).values_list(
        "day", "paper_id", *(f"paper__{name}" for name in FIELDS), author_names("paper_id", AUTHORS_ON_A_CARD)
    )
    return read_page(
        values,
        place=place,
        key_field="day",
        number_field="paper_id",
        make=lambda row: _Listing(row[0], row[1], ListedPaper._make(row[2:])),
    )


def _whole_category(category: Category, listings: QuerySet[CategoryListing], place: Place) -> dict[str, object]:
    path = category.get_absolute_url()
    page = _read_listings(listings.exclude(kind=CategoryListing.Kind.REVISED), place)
    last_day = listings.order_by("-day").values_list("day", flat=True).first()
    papers = [listing.paper for listing in page.rows]
    return {
        "head": PageHead(
            title=f"{category.name} ({category.code})",
            description=f"Papers in {category.name} ({category.code}), newest listing first, and the listings by day.",
            path=path,
            index=place == Place(),
            feed=f"categories/{category.code}.xml",
        ),
        "papers": papers,
        "pager": Pager.of(page, path),
        "last_day": last_day,
        "last_day_url": address(path, {"day": last_day}) if last_day else "",
        "narrower": [] if category.is_active else _narrower(category),
        "shows_demo": any(paper.is_demo for paper in papers),
    }


def _narrower(category: Category) -> list[Link]:
    """The categories that took the place of a closed one: ``astro-ph.CO`` and its like for ``astro-ph``."""
    successors = Category.objects.filter(code__startswith=f"{category.code}.", is_active=True).order_by("code")
    return [Link(f"{successor.name} ({successor.code})", successor.get_absolute_url()) for successor in successors]


def _day_frame(category: Category, listings: QuerySet[CategoryListing], day: dt.date) -> dict[str, object]:
    path = category.get_absolute_url()
    before = listings.filter(day__lt=day).order_by("-day").values_list("day", flat=True).first()
    after = listings.filter(day__gt=day).order_by("day").values_list("day", flat=True).first()
    return {
        "day": day,
        "previous_day": before,
        "previous_day_url": address(path, {"day": before}) if before else "",
        "next_day": after,
        "next_day_url": address(path, {"day": after}) if after else "",
        "head": PageHead(
            title=f"{category.code} on {day.day} {day:%B} {day.year}",
            description=f"New, cross-listed and revised papers in {category.name} ({category.code}) on {day}.",
            path=address(path, {"day": day}),
            index=False,
        ),
    }


def _whole_day(category: Category, listings: QuerySet[CategoryListing], day: dt.date) -> dict[str, object]:
    numbers: dict[str, list[int]] = {kind: [] for kind in KIND_TITLES}
    # A day has some hundred listings; their numbers alone tell the counts and the first page of each section.
    of_the_day = listings.filter(day=day, paper__redirect_to=None).order_by("-paper_id")
    for kind, number in of_the_day.values_list("kind", "paper_id"):
        numbers[kind].append(number)
    wanted = [number for found in numbers.values() for number in found[:PAGE_SIZE]]
    papers = {paper.id: paper for paper in read_listed(Paper.objects.filter(pk__in=wanted))}
    path = category.get_absolute_url()
    sections = [
        DaySection(
            title=KIND_TITLES[CategoryListing.Kind(kind)],
            kind=kind,
            papers=[papers[number] for number in found[:PAGE_SIZE]],
            total=len(found),
            all_url=address(path, {"day": day, "kind": kind}) if len(found) > PAGE_SIZE else "",
        )
        for kind, found in numbers.items()
        if found
    ]
    return {
        **_day_frame(category, listings, day),
        "sections": sections,
        "shows_demo": any(paper.is_demo for paper in papers.values()),
    }


def _whole_section(
    category: Category, listings: QuerySet[CategoryListing], day: dt.date, kind: str, place: Place
) -> dict[str, object]:
    path = category.get_absolute_url()
    of_the_kind = listings.filter(day=day, kind=kind, paper__redirect_to=None)
    page = _read_listings(of_the_kind, place)
    papers = [listing.paper for listing in page.rows]
    section = DaySection(KIND_TITLES[CategoryListing.Kind(kind)], kind, papers, of_the_kind.count(), "")
    return {
        **_day_frame(category, listings, day),
        "sections": [section] if papers else [],
        "one_kind": section.title,
        "day_url": address(path, {"day": day}),
        "pager": Pager.of(page, path, {"day": day, "kind": kind}),
        "shows_demo": any(paper.is_demo for paper in papers),
    }
