"""What happened to papers lately, as ingest left it in the tables: each thing is noted once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

LOOK_BACK: dict[str, int] = {
    "new": 14,
    "cross_list": 14,
    "revision": 14,
    "withdrawn": 30,
    "published": 180,
    "retracted": 365,
}
"""Days. What a source dates further back came with a back-fill and is no news. Sources tell late of publications, and
of retractions later still."""

_FACTS = """
    SELECT id, 'new', '', coalesce(announced_on, CASE published_precision WHEN 'day' THEN published_on END)
      FROM papers_paper WHERE id = ANY(%(papers)s)
    UNION ALL
    SELECT paper_id, 'cross_list', category_id, min(day)
      FROM papers_categorylisting WHERE paper_id = ANY(%(papers)s) AND kind = 'cross' GROUP BY 1, 2, 3
    UNION ALL
    SELECT paper_id, 'revision', number::text, (submitted_at AT TIME ZONE 'UTC')::date
      FROM papers_paperversion WHERE paper_id = ANY(%(papers)s) AND number > 1 AND NOT withdrawn
    UNION ALL
    SELECT paper_id, 'withdrawn', '', max((submitted_at AT TIME ZONE 'UTC')::date)
      FROM papers_paperversion WHERE paper_id = ANY(%(papers)s) AND withdrawn GROUP BY 1
    UNION ALL
    SELECT id, 'published', '', (SELECT min(CASE length(said.value) WHEN 10 THEN said.value::date
                                                                   WHEN 7 THEN (said.value || '-01')::date END)
                                   FROM jsonb_each_text(dates) AS said
                                  WHERE said.key IN ('published-online', 'published-print', 'published-other'))
      FROM papers_paper WHERE id = ANY(%(papers)s) AND arxiv_id <> '' AND kind <> 'preprint'
    UNION ALL
    SELECT paper.id, 'retracted', '', max(notice.day)
      FROM papers_paper AS paper JOIN papers_notice AS notice ON notice.work = paper.doi
     WHERE paper.id = ANY(%(papers)s) AND paper.doi <> '' AND paper.status = 'retracted' AND notice.kind = 'retraction'
     GROUP BY 1
"""
_NOTE = f"""
    WITH facts (paper_id, kind, detail, day) AS ({_FACTS}),
    days (kind, first_day) AS (SELECT * FROM unnest(%(kinds)s::text[], %(days)s::date[]))
    INSERT INTO accounts_paperevent (paper_id, kind, detail, day, noticed_at)
    SELECT facts.paper_id, facts.kind, facts.detail, facts.day, %(now)s
      FROM facts JOIN days ON days.kind = facts.kind AND facts.day >= days.first_day
      JOIN papers_paper AS paper ON paper.id = facts.paper_id AND paper.redirect_to_id IS NULL
     WHERE NOT EXISTS (
           SELECT FROM accounts_paperevent AS told JOIN papers_paper AS merged ON merged.id = told.paper_id
            WHERE merged.redirect_to_id = facts.paper_id AND told.kind = facts.kind AND told.detail = facts.detail)
     ORDER BY facts.paper_id, facts.kind, facts.detail
    ON CONFLICT DO NOTHING
    RETURNING id, paper_id, kind, detail, day
"""  # noqa: S608 - put together of constants


@dataclass(frozen=True, slots=True)
class FreshEvent:
    """An event that was not known before."""

    pk: int
    paper: int
    kind: str
    detail: str
    day: dt.date


def note_events(*, papers: Sequence[int], now: dt.datetime) -> list[FreshEvent]:
    """Note what happened to these papers lately and is not noted yet; returns just that. One statement.

    A paper that leads elsewhere has no events, and what was noted of a paper that was merged into this one counts as
    noted of this one. Whoever comes second waits for the first transaction and finds nothing.
    """
    days = [now.date() - dt.timedelta(days=days) for days in LOOK_BACK.values()]
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, {"papers": list(papers), "kinds": list(LOOK_BACK), "days": days, "now": now})
        return [FreshEvent(*row) for row in cursor.fetchall()]
