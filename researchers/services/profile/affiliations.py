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
            "SELECT left(printed.text, %(longest)s), min(year), max(year), count(*)"
            " FROM researchers_attribution AS shown"
            " JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL"
            " JOIN papers_affiliation AS printed ON printed.authorship_id = shown.authorship_id"
            " CROSS JOIN LATERAL (SELECT CASE WHEN paper.sort_date > '0001-01-01'"
            " THEN extract(year FROM paper.sort_date)::int END AS year) AS dated"
            " WHERE shown.root_id = %(root)s GROUP BY 1 ORDER BY 3 DESC NULLS LAST, 4 DESC, 1 LIMIT %(most)s",
            {"root": root, "most": MOST_READ, "longest": LONGEST_TEXT},
        )
        rows = cursor.fetchall()
    merged: dict[str, PrintedAffiliation] = {}
    for text, first, last, papers in rows:
        text = " ".join(text.split())
        key = _NOT_A_WORD.sub(" ", text.casefold()).strip()
        if not key:
            continue
        one = merged.get(key)
        merged[key] = PrintedAffiliation(
            text=one.text if one else text,
            first_year=min((year for year in (one.first_year if one else None, first) if year), default=None),
            last_year=max((year for year in (one.last_year if one else None, last) if year), default=None),
            papers=papers + (one.papers if one else 0),
        )
    found = list(merged.values())
    newest_year = found[0].last_year if found else None
    return ShownAffiliations(
        newest=tuple(one for one in found if one.last_year == newest_year),
        before=tuple(one for one in found if one.last_year != newest_year),
    )
