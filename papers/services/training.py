"""What the catalogue has to learn from, and what is kept out of it to judge by."""

from __future__ import annotations

from django.db import connection

from wovepaper.lib.markup import plain

MOST_PAPERS = 120_000
"""Papers that one training looks at: about five minutes of one core."""
KEPT_OUT = 20
"""One paper in so many is never learnt from, so that others can be judged by it."""
_READ = """
SELECT title, abstract FROM papers_paper
WHERE redirect_to_id IS NULL AND abstract <> '' AND title <> '' AND hashint8(id) %% %(every)s <> 0
ORDER BY hashint8extended(id, 1) LIMIT %(most)s
"""
_READ_KEPT_OUT = """
SELECT id FROM papers_paper
WHERE redirect_to_id IS NULL AND abstract <> '' AND title <> '' AND hashint8(id) %% %(every)s = 0
ORDER BY hashint8extended(id, 1) LIMIT %(most)s
"""


def texts_to_learn_from(most: int = MOST_PAPERS) -> list[tuple[str, str]]:
    """Titles and abstracts of at most so many papers, by chance, but always the same of the same catalogue."""
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"every": KEPT_OUT, "most": most})
        return [(plain(title), plain(abstract)) for title, abstract in cursor.fetchall()]


def papers_to_judge_by(most: int) -> list[int]:
    """The numbers of at most so many papers that nothing was learnt from."""
    with connection.cursor() as cursor:
        cursor.execute(_READ_KEPT_OUT, {"every": KEPT_OUT, "most": most})
        return [row[0] for row in cursor.fetchall()]
