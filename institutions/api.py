"""Institutions for programs."""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Query, Router

from institutions.described import describe_institutions
from institutions.models import Institution
from institutions.schemas import InstitutionOut
from institutions.services.finding import find_by_address
from wovepaper.lib import ror
from wovepaper.rest.answers import moved, one, read_select
from wovepaper.rest.interface import answers
from wovepaper.rest.problems import Problem
from wovepaper.rest.schemas import SelectParameters

router = Router(tags=["Institutions"])
_NUMBER = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


@router.get(
    "/institutions/{path:ref}", response=answers(InstitutionOut, "not-found", "unknown-parameter", moves=True),
    operation_id="getInstitution", url_name="institution", summary="One institution",
)  # fmt: skip
def institution(request: HttpRequest, ref: str, asked: Query[SelectParameters]) -> HttpResponse:
    """By its number here or its ROR id. Names are looked for by `/search?type=institution`."""
    wanted = read_select(asked.select, InstitutionOut)
    shown, was_merged = _find(ref)
    if was_merged:
        query = request.META.get("QUERY_STRING", "")
        address = reverse("api:institution", args=[shown.pk])
        return moved(f"{address}?{query}" if query else address)
    (described,) = describe_institutions([shown], wanted=wanted)
    return one(described, wanted)


def _find(ref: str) -> tuple[Institution, bool]:
    """The institution it leads to today, and whether what it names was merged into it. Raises ``Problem``."""
    text = ref.strip()
    ror_id = ror.normalise(text)
    if ror_id is None and not _NUMBER.fullmatch(text):
        raise Problem("not-found", "This names no institution: give a number or a ROR id such as 05gq02987.")
    found = find_by_address(ror_id or text).institution
    if found is None:
        raise Problem("not-found", "No institution here has this number or ROR id.")
    return found, (found.ror_id != ror_id if ror_id else str(found.pk) != text)
