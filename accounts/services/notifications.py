"""From events to the readers who want to hear of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Notification, PaperEvent, User
from accounts.percolation import match_searches
from accounts.services.events import FreshEvent, note_events

QUIET = ("merge", "split", "undo")
"""Reasons for which papers pass the pipeline although no source brought anything. What is noted of a paper that comes
for nothing else is told to nobody."""

_TELL = """
    WITH fresh (event, lead, paper_id, kind, switch, detail, day) AS (
        SELECT * FROM unnest(%(events)s::bigint[], %(leads)s::bigint[], %(papers)s::bigint[], %(kinds)s::text[],
                             %(switches)s::text[], %(details)s::text[], %(days)s::date[])),
    found (search, paper_id) AS (SELECT * FROM unnest(%(searches)s::bigint[], %(hits)s::bigint[])),
    listed (event, code, reason) AS (
        SELECT fresh.event, paper.primary_category_id, 'category' FROM fresh
          JOIN papers_paper AS paper ON paper.id = fresh.paper_id WHERE fresh.kind = 'new'
        UNION ALL
        SELECT event, detail, 'cross_list' FROM fresh WHERE kind = 'cross_list'
        UNION ALL
        SELECT fresh.event, unnest(paper.categories), 'category' FROM fresh
          JOIN papers_paper AS paper ON paper.id = fresh.paper_id WHERE fresh.kind NOT IN ('new', 'cross_list')),
    matched (follow_id, event, reason) AS (
        SELECT follow.id, fresh.event, 'researcher:' || attribution.root_id FROM fresh
          JOIN researchers_attribution AS attribution ON attribution.paper_id = fresh.paper_id
          JOIN researchers_researcher AS base ON base.root_id = attribution.root_id
          JOIN accounts_follow AS follow ON follow.researcher_id = base.id
         WHERE fresh.kind <> 'cross_list'
        UNION ALL
        SELECT follow.id, fresh.event, 'institution:' || place.institution_id FROM fresh
          JOIN papers_paperinstitution AS place ON place.paper_id = fresh.paper_id
          JOIN institutions_institution AS base ON base.root_id = place.institution_id
          JOIN accounts_follow AS follow ON follow.institution_id = base.id
         WHERE fresh.kind <> 'cross_list'
        UNION ALL
        SELECT follow.id, listed.event, listed.reason || ':' || follow.category_id FROM listed
          JOIN papers_category AS category ON category.code = listed.code
          JOIN accounts_follow AS follow ON follow.category_id = coalesce(category.canonical_id, category.code)
        UNION ALL
        SELECT follow.id, fresh.event, 'paper:' || fresh.paper_id FROM fresh
          JOIN accounts_follow AS follow ON follow.paper_id = fresh.paper_id
        UNION ALL
        SELECT follow.id, fresh.event, 'paper:' || fresh.paper_id FROM fresh
          JOIN papers_paper AS merged ON merged.redirect_to_id = fresh.paper_id
          JOIN accounts_follow AS follow ON follow.paper_id = merged.id
        UNION ALL
        SELECT follow.id, fresh.event, 'saved_search:' || found.search FROM fresh
          JOIN found ON found.paper_id = fresh.paper_id
          JOIN accounts_follow AS follow ON follow.saved_search_id = found.search)
    INSERT INTO accounts_notification (user_id, paper_id, event_id, reasons, cadence, created_at)
    SELECT reader.id, fresh.paper_id, fresh.lead, array_agg(DISTINCT matched.reason ORDER BY matched.reason),
           (ARRAY['at_once', 'daily', 'weekly'])[min(CASE coalesce(nullif(follow.cadence, ''), reader.cadence)
                                                      WHEN 'at_once' THEN 1 WHEN 'daily' THEN 2 ELSE 3 END)],
           %(now)s
      FROM matched
      JOIN fresh ON fresh.event = matched.event
      JOIN accounts_follow AS follow ON follow.id = matched.follow_id
      JOIN accounts_user AS reader ON reader.id = follow.user_id
     WHERE follow.paused_at IS NULL AND reader.alerts_paused_at IS NULL AND reader.is_active
       AND fresh.day >= (follow.created_at AT TIME ZONE 'UTC')::date
       AND CASE fresh.switch WHEN 'new' THEN follow.new WHEN 'cross_list' THEN follow.cross_list
                             WHEN 'revision' THEN follow.revision WHEN 'withdrawal' THEN follow.withdrawal
                             WHEN 'publication' THEN follow.publication END
     GROUP BY reader.id, fresh.paper_id, fresh.lead
    ON CONFLICT DO NOTHING
"""


@transaction.atomic
def notify_of_papers(*, papers: Sequence[int], quiet: frozenset[int] = frozenset()) -> int:
    """Note what happened to these papers and tell whoever follows them; returns how many notifications there are now.

    Of papers in ``quiet`` it is noted and told to nobody. The number of statements does not depend on the number of
    papers, follows or readers; every saved search that somebody follows is one question to the search engine, with
    which all papers at once are asked for. Raises ``SearchDown`` of ``papers.searching`` before anything is written
    that the transaction would not take back.
    """
    now = timezone.now()
    fresh = [event for event in note_events(papers=papers, now=now) if event.paper not in quiet]
    if not fresh:
        return 0
    matches = match_searches({event.paper for event in fresh if event.kind != PaperEvent.Kind.CROSS_LIST})
    return _tell(fresh, matches, now)


def _tell(fresh: Sequence[FreshEvent], matches: Sequence[tuple[int, int]], now: dt.datetime) -> int:
    leads = lead_events(fresh)
    with connection.cursor() as cursor:
        cursor.execute(
            _TELL,
            {
                "events": [event.pk for event in fresh],
                "leads": [leads[event.pk] for event in fresh],
                "papers": [event.paper for event in fresh],
                "kinds": [event.kind for event in fresh],
                "switches": [PaperEvent.SWITCHES[event.kind] for event in fresh],
                "details": [event.detail for event in fresh],
                "days": [event.day for event in fresh],
                "searches": [search for search, _ in matches],
                "hits": [paper for _, paper in matches],
                "now": now,
            },
        )
        return cursor.rowcount


def lead_events(fresh: Sequence[FreshEvent]) -> Mapping[int, int]:
    """Each event to the one under which readers hear of it.

    A paper that is new is told of as new, whatever else it brought with it: that it is listed in other categories, or
    came with its second version, are further reasons and no further news. Several listings at once are one.
    """
    first: dict[tuple[int, str], int] = {}
    for event in sorted(fresh, key=lambda event: event.pk):
        first.setdefault((event.paper, event.kind if event.kind in ("new", "cross_list") else str(event.pk)), event.pk)
    leads = {}
    for event in fresh:
        own = first.get((event.paper, event.kind), event.pk)
        leads[event.pk] = first.get((event.paper, "new"), own)
    return leads


def mark_read(*, user: User, notifications: Sequence[int] | None = None, up_to: int | None = None) -> int:
    """Mark some notifications of this reader as read, or all up to number ``up_to``; returns how many were not yet."""
    rows = Notification.objects.of(user.pk).unread()
    if notifications is not None:
        rows = rows.filter(pk__in=list(notifications))
    if up_to is not None:
        rows = rows.filter(pk__lte=up_to)
    return rows.update(read_at=timezone.now())


def mark_unread(*, user: User, notification: int) -> int:
    """The contrary, for one."""
    return Notification.objects.of(user.pk).filter(pk=notification).update(read_at=None)
