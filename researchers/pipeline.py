"""The stage at which papers get their researchers: wired here, in one place."""

from __future__ import annotations

from collections.abc import Sequence

from researchers.services.attribution import attribute_papers
from wovepaper.pipeline import registry
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.planner_statistics import refresh_statistics
from wovepaper.pipeline.registry import Stage

NAME = "attribute"
KIND = "paper"
BATCH = 150_000
"""Papers at once. A whole catalogue in one go costs a third of what it costs in twenty, and its names are told apart
by all that there is instead of by what came first; memory is bounded by authorships, in the service."""
ASKED_AGAIN = ("decision", "undo", "split", "merge")
"""Reasons for which the model looks at a paper again although no source has changed it."""


def attribute(ids: Sequence[int]) -> None:
    """Decide whose the authors of these papers are; after many, the database is told how the tables look now."""
    again = WorkItem.objects.filter(stage=NAME, kind=KIND, object_id__in=ids, reason__in=ASKED_AGAIN)
    report = attribute_papers(papers=ids, again=set(again.values_list("object_id", flat=True)))
    refresh_statistics(app="researchers", changed=report.written)


def register_stages() -> None:
    """Called once all apps are loaded."""
    registry.register(Stage(NAME, KIND, attribute, batch_size=BATCH))
