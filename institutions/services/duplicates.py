"""Finding records of the registry that may be one institution: the same name at the same place, or one homepage."""

from __future__ import annotations

from collections import defaultdict
from urllib.parse import urlsplit

from django.db import connection

from institutions.merging import ADAPTER
from institutions.models import Institution
from wovepaper.curation.services import CandidateDraft, file_candidates

MOST_BEARERS = 6
"""A name that more institutions of a country bear tells nothing of any two of them."""

_ANALYSE = "ANALYZE institutions_institution, institutions_institutionname, institutions_institutionrelation"
_SAME_NAME = """
SELECT one.id, other.id, bool_or(name.kind = 'label' AND same.kind = 'label'), min(name.value),
       lower(one.city) = lower(other.city)
FROM institutions_institutionname AS name
JOIN institutions_institution AS one ON one.id = name.institution_id
JOIN institutions_institutionname AS same ON same.key = name.key AND same.institution_id > name.institution_id
JOIN institutions_institution AS other ON other.id = same.institution_id AND other.country = one.country
WHERE name.kind <> 'acronym' AND same.kind <> 'acronym'
  AND one.merged_into_id IS NULL AND other.merged_into_id IS NULL
  AND one.status <> 'withdrawn' AND other.status <> 'withdrawn'
  AND (one.city = '' OR other.city = '' OR lower(one.city) = lower(other.city))
  AND length(name.key) > 4
  AND NOT EXISTS (SELECT 1 FROM institutions_institutionrelation AS relation
                  WHERE relation.institution_id = one.id AND relation.target_id = other.id)
  AND (SELECT count(DISTINCT bearer.institution_id) FROM institutions_institutionname AS bearer
       JOIN institutions_institution AS there ON there.id = bearer.institution_id
       WHERE bearer.key = name.key AND there.country = one.country) <= %s
GROUP BY one.id, other.id
"""


def find_duplicates() -> int:
    """Fill the curators' queue; returns how many items are open of those found. One that was decided stays decided."""
    with connection.cursor() as cursor:
        # Right after an import the database still takes the tables for what they were, and would compare all with all.
        cursor.execute(_ANALYSE)
        cursor.execute(_SAME_NAME, [MOST_BEARERS])
        rows = cursor.fetchall()
    known = Institution.objects.in_bulk({number for row in rows for number in row[:2]})
    by_pair: dict[tuple[int, int], list[str]] = defaultdict(list)
    scores: dict[tuple[int, int], float] = {}
    for one, other, labels, name, same_city in rows:
        pair = (one, other)
        first, second = known[one], known[other]
        score = 0.8 if labels else 0.6
        by_pair[pair].append(f"Both are called “{name}”{'' if labels else ', one of them besides its own name'}.")
        if same_city:
            score += 0.1
            by_pair[pair].append(f"Both are in {first.place}.")
        if (host := _host(first.homepage)) and host == _host(second.homepage):
            score += 0.08
            by_pair[pair].append(f"Both have the website {host}.")
        if first.kind != second.kind:
            score -= 0.15
            kinds = (str(each.get_kind_display()).lower() for each in (first, second))
            by_pair[pair].append(f"The registry calls one {next(kinds)}, the other {next(kinds)}.")
        scores[pair] = score
    drafts = [
        CandidateDraft(
            members=pair,
            score=min(score, 0.99),
            reasons=by_pair[pair],
            rows_affected=min(known[number].paper_count for number in pair),
        )
        for pair, score in sorted(scores.items())
    ]
    return file_candidates(ADAPTER, drafts)


def _host(address: str) -> str:
    return (urlsplit(address).hostname or "").removeprefix("www.")
