"""What was new in a whole archive (``cs``, ``math``) on one day, as readers of arXiv know it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from papers.keyset import BadCursor, Place, read_page
from papers.listed import ListedPaper, listed
from papers.models import Category, CategoryListing, Paper
from papers.views.links import Link, Pager, address, crumbs_json_ld, moved
from wovepaper.lib.page_head import PageHead


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive that is no category itself: its categories share the first part of their codes."""

    code: str
    name: str
    group: str
    group_name: str
    categories: tuple[Category, ...]

    def get_absolute_url(self) -> str:
        """The page of this archive."""
        return reverse("papers:category", args=[self.code])


def find_archive(code: str) -> Archive | None:
    """The archive of this code, in whatever case it was typed."""
    categories = tuple(Category.objects.filter(archive__iexact=code, canonical=None).order_by("code"))
    return group_archive(categories)


def group_archive(categories: Sequence[Category]) -> Archive | None:
    """The archive that these categories, all of one, make up; ``None`` where one of them has its code."""
    if not categories or any(one.code == one.archive for one in categories):
        return None
    first = categories[0]
    return Archive(first.archive, first.archive_name, first.group, first.group_name, tuple(categories))


def show_archive(request: HttpRequest, archive: Archive, code: str) -> HttpResponse:
    """``/categories/<archive>``: the papers that were new on its last day, or with ``?day=`` on another."""
    path = archive.get_absolute_url()
    if archive.code != code:
        return moved(address(path, request.GET.dict()))
    problems: list[str] = []
    asked = read_day(request.GET.get("day", ""), problems)
    try:
        place = Place.parse(request.GET)
    except BadCursor as error:
        place = Place()
        problems.append(str(error))

    new = CategoryListing.objects.filter(kind=CategoryListing.Kind.NEW)
    day = asked or _nearest(archive, new.order_by("-day"), max)
    before = _nearest(archive, new.filter(day__lt=day).order_by("-day"), max) if day else None
    after = _nearest(archive, new.filter(day__gt=day).order_by("day"), min) if asked else None
    papers = Paper.objects.visible().filter(announced_on=day, primary_category__in=archive.categories)
    page = read_page(listed(papers), place=place, key_field="announced_on", make=ListedPaper._make) if day else None
    on_day = f" on {day.day} {day:%B} {day.year}" if day else ""
    crumbs = [
        Link("Categories", reverse("papers:category_list")),
        Link(archive.group_name, f"{reverse('papers:category_list')}#{archive.group}"),
    ]
    context = {
        "head": PageHead(
            title=f"New in {archive.name} ({archive.code}){on_day if asked else ''}",
            description=f"Papers that were new in {archive.name} ({archive.code}){on_day}, in all its categories.",
            path=address(path, {"day": asked}),
            index=asked is None and place == Place(),
            feed=f"categories/{archive.code}.xml",
        ),
        "archive": archive,
        "crumbs": crumbs,
        "json_ld": crumbs_json_ld([*crumbs, Link(archive.name, path)]),
        "problems": problems,
        "day": day,
        "previous_day": before,
        "previous_day_url": address(path, {"day": before}),
        "next_day": after,
        "next_day_url": address(path, {"day": after}),
        "papers": page.rows if page else [],
        "total": papers.count() if day else 0,
        "pager": Pager.of(page, path, {"day": day}) if page else None,
        "shows_demo": any(paper.is_demo for paper in page.rows) if page else False,
    }
    return render(request, "papers/archive.html", context, status=400 if problems else 200)


def read_day(text: str, problems: list[str]) -> dt.date | None:
    """The day that an address names; what is none is left out, with a sentence in ``problems``."""
    if not text:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        problems.append(f"“{text[:40]}” is not a day; a day is written like 2026-11-27.")
        return None


def _nearest(
    archive: Archive, listings: QuerySet[CategoryListing], choose: Callable[[Iterable[dt.date]], dt.date]
) -> dt.date | None:
    """The first day of ``listings`` in the archive: asked of each category by itself, which an index answers."""
    first = Subquery(listings.filter(category=OuterRef("pk")).values("day")[:1])
    codes = [category.code for category in archive.categories]
    days = Category.objects.filter(code__in=codes).annotate(day=first).values_list("day", flat=True)
    known = [day for day in days if day is not None]
    return choose(known) if known else None
