"""Attributions there are, and whom researchers are shown under."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection

from researchers.services.arrays import bigints


@dataclass(frozen=True, slots=True)
class Row:
    """An attribution there is."""

    base: int
    root: int
    decided_by: str


def rows_of(papers: Collection[int]) -> dict[int, Row]:
    """The attributions of papers, by authorship."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT authorship_id, base_id, root_id, decided_by FROM researchers_attribution"
            " WHERE paper_id = ANY(%s::bigint[])",
            [bigints(papers)],
        )
        return {row[0]: Row(*row[1:]) for row in cursor.fetchall()}


def roots_of(bases: Collection[int]) -> dict[int, int]:
    """Whom each of these researchers is shown under."""
    if not bases:
        return {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, root_id FROM researchers_researcher WHERE id = ANY(%s::bigint[])", [bigints(bases)])
        return dict(cursor.fetchall())
