"""Where institutions are."""

from __future__ import annotations

from django.db import connection

from wovepaper.lib.countries import country_name


def known_countries(chosen: str = "") -> list[tuple[str, str]]:
    """Codes and names of the countries that institutions are in, with ``chosen``, by name.

    Found by a walk over the index, country by country: a few hundred steps, however many institutions there are.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH RECURSIVE walk AS ("
            " (SELECT country FROM institutions_institution WHERE merged_into_id IS NULL AND status <> 'withdrawn'"
            "  ORDER BY country LIMIT 1)"
            " UNION ALL SELECT (SELECT next.country FROM institutions_institution AS next"
            "  WHERE next.merged_into_id IS NULL AND next.status <> 'withdrawn' AND next.country > walk.country"
            "  ORDER BY next.country LIMIT 1) FROM walk WHERE walk.country IS NOT NULL"
            ") SELECT country FROM walk WHERE country <> ''"
        )
        codes = {code for (code,) in cursor.fetchall()}
    known = codes | ({chosen} if chosen else set())
    return sorted(((code, country_name(code)) for code in known), key=lambda one: one[1])
