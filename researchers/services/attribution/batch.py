"""One batch: papers in; attributions, researchers, candidates out. Everything in one transaction."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction

from researchers.counts import recount_papers
from researchers.former_names import show_on_papers
from researchers.matching.evidence import AuthorshipEvidence, KnownResearcher
from researchers.matching.outcomes import DecidedBy, Person, Resolution
from researchers.matching.population import Population
from researchers.matching.resolve import resolve
from researchers.merging import KIND
from researchers.services.arrays import bigints
from researchers.services.attribution import filing
from researchers.services.attribution.evidence import hash_of_print, load_papers
from researchers.services.attribution.identifiers import GivenOrcid, retire_orcids, sync_source_ids, write_orcids
from researchers.services.attribution.known import load_surroundings
from researchers.services.attribution.memory import KeptPopulation, Remembered, recall_papers, remember_papers
from researchers.services.attribution.people import Bases, Former, Placement, place
from researchers.services.attribution.reasons import as_kept
from researchers.services.attribution.writing import add_names, create_newcomers, hold_papers, remove_attributions
from researchers.services.attributions import MODEL_DECIDED, AttributionDraft, WriteReport, write_attributions
from researchers.services.decisions import adopt_returned_authorships
from researchers.services.weights import current_weights
from wovepaper.pipeline.services import enqueue

STAGE_LOCK = (0x776F7665, 4)
"""Two 32-bit keys of the advisory lock: the project's, and that of attribution. One batch at a time: two would both
make a new researcher of the same new person."""
MOST_AUTHORS = 600_000
"""Authors that are decided together: it bounds memory, at about 4 kB each."""
GONE_KEPT = 50
"""Authors who left a paper that are remembered, should they return."""


@dataclass(slots=True)
class Report:
    """What became of papers."""

    papers: int = 0
    decided: int = 0
    """Authors that were looked at."""
    written: int = 0
    unchanged: int = 0
    newcomers: int = 0
    candidates: int = 0
    refused: dict[int, str] = field(default_factory=dict)
    """By authorship: why it was left as it is."""

    def add(self, other: Report) -> None:
        """Sum up."""
        self.papers += other.papers
        self.decided += other.decided
        self.written += other.written
        self.unchanged += other.unchanged
        self.newcomers += other.newcomers
        self.candidates += other.candidates
        self.refused |= other.refused


@dataclass(frozen=True, slots=True)
class _Row:
    """An attribution there is."""

    base: int
    root: int
    decided_by: str


@transaction.atomic
def attribute_papers(
    *,
    papers: Collection[int],
    again: Collection[int] = (),
    may_join: bool = False,
    until: int | None = None,
    advance: Callable[[int], None] | None = None,
) -> Report:
    """Decide whose the authors of these papers are.

    What people decided stands. What the model decided is decided anew of papers whose evidence has changed since, and
    of those of ``again``; of all others only authors that have nobody yet. ``may_join`` lets the model put together
    what it kept as two researchers before, which is for a run over everything; then ``until`` is the last paper of the
    run's earlier batches, and what the model said of papers after it counts for nothing. ``advance`` is called with
    numbers of authors that are done. Idempotent. One batch at a time goes through; merges may happen meanwhile.
    """
    report = Report()
    for part in _parts(papers):
        report.add(_Batch(part, again, may_join, until, advance).run())
        if until is not None:
            until = part[-1]
    return report


def _parts(papers: Collection[int]) -> list[list[int]]:
    """The papers in their order, in parts of no more than ``MOST_AUTHORS`` authors, or of one paper."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, author_count FROM papers_paper WHERE id = ANY(%s::bigint[]) ORDER BY id", [bigints(papers)]
        )
        parts: list[list[int]] = []
        room = 0
        for paper, authors in cursor.fetchall():
            if authors > room or not parts:
                parts.append([])
                room = MOST_AUTHORS
            parts[-1].append(paper)
            room -= authors
        return parts


def lock_stage() -> None:
    """Wait for the batches of other processes, and keep them out until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", STAGE_LOCK)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """The matching makes millions of small objects and no cycles: looking for some costs more than the matching."""
    was_on = gc.isenabled()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was_on:
            gc.enable()


class _Batch:
    def __init__(
        self,
        papers: Collection[int],
        again: Collection[int],
        may_join: bool,
        until: int | None,
        advance: Callable[[int], None] | None,
    ) -> None:
        self.papers = sorted(set(papers))
        self.again = set(again)
        self.may_join = may_join
        self.until = until
        self.advance = advance
        self.weights = current_weights()
        self.report = Report(papers=len(self.papers))
        self.touched: set[int] = set()

    def run(self) -> Report:
        lock_stage()
        _adopt_returned(self.papers)
        with without_garbage_collection():
            self._run()
        return self.report

    def _run(self) -> None:
        self.loaded = load_papers(self.papers)
        self.remembered = recall_papers(self.papers)
        self.rows = _rows_of(self.papers)
        self._count_population()
        new, standing = self._part()
        self._take_away_strays()
        if new:
            self._decide(new, standing)
        self._remember()
        self._sync_source_ids()
        show_on_papers(papers=self.papers)
        if self.touched:
            enqueue(kind=KIND, ids=self.touched, stage="index", reason="attribute")

    # --- before ------------------------------------------------------------------------------------------------

    def _count_population(self) -> None:
        kept = KeptPopulation()
        counted = {number: row for number, row in self.remembered.items() if row.counted}
        fresh = [paper for number, paper in self.loaded.papers.items() if number not in counted]
        renamed = [
            one
            for number, paper in self.loaded.papers.items()
            if number in counted and paper.evidence_hash != counted[number].evidence_hash
            for one in paper.people
        ]

        def count(population: Population) -> None:
            population.add(one for paper in fresh for one in paper.people)
            population.add_names(one.name for one in renamed)

        if fresh or renamed:
            kept.add(count)
        kept.keep()
        self.population = kept.population

    def _part(self) -> tuple[list[AuthorshipEvidence], list[AuthorshipEvidence]]:
        """Those to be decided, and those whose attribution stands."""
        new, standing = [], []
        for number, paper in self.loaded.papers.items():
            before = self.remembered.get(number)
            changed = number in self.again or before is None or before.evidence_hash != paper.evidence_hash
            for one in paper.people:
                row = self.rows.get(one.id)
                if row is None or (changed and row.decided_by in MODEL_DECIDED):
                    new.append(one)
                else:
                    standing.append(one)
        self.report.decided = len(new)
        return new, standing

    def _take_away_strays(self) -> None:
        """Attributions of entries that are no people, and roots of authors who left."""
        people = {one.id for one in self.loaded.people()}
        strays = [one for one, row in self.rows.items() if one not in people and row.decided_by in MODEL_DECIDED]
        self.touched |= remove_attributions(strays)
        gone = {
            base
            for row in self.remembered.values()
            for authorship, base in zip(row.authorships, row.bases, strict=True)
            if base and authorship not in self.rows
        }
        if gone:
            retire_orcids(gone)
        lost = set(_roots_of(gone).values()) | self.touched
        recount_papers(lost)
        self.touched |= lost

    # --- the decision ------------------------------------------------------------------------------------------

    def _decide(self, new: list[AuthorshipEvidence], standing: list[AuthorshipEvidence]) -> None:
        self.former = self._former(new)
        # From nothing, nobody is known but by what stands: who is made anew may keep a number afterwards.
        roots = {self.rows[one.id].root for one in standing}
        if not self.may_join:
            roots |= {one.root for one in self.former.values()}
        self.around = load_surroundings(new, standing=standing, roots=roots, until=self.until)
        resolution = resolve(
            known=self.around.known.values(),
            new=new,
            population=self.population,
            weights=self.weights,
            decisions=self.around.decisions,
            advance=self.advance,
        )
        placement = place(resolution, self.former, self.around, may_join=self.may_join)
        self._write(new, resolution, placement)

    def _former(self, new: Sequence[AuthorshipEvidence]) -> dict[int, Former]:
        """Whose each of the new authorships was, by its row or, of an author who returns, by what is remembered."""
        prints = {
            authorship: (print_, base)
            for row in self.remembered.values()
            for authorship, print_, base in zip(row.authorships, row.prints, row.bases, strict=True)
        }
        returned: dict[tuple[int, int], int] = {}
        for row in self.remembered.values():
            for authorship, print_, base in zip(row.authorships, row.prints, row.bases, strict=True):
                if base and authorship not in self.loaded.printed:
                    returned[row.paper, print_] = base
        root_of = _roots_of(set(returned.values()))
        former = {}
        for one in new:
            mark = hash_of_print(one)
            held = self.rows.get(one.id)
            if held is not None:
                former[one.id] = Former(held.base, held.root, prints.get(one.id, (0, 0))[0] == mark)
            elif (was := returned.get((one.paper.id, mark))) is not None and was in root_of:
                former[one.id] = Former(was, root_of[was], prints_the_same=False)
        return former

    # --- after -------------------------------------------------------------------------------------------------

    def _write(self, new: Sequence[AuthorshipEvidence], resolution: Resolution, placement: Placement) -> None:
        hold_papers(self.papers)
        by_id = {one.id: one for one in new}
        groups: defaultdict[int, list[AuthorshipEvidence]] = defaultdict(list)
        for authorship, person in placement.persons.items():
            if person.newcomer is not None:
                groups[person.newcomer].append(by_id[authorship])
        order = sorted(groups)
        ids, names = create_newcomers([groups[one] for one in order], self.loaded)
        numbers = dict(zip(order, ids, strict=True))
        self.report.newcomers = len(numbers)
        self.named = dict(zip(numbers.values(), names, strict=True))
        bases = Bases(self.around, self.former, placement, self.population, self.weights)
        base_of: dict[int, int] = {}
        drafts = []
        for decided in resolution.attributions:
            person = placement.persons[decided.authorship]
            author = by_id[decided.authorship]
            known, newcomer = person.known or 0, person.newcomer
            base = bases.base_of(author, known) if newcomer is None else numbers[newcomer]
            base_of[decided.authorship] = base
            if decided.authorship in placement.held or decided.decided_by is DecidedBy.HUMAN:
                continue
            drafts.append(
                AttributionDraft(
                    authorship=decided.authorship,
                    paper=author.paper.id,
                    base=base,
                    decided_by=decided.decided_by.value,
                    score=None if decided.probability is None else round(decided.probability, 4),
                    evidence=as_kept(decided.reasons),
                    model_version=self.weights.version,
                )
            )
        written = write_attributions(drafts, fresh=set(numbers.values()))
        self._note(written)
        self.base_of = {one: base for one, base in base_of.items() if one not in written.refused}
        fresh = set(numbers.values())
        moved = {self.base_of[one] for one in written.written} - fresh
        self.touched |= fresh | set(_roots_of(moved).values())
        self.touched |= {one.root for place, one in self.former.items() if self.base_of.get(place) != one.base}
        self._write_facts(by_id, resolution)
        self._file(by_id, resolution, placement, numbers)

    def _note(self, written: WriteReport) -> None:
        self.report.written = len(written.written)
        self.report.unchanged = written.unchanged
        self.report.refused = written.refused

    def _write_facts(self, by_id: Mapping[int, AuthorshipEvidence], resolution: Resolution) -> None:
        made = {base for base in self.base_of.values() if base not in self.around.known}
        add_names(((base, by_id[one]) for one, base in self.base_of.items()), self.loaded, known=self.named)
        losing = {one.base for authorship, one in self.former.items() if self.base_of.get(authorship) != one.base}
        losing |= {one.base for one in self.former.values() if not one.prints_the_same}
        if losing - made:
            retire_orcids(losing)
        given = [
            GivenOrcid(self.base_of[one], orcid, one, trusted=True)
            for one, orcid in resolution.trusted_orcids.items()
            if one in self.base_of
        ]
        given += [
            GivenOrcid(self.base_of[one.authorship], one.orcid, one.authorship, trusted=False, why=one.kind.value)
            for one in resolution.conflicts
            if one.authorship in self.base_of
        ]
        write_orcids(given)

    def _file(
        self,
        by_id: Mapping[int, AuthorshipEvidence],
        resolution: Resolution,
        placement: Placement,
        numbers: Mapping[int, int],
    ) -> None:
        def root_of(person: Person) -> int | None:
            if person.known is not None:
                return person.known
            if person.newcomer in placement.roots_kept:
                return placement.roots_kept[person.newcomer]
            return numbers.get(person.newcomer or 0) if person.newcomer is not None else None

        roots = _roots_of(set(self.base_of.values()))
        root_of_author = {one: roots[base] for one, base in self.base_of.items()}
        gained: defaultdict[int, list[AuthorshipEvidence]] = defaultdict(list)
        for one, root in root_of_author.items():
            gained[root].append(by_id[one])
        whole = [self._whole(root, gained[root]) for root in sorted(gained) if root in self.around.known]
        drafts = filing.pair_drafts(resolution, root_of)
        drafts += filing.held_drafts(placement.held, root_of)
        drafts += filing.crowd_drafts(resolution, root_of)
        drafts += filing.conflict_drafts(resolution.conflicts, root_of_author, root_of)
        drafts += filing.split_drafts(whole, self.population, self.weights)
        drafts += filing.doubt_drafts(whole)
        self.report.candidates = filing.file_drafts(drafts)

    def _whole(self, root: int, gained: Sequence[AuthorshipEvidence]) -> KnownResearcher:
        """A researcher with what they got."""
        before = self.around.known[root]
        orcids = before.orcids | {one.orcid for one in gained if one.orcid}
        return KnownResearcher(root, (*before.authorships, *gained), before.names, orcids)

    def _remember(self) -> None:
        """By what evidence the papers were decided, and whose their authors are now."""
        rows = _rows_of(self.papers)
        kept = []
        for number, paper in self.loaded.papers.items():
            before = self.remembered.get(number)
            entries = [(one.id, hash_of_print(one), rows[one.id].base if one.id in rows else 0) for one in paper.people]
            if before is not None:
                here = {one.id for one in paper.people}
                gone = [
                    entry
                    for entry in zip(before.authorships, before.prints, before.bases, strict=True)
                    if entry[0] not in here and entry[2]
                ]
                entries += gone[-GONE_KEPT:]
            row = Remembered(
                number,
                paper.evidence_hash,
                tuple(entry[0] for entry in entries),
                tuple(entry[1] for entry in entries),
                tuple(entry[2] for entry in entries),
            )
            if row != before:
                kept.append(row)
        if kept:
            remember_papers(kept, model_version=self.weights.version)

    def _sync_source_ids(self) -> None:
        with_ids = [one.id for one in self.loaded.people() if one.source_ids]
        if not with_ids and not self.remembered:
            return
        rows = _rows_of(self.papers)
        bases = {rows[one].base for one in with_ids if one in rows}
        bases |= {base for row in self.remembered.values() for base in row.bases if base}
        if bases:
            drafts = filing.shared_id_drafts(sync_source_ids(bases))
            self.report.candidates += filing.file_drafts(drafts)


def _adopt_returned(papers: Sequence[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT paper_id FROM researchers_decision WHERE authorship_id IS NULL AND NOT revoked"
            " AND paper_id = ANY(%s::bigint[])",
            [bigints(papers)],
        )
        lost = [row[0] for row in cursor.fetchall()]
    if lost:
        adopt_returned_authorships(papers=lost)


def _rows_of(papers: Sequence[int]) -> dict[int, _Row]:
    """The attributions of papers, by authorship."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT authorship_id, base_id, root_id, decided_by FROM researchers_attribution"
            " WHERE paper_id = ANY(%s::bigint[])",
            [bigints(papers)],
        )
        return {row[0]: _Row(*row[1:]) for row in cursor.fetchall()}


def _roots_of(bases: Collection[int]) -> dict[int, int]:
    if not bases:
        return {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, root_id FROM researchers_researcher WHERE id = ANY(%s::bigint[])", [bigints(bases)])
        return dict(cursor.fetchall())
