"""What the curation engine must know about papers: their rows are source records."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.models import F, Q

from papers.models import (
    CuratedPaper,
    Paper,
    PaperAssertion,
    PaperCandidate,
    PaperIdentifier,
    PaperMergeEvent,
    PaperMergeProposal,
    RecordPlace,
    SourceRecord,
)
from papers.services.ingest.handing_over import resolve_again
from papers.services.ingest.pinned import PINNABLE_FIELDS
from papers.services.ingest.reassigning import better_places
from wovepaper.curation.models import MergeEventModel
from wovepaper.curation.services import Action, Actor, Adapter, Ids, Obstacle, Returned, RootColumn

KIND = "paper"


class PaperAdapter(Adapter):
    """Papers merge, split and are told apart; their source records are the rows.

    Everything a paper shows follows from its records, so whatever moves them resolves the papers anew.
    """

    kind = KIND
    objects = CuratedPaper
    events = PaperMergeEvent
    assertions = PaperAssertion
    candidates = PaperCandidate
    proposals = PaperMergeProposal
    rows = RootColumn(RecordPlace)
    permissions = {
        Action.REVIEW: "papers.review_papercandidate",
        Action.MERGE: "papers.merge_paper",
        Action.UNDO_OWN: "papers.undo_own_paper_event",
        Action.UNDO_ANY: "papers.undo_any_paper_event",
        Action.SPLIT: "papers.split_paper",
        Action.OVERRIDE: "papers.override_paper_difference",
    }

    def label(self, subject: int) -> str:
        """By its number."""
        return f"paper {subject}"

    # --- merging ---------------------------------------------------------------------------------------------

    def obstacles(self, losers: Ids, survivors: Ids) -> list[Obstacle]:
        """Two arXiv papers, each of which has an address and versions of its own."""
        shown = Paper.objects.filter(pk__in=losers | survivors, redirect_to=None).exclude(arxiv_id="")
        arxiv_ids = sorted(shown.values_list("arxiv_id", "pk"))
        if len(arxiv_ids) < 2:
            return []
        named = " and ".join(value for value, _ in arxiv_ids)
        return [
            Obstacle(
                "two-arxiv-papers",
                f"arXiv has them as two papers, {named}, each with versions of its own. Split off what is not theirs.",
                references=tuple(pk for _, pk in arxiv_ids),
            )
        ]

    def lift(self, losers: Ids, survivors: Ids, *, event: MergeEventModel, actor: Actor) -> None:
        """There are no decisions but the engine's own assertions."""

    def reinstate(self, members: Ids) -> None:
        """The same."""

    def second_curator_causes(self, losers: Ids, survivors: Ids) -> list[str]:
        """One curator may decide: everything can be taken back, and nobody's name hangs on it."""
        return []

    def snapshot(self, losers: Ids, survivors: Ids) -> dict[str, Any]:
        """Members, records and identifiers of each side."""
        return {
            side: {
                "members": sorted(ids),
                "records": SourceRecord.objects.filter(paper__in=ids).count(),
                "trusted_ids": sorted(self.trusted_ids(ids)),
            }
            for side, ids in (("loser", losers), ("survivor", survivors))
        }

    def trusted_ids(self, members: Ids) -> set[str]:
        """What registries call them."""
        names = PaperIdentifier.objects.filter(paper__in=members).values_list("scheme", "value")
        return {f"{scheme}:{value}"[:80] for scheme, value in names}

    def read_fields(self, subject: int) -> dict[str, Any]:
        """The pins, by field; ``None`` where nothing is pinned."""
        pinned = Paper.objects.values_list("pinned", flat=True).get(pk=subject)
        return {field: pinned.get(field) for field in sorted(PINNABLE_FIELDS)}

    def write_fields(self, subject: int, values: Mapping[str, Any]) -> None:
        """Set pins, or take them away. The paper is resolved anew afterwards."""
        paper = Paper.objects.select_for_update(no_key=True).get(pk=subject)
        pinned = {**paper.pinned, **values}
        paper.pinned = {field: pin for field, pin in pinned.items() if pin is not None}
        paper.save(update_fields=["pinned"])

    def choices(self, losers: Ids, survivors: Ids) -> dict[str, list[Any]]:
        """For each field the pins of either side, and none."""
        papers = list(Paper.objects.filter(pk__in=losers | survivors).order_by("pk").values_list("pinned", flat=True))
        found: dict[str, list[Any]] = {}
        for field in sorted(PINNABLE_FIELDS):
            pins = {json.dumps(pinned[field], sort_keys=True): pinned[field] for pinned in papers if field in pinned}
            if pins:
                found[field] = [None, *pins.values()]
        return found

    def may_show(self, subject: int, field: str, value: Any, *, leaving: Ids = frozenset()) -> bool:
        """No pin is secret."""
        return True

    # --- rows ------------------------------------------------------------------------------------------------

    def after_move(self, *, bases: Ids, roots: Iterable[int], reason: str) -> None:
        """Hand the records over, let old numbers lead to the right paper, and resolve all of them anew."""
        touched = {*roots, *bases}
        members = set(CuratedPaper.objects.filter(root__in=touched).values_list("pk", flat=True)) | touched
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE papers_sourcerecord AS record SET paper_id = place.root_id FROM papers_recordplace AS place"
                " WHERE place.record_id = record.id AND place.root_id = ANY(%s) AND record.paper_id <> place.root_id",
                [list(members)],
            )
        _lead(members)
        resolve_again(touched, reason=reason)

    def rescore(self, rows: Sequence[int]) -> None:
        """Records that came in while two papers were one go to the one of them that their identifiers name."""
        undo = PaperMergeEvent.objects.filter(kind="undo").select_related("loser", "survivor").latest("pk")
        parted = {undo.loser.root_id, undo.survivor.root_id}
        places = {place.pk: place for place in RecordPlace.objects.select_for_update().filter(pk__in=rows)}
        moved = better_places({pk: place.root_id for pk, place in places.items()}, among=parted)
        for pk, paper in moved.items():
            places[pk].base_id = places[pk].root_id = paper
            places[pk].save(update_fields=["base", "root"])
        if moved:
            self.after_move(bases=frozenset(), roots=parted, reason="undo")

    def plan_moves(
        self, rows: Sequence[int], *, source: Ids, target: Ids
    ) -> tuple[list[dict[str, Any]], list[Obstacle]]:
        """``rows`` are source records. Some must stay, for a paper is nothing without."""
        found = list(RecordPlace.objects.select_for_update().filter(pk__in=rows).order_by("pk"))
        here = [place for place in found if place.base_id in source]
        obstacles = []
        if gone := sorted(set(rows) - {place.pk for place in here}):
            obstacles.append(
                Obstacle("moved", f"{len(gone)} of the chosen records are not this paper's any more. Open the page"
                         " again.", references=tuple(gone))
            )  # fmt: skip
        if here and not RecordPlace.objects.filter(base__in=source).exclude(pk__in=rows).exists():
            obstacles.append(Obstacle("nothing-left", "Leave at least one record where it is."))
        return [{"row": place.pk, "base": place.base_id} for place in here], obstacles

    def create_for(self, rows: Sequence[int], *, source: int) -> int:
        """A paper that is filled from its records at once, as far as they can be read."""
        title, is_demo = Paper.objects.values_list("title", "is_demo").get(pk=source)
        paper = Paper.objects.create(title=title, is_demo=is_demo)
        ensure_curated([paper.pk])
        return paper.pk

    def apply_moves(self, event: MergeEventModel, *, target_root: int, source_root: int, actor: Actor) -> None:
        """The records' base is the event's survivor now; no harvest changes that."""
        moved = [move["row"] for move in event.base_moves]
        RecordPlace.objects.filter(pk__in=moved).update(base=event.survivor_id, root=target_root)

    def return_moves(self, event: MergeEventModel, *, actor: Actor) -> Returned:
        """Records that still are where the split put them go back."""
        moves = {move["row"]: move["base"] for move in event.base_moves}
        root_of = dict(CuratedPaper.objects.filter(pk__in=moves.values()).values_list("pk", "root_id"))
        back, kept = [], {}
        for place in RecordPlace.objects.select_for_update().filter(pk__in=moves).order_by("pk"):
            if place.base_id != event.survivor_id:
                kept[place.pk] = "moved again since"
                continue
            place.base_id = moves[place.pk]
            place.root_id = root_of[place.base_id]
            back.append(place)
        RecordPlace.objects.bulk_update(back, ["base", "root"])
        # What came in for the paper that the split made goes with them: nothing is left there otherwise.
        if event.evidence.get("created_target") and back:
            since = RecordPlace.objects.filter(base=event.survivor_id)
            if not kept:
                since.update(base=event.loser_id, root=root_of.get(event.loser_id, event.loser_id))
        return Returned(tuple(place.pk for place in back), kept)

    # --- proof -----------------------------------------------------------------------------------------------

    def audit(self) -> list[str]:
        """Records that lie elsewhere than their place says, and numbers that lead elsewhere than to their root."""
        strays = RecordPlace.objects.exclude(record__paper=F("root")).values_list("pk", flat=True)
        wrong = CuratedPaper.objects.exclude(merged_into=None).exclude(paper__redirect_to=F("root"))
        return [
            *(f"record {pk} is not with the paper it was given to" for pk in strays.order_by("pk")),
            *(f"paper {pk} does not lead to the paper it is merged into" for pk in wrong.values_list("pk", flat=True)),
        ]


ADAPTER = PaperAdapter()


def ensure_curated(papers: Collection[int]) -> None:
    """Let curation know papers, all that is one with them, and where their records are now. Numbers of no paper are
    passed over. Call it with the writers of papers locked out.
    """
    wanted = sorted(set(papers))
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO papers_curatedpaper (paper_id, root_id, version)"
            " SELECT id, id, 1 FROM papers_paper WHERE id = ANY(%s) ORDER BY id ON CONFLICT DO NOTHING",
            [wanted],
        )
        cursor.execute(
            "INSERT INTO papers_recordplace (record_id, base_id, root_id)"
            " SELECT record.id, record.paper_id, record.paper_id FROM papers_curatedpaper AS given"
            " JOIN papers_sourcerecord AS record ON record.paper_id = given.root_id"
            " WHERE given.paper_id = ANY(%s) ON CONFLICT DO NOTHING",
            [wanted],
        )


def are_parted(ones: Ids, others: Ids) -> bool:
    """Whether people parted two sides before: said that they differ, undid their merge, or split one off the other.

    What people parted nothing but people brings together again.
    """
    across = Q(loser__in=ones, survivor__in=others) | Q(loser__in=others, survivor__in=ones)
    undone = Q(kind="merge", live=False) | Q(kind="split", live=True)
    if PaperMergeEvent.objects.filter(across & undone).exists():
        return True
    told = Q(a__in=ones, b__in=others) | Q(a__in=others, b__in=ones)
    return PaperAssertion.objects.filter(told, kind="different", revoked=False).exists()


def _lead(papers: Collection[int]) -> None:
    """Let each of these numbers lead to its root, in one hop; and that of a paper that lost all records to a split
    that was undone, to the paper it was split off.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE papers_paper AS paper SET redirect_to_id = leads.target, updated_at = now() FROM ("
            " SELECT node.paper_id, CASE WHEN node.root_id <> node.paper_id THEN node.root_id"
            "  WHEN NOT EXISTS (SELECT FROM papers_sourcerecord WHERE paper_id = node.paper_id) THEN"
            "   (SELECT source.root_id FROM papers_papermergeevent AS event"
            "    JOIN papers_curatedpaper AS source ON source.paper_id = event.loser_id"
            "    WHERE event.kind = 'split' AND event.survivor_id = node.paper_id ORDER BY event.id DESC LIMIT 1)"
            "  END AS target FROM papers_curatedpaper AS node WHERE node.paper_id = ANY(%s)) AS leads"
            " WHERE paper.id = leads.paper_id AND paper.redirect_to_id IS DISTINCT FROM leads.target",
            [sorted(papers)],
        )
