"""One batch: papers in; attributions, researchers, candidates out. Everything in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from django.db import connection, transaction

from researchers.counts import recount_papers
from researchers.former_names import show_on_papers
from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.population import Population
from researchers.matching.resolve import resolve
from researchers.merging import KIND
from researchers.services.arrays import bigints
from researchers.services.attribution import filing
from researchers.services.attribution.alone import lock_stage, without_garbage_collection
from researchers.services.attribution.evidence import load_papers
from researchers.services.attribution.growth import Grown, note_arrivals, take_grown
from researchers.services.attribution.identifiers import retire_orcids, sync_source_ids
from researchers.services.attribution.known import load_surroundings
from researchers.services.attribution.memory import KeptPopulation, recall_papers, remember_decided
from researchers.services.attribution.outcome import Outcome
from researchers.services.attribution.people import former_of, place
from researchers.services.attribution.report import Report
from researchers.services.attribution.rows import roots_of, rows_of
from researchers.services.attribution.writing import remove_attributions
from researchers.services.attributions import MODEL_DECIDED
from researchers.services.decisions import adopt_returned_authorships
from researchers.services.weights import current_weights
from wovepaper.pipeline.services import enqueue

MOST_AUTHORS = 600_000
"""Authors that are decided together: it bounds memory, at about 4 kB each."""
LARGE = 5_000
"""Papers of a batch that is no day's but part of a catalogue being built: names that have grown are decided anew with
it. A day's papers are decided as they come, and names that grew by them wait for the night."""


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
    of those of ``again``; of all others only authors that have nobody yet, and in a large batch those whose name has
    grown by it. ``may_join`` lets the model put together what it kept as two researchers before, which is for a run
    over everything; then ``until`` is the last paper of the run's earlier batches, and what the model said of papers
    after it counts for nothing. ``advance`` is called with numbers of authors that are done. Idempotent. One batch at a
    time goes through; merges may happen meanwhile.
    """
    report = Report()
    for part in _parts(papers):
        batch = _Batch(part, again=again, may_join=may_join, until=until, advance=advance)
        report.add(batch.run())
        if until is not None:
            until = part[-1]
    return report


@transaction.atomic
def attribute_grown(*, advance: Callable[[int], None] | None = None) -> Report | None:
    """Tell the bearers of names that have grown apart anew, as many as fit one transaction; ``None`` if none has.

    What people decided stands, and so do researchers who have been here for long: of two of them the model lists what
    it would join. ``advance`` is called with numbers of authors that are done.
    """
    lock_stage()
    grown = take_grown()
    if not grown.blocks:
        return None
    return _Batch(grown.papers, grown=grown, advance=advance).run()


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


class _Batch:
    def __init__(
        self,
        papers: Collection[int],
        *,
        again: Collection[int] = (),
        may_join: bool = False,
        until: int | None = None,
        grown: Grown | None = None,
        advance: Callable[[int], None] | None = None,
    ) -> None:
        self.asked = set(papers)
        self.papers = sorted(self.asked)
        self.again = set(again)
        self.may_join = may_join
        self.until = until
        self.grown = grown or Grown()
        self.at_night = grown is not None
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
        self._read()
        self._count_population()
        self._bring_grown()
        new, standing = self._part()
        self._take_away_strays()
        if new:
            self._decide(new, standing)
        remember_decided(self.loaded, self.remembered, rows_of(self.papers), model_version=self.weights.version)
        self._sync_source_ids()
        show_on_papers(papers=self.papers)
        if self.touched:
            enqueue(kind=KIND, ids=self.touched, stage="index", reason="attribute")

    # --- before ------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        self.loaded = load_papers(self.papers)
        self.remembered = recall_papers(self.papers)
        self.rows = rows_of(self.papers)

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

    def _bring_grown(self) -> None:
        """Count who is new and, in a large batch, take the other papers of names that have grown by it."""
        anew = self.until is not None
        came = note_arrivals(one for one in self.loaded.people() if anew or one.id not in self.rows)
        if anew or self.at_night or len(self.asked) < LARGE:
            return
        self.grown = take_grown(came)
        others = self.grown.papers - self.asked
        if others:
            self.papers = sorted(self.asked | others)
            _adopt_returned(sorted(others))
            load_papers(others, into=self.loaded)
            self.remembered |= recall_papers(others)
            self.rows |= rows_of(others)

    def _part(self) -> tuple[list[AuthorshipEvidence], list[AuthorshipEvidence]]:
        """Those to be decided, and those whose attribution stands."""
        new, standing = [], []
        for number, paper in self.loaded.papers.items():
            before = self.remembered.get(number)
            changed = number in self.again or before is None or before.evidence_hash != paper.evidence_hash
            for one in paper.people:
                row = self.rows.get(one.id)
                if row is None or (row.decided_by in MODEL_DECIDED and (changed or one.name in self.grown)):
                    new.append(one)
                else:
                    standing.append(one)
        self.report.decided = len(new)
        self.regrouped = {one.id for one in new if one.name in self.grown}
        self.report.regrouped = sum(one in self.rows for one in self.regrouped)
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
        lost = set(roots_of(gone).values()) | self.touched
        recount_papers(lost)
        self.touched |= lost

    # --- the decision ------------------------------------------------------------------------------------------

    def _decide(self, new: Sequence[AuthorshipEvidence], standing: Sequence[AuthorshipEvidence]) -> None:
        former = former_of(new, self.rows, self.remembered, self.loaded)
        # From nothing, nobody is known but by what stands: who is made anew may keep a number afterwards.
        roots = {self.rows[one.id].root for one in standing}
        if not self.may_join:
            roots |= {was.root for one, was in former.items() if one not in self.regrouped}
        around = load_surroundings(
            new,
            standing=standing,
            roots=roots,
            until=self.until,
            released={was.root for one, was in former.items() if one in self.regrouped},
        )
        resolution = resolve(
            known=around.known.values(),
            new=new,
            population=self.population,
            weights=self.weights,
            decisions=around.decisions,
            advance=self.advance,
        )
        joinable = set(former) if self.may_join else self.regrouped & former.keys()
        placement = place(resolution, former, around, joinable=joinable, established=self.grown.established)
        outcome = Outcome(self.loaded, former, around, self.population, self.weights)
        self.touched |= outcome.write(new, resolution, placement, papers=self.papers, report=self.report)
        # What the pipeline brought goes on to the index by itself.
        brought = set() if self.may_join or self.at_night else self.asked
        if outcome.moved - brought:
            enqueue(kind="paper", ids=outcome.moved - brought, stage="index", reason="attribute")

    # --- after -------------------------------------------------------------------------------------------------

    def _sync_source_ids(self) -> None:
        with_ids = [one.id for one in self.loaded.people() if one.source_ids]
        if not with_ids and not self.remembered:
            return
        rows = rows_of(self.papers)
        bases = {rows[one].base for one in with_ids if one in rows}
        bases |= {base for row in self.remembered.values() for base in row.bases if base}
        if bases:
            drafts = filing.shared_id_drafts(sync_source_ids(bases))
            self.report.candidates += filing.file_drafts(drafts)


def _adopt_returned(papers: Sequence[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            # Lost ones, of these papers or of papers that are one with them; and those of papers that were.
            "WITH here AS (SELECT unnest(%s::bigint[]) AS id), own AS (SELECT id FROM here UNION"
            " SELECT paper.id FROM papers_paper AS paper JOIN here ON here.id = paper.redirect_to_id)"
            " SELECT coalesce(paper.redirect_to_id, paper.id) FROM researchers_decision AS said"
            " JOIN own ON own.id = said.paper_id JOIN papers_paper AS paper ON paper.id = said.paper_id"
            " WHERE said.authorship_id IS NULL AND NOT said.revoked"
            " UNION SELECT place.paper_id FROM here JOIN papers_authorship AS place ON place.paper_id = here.id"
            " JOIN researchers_decision AS said ON said.authorship_id = place.id"
            " JOIN papers_paper AS paper ON paper.id = said.paper_id"
            " WHERE coalesce(paper.redirect_to_id, paper.id) <> place.paper_id",
            [bigints(papers)],
        )
        lost = [row[0] for row in cursor.fetchall()]
    if lost:
        adopt_returned_authorships(papers=lost)
