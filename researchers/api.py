"""Researchers for programs."""

from __future__ import annotations

import datetime as dt
import re
from typing import cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Query, Router

from papers.api import keyset_page, paper_page
from papers.keyset import BadCursor, Cursor, KeysetPage, Place
from papers.models import Paper
from papers.schemas import PaperList, PaperOut
from researchers.described import describe_researchers
from researchers.models import Researcher
from researchers.schemas import CoauthorList, CoauthorOut, ResearcherOut, WorksParameters
from researchers.services.finding import find_by_orcid
from researchers.services.profile import read_coauthors
from researchers.services.profile.works import papers_of
from wovepaper.lib import orcid
from wovepaper.rest.answers import moved, one, page, place_of, read_select
from wovepaper.rest.interface import answers
from wovepaper.rest.problems import Fault, Problem
from wovepaper.rest.schemas import PageParameters, SelectParameters

router = Router(tags=["Researchers"])
_NUMBER = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)
_OF_ONE = ("not-found", "gone", "unknown-parameter")


@router.get(
    "/researchers/{path:ref}/papers", response=answers(PaperList, *_OF_ONE, "bad-cursor", moves=True),
    operation_id="listResearcherPapers", url_name="researcher_papers", summary="The papers of a researcher",
)  # fmt: skip
def papers(request: HttpRequest, ref: str, asked: Query[WorksParameters]) -> HttpResponse:
    """Those attributed to them, whoever else wrote them."""
    wanted = read_select(asked.select, PaperOut)
    shown, was_merged = find_or_problem(ref)
    if was_merged:
        return _moved(request, shown, "researcher_papers")
    rows = papers_of(shown.pk)
    if asked.category:
        rows = rows.filter(primary_category=asked.category.replace("\0", ""))
    if asked.year:
        rows = rows.published_between(asked.year, asked.year)
    if asked.kind:
        rows = rows.of_kind(asked.kind)
    by_count = asked.sort == "cited"
    found: KeysetPage[Paper] = keyset_page(
        request,
        rows,
        size=asked.limit,
        key_field="citation_order" if by_count else "sort_date",
        key_type=int if by_count else dt.date,
        descending=asked.sort != "oldest",
    )
    return paper_page(request, found, rows_counted=rows, wanted=wanted)


@router.get(
    "/researchers/{path:ref}/coauthors", response=answers(CoauthorList, *_OF_ONE, "bad-cursor", moves=True),
    operation_id="listCoauthors", url_name="researcher_coauthors", summary="With whom a researcher wrote",
)  # fmt: skip
def coauthors(request: HttpRequest, ref: str, asked: Query[PageParameters]) -> HttpResponse:
    """Those with the most papers together first."""
    wanted = read_select(asked.select, CoauthorOut)
    shown, was_merged = find_or_problem(ref)
    if was_merged:
        return _moved(request, shown, "researcher_coauthors")
    text = place_of(request)
    try:
        place = Place(after=Cursor.parse(text, int)) if text else Place()
    except BadCursor as error:
        raise Problem("bad-cursor", str(error), [Fault("cursor", str(error))]) from None
    found = read_coauthors(shown.pk, place=place, size=asked.limit)
    items = [
        CoauthorOut(
            id=other.id,
            url=settings.SITE_URL + other.url,
            name=other.name,
            papers=other.papers,
            first_year=other.first_year,
            last_year=other.last_year,
        )
        for other in found.page.rows
    ]
    return page(
        request,
        items,
        wanted=wanted,
        following=found.page.after,
        count=found.scope.total,
        exact=found.scope.is_whole,
    )


@router.get(
    "/researchers/{path:ref}", response=answers(ResearcherOut, *_OF_ONE, moves=True), operation_id="getResearcher",
    url_name="researcher", summary="One researcher",
)  # fmt: skip
def researcher(request: HttpRequest, ref: str, asked: Query[SelectParameters]) -> HttpResponse:
    """By their number here, or `orcid:…`."""
    wanted = read_select(asked.select, ResearcherOut)
    shown, was_merged = find_or_problem(ref)
    if was_merged:
        return _moved(request, shown, "researcher")
    (described,) = describe_researchers([shown], wanted=wanted)
    return one(described, wanted)


def find_or_problem(ref: str) -> tuple[Researcher, bool]:
    """The root that ``ref`` leads to today, and whether it was merged into it. Raises ``Problem``."""
    text = ref.strip()
    if _NUMBER.fullmatch(text):
        asked = Researcher.objects.select_related("root").filter(pk=int(text)).first()
        if asked is None:
            raise Problem("not-found", "No researcher here has this number.")
        shown = cast("Researcher", asked.root)
        if shown.erased_at is not None or asked.erased_at is not None:
            raise Problem("gone", "The person it was about asked for it to be removed.")
        return shown, shown.pk != asked.pk
    normal = orcid.normalise(text[6:]) if text.lower().startswith("orcid:") else None
    if normal is None:
        raise Problem("not-found", "This names no researcher: give a number, or orcid:0000-0000-0000-0000.")
    known = find_by_orcid(normal)
    if known is None:
        raise Problem("not-found", "It is not known of anybody here that this ORCID iD is theirs.")
    return known, False


def _moved(request: HttpRequest, shown: Researcher, operation: str) -> HttpResponse:
    query = request.META.get("QUERY_STRING", "")
    address = reverse(f"api:{operation}", args=[shown.pk])
    return moved(f"{address}?{query}" if query else address)
