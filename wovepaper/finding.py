"""The search of papers, researchers and institutions for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router

from institutions.described import describe_institutions
from institutions.models import Institution
from institutions.schemas import InstitutionOut
from institutions.services.finding import find_by_address, find_numbers, search_by_name
from papers.addresses import find_pasted
from papers.category_groups import read_choices
from papers.counts import count_rows
from papers.described import describe_papers
from papers.institutions.forms import ORDERS as INSTITUTION_ORDERS
from papers.models import Paper
from papers.schemas import KindName, PaperOut, StatusName
from papers.search_query import parse_query, tidy
from papers.searching import LAST_PAGE, PAGE_SIZE, SearchDown, default_mode, search_papers
from papers.searching import SORTS as PAPER_SORTS
from researchers.described import describe_researchers
from researchers.schemas import ResearcherOut
from researchers.searching import SORTS as RESEARCHER_SORTS
from researchers.searching import search_researchers
from wovepaper.lib.countries import is_country
from wovepaper.rest.answers import page, place_of, read_select
from wovepaper.rest.interface import answers
from wovepaper.rest.problems import Problem, bad_parameter
from wovepaper.rest.schemas import ListOf, PageParameters, Shape
from wovepaper.search.meaning.encoders import EncoderUnavailable

router = Router(tags=["Search"])
REACH = LAST_PAGE * PAGE_SIZE
"""Hits that can be paged through."""
SHAPES: dict[str, type[Shape]] = {"paper": PaperOut, "researcher": ResearcherOut, "institution": InstitutionOut}
SORTS: dict[str, Sequence[str]] = {
    "paper": list(PAPER_SORTS), "researcher": list(RESEARCHER_SORTS), "institution": list(INSTITUTION_ORDERS),
}  # fmt: skip
FILTERS = {
    "paper": {"year", "category", "country", "institution", "kind", "status"},
    "researcher": {"year", "category", "country"},
    "institution": {"country"},
}
ALL_FILTERS = frozenset().union(*FILTERS.values())


class SearchParameters(PageParameters):
    """What the search takes."""

    q: str = Field("", description="As on the site. Nothing that is asked is an error; remarks tell what was left out.")
    type: Literal["paper", "researcher", "institution"] = "paper"
    mode: Literal["lexical", "hybrid", "meaning"] | None = Field(
        None, description="How relevance of papers is told: by words, by words and meaning, or by meaning alone."
    )
    sort: str = Field("", description="By relevance if left out; other orders are those of the site's lists.")
    year: int | None = Field(None, ge=1000, le=9999, description="Papers of this year; researchers active in it.")
    category: str = Field("", description="Code of a category.")
    country: str = Field("", description="ISO 3166 code.")
    institution: str = Field("", description="Number, ROR id or exact name.")
    kind: KindName | None = None
    status: StatusName | None = None


class Found(ListOf[PaperOut | ResearcherOut | InstitutionOut]):
    """A page of hits: papers, researchers or institutions, as the type says."""

    type: str
    mode: str | None = Field(description="How relevance was told; null where it was not.")
    remarks: list[str] = Field(description="Sentences on what was not understood.")
    suggestion: str | None = Field(description="What may have been meant.")


@router.get(
    "/search", response=answers(Found, "bad-cursor", "unknown-parameter", "search-down"), operation_id="search",
    url_name="search", summary="Search papers, researchers or institutions",
)  # fmt: skip
def search(request: HttpRequest, asked: Query[SearchParameters]) -> HttpResponse:
    """The first 960 hits can be paged through. A pasted arXiv id or DOI finds its paper alone."""
    wanted = read_select(asked.select, SHAPES[asked.type])
    filters = _filters(asked)
    sorts = SORTS[asked.type]
    if asked.sort and asked.sort not in sorts:
        raise bad_parameter("sort", f"With type {asked.type} it can be {', '.join(sorts)}.")
    place = place_of(request)
    start = min(int(place), REACH) if place.isdecimal() else 0
    text = tidy(asked.q)
    try:
        if asked.type == "paper":
            return _papers(request, asked, text, filters, start, wanted)
        if asked.type == "researcher":
            return _researchers(request, asked, text, filters, start, wanted)
    except (SearchDown, EncoderUnavailable):
        detail = "The rest of the interface answers all the same."
        raise Problem("search-down", detail, headers={"Retry-After": "30"}) from None
    return _institutions(request, asked, text, filters, start, wanted)


def _papers(
    request: HttpRequest, asked: SearchParameters, text: str, filters: Mapping[str, str], start: int,
    wanted: frozenset[str],
) -> HttpResponse:  # fmt: skip
    if not filters and (pasted := find_pasted(text)):
        items = describe_papers([pasted], wanted=wanted)
        told: dict[str, object] = {"type": "paper", "mode": None, "remarks": [], "suggestion": None}
        return page(request, items, wanted=wanted, following=None, count=1, more=told)
    parsed = parse_query(text).with_institutions(find_numbers)
    mode = asked.mode or default_mode()
    sort = asked.sort or "relevance"
    end = min(start + asked.limit, REACH)
    found = search_papers(parsed, filters=filters, sort=sort, mode=mode, start=start, limit=end - start)
    numbers = [hit.paper.id for hit in found.hits]
    papers = Paper.objects.in_bulk(numbers)
    items = describe_papers([papers[number] for number in numbers if number in papers], wanted=wanted)
    more: dict[str, object] = {
        "type": "paper",
        "mode": mode if sort == "relevance" and parsed.ranked_words else None,
        "remarks": list(parsed.remarks),
        "suggestion": found.suggestion or None,
    }
    following = end if end < min(found.reachable, REACH) else None
    return page(request, items, wanted=wanted, following=following, count=found.total, more=more)


def _researchers(
    request: HttpRequest, asked: SearchParameters, text: str, filters: Mapping[str, str], start: int,
    wanted: frozenset[str],
) -> HttpResponse:  # fmt: skip
    given = {name: value for name, value in (("category", filters.get("categories", "")),
             ("country", filters.get("countries", ""))) if value}  # fmt: skip
    if "year" in filters:
        given |= {"first_year": filters["year"], "last_year": filters["year"]}
    end = min(start + asked.limit, REACH)
    found = search_researchers(text, filters=given, sort=asked.sort or "relevance", start=start, limit=end - start)
    items = describe_researchers([hit.researcher for hit in found.hits], wanted=wanted)
    following = end if end < min(found.total, REACH) else None
    more: dict[str, object] = {"type": "researcher", "mode": None, "remarks": [], "suggestion": None}
    return page(request, items, wanted=wanted, following=following, count=found.total, more=more)


def _institutions(
    request: HttpRequest, asked: SearchParameters, text: str, filters: Mapping[str, str], start: int,
    wanted: frozenset[str],
) -> HttpResponse:  # fmt: skip
    rows = Institution.objects.visible()
    if text:
        rows = search_by_name(rows, text)
    if "countries" in filters:
        rows = rows.filter(country=filters["countries"])
    order = INSTITUTION_ORDERS[asked.sort or "papers"]
    sign = "-" if order.descending else ""
    end = min(start + asked.limit, REACH)
    found = list(rows.order_by(f"{sign}{order.key_field}", f"{sign}id")[start : end + 1])
    count = count_rows(rows)
    items = describe_institutions(found[: end - start], wanted=wanted)
    following = end if len(found) > end - start and end < REACH else None
    more: dict[str, object] = {"type": "institution", "mode": None, "remarks": [], "suggestion": None}
    return page(request, items, wanted=wanted, following=following, count=count.number, exact=count.exact, more=more)


def _filters(asked: SearchParameters) -> dict[str, str]:
    """The filters by the names that the index has. Raises ``Problem`` for one that cannot be read or does not fit."""
    given = {name: str(value) for name in ALL_FILTERS if (value := getattr(asked, name)) not in (None, "")}
    if misplaced := sorted(given.keys() - FILTERS[asked.type]):
        takes = ", ".join(sorted(FILTERS[asked.type]))
        raise bad_parameter(misplaced[0], f"With type {asked.type} filters are {takes}.")
    if asked.mode and asked.type != "paper":
        raise bad_parameter("mode", "Only the relevance of papers can be told in several ways.")
    found = {name: value for name, value in given.items() if name in ("year", "kind", "status")}
    if code := given.get("category"):
        found["categories"] = _category(code)
    if code := given.get("country"):
        if not is_country(code.upper()):
            raise bad_parameter("country", "A country is given by its code of two letters, such as DE.")
        found["countries"] = code.upper()
    if name := given.get("institution"):
        known = find_by_address(name.replace("\0", " ")).institution
        if known is None:
            raise bad_parameter("institution", "No institution, or more than one, has this number, ROR id or name.")
        found["institutions"] = str(known.pk)
    return found


def _category(code: str) -> str:
    known = next((one for one in read_choices() if one.code.lower() == code.lower()), None)
    if known is None:
        raise bad_parameter("category", "There is no such category; /api/v1/categories has them all.")
    return known.canonical or known.code
