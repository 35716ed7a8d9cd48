"""From a resolution to researchers: who keeps their number, whose base an authorship gets, who may not be emptied."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.names import form_of
from researchers.matching.outcomes import Attribution, Person, Resolution
from researchers.matching.pairs import PairScorer
from researchers.matching.population import Population
from researchers.matching.weights import Weights
from researchers.services.attribution.evidence import Loaded, hash_of_print
from researchers.services.attribution.known import Surroundings
from researchers.services.attribution.memory import Remembered
from researchers.services.attribution.rows import Row, roots_of


@dataclass(frozen=True, slots=True)
class Former:
    """Whose an authorship was until now."""

    base: int
    root: int
    prints_the_same: bool
    """Whether its name and ORCID are what they were then."""


def former_of(
    new: Sequence[AuthorshipEvidence],
    rows: Mapping[int, Row],
    remembered: Mapping[int, Remembered],
    loaded: Loaded,
) -> dict[int, Former]:
    """Whose each of the new authorships was, by its row or, of an author who returns, by what is remembered."""
    prints: dict[int, int] = {}
    returned: dict[tuple[int, int], int] = {}
    for kept in remembered.values():
        for authorship, print_, base in zip(kept.authorships, kept.prints, kept.bases, strict=True):
            prints[authorship] = print_
            if base and authorship not in loaded.printed:
                returned[kept.paper, print_] = base
    root_of = roots_of(set(returned.values()))
    former = {}
    for one in new:
        mark = hash_of_print(one)
        held = rows.get(one.id)
        if held is not None:
            former[one.id] = Former(held.base, held.root, prints.get(one.id, 0) == mark)
        elif (was := returned.get((one.paper.id, mark))) is not None and was in root_of:
            former[one.id] = Former(was, root_of[was], prints_the_same=False)
    return former


@dataclass(slots=True)
class Placement:
    """Where each authorship goes."""

    persons: dict[int, Person] = field(default_factory=dict)
    """By authorship; a newcomer who keeps a number is a known person here."""
    kept: dict[int, int] = field(default_factory=dict)
    """By newcomer: the researcher, perhaps a merged one, whose number they keep."""
    roots_kept: dict[int, int] = field(default_factory=dict)
    """By newcomer: the root of that researcher."""
    bases: dict[int, int] = field(default_factory=dict)
    """By authorship of a newcomer who keeps a number: the number."""
    held: dict[int, tuple[int, Person, Attribution]] = field(default_factory=dict)
    """By authorship: the root it stays with although the model would move it, and whom it would have gone to."""


def place(
    resolution: Resolution,
    former: Mapping[int, Former],
    around: Surroundings,
    *,
    joinable: Collection[int],
    established: Collection[int] = (),
) -> Placement:
    """Decide who is who.

    A newcomer who mostly is a researcher that the batch left without an authorship keeps that researcher's number.
    Nobody is put together whom people called different. Unless they are all among the authorships ``joinable``, a
    researcher all of whose authorships would go to one other person, although they print the same as before, keeps
    them: to join two researchers is for people. So it is with those of ``established``, who come first where a number
    is kept.
    """
    placement = Placement()
    placement.kept = _kept_numbers(resolution, former, around, established)
    root_of = {one.base: one.root for one in former.values()}
    placement.roots_kept = {index: root_of[base] for index, base in placement.kept.items()}
    for attribution in resolution.attributions:
        person = attribution.person
        if person.newcomer is not None and person.newcomer in placement.kept:
            placement.bases[attribution.authorship] = placement.kept[person.newcomer]
            person = Person(known=placement.roots_kept[person.newcomer])
        placement.persons[attribution.authorship] = person
    outcome = {one.authorship: one for one in resolution.attributions}
    _keep_apart(outcome, former, around, placement)
    _hold_back(outcome, former, around, placement, set(joinable), established)
    return placement


def _kept_numbers(
    resolution: Resolution, former: Mapping[int, Former], around: Surroundings, established: Collection[int]
) -> dict[int, int]:
    """By base, not by root: whoever was merged by people and is made anew stays merged."""
    taken = {one.person.known for one in resolution.attributions if one.person.known is not None}
    before = Counter(one.base for one in former.values())
    root_of = {one.base: one.root for one in former.values()}
    shares: list[tuple[int, int, int]] = []
    for index, authorships in enumerate(resolution.newcomers):
        counts = Counter(former[one].base for one in authorships if one in former)
        for base, count in counts.items():
            root = root_of[base]
            if around.sizes_of_base.get(base, 0) or (root in taken and root not in around.members):
                continue
            if any((one, root) in around.decisions.is_not for one in authorships):
                continue
            if 2 * count >= len(authorships) or 2 * count >= before[base]:
                shares.append((count, base, index))
    kept: dict[int, int] = {}
    given: set[int] = set()
    for _, base, index in sorted(
        shares, key=lambda share: (share[1] not in established, -share[0], share[1], share[2])
    ):
        if index not in kept and base not in given:
            kept[index] = base
            given.add(base)
    return kept


def _hold(placement: Placement, authorship: int, root: int, outcome: Mapping[int, Attribution]) -> None:
    placement.held[authorship] = (root, placement.persons[authorship], outcome[authorship])
    placement.persons[authorship] = Person(known=root)
    placement.bases.pop(authorship, None)


def _keep_apart(
    outcome: Mapping[int, Attribution], former: Mapping[int, Former], around: Surroundings, placement: Placement
) -> None:
    """Leave authorships of people who were called different where they are: of two such, those with fewer."""
    different = around.decisions.different
    if not different:
        return
    together: defaultdict[Person, list[int]] = defaultdict(list)
    for authorship, person in placement.persons.items():
        if authorship in former:
            together[person].append(authorship)
    for person, authorships in together.items():
        counts = Counter(former[one].root for one in authorships)
        together_now = {person.known} - {None}
        leaving: set[int] = set()
        for root in sorted(counts, key=lambda root: (root != person.known, -counts[root], root)):
            if any((min(root, other), max(root, other)) in different for other in together_now if other is not None):
                leaving.add(root)
            else:
                together_now.add(root)
        for authorship in authorships:
            if former[authorship].root in leaving:
                _hold(placement, authorship, former[authorship].root, outcome)


def _hold_back(
    outcome: Mapping[int, Attribution],
    former: Mapping[int, Former],
    around: Surroundings,
    placement: Placement,
    joinable: set[int],
    established: Collection[int],
) -> None:
    leaving: defaultdict[int, list[int]] = defaultdict(list)
    staying = {person.known for person in placement.persons.values() if person.known is not None}
    for authorship, one in former.items():
        leaving[one.root].append(authorship)
    for root, authorships in leaving.items():
        if root in staying or around.sizes.get(root, 0):
            continue
        if joinable.issuperset(authorships) and root not in established:
            continue
        persons = {placement.persons[one] for one in authorships if one in placement.persons}
        same = all(former[one].prints_the_same for one in authorships)
        if len(persons) == 1 and same and not any((one, root) in around.decisions.is_not for one in authorships):
            for authorship in authorships:
                if authorship in placement.persons:
                    _hold(placement, authorship, root, outcome)


class Bases:
    """Which of several merged researchers an authorship is given to, so that an undo gives it back to the right one."""

    def __init__(
        self,
        around: Surroundings,
        former: Mapping[int, Former],
        placement: Placement,
        population: Population,
        weights: Weights,
    ) -> None:
        self._around = around
        self._kept = placement.bases
        self._former = former
        self._population = population
        self._scorer = PairScorer(population, weights)

    def base_of(self, one: AuthorshipEvidence, root: int) -> int:
        """The former one, if it is still merged there; otherwise the member who is most like it, at last the root."""
        if one.id in self._around.bases_decided and self._around.decisions.is_of.get(one.id) == root:
            return self._around.bases_decided[one.id]
        before = self._former.get(one.id)
        if before is not None and before.root == root:
            return before.base
        if one.id in self._kept:
            return self._kept[one.id]
        members = self._around.members.get(root)
        if members is None:
            return root
        return max(members, key=lambda member: (*self._likeness(one, member), member == root, -member))

    def _likeness(self, one: AuthorshipEvidence, member: int) -> tuple[bool, bool, float]:
        theirs: Sequence[AuthorshipEvidence] = self._around.of_base.get(member, ())
        held: Collection[str] = self._around.orcids_of_base.get(member, ())
        score = float("-inf")
        if theirs:
            table = self._scorer.log_odds([one], theirs, self._population.namesakes(one.name))[0]
            nearest = sorted((value for value in table.tolist() if value > float("-inf")), reverse=True)[:3]
            score = sum(nearest) / len(nearest) if nearest else score
        names = {other.name for other in theirs} or set(map(form_of, self._around.names_of_base.get(member, ())))
        return bool(one.orcid) and one.orcid in held, one.name in names, score
