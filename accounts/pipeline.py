"""The stage at which readers are told: the last of a paper's line."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from accounts.services.notifications import QUIET, notify_of_papers
from papers.searching import SearchDown
from wovepaper.pipeline import registry
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.registry import Stage, StageUnavailable

NAME = "notify"
KIND = "paper"
BATCH = 1_000


def notify(ids: Sequence[int]) -> None:
    """Tell of what happened to these papers; while the search does not answer all wait, so that nobody is forgotten."""
    waiting = WorkItem.objects.filter(stage=NAME, kind=KIND, object_id__in=ids, parked_at=None)
    wanted = set(waiting.filter(~Q(reason__in=QUIET)).values_list("object_id", flat=True))
    held = set(waiting.values_list("object_id", flat=True))
    try:
        notify_of_papers(papers=ids, quiet=frozenset(held - wanted))
    except SearchDown as error:
        raise StageUnavailable(str(error)) from error


def register_stages() -> None:
    """Called once all apps are loaded."""
    registry.register(Stage(NAME, KIND, notify, batch_size=BATCH))
