"""What a list shows of researchers, read in a few queries for a whole page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection

from researchers.models import Researcher, ResearcherIdentifier
from researchers.services.namesakes import years_in_words
from wovepaper.lib.countries import country_name

CARD_FIELDS = (
    "display_name", "slug", "paper_count", "first_year", "last_year", "categories", "affiliation",
    "citation_count", "h_index", "sort_name", "citation_order", "h_index_order",
)  # fmt: skip
"""The columns a card needs, and those that the list is in the order of."""
FIELDS_ON_A_CARD = 3


@dataclass(frozen=True, slots=True)
class ListedResearcher:
    """One researcher of a list. ``affiliation`` is that of their latest paper that prints one.

    ``found_as``: the name by which a search found them, where it is not the one shown.
    """

    id: int
    name: str
    url: str
    papers: int
    years: str
    fields: tuple[str, ...]
    citations: int | None
    h_index: int | None
    affiliation: str
    has_orcid: bool
    found_as: str = ""


def list_researchers(
    researchers: Sequence[Researcher], *, found_as: Mapping[int, str] | None = None
) -> list[ListedResearcher]:
    """What the list shows of these roots, in one query for all of them. ``found_as``: names that a search matched."""
    with_orcid = roots_with_orcid(one.pk for one in researchers)
    return [
        ListedResearcher(
            id=one.pk, name=one.display_name, url=one.get_absolute_url(), papers=one.paper_count,
            years=years_in_words(one.first_year, one.last_year), fields=tuple(one.categories[:FIELDS_ON_A_CARD]),
            citations=one.citation_count, h_index=one.h_index, affiliation=one.affiliation,
            has_orcid=one.pk in with_orcid, found_as=(found_as or {}).get(one.pk, ""),
        )
        for one in researchers
    ]  # fmt: skip


def roots_with_orcid(roots: Iterable[int]) -> set[int]:
    """Those of whom an ORCID iD is known beyond doubt."""
    trusted = ResearcherIdentifier.objects.filter(researcher__root__in=list(roots), scheme="orcid", state="trusted")
    return set(trusted.values_list("researcher__root", flat=True))


def known_countries(chosen: str = "") -> list[str]:
    """The codes of the countries that researchers are known to work in, with ``chosen``, by name.

    From the statistics that the planner keeps of the column: exact enough for a menu, and no page reads every row.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT unnest(most_common_elems::text::text[]) FROM pg_stats WHERE schemaname = current_schema()"
            " AND tablename = %s AND attname = 'countries'",
            [Researcher._meta.db_table],
        )
        codes = {code for (code,) in cursor.fetchall()}
    return sorted(codes | ({chosen} if chosen else set()), key=country_name)
