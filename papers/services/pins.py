"""Fixing a field of a paper against all sources, and letting go of it again."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from papers.changes import announce_changes
from papers.models import Paper
from papers.services.ingest import refresh_papers
from papers.services.ingest.lock import lock_writers
from papers.services.ingest.pinned import PinRefused, normalise_pin, pinned_columns
from papers.services.ingest.resolution import UNDATED
from wovepaper.pipeline.services import enqueue


@transaction.atomic
def pin_field(*, paper_id: int, field: str, value: str, by: int | None, reason: str = "") -> Paper:
    """Fix the value a paper shows in ``field``, whatever the sources say now or later.

    ``by`` is the number of the user who decided. The paper waits for the search index only: a pin is no news for
    followers. Raises ``PinRefused`` for a field or value that cannot be pinned, ``Paper.DoesNotExist``.
    """
    value = normalise_pin(field, value)
    paper = Paper.objects.select_for_update(no_key=True).get(pk=paper_id)
    paper.pinned = {
        **paper.pinned,
        field: {"value": value, "by": by, "at": timezone.now().isoformat(), "reason": reason},
    }
    columns = pinned_columns({field: paper.pinned[field]})
    if field == "published_on":
        columns["sort_date"] = columns["published_on"] or UNDATED
    for name, column_value in columns.items():
        setattr(paper, name, column_value)
    paper.save(update_fields=["pinned", "updated_at", *columns])
    enqueue(kind="paper", ids=[paper_id], stage="index", reason="pin")
    announce_changes([paper_id])
    return paper


@transaction.atomic
def unpin_field(*, paper_id: int, field: str) -> Paper:
    """Let a field follow the sources again, from what they said last.

    Raises ``PinRefused`` where the field is not pinned, ``Paper.DoesNotExist``.
    """
    lock_writers()
    paper = Paper.objects.select_for_update(no_key=True).get(pk=paper_id)
    if field not in paper.pinned:
        raise PinRefused(f"{field!r} of this paper is not pinned.")
    paper.pinned = {name: pin for name, pin in paper.pinned.items() if name != field}
    paper.save(update_fields=["pinned", "updated_at"])
    refresh_papers([paper_id], stage="index", reason="pin")
    paper.refresh_from_db()
    return paper
