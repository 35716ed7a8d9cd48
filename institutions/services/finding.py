"""From addresses and names to institutions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from institutions.matching.folding import fold
from institutions.models import Institution, InstitutionName
from institutions.querysets import InstitutionQuerySet
from wovepaper.lib import ror

_NUMBERED = re.compile(r"(?P<number>[1-9][0-9]{0,17})(?:-.*)?", re.ASCII | re.DOTALL)
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")


@dataclass(frozen=True, slots=True)
class Found:
    """The institution an address leads to, as it is shown; or the text to search for where several are called so."""

    institution: Institution | None = None
    ambiguous: bool = False


def find_by_address(address: str) -> Found:
    """By number, by ROR id or by exact name in any language."""
    ror_id = ror.normalise(address)
    if ror_id is not None:
        return Found(_shown(Institution.objects.filter(ror_id=ror_id)))
    if match := _NUMBERED.fullmatch(address):
        return Found(_shown(Institution.objects.filter(pk=int(match["number"]))))
    return find_by_name(address)


def find_by_name(name: str) -> Found:
    """By exact name; case, accents and punctuation do not count."""
    key = fold(name)
    if not key:
        return Found()
    roots = set(InstitutionName.objects.filter(key=f" {key}").values_list("institution__root", flat=True)[:50])
    found = list(Institution.objects.filter(pk__in=roots).visible()[:2])  # type: ignore[attr-defined]
    return Found(ambiguous=True) if len(found) > 1 else Found(found[0] if found else None)


MOST_MEANT = 50
"""Institutions that one name in a query may mean."""


def find_numbers(name: str) -> list[int]:
    """Those shown under a name with these words, by number, those with the most papers first. A ROR id does as well."""
    ror_id = ror.normalise(name)
    if ror_id is not None:
        found = Institution.objects.filter(ror_id=ror_id).values_list("root_id", flat=True)
        return list(found)
    named = search_by_name(Institution.objects.visible(), name)
    return list(named.order_by("-paper_count", "-pk").values_list("pk", flat=True)[:MOST_MEANT])


def names_of(numbers: Iterable[str]) -> dict[str, str]:
    """Numbers to the names that are shown, in one query; none where no number is given."""
    wanted = [int(number) for number in numbers if number.isdecimal()]
    if not wanted:
        return {}
    rows = Institution.objects.filter(pk__in=wanted).values_list("pk", "root__display_name")
    return {str(number): name for number, name in rows}


def _shown(institutions: InstitutionQuerySet) -> Institution | None:
    asked = institutions.select_related("root").first()
    return None if asked is None else asked.root


def search_by_name(institutions: InstitutionQuerySet, text: str) -> InstitutionQuerySet:
    """Those with a name that has all these words, or words that begin with them; in any language."""
    words = fold(text).split()
    if not words:
        return institutions.none()
    names = InstitutionName.objects.all()
    for word in words[:12]:
        names = names.filter(key__contains=word if _EAST_ASIAN.search(word) else f" {word}")
    return institutions.filter(pk__in=names.values("institution__root"))
