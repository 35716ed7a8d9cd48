"""Every researcher: filtered, sorted, paged by keyset; or those that a search finds."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from papers.category_groups import read_choices
from papers.counts import RowCount, count_rows
from papers.keyset import BadCursor, KeysetPage, Place, read_page
from papers.search_query import tidy
from papers.searching import SearchDown
from papers.views.links import Link, Pager, address
from researchers.forms import DEFAULT_ORDER, ORDERS, ResearcherFilter, read_filter
from researchers.models import Researcher
from researchers.search_entrance import TAB
from researchers.searching import LAST_PAGE, PAGE_SIZE, search_researchers
from researchers.services.listing import CARD_FIELDS, known_countries, list_researchers
from wovepaper.lib.page_head import PageHead
from wovepaper.search.entrances import find_landing, read_tabs

RELEVANCE = "relevance"
_DOWN: dict[str, object] = {
    "title": "The search is not answering",
    "sentence": "It should be back in a moment. Everything else can be read meanwhile.",
}


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
            index=not query and not request.GET.keys() & {"after", "before", "page"},
        ),
        "chips": [Link(label, address(path, chosen.as_query(**change))) for label, change in chosen.chips()],
        "clear_url": path,
        "chosen": chosen,
        "category_choices": choices,
        "countries": known_countries(chosen.country),
        "remarks": [landing.remark] if landing and landing.remark else [],
        "problems": problems,
    }
    status = 200
    try:
        context |= _found(request, chosen, path, problems) if chosen.q else _page(request, chosen, path, problems)
    except SearchDown:
        context |= {"empty": _DOWN | {"suggestions": [Link("All researchers", path)]}, "summary": ""}
        status = 503
    response = render(request, "researchers/researcher_list.html", context, status=400 if problems else status)
    if status == 503:
        response.headers["Retry-After"] = "30"
    return response


def _page(request: HttpRequest, chosen: ResearcherFilter, path: str, problems: list[str]) -> dict[str, object]:
    """Everybody who passes the filters, in an order that an index serves."""
    order = chosen.order
    try:
        place = Place.parse(request.GET, order.key_type)
    except BadCursor as error:
        place = Place()
        problems.append(str(error))
    researchers = chosen.apply(Researcher.objects.visible())
    page: KeysetPage[Researcher] = read_page(
        researchers.only(*CARD_FIELDS), place=place, key_field=order.key_field, descending=order.descending
    )
    return {
        "researchers": list_researchers(page.rows),
        "pager": Pager.of(page, path, chosen.as_query()),
        "summary": _summary(count_rows(researchers), chosen),
        "sorts": _sorts(chosen, path, chosen.sort or DEFAULT_ORDER, {}),
        "empty": _empty_state(chosen, path, first_page=place == Place()),
    }


def _found(request: HttpRequest, chosen: ResearcherFilter, path: str, problems: list[str]) -> dict[str, object]:
    """Those whom the search finds. Raises ``SearchDown``."""
    page = _read_page_number(request, problems)
    filters = {"category": chosen.category, "country": chosen.country}
    if chosen.year:
        filters |= {"first_year": str(chosen.year), "last_year": str(chosen.year)}
    found = search_researchers(chosen.q, filters=filters, sort=chosen.sort or RELEVANCE, page=page)
    last = max(1, min(LAST_PAGE, -(-found.total // PAGE_SIZE)))
    summary = f"{found.total:,} researcher{'' if found.total == 1 else 's'} found"
    query = chosen.as_query()
    filtered = bool(chosen.category or chosen.country or chosen.year)
    return {
        "researchers": list_researchers(
            [hit.researcher for hit in found.hits], found_as={hit.researcher.pk: hit.matched_name for hit in found.hits}
        ),
        "pager": Pager(
            previous=address(path, query | {"page": str(page - 1) if page > 2 else ""}) if page > 1 else "",
            next=address(path, query | {"page": str(page + 1)}) if page < last else "",
        ),
        "summary": f"{summary}, page {page} of {last}" if last > 1 else summary,
        "sorts": _sorts(chosen, path, chosen.sort or RELEVANCE, {"": "Relevance"}),
        "tabs": read_tabs(chosen.q, current=TAB, count=None if filtered else found.total),
        "empty": _empty_state(chosen, path, first_page=page == 1),
    }


def _read_page_number(request: HttpRequest, problems: list[str]) -> int:
    text = request.GET.get("page") or "1"
    page = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if 1 <= page <= LAST_PAGE:
        return page
    problems.append(f"Pages run from 1 to {LAST_PAGE}; this is the first.")
    return 1


def _sorts(chosen: ResearcherFilter, path: str, current: str, before: dict[str, str]) -> list[Link]:
    labels = before | {name: order.label for name, order in ORDERS.items()}
    return [
        Link(label, address(path, chosen.as_query(sort=name)), current=(name or RELEVANCE) == current)
        for name, label in labels.items()
    ]


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
    if chosen.q:
        title = "Nobody found"
        sentence = "Nobody to whom papers here are attributed is called so" + (
            " and passes the other filters." if several else "."
        )
    elif several:
        title = "No researcher passes all these filters"
        sentence = "Each may have researchers of its own; together they leave none."
    else:
        title = "No researcher passes this filter"
        sentence = "There is none of the kind in this catalogue yet."
    return {
        "title": title,
        "sentence": sentence,
        "suggestions": [*without, *_elsewhere(chosen), Link("All researchers", path)],
    }


def _elsewhere(chosen: ResearcherFilter) -> list[Link]:
    return [Link("Search the papers for it", address(reverse("papers:search"), {"q": chosen.q}))] if chosen.q else []
