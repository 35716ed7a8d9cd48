"""Every researcher: filtered, sorted, paged by keyset; or those that a search finds."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from papers.category_groups import read_choices
from papers.counts import RowCount, count_rows
from papers.keyset import BadCursor, Place, read_page
from papers.search_query import tidy
from papers.views.links import Link, Pager, address
from researchers.forms import DEFAULT_ORDER, ORDERS, ResearcherFilter, read_filter
from researchers.models import Researcher
from researchers.services.listing import CARD_FIELDS, known_countries, list_researchers
from wovepaper.lib.page_head import PageHead
from wovepaper.search.entrances import find_landing


@require_safe
def researcher_list(request: HttpRequest) -> HttpResponse:
    """``/researchers``. What an address asks wrongly is left out, with a sentence and status 400."""
    text = tidy(request.GET.get("q", ""))
    landing = find_landing(text) if text else None
    if landing and landing.url:
        found_at_once = HttpResponseRedirect(landing.url)
        found_at_once.headers["Cache-Control"] = "no-store"
        return found_at_once

    choices = read_choices()
    chosen, problems = read_filter(request.GET, {one.code: one for one in choices}, text=text)
    path = reverse("researchers:researcher_list")
    query = chosen.as_query()
    context = {
        "head": PageHead(
            title="Researchers",
            description="Everybody to whom papers of this catalogue are attributed, by field, country and year.",
            path=address(path, query),
            index=not query and "after" not in request.GET and "before" not in request.GET,
        ),
        "chips": [Link(label, address(path, chosen.as_query(**change))) for label, change in chosen.chips()],
        "clear_url": path,
        "chosen": chosen,
        "category_choices": choices,
        "countries": known_countries(chosen.country),
        "remarks": [landing.remark] if landing and landing.remark else [],
    }
    context |= _page(request, chosen, path, problems)
    return render(request, "researchers/researcher_list.html", context, status=400 if problems else 200)


def _page(request: HttpRequest, chosen: ResearcherFilter, path: str, problems: list[str]) -> dict[str, object]:
    order = chosen.order
    try:
        place = Place.parse(request.GET, order.key_type)
    except BadCursor as error:
        place = Place()
        problems.append(str(error))
    researchers = chosen.apply(Researcher.objects.visible())
    page = read_page(
        researchers.only(*CARD_FIELDS), place=place, key_field=order.key_field, descending=order.descending
    )
    return {
        "researchers": list_researchers(page.rows),
        "pager": Pager.of(page, path, chosen.as_query()),
        "problems": problems,
        "summary": _summary(count_rows(researchers), chosen),
        "sorts": [
            Link(order.label, address(path, chosen.as_query(sort=name)), current=name == (chosen.sort or DEFAULT_ORDER))
            for name, order in ORDERS.items()
        ],
        "empty": _empty_state(chosen, path, first_page=place == Place()),
    }


def _summary(count: RowCount, chosen: ResearcherFilter) -> str:
    researchers = "researcher" if count == RowCount(1, exact=True) else "researchers"
    return f"{str(count).capitalize()} {researchers}{' with these filters' if chosen.is_active else ''}"


def _empty_state(chosen: ResearcherFilter, path: str, *, first_page: bool) -> dict[str, object]:
    if not first_page:
        return {
            "title": "The list ends before this page",
            "sentence": "No researcher lies beyond this place.",
            "suggestions": [Link("Begin at the start", address(path, chosen.as_query()))],
        }
    if not chosen.is_active:
        return {
            "title": "No researchers yet",
            "sentence": "They appear here as soon as papers have been harvested and their authors told apart.",
        }
    without = [Link(f"Without “{label}”", address(path, chosen.as_query(**change))) for label, change in chosen.chips()]
    several = len(without) > 1
    return {
        "title": "No researcher passes all these filters" if several else "No researcher passes this filter",
        "sentence": (
            "Each may have researchers of its own; together they leave none."
            if several
            else "There is none of the kind in this catalogue yet."
        ),
        "suggestions": [*without, Link("All researchers", path)],
    }
