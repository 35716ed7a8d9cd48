"""The stage at which institutions get the numbers of their researchers: after those of their papers were told apart."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from institutions.models import Institution
from papers.institutions.querysets import count_people
from wovepaper.harvest.rows import update_rows

KIND = "institution"
STAGE = "index"
BATCH = 500


def count_researchers(ids: Sequence[int]) -> None:
    """Write the counts that differ."""
    roots = list(Institution.objects.filter(pk__in=ids).values_list("root", flat=True).distinct())
    people = count_people(roots)
    with connection.cursor() as cursor:
        rows = [{"id": number, "researcher_count": people.get(number, 0)} for number in sorted(roots)]
        update_rows(cursor, "institutions_institution", {"researcher_count": "integer"}, rows)
