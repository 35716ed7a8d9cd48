"""Writing what was resolved: researchers, attributions, names, identifiers, and what curators should look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from researchers.matching.evidence import AuthorshipEvidence, KnownResearcher
from researchers.matching.outcomes import DecidedBy, Person, Resolution
from researchers.matching.population import Population
from researchers.matching.weights import Weights
from researchers.services.attribution import filing
from researchers.services.attribution.evidence import Loaded
from researchers.services.attribution.identifiers import GivenOrcid, retire_orcids, write_orcids
from researchers.services.attribution.known import Surroundings
from researchers.services.attribution.people import Bases, Former, Placement
from researchers.services.attribution.reasons import as_kept
from researchers.services.attribution.report import Report
from researchers.services.attribution.rows import roots_of
from researchers.services.attribution.writing import add_names, create_newcomers, hold_papers
from researchers.services.attributions import AttributionDraft, write_attributions


class Outcome:
    """What becomes of one resolution."""

    def __init__(
        self,
        loaded: Loaded,
        former: Mapping[int, Former],
        around: Surroundings,
        population: Population,
        weights: Weights,
    ) -> None:
        self._loaded = loaded
        self._former = former
        self._around = around
        self._population = population
        self._weights = weights
        self._base_of: dict[int, int] = {}
        """By authorship: what is written."""
        self._numbers: dict[int, int] = {}
        """By newcomer: the researcher made for them."""
        self._named: dict[int, str] = {}
        """By researcher made: their name."""
        self.moved: set[int] = set()
        """Papers that had an author who is shown as somebody else now."""

    def write(
        self,
        new: Sequence[AuthorshipEvidence],
        resolution: Resolution,
        placement: Placement,
        *,
        papers: Sequence[int],
        report: Report,
    ) -> set[int]:
        """Write it, count it in the report; returns the roots that changed."""
        hold_papers(papers)
        by_id = {one.id: one for one in new}
        self._create(by_id, placement)
        report.newcomers = len(self._numbers)
        fresh = set(self._numbers.values())
        written = write_attributions(self._drafts(by_id, resolution, placement), fresh=fresh)
        report.written = len(written.written)
        report.unchanged = written.unchanged
        report.refused = written.refused
        self._base_of = {one: base for one, base in self._base_of.items() if one not in written.refused}
        roots = roots_of(set(self._base_of.values()))
        self.moved = {
            by_id[one].paper.id
            for one in written.written
            if one in self._former and self._former[one].root != roots[self._base_of[one]]
        }
        touched = fresh | {roots[self._base_of[one]] for one in written.written}
        touched |= {was.root for place, was in self._former.items() if self._base_of.get(place) != was.base}
        self._write_facts(by_id, resolution)
        report.candidates = self._file(by_id, resolution, placement, roots)
        return touched

    def _create(self, by_id: Mapping[int, AuthorshipEvidence], placement: Placement) -> None:
        groups: defaultdict[int, list[AuthorshipEvidence]] = defaultdict(list)
        for authorship, person in placement.persons.items():
            if person.newcomer is not None:
                groups[person.newcomer].append(by_id[authorship])
        order = sorted(groups)
        ids, names = create_newcomers([groups[one] for one in order], self._loaded)
        self._numbers = dict(zip(order, ids, strict=True))
        self._named = dict(zip(ids, names, strict=True))

    def _drafts(
        self, by_id: Mapping[int, AuthorshipEvidence], resolution: Resolution, placement: Placement
    ) -> list[AttributionDraft]:
        """What to write, of all that people did not decide; where each goes is kept of all."""
        bases = Bases(self._around, self._former, placement, self._population, self._weights)
        drafts = []
        for decided in resolution.attributions:
            person = placement.persons[decided.authorship]
            author = by_id[decided.authorship]
            known, newcomer = person.known or 0, person.newcomer
            base = bases.base_of(author, known) if newcomer is None else self._numbers[newcomer]
            self._base_of[decided.authorship] = base
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
                    model_version=self._weights.version,
                )
            )
        return drafts

    def _write_facts(self, by_id: Mapping[int, AuthorshipEvidence], resolution: Resolution) -> None:
        made = {base for base in self._base_of.values() if base not in self._around.known}
        add_names(((base, by_id[one]) for one, base in self._base_of.items()), self._loaded, known=self._named)
        losing = {was.base for authorship, was in self._former.items() if self._base_of.get(authorship) != was.base}
        losing |= {was.base for was in self._former.values() if not was.prints_the_same}
        if losing - made:
            retire_orcids(losing)
        given = [
            GivenOrcid(self._base_of[one], orcid, one, trusted=True)
            for one, orcid in resolution.trusted_orcids.items()
            if one in self._base_of
        ]
        given += [
            GivenOrcid(self._base_of[one.authorship], one.orcid, one.authorship, trusted=False, why=one.kind.value)
            for one in resolution.conflicts
            if one.authorship in self._base_of
        ]
        write_orcids(given)

    def _file(
        self,
        by_id: Mapping[int, AuthorshipEvidence],
        resolution: Resolution,
        placement: Placement,
        roots: Mapping[int, int],
    ) -> int:
        def root_of(person: Person) -> int | None:
            if person.known is not None:
                return person.known
            if person.newcomer in placement.roots_kept:
                return placement.roots_kept[person.newcomer]
            return self._numbers.get(person.newcomer or 0) if person.newcomer is not None else None

        root_of_author = {one: roots[base] for one, base in self._base_of.items()}
        gained: defaultdict[int, list[AuthorshipEvidence]] = defaultdict(list)
        for one, root in root_of_author.items():
            gained[root].append(by_id[one])
        whole = [self._whole(root, gained[root]) for root in sorted(gained)]
        drafts = filing.pair_drafts(resolution, root_of)
        drafts += filing.held_drafts(placement.held, root_of)
        drafts += filing.crowd_drafts(resolution, root_of)
        drafts += filing.conflict_drafts(resolution.conflicts, root_of_author, root_of)
        drafts += filing.split_drafts(whole, self._population, self._weights)
        drafts += filing.doubt_drafts(whole)
        return filing.file_drafts(drafts)

    def _whole(self, root: int, gained: Sequence[AuthorshipEvidence]) -> KnownResearcher:
        """A researcher with what they got."""
        before = self._around.known.get(root, KnownResearcher(root))
        orcids = before.orcids | {one.orcid for one in gained if one.orcid}
        return KnownResearcher(root, (*before.authorships, *gained), before.names, orcids)
