"""Writing conclusions: in batches, obeying every decision, while merges wait."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from researchers.counts import recount_papers
from researchers.merging import ADAPTER
from researchers.models import Attribution, Decision, Researcher, ResearcherName
from researchers.models.researcher import slug_of
from wovepaper.curation.models import take_ids
from wovepaper.curation.services import lock_components

MODEL_DECIDED = ("orcid", "model", "new")
"""What a model decided, it may decide again."""


@dataclass(frozen=True, slots=True)
class AttributionDraft:
    """A conclusion of the model. ``base`` exists: new researchers are made before."""

    authorship: int
    paper: int
    base: int
    decided_by: str
    score: float | None = None
    evidence: Sequence[Any] = ()
    model_version: str = ""


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What became of a batch. ``refused`` names for each authorship not written the reason."""

    written: tuple[int, ...]
    unchanged: int
    refused: dict[int, str]


@dataclass(frozen=True, slots=True)
class NewResearcher:
    """Somebody nobody known is like, by the name first seen."""

    name: str
    source: str = ""
    script: str = ""
    match_keys: tuple[str, ...] = ()


@transaction.atomic
def create_researchers(new: Sequence[NewResearcher]) -> list[int]:
    """Researchers with their first name, in a few statements; returns their numbers in the same order."""
    ids = take_ids(Researcher, len(new))
    Researcher.objects.bulk_create(
        [
            Researcher(pk=number, root_id=number, display_name=one.name, slug=slug_of(one.name))
            for number, one in zip(ids, new, strict=True)
        ],
        batch_size=2000,
    )
    ResearcherName.objects.bulk_create(
        [
            ResearcherName(
                researcher_id=number,
                value=one.name,
                source=one.source,
                script=one.script,
                match_keys=list(one.match_keys),
            )
            for number, one in zip(ids, new, strict=True)
        ],
        batch_size=2000,
    )
    return ids


@transaction.atomic
def write_attributions(drafts: Iterable[AttributionDraft]) -> WriteReport:
    """Write conclusions of the model, several statements for the whole batch.

    Refused, and left as it is, is what a person decided, what a standing "is" or "is not" forbids, and a second place
    of one person on a paper. The components of the bases are locked as a merge locks them, until the transaction ends,
    so that the root written beside the base is the right one. Counts of the roots that gain or lose papers are brought
    up to date. Enqueues nothing: the caller is the pipeline.
    """
    wanted = {draft.authorship: draft for draft in drafts}
    if not wanted:
        return WriteReport((), 0, {})
    former = Attribution.objects.filter(authorship__in=wanted).values_list("base_id", flat=True)
    roots = _lock_bases({draft.base for draft in wanted.values()} | set(former))
    present = {row.authorship_id: row for row in Attribution.objects.filter(authorship__in=wanted)}
    refused = _against_decisions(wanted, roots)
    writing, unchanged = [], 0
    for authorship, draft in wanted.items():
        row = present.get(authorship)
        if authorship in refused:
            continue
        if draft.base not in roots:
            refused[authorship] = f"there is no researcher {draft.base}"
        elif row is not None and row.decided_by not in MODEL_DECIDED:
            refused[authorship] = "decided by a person"
        elif row is not None and _same(row, draft):
            unchanged += 1
        else:
            writing.append(draft)
    twice = _twice_on_paper(writing, roots)
    refused |= dict.fromkeys(twice, "the person stands on this paper already")
    writing = [draft for draft in writing if draft.authorship not in twice]
    written = _write(writing, roots)
    refused |= {
        draft.authorship: "decided by a person, or gone" for draft in writing if draft.authorship not in written
    }
    touched = {roots[draft.base] for draft in writing}
    touched |= {present[draft.authorship].root_id for draft in writing if draft.authorship in present}
    recount_papers(touched)
    return WriteReport(tuple(sorted(written)), unchanged, refused)


def _lock_bases(bases: set[int]) -> dict[int, int]:
    """Base to root, none of which changes before this transaction ends; unknown numbers are left out."""
    known = Researcher.objects.filter(pk__in=bases).values_list("pk", flat=True)
    return {base: component.root for base, component in lock_components(ADAPTER, known).items()}


def _against_decisions(wanted: dict[int, AttributionDraft], roots: dict[int, int]) -> dict[int, str]:
    refused = {}
    standing = Decision.objects.filter(authorship__in=wanted, revoked=False).values_list(
        "authorship_id", "verdict", "researcher_id", "researcher__root_id"
    )
    for authorship, verdict, researcher, root in standing:
        base = wanted[authorship].base
        if verdict == Decision.Verdict.IS and base != researcher:
            refused[authorship] = f"decided to be researcher {researcher}"
        elif verdict == Decision.Verdict.IS_NOT and roots.get(base) == root:
            refused[authorship] = f"decided not to be researcher {researcher}"
    return refused


def _same(row: Attribution, draft: AttributionDraft) -> bool:
    return (row.base_id, row.decided_by, row.score, row.evidence, row.model_version) == (
        draft.base,
        draft.decided_by,
        draft.score,
        list(draft.evidence),
        draft.model_version,
    )


def _twice_on_paper(drafts: Sequence[AttributionDraft], roots: dict[int, int]) -> set[int]:
    """Authorships whose draft would put a person on a paper twice, the whole batch being written.

    One that is refused keeps its row, which may get into the way of another in turn.
    """
    papers = {draft.paper for draft in drafts}
    rows = Attribution.objects.filter(paper__in=papers).values_list("authorship_id", "paper_id", "root_id")
    standing = {authorship: (paper, root) for authorship, paper, root in rows}
    refused: set[int] = set()
    while True:
        going = [draft for draft in drafts if draft.authorship not in refused]
        moving = {draft.authorship for draft in going}
        taken = {place for authorship, place in standing.items() if authorship not in moving}
        found = set()
        for draft in sorted(going, key=lambda draft: draft.authorship):
            place = (draft.paper, roots[draft.base])
            if place in taken:
                found.add(draft.authorship)
            taken.add(place)
        if not found:
            return refused
        refused |= found


def _write(drafts: Sequence[AttributionDraft], roots: dict[int, int]) -> set[int]:
    """Replace the model's rows of these authorships; returns the authorships written."""
    if not drafts:
        return set()
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM researchers_attribution WHERE authorship_id = ANY(%s) AND decided_by = ANY(%s)",
            [[draft.authorship for draft in drafts], list(MODEL_DECIDED)],
        )
        cursor.execute(
            "INSERT INTO researchers_attribution (authorship_id, paper_id, base_id, root_id, decided_by, score,"
            " evidence, model_version, decided_at) SELECT given.authorship_id, given.paper_id, given.base_id,"
            " given.root_id, given.decided_by, given.score, given.evidence, given.model_version, given.decided_at"
            " FROM json_to_recordset(%s::json) AS given(authorship_id bigint, paper_id bigint, base_id bigint,"
            " root_id bigint, decided_by text, score double precision, evidence jsonb, model_version text,"
            " decided_at timestamptz) JOIN papers_authorship AS place ON place.id = given.authorship_id"
            " AND place.paper_id = given.paper_id ORDER BY given.authorship_id"
            " ON CONFLICT DO NOTHING RETURNING authorship_id",
            [json.dumps([_as_json(draft, roots[draft.base], now) for draft in drafts])],
        )
        return {row[0] for row in cursor.fetchall()}


def _as_json(draft: AttributionDraft, root: int, now: dt.datetime) -> dict[str, Any]:
    return {
        "authorship_id": draft.authorship,
        "paper_id": draft.paper,
        "base_id": draft.base,
        "root_id": root,
        "decided_by": draft.decided_by,
        "score": draft.score,
        "evidence": list(draft.evidence),
        "model_version": draft.model_version,
        "decided_at": now.isoformat(),
    }
