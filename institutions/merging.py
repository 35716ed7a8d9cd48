"""What the curation engine must know about institutions. What they are called and where they are the registry says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from institutions.hooks import announce_moved_institutions
from institutions.models import (
    Assertion,
    Candidate,
    Institution,
    InstitutionIdentifier,
    InstitutionName,
    InstitutionRelation,
    MergeEvent,
    MergeProposal,
)
from wovepaper.curation.models import MergeEventModel
from wovepaper.curation.services import Action, Actor, Adapter, Ids, Obstacle, Returned, RootColumn

KIND = "institution"


class InstitutionAdapter(Adapter):
    """Institutions merge and are told apart. They are not split: which printed affiliations are whose, rules say."""

    kind = KIND
    objects = Institution
    events = MergeEvent
    assertions = Assertion
    candidates = Candidate
    proposals = MergeProposal
    # Names stay with their record whatever it is merged into; nothing is shown by a root of their own.
    rows = RootColumn(InstitutionName, base="institution", root="")
    permissions = {
        Action.REVIEW: "institutions.review_candidate",
        Action.MERGE: "institutions.merge_institution",
        Action.UNDO_OWN: "institutions.undo_own_event",
        Action.UNDO_ANY: "institutions.undo_any_event",
        # Never asked for: see ``plan_moves``.
        Action.SPLIT: "institutions.merge_institution",
        Action.OVERRIDE: "institutions.override_difference",
    }

    def label(self, subject: int) -> str:
        """By its number."""
        return f"institution {subject}"

    def obstacles(self, losers: Ids, survivors: Ids) -> list[Obstacle]:
        """The registry calls one a part of the other: then they are two."""
        rows = InstitutionRelation.objects.filter(kind__in=["parent", "child"])
        across = rows.filter(institution__in=losers, target__in=survivors) | rows.filter(
            institution__in=survivors, target__in=losers
        )
        pairs = {tuple(sorted((row.institution_id, row.target_id or 0))) for row in across}
        return [
            Obstacle(
                "part",
                f"The registry says that one of {self.label(one)} and {self.label(other)} is part of the other.",
                overridable=True,
                references=(one, other),
            )
            for one, other in sorted(pairs)
        ]

    def lift(self, losers: Ids, survivors: Ids, *, event: MergeEventModel, actor: Actor) -> None:
        """Nothing: what the registry says stays as it is."""

    def reinstate(self, members: Ids) -> None:
        """Nothing, for nothing is lifted."""

    def second_curator_causes(self, losers: Ids, survivors: Ids) -> list[str]:
        """None: a merge moves no row, and its undo brings everything back."""
        return []

    def snapshot(self, losers: Ids, survivors: Ids) -> dict[str, Any]:
        """Members and papers of each side."""
        return {
            side: {
                "members": sorted(ids),
                "papers": sum(Institution.objects.filter(pk__in=ids).values_list("paper_count", flat=True)),
            }
            for side, ids in (("loser", losers), ("survivor", survivors))
        }

    def trusted_ids(self, members: Ids) -> set[str]:
        """What other registries call them, as ``scheme:value``."""
        rows = InstitutionIdentifier.objects.filter(institution__in=members)
        return {f"{scheme}:{value}" for scheme, value in rows.values_list("scheme", "value")}

    def read_fields(self, subject: int) -> dict[str, Any]:
        """None may be chosen: the survivor's record says them all."""
        return {}

    def write_fields(self, subject: int, values: Mapping[str, Any]) -> None:
        """Nothing, for nothing is chosen."""

    def choices(self, losers: Ids, survivors: Ids) -> dict[str, list[Any]]:
        """None."""
        return {}

    def may_show(self, subject: int, field: str, value: Any, *, leaving: Ids = frozenset()) -> bool:
        """Always."""
        return True

    def after_move(self, *, bases: Ids, roots: Iterable[int], reason: str) -> None:
        """Whoever lists papers by institution is told, and lists them anew later."""
        announce_moved_institutions({*bases, *roots})

    def rescore(self, rows: Sequence[int]) -> None:
        """Nothing: names that arrived are their record's."""

    def plan_moves(
        self, rows: Sequence[int], *, source: Ids, target: Ids
    ) -> tuple[list[dict[str, Any]], list[Obstacle]]:
        """Refused: institutions are the registry's."""
        return [], [
            Obstacle(
                "registry",
                "Institutions come from the registry and are not split here: write a rule that says which affiliations"
                " are whose.",
            )
        ]

    def create_for(self, rows: Sequence[int], *, source: int) -> int:
        """Always raises ``TypeError``."""
        raise TypeError("Institutions come from the registry alone.")

    def apply_moves(self, event: MergeEventModel, *, target_root: int, source_root: int, actor: Actor) -> None:
        """Nothing moves."""

    def return_moves(self, event: MergeEventModel, *, actor: Actor) -> Returned:
        """Nothing moved."""
        return Returned((), {})

    def audit(self) -> list[str]:
        """Institutions that follow a successor though a curator merged them."""
        by_hand = MergeEvent.objects.filter(kind="merge", live=True).values("loser")
        rows = Institution.objects.filter(pk__in=by_hand, follows_successor=True)
        return [f"{self.label(pk)} follows its record, not the curator" for pk in rows.values_list("pk", flat=True)]


ADAPTER = InstitutionAdapter()
