"""The figures of a researcher as they are shown: each with what it was counted over, in words."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass

from django.utils.formats import date_format

from papers.forms import SOURCE_NAMES
from researchers.models import Researcher, ResearcherMetric

HERE = "here"
"""The source of what is counted from the papers of this portal."""

_SOURCES = {**SOURCE_NAMES, "s2": SOURCE_NAMES["semantic-scholar"], "dblp": "DBLP"}


@dataclass(frozen=True, slots=True)
class Badge:
    """A figure, what it is called, and what it was counted over."""

    label: str
    """For example ``h-index``."""
    value: int | None
    """``None`` where it is not known, which is not 0."""
    scope: str
    """A sentence: over which works, by whose count."""
    source: str
    """``HERE``, or the source as people call it."""
    as_of: dt.date | None
    """The day it was counted; ``None`` before the first time."""

    @property
    def is_known(self) -> bool:
        """Whether there is a value."""
        return self.value is not None


def badges(researcher: Researcher) -> list[Badge]:
    """The figures counted here, then those of each source, in one query. ``researcher`` is a root."""
    return [*_counted_here(researcher), *_counted_elsewhere(researcher)]


def _counted_here(researcher: Researcher) -> list[Badge]:
    as_of = researcher.counted_at.date() if researcher.counted_at else None
    papers, known = researcher.paper_count, researcher.cited_paper_count
    # A merge sets the number of papers at once; the others follow within the pipeline.
    over = f"{known:,} of {max(papers, known):,}"
    if known:
        citations = f"Citations of the papers here with a known citation count ({over})."
        h_index = f"Computed from the papers here with a known citation count ({over})."
    else:
        citations = h_index = "No source has given a citation count for any of the papers here."
    return [
        Badge(
            "Papers here", papers, "All papers of this portal attributed to them, withdrawn ones included.", HERE, as_of
        ),
        Badge("Citations", researcher.citation_count, citations, HERE, as_of),
        Badge("h-index", researcher.h_index, h_index, HERE, as_of),
    ]


def _counted_elsewhere(researcher: Researcher) -> list[Badge]:
    """Sources keep a profile per base. Figures of two profiles cannot be added, so the one with most works is shown.

    Bases of one person can have the same profile.
    """
    profiles: defaultdict[str, list[ResearcherMetric]] = defaultdict(list)
    for row in ResearcherMetric.objects.filter(researcher__root=researcher.pk).order_by("source", "pk"):
        profiles[row.source].append(row)
    shown = []
    for source, rows in sorted(profiles.items()):
        largest = max(rows, key=lambda row: row.works_count or 0)
        name = _SOURCES.get(source, source)
        day = date_format(largest.as_of, "j F Y")
        scope = f"Counted by {name} over all works it knows of them, as of {day}."
        number = len({(row.works_count, row.cited_by_count, row.h_index, row.as_of) for row in rows})
        if number > 1:
            scope = (
                f"Counted by {name} over the works of the largest of {number} profiles it keeps of them, as of {day}."
            )
        figures = (
            ("Works", largest.works_count),
            ("Citations", largest.cited_by_count),
            ("h-index", largest.h_index),
        )
        shown += [Badge(label, value, scope, name, largest.as_of) for label, value in figures if value is not None]
    return shown
