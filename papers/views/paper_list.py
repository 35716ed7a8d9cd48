"""Every paper, newest first or most cited first: filtered, sorted, and paged by keyset."""

from __future__ import annotations

import datetime as dt

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from papers.category_groups import read_choices
from papers.counts import RowCount, count_rows
from papers.forms import KINDS, SORTS, STATUSES, PaperFilter, country_choices, read_filter, source_choices
from papers.keyset import BadCursor, Place, read_page
from papers.listed import ListedPaper, visible_listed
from papers.models import Paper
from papers.views.links import Link, Pager, address
from wovepaper.lib.page_head import PageHead


@require_safe
def paper_list(request: HttpRequest) -> HttpResponse:
    """``/papers``. What an address asks wrongly is left out, with a sentence and status 400."""
    choices = read_choices()
    chosen, problems = read_filter(request.GET, choices)
    try:
        place = Place.parse(request.GET, int if chosen.sort == "cited" else dt.date)
    except BadCursor as error:
        place = Place()
        problems.append(str(error))

    path = reverse("papers:paper_list")
    papers = chosen.apply(Paper.objects.visible())
    page = read_page(
        chosen.apply(visible_listed()),
        place=place,
        key_field="citation_order" if chosen.sort == "cited" else "sort_date",
        descending=chosen.sort != "oldest",
        make=ListedPaper._make,
    )
    count = count_rows(papers)
    query = chosen.as_query()
    first_page = place == Place()
    chips = [Link(label, address(path, chosen.as_query(**change))) for label, change in chosen.chips()]
    sorts = [
        Link(label, address(path, chosen.as_query(sort=value)), current=chosen.sort == value) for value, label in SORTS
    ]
    context = {
        "head": PageHead(
            title="Papers",
            description="Every paper of this catalogue, newest first, by year, category, place, kind and status.",
            path=address(path, query),
            index=not query and first_page,
            feed="" if query else "latest.xml",
        ),
        "papers": page.rows,
        "pager": Pager.of(page, path, query),
        "chips": chips,
        "clear_url": path,
        "sorts": sorts,
        "chosen": chosen,
        "category_choices": choices,
        "choice_fields": [
            ("country", "Country", country_choices(), chosen.country),
            ("kind", "Kind", KINDS, chosen.kind),
            ("status", "Status", STATUSES, chosen.status),
            ("source", "Source", source_choices(), chosen.source),
        ],
        "summary": _summary(count, chosen),
        "empty": _empty_state(chosen, path, first_page=first_page),
        "problems": problems,
        "shows_demo": any(paper.is_demo for paper in page.rows),
    }
    return render(request, "papers/paper_list.html", context, status=400 if problems else 200)


def _summary(count: RowCount, chosen: PaperFilter) -> str:
    papers = "paper" if count == RowCount(1, exact=True) else "papers"
    return f"{str(count).capitalize()} {papers}{' with these filters' if chosen.is_active else ''}"


def _empty_state(chosen: PaperFilter, path: str, *, first_page: bool) -> dict[str, object]:
    if not first_page:
        return {
            "title": "The list ends before this page",
            "sentence": "No paper lies beyond this place.",
            "suggestions": [Link("Begin at the start", address(path, chosen.as_query()))],
        }
    if not chosen.is_active:
        return {
            "title": "No papers yet",
            "sentence": "The catalogue is empty. Papers appear here as soon as the first harvest has brought them in.",
        }
    without = [Link(f"Without “{label}”", address(path, chosen.as_query(**change))) for label, change in chosen.chips()]
    several = len(without) > 1
    return {
        "title": "No paper passes all these filters" if several else "No paper passes this filter",
        "sentence": (
            "Each may have papers of its own; together they leave none."
            if several
            else "There is none of the kind in this catalogue yet."
        ),
        "suggestions": [*without, Link("All papers", path), Link("Search instead", reverse("papers:search"))],
    }
