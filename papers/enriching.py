"""What sources are asked about, and compared with: the papers that are here, and the records they are made of."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.db.models import Max

from papers.models import Paper, PaperIdentifier, SourceRecord
from papers.services.ingest.lock import lock_writers
from wovepaper.harvest.contracts import Identifier, Merged, Subject

BATCH = 5_000


class PaperSubjects:
    """All papers but invented ones and those that are part of another by now."""

    noun = "papers"

    def after(self, last: int, limit: int) -> Sequence[int]:
        """See ``Subjects``."""
        papers = Paper.objects.filter(pk__gt=last, is_demo=False).order_by("pk")
        return list(papers.values_list("pk", flat=True)[:limit])

    def describe(self, ids: Sequence[int], *, source: str) -> Sequence[Subject]:
        """See ``Subjects``. Three queries, however many papers."""
        papers = Paper.objects.filter(pk__in=ids, is_demo=False, redirect_to=None).order_by("pk")
        identifiers: defaultdict[int, list[Identifier]] = defaultdict(list)
        for paper, scheme, value in (
            PaperIdentifier.objects.filter(paper__in=ids).order_by("pk").values_list("paper", "scheme", "value")
        ):
            identifiers[paper].append(Identifier(scheme, value))
        known_at = dict(
            SourceRecord.objects.filter(paper__in=ids, source=source)
            .order_by()
            .values_list("paper")
            .annotate(Max("harvested_at"))
        )
        return [
            Subject(paper, tuple(identifiers[paper]), known_at.get(paper))
            for paper in papers.values_list("pk", flat=True)
        ]

    def note_merged(self, merged: Sequence[Merged], *, source: str) -> None:
        """The new name finds the paper that had the old one; the old one stays with its own record.

        The record that comes with the new name then joins that paper, whatever else it says, and claims the name for
        good. Where another paper has the new name already, nothing is done: papers are never fused over a name.
        """
        lock_writers()
        old = {(each.old.scheme, each.old.value): each.new for each in merged}
        owners = PaperIdentifier.objects.filter(
            scheme__in={scheme for scheme, _ in old}, value__in={value for _, value in old}
        )
        new = [
            PaperIdentifier(paper_id=paper, scheme=old[scheme, value].scheme, value=old[scheme, value].value)
            for paper, scheme, value in owners.values_list("paper", "scheme", "value")
            if (scheme, value) in old
        ]
        PaperIdentifier.objects.bulk_create(new, ignore_conflicts=True)


class RecordsHere:
    """The stored records of a source, by id and by day."""

    def lacking(self, external_ids: Sequence[str], *, source: str, stream: str) -> Sequence[str]:
        """See ``Holdings``."""
        here: set[str] = set()
        for start in range(0, len(external_ids), BATCH):
            batch = external_ids[start : start + BATCH]
            records = SourceRecord.objects.filter(source=source, format=stream, external_id__in=batch)
            here.update(records.values_list("external_id", flat=True))
        return [each for each in external_ids if each not in here]

    def stamped(self, first_day: dt.date, last_day: dt.date, *, source: str) -> Iterator[Sequence[str]]:
        """See ``Holdings``. A stamp begins with its day, so that stamps sort as days do."""
        records = SourceRecord.objects.filter(
            source=source, stamp__gte=first_day.isoformat(), stamp__lt=(last_day + dt.timedelta(days=1)).isoformat()
        )
        last = 0
        while rows := list(records.filter(pk__gt=last).order_by("pk").values_list("pk", "external_id")[:BATCH]):
            last = rows[-1][0]
            yield list(dict.fromkeys(external_id for _, external_id in rows))
