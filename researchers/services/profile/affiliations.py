"""Where a person worked, as their papers print it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.db import connection

_NOT_A_WORD = re.compile(r"[\W_]+")
MOST_READ = 200
"""Different texts, the newest first; what a person with more of them had before is not read."""
LONGEST_TEXT = 300
"""Characters: sources put whole paragraphs there."""


@dataclass(frozen=True, slots=True)
class PrintedAffiliation:
    """One affiliation and the years of the papers that print it; ``None`` where none of them is dated."""

    text: str
    first_year: int | None
    last_year: int | None
    papers: int
    institution: str = ""
    """The name of the institution it is found to name; empty where it names none that is known, or several."""
    url: str = ""
    """Of the institution's page."""


@dataclass(frozen=True, slots=True)
class ShownAffiliations:
    """``newest`` are those of the latest year that has any, ``before`` the others, later ones first."""

    newest: tuple[PrintedAffiliation, ...] = ()
    before: tuple[PrintedAffiliation, ...] = ()

    @property
    def year(self) -> int | None:
        """The latest year that has any."""
        return self.newest[0].last_year if self.newest else None


def read_affiliations(root: int) -> ShownAffiliations:
    """The affiliations of a root in one statement. Texts that differ only in case and punctuation are one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT left(printed.text, %(longest)s), min(year), max(year), count(*),"
            " min(place.id), min(place.display_name), min(place.slug)"
            " FROM researchers_attribution AS shown"
            " JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL"
            " JOIN papers_affiliation AS printed ON printed.authorship_id = shown.authorship_id"
            " LEFT JOIN institutions_institution AS named ON named.id = printed.institution_id"
            " AND printed.others IS NULL"
            " LEFT JOIN institutions_institution AS place ON place.id = named.root_id"
            " CROSS JOIN LATERAL (SELECT CASE WHEN paper.sort_date > '0001-01-01'"
            " THEN extract(year FROM paper.sort_date)::int END AS year) AS dated"
            " WHERE shown.root_id = %(root)s GROUP BY 1 ORDER BY 3 DESC NULLS LAST, 4 DESC, 1 LIMIT %(most)s",
            {"root": root, "most": MOST_READ, "longest": LONGEST_TEXT},
        )
        rows = cursor.fetchall()
    merged: dict[str, PrintedAffiliation] = {}
    for text, first, last, papers, number, name, slug in rows:
        text = " ".join(text.split())
        # What names one institution in several ways is one line.
        key = str(number) if number else _NOT_A_WORD.sub(" ", text.casefold()).strip()
        if not key:
            continue
        one = merged.get(key)
        merged[key] = PrintedAffiliation(
            text=one.text if one else text,
            first_year=min((year for year in (one.first_year if one else None, first) if year), default=None),
            last_year=max((year for year in (one.last_year if one else None, last) if year), default=None),
            papers=papers + (one.papers if one else 0),
            institution=name or "",
            url=(f"/institutions/{number}-{slug}" if slug else f"/institutions/{number}") if number else "",
        )
    found = list(merged.values())
    newest_year = found[0].last_year if found else None
    return ShownAffiliations(
        newest=tuple(one for one in found if one.last_year == newest_year),
        before=tuple(one for one in found if one.last_year != newest_year),
    )
