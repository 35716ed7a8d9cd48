"""Whom and what a new reader may want to follow: who publishes in their fields, and whom others follow there.

Looks at the last papers of each field and at nothing older, so the cost does not grow with the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

PAPERS_OF_A_FIELD = 300
MOST_FIELDS = 30
CONSIDERED = 200
"""The most active, among whom those with the most followers come first."""
_RECENT = """
WITH recent AS MATERIALIZED (
    SELECT DISTINCT listed.paper_id AS id
    FROM unnest(%(codes)s::text[]) AS field(code)
    CROSS JOIN LATERAL (
        SELECT paper_id FROM papers_categorylisting
        WHERE category_id = field.code AND kind <> 'revised'
        ORDER BY day DESC, paper_id DESC LIMIT %(papers)s
    ) AS listed
)
"""
_RESEARCHERS = """, active AS (
    SELECT given.root_id AS id, count(*) AS papers
    FROM recent JOIN researchers_attribution AS given ON given.paper_id = recent.id
    GROUP BY given.root_id ORDER BY papers DESC, given.root_id LIMIT %(considered)s
)
SELECT active.id, shown.display_name, shown.affiliation, active.papers
FROM active JOIN researchers_researcher AS shown ON shown.id = active.id
WHERE shown.merged_into_id IS NULL AND shown.erased_at IS NULL
    AND NOT EXISTS (
        SELECT FROM accounts_follow AS mine JOIN researchers_researcher AS base ON base.id = mine.researcher_id
        WHERE mine.user_id = %(user)s AND base.root_id = active.id
    )
ORDER BY (
    SELECT count(*) FROM researchers_researcher AS base JOIN accounts_follow AS follow ON follow.researcher_id = base.id
    WHERE base.root_id = active.id
) DESC, active.papers DESC, active.id LIMIT %(most)s
"""
_INSTITUTIONS = """, active AS (
    SELECT named.institution_id AS id, count(*) AS papers
    FROM recent JOIN papers_paperinstitution AS named ON named.paper_id = recent.id
    GROUP BY named.institution_id ORDER BY papers DESC, named.institution_id LIMIT %(considered)s
)
SELECT active.id, shown.display_name, shown.country, active.papers
FROM active JOIN institutions_institution AS shown ON shown.id = active.id
WHERE shown.merged_into_id IS NULL
    AND NOT EXISTS (
        SELECT FROM accounts_follow AS mine JOIN institutions_institution AS base ON base.id = mine.institution_id
        WHERE mine.user_id = %(user)s AND base.root_id = active.id
    )
ORDER BY (
    SELECT count(*)
    FROM institutions_institution AS base JOIN accounts_follow AS follow ON follow.institution_id = base.id
    WHERE base.root_id = active.id
) DESC, active.papers DESC, active.id LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Somebody or some place to follow."""

    key: int
    name: str
    where: str
    """An affiliation as it is printed, or the code of a country; may be empty."""
    recent_papers: int
    """Among the last ones of the reader's fields."""


def suggest_researchers(*, user_id: int, codes: Iterable[str], most: int = 12) -> list[Suggestion]:
    """Those with papers among the last of these categories, the most followed first, then the most active.

    Whom the reader follows already, under whichever base, is left out. One query.
    """
    return _ask(_RESEARCHERS, user_id, codes, most)


def suggest_institutions(*, user_id: int, codes: Iterable[str], most: int = 8) -> list[Suggestion]:
    """As ``suggest_researchers``, for the institutions that the authors name. One query."""
    return _ask(_INSTITUTIONS, user_id, codes, most)


def _ask(statement: str, user_id: int, codes: Iterable[str], most: int) -> list[Suggestion]:
    wanted = list(codes)[:MOST_FIELDS]
    if not wanted:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            _RECENT + statement,
            {
                "codes": wanted,
                "papers": PAPERS_OF_A_FIELD,
                "considered": CONSIDERED,
                "user": user_id,
                "most": most,
            },
        )
        return [Suggestion(*row) for row in cursor.fetchall()]
