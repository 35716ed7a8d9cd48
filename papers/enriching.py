"""What the sources of papers are asked about by identifier: the papers that are here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Max

from papers.models import Paper, PaperIdentifier, SourceRecord
from papers.services.ingest.lock import lock_writers
from wovepaper.harvest.contracts import Identifier, Merged, Subject


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
