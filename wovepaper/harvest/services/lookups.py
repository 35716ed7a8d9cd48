"""Taking in an answer to a look-up: records, quarantine, raw answer and what was learnt in one transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.utils import timezone

from wovepaper.harvest.client import Answer
from wovepaper.harvest.contracts import Identifier, LookupAnswer, Page, Subjects
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.errors import HarvestError
from wovepaper.harvest.models import Enrichment
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.services import raw
from wovepaper.harvest.services.braking import Braked, brake
from wovepaper.harvest.services.database import retrying_deadlocks
from wovepaper.harvest.services.pages import parse_page, take_in
from wovepaper.harvest.services.runs import RunContext, add_to_run

_DAY_SECONDS = 86_400
_UNKNOWN = """
    UPDATE harvest_enrichment SET outcome = %(outcome)s, asked_at = %(now)s, misses = LEAST(misses + 1, 1000),
        due_at = %(now)s + make_interval(secs => %(day)s * LEAST(%(most)s, %(days)s * power(2, LEAST(misses, 20))))
    WHERE source = %(source)s AND subject = ANY(%(subjects)s)
"""

_FRESH = """
    UPDATE harvest_enrichment AS kept SET outcome = %s, due_at = given.due_at, misses = 0
    FROM unnest(%s::bigint[], %s::timestamptz[]) AS given(subject, due_at)
    WHERE kept.source = %s AND kept.subject = given.subject
"""


@dataclass(slots=True)
class Settled:
    """What became of subjects, by id."""

    found: list[int] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    nameless: list[int] = field(default_factory=list)
    fresh: list[tuple[int, dt.datetime]] = field(default_factory=list)
    """With the moment at which the source spoke of them last: they need not be asked about."""
    gone: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.found) + len(self.unknown) + len(self.nameless) + len(self.fresh) + len(self.gone)


def take_lookup(
    context: RunContext,
    *,
    subjects: Subjects,
    asked: Sequence[Identifier],
    answer: Answer,
    found: LookupAnswer,
    settled: Settled,
    number: int,
) -> None:
    """One answer, in one transaction. Raises ``HarvestError`` where the volume brake forbids it."""
    page = Page(found.records, found.damaged)
    parsed = parse_page(context.source, page)
    name = context.source.name

    def work() -> Counts:
        with transaction.atomic():
            row = raw.store_lookup(source=name, answer=answer, page=page, asked=asked, number=number)
            if found.merged:
                subjects.note_merged(found.merged, source=name)
            intake = take_in(source=context.source, sink=context.sink, page=parsed, raw_page=row)
            brake(
                source=name,
                stream=raw.LOOKUPS,
                profile=parsed.profile,
                counts=intake.counts,
                so_far=context.counts + intake.counts,
                options=context.options,
                where="run",
            )
            settle(name, settled, context.options)
            add_to_run(context.run, intake.counts)
        return intake.counts

    try:
        context.counts += retrying_deadlocks(work, interruption=context.interruption)
    except Braked as braked:
        keep_refused_lookup(context, asked=asked, answer=answer, number=number, reason=str(braked))
        raise HarvestError(f"{name}, look-up {number}: {braked}") from braked
    context.reporter.page(context.counts)


def keep_refused_lookup(
    context: RunContext, *, asked: Sequence[Identifier], answer: Answer, number: int, reason: str
) -> None:
    """Keep an answer that is not taken in, for whoever looks into it."""
    raw.store_lookup(
        source=context.source.name, answer=answer, page=Page(()), asked=asked, number=number, refused_because=reason
    )


def settle(source: str, settled: Settled, options: HarvestOptions) -> None:
    """Note what became of subjects, and when they are asked about again. Needs a transaction around it."""
    now = timezone.now()
    refresh = dt.timedelta(days=options.refresh_days)
    mine = Enrichment.objects.of_source(source)
    if settled.found:
        mine.filter(subject__in=settled.found).update(
            outcome=Enrichment.Outcome.FOUND, asked_at=now, due_at=now + refresh, misses=0
        )
    for outcome, ids in (
        (Enrichment.Outcome.UNKNOWN, settled.unknown),
        (Enrichment.Outcome.NAMELESS, settled.nameless),
    ):
        _settle_missed(source, outcome, ids, now, options)
    if settled.fresh:
        subjects = [each for each, _ in settled.fresh]
        due = [known_at + refresh for _, known_at in settled.fresh]
        with connection.cursor() as cursor:
            cursor.execute(_FRESH, [Enrichment.Outcome.FOUND, subjects, due, source])
    if settled.gone:
        mine.filter(subject__in=settled.gone).delete()


def _settle_missed(source: str, outcome: str, ids: Iterable[int], now: dt.datetime, options: HarvestOptions) -> None:
    subjects = list(ids)
    if not subjects:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            _UNKNOWN,
            {
                "outcome": outcome,
                "now": now,
                "day": _DAY_SECONDS,
                "most": float(options.unknown_days_max),
                "days": float(options.unknown_days),
                "source": source,
                "subjects": subjects,
            },
        )
