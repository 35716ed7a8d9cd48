"""What was decided before about the researchers that are compared."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from researchers.admin.comparison import CuratorComparison
from researchers.models import Assertion, Decision, MergeEvent
from researchers.services.votes import tallies

MOST = 20


@dataclass(frozen=True, slots=True)
class Earlier:
    """The latest of each first, at most ``MOST``."""

    events: tuple[MergeEvent, ...]
    assertions: tuple[Assertion, ...]
    decisions: tuple[Decision, ...]
    votes: tuple[tuple[str, str], ...]
    """Letters of two columns, and what readers think of them."""

    @property
    def is_empty(self) -> bool:
        """Nobody said anything yet."""
        return not (self.events or self.assertions or self.decisions or self.votes)


def earlier_of(comparison: CuratorComparison, roots: Sequence[int]) -> Earlier:
    """Merges, splits and undos of any of them; what was said of two of them, of one's place, and by readers."""
    members = [member for column in comparison.columns for member in column.members]
    events = MergeEvent.objects.filter(subjects__overlap=members).select_related("actor", "undoes").order_by("-pk")
    said = Assertion.objects.filter(a__in=members, b__in=members).select_related("by").order_by("-pk")
    decisions = (
        Decision.objects.filter(researcher__in=members)
        .filter(Q(revoked=True) | Q(event=None) | Q(event__live=True))
        .select_related("by", "paper")
        .order_by("-pk")
    )
    letters = {column.pk: column.letter for column in comparison.columns}
    counts = tallies(itertools.combinations(sorted(roots), 2)) if len(roots) > 1 else {}
    return Earlier(
        tuple(events[:MOST]),
        tuple(said[:MOST]),
        tuple(decisions[:MOST]),
        tuple(
            (f"{letters[one]} and {letters[other]}", tally.in_words()) for (one, other), tally in sorted(counts.items())
        ),
    )
