"""Several researchers side by side, with what only curators see: conflicts, identifiers, and titles that are alike.

What they have in common is read by ``researchers.services.comparison``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process, utils

from researchers.admin.timeline import Axis, Bar, Place
from researchers.models import Researcher, ResearcherIdentifier
from researchers.services.comparison import (
    PrintedPaper,
    SharedCoAuthor,
    SharedVenue,
    affiliations_of,
    papers_by_year,
    papers_of_both,
    printed_papers,
    shared_co_authors,
    shared_venues,
    shown_names,
)
from wovepaper.lib.markup import plain

MOST_COLUMNS = 6
"""Researchers that are compared at once; a group has its members to choose from."""
MOST_LISTED = 12
"""Names, affiliations, co-authors and venues that are listed."""
MOST_TITLES = 250
"""Titles of each side among which the nearest pairs are sought, the latest first."""
NEAREST = 5


@dataclass(frozen=True, slots=True)
class Variant:
    """A name as printed, on how many papers."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Identifier:
    """``conflict`` says in words what is wrong with it, or is empty; ``shared`` names those it stands on too."""

    pk: int
    scheme: str
    label: str
    value: str
    state: str
    state_label: str
    provenance: str
    conflict: str = ""
    shared: tuple[int, ...] = ()


@dataclass(slots=True)
class CuratorColumn:
    """One researcher: the root and whoever is merged into it."""

    researcher: Researcher
    letter: str
    members: tuple[int, ...]
    names: list[Variant] = field(default_factory=list)
    identifiers: list[Identifier] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    more_places: int = 0
    years: list[Bar] = field(default_factory=list)
    claimed: bool = False

    @property
    def pk(self) -> int:
        """The number of the root."""
        return self.researcher.pk


@dataclass(frozen=True, slots=True)
class TitlePair:
    """Two papers of different researchers with titles that are alike, by 0 to 100."""

    one: tuple[int, str, str]
    """Paper, title, letter of the column."""
    other: tuple[int, str, str]
    likeness: int


@dataclass(frozen=True, slots=True)
class PaperWithBoth:
    """A paper on which the compared with these letters stand."""

    paper: int
    title: str
    letters: str


@dataclass(frozen=True, slots=True)
class CuratorComparison:
    """The whole page."""

    columns: tuple[CuratorColumn, ...]
    co_authors: tuple[SharedCoAuthor, ...]
    more_co_authors: int
    venues: tuple[SharedVenue, ...]
    titles: tuple[TitlePair, ...]
    papers_of_both: tuple[PaperWithBoth, ...]
    conflicts: tuple[str, ...]
    axis: Axis | None

    @property
    def roots(self) -> list[int]:
        """Numbers of the columns."""
        return [column.pk for column in self.columns]

    @property
    def other_orcids(self) -> bool:
        """Whether two of them have different trusted ORCIDs."""
        return len({one.value for column in self.columns for one in column.identifiers if _is_trusted_orcid(one)}) > 1


def roots_of(members: Iterable[int]) -> dict[int, int]:
    """Members of a candidate to whom they are shown as now; who is unknown or erased is left out."""
    rows = Researcher.objects.filter(pk__in=list(members), root__erased_at=None).order_by("pk")
    return dict(rows.values_list("pk", "root_id"))


def compare(roots: Sequence[int]) -> CuratorComparison:
    """Set these researchers side by side. The number of queries does not depend on how much they wrote."""
    columns = _columns(roots)
    ids = [column.pk for column in columns]
    papers = printed_papers(ids)
    _add_names(columns, papers)
    _add_identifiers(columns)
    axis = _add_years(columns)
    _add_places(columns, axis)
    co_authors = shared_co_authors(ids, most=MOST_LISTED)
    letters = {column.pk: column.letter for column in columns}
    both = tuple(
        PaperWithBoth(one.paper, plain(one.title), "".join(letters[root] for root in one.researchers))
        for one in papers_of_both(papers)
    )
    return CuratorComparison(
        columns=tuple(columns),
        co_authors=co_authors.shown,
        more_co_authors=co_authors.more,
        venues=shared_venues(ids, most=MOST_LISTED),
        titles=_nearest_titles(columns, papers),
        papers_of_both=both,
        conflicts=tuple(_conflicts(columns, both)),
        axis=axis,
    )


def _columns(roots: Sequence[int]) -> list[CuratorColumn]:
    rows = Researcher.objects.filter(root__in=roots).order_by("pk")
    members: defaultdict[int, list[Researcher]] = defaultdict(list)
    for row in rows:
        members[row.root_id].append(row)
    return [
        CuratorColumn(
            next(one for one in members[root] if one.pk == root),
            letter=chr(ord("A") + place),
            members=tuple(one.pk for one in members[root]),
            claimed=any(one.claimed_at for one in members[root]),
        )
        for place, root in enumerate(sorted(members))
    ]


def _add_names(columns: Sequence[CuratorColumn], papers: Mapping[int, Sequence[PrintedPaper]]) -> None:
    known = shown_names([column.researcher for column in columns])
    for column in columns:
        counts = Counter(dict.fromkeys(known[column.pk], 0))
        counts.update(one.name for one in papers[column.pk])
        column.names = [Variant(name, count) for name, count in counts.most_common(MOST_LISTED)]


def _add_identifiers(columns: Sequence[CuratorColumn]) -> None:
    by_root: defaultdict[int, list[ResearcherIdentifier]] = defaultdict(list)
    holders: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    rows = ResearcherIdentifier.objects.filter(researcher__root__in=[column.pk for column in columns])
    for row in rows.select_related("researcher").order_by("scheme", "pk"):
        by_root[row.researcher.root_id].append(row)
        holders[row.scheme, row.value].add(row.researcher.root_id)
    for column in columns:
        found = by_root[column.pk]
        orcids = {row.value for row in found if row.scheme == "orcid" and row.state == "trusted"}
        for row in found:
            others = tuple(sorted(holders[row.scheme, row.value] - {column.pk}))
            conflict = ""
            if row.state == ResearcherIdentifier.State.CONFLICT:
                conflict = "In conflict: a source printed it where it may not belong"
            elif row.scheme == "orcid" and row.state == "trusted" and len(orcids) > 1:
                conflict = "One of several trusted ORCIDs of this researcher"
            column.identifiers.append(
                Identifier(
                    row.pk,
                    row.scheme,
                    row.get_scheme_display(),
                    row.value,
                    row.state,
                    row.get_state_display(),
                    provenance_in_words(row.provenance),
                    conflict,
                    others,
                )
            )
        column.identifiers.sort(key=lambda one: (not one.conflict, one.scheme != "orcid", one.state != "trusted"))


def provenance_in_words(provenance: Mapping[str, object]) -> str:
    """Where an identifier came from, on one line."""
    parts = [f"from {provenance['from']}"] if provenance.get("from") else []
    if provenance.get("authorship"):
        parts.append(f"printed on author {provenance['authorship']}")
    parts += [
        str(value) if name == "why" else f"{name.replace('_', ' ')} {value}"
        for name, value in provenance.items()
        if name not in ("from", "authorship", "by", "before") and value
    ]
    return ", ".join(parts)


def _is_trusted_orcid(one: Identifier) -> bool:
    return one.scheme == "orcid" and one.state == "trusted"


def _conflicts(columns: Sequence[CuratorColumn], both: Sequence[PaperWithBoth]) -> Iterable[str]:
    trusted = {column.letter: {one.value for one in column.identifiers if _is_trusted_orcid(one)} for column in columns}
    with_orcid = [letter for letter, values in trusted.items() if values]
    if len(set().union(*trusted.values())) > 1 and len(with_orcid) > 1:
        yield f"Different trusted ORCIDs: {' and '.join(with_orcid)}. Some people own two; most are two people."
    for letter, values in trusted.items():
        if len(values) > 1:
            yield f"{letter} has {len(values)} trusted ORCIDs. They may be several people."
    for column in columns:
        for one in column.identifiers:
            if one.state == ResearcherIdentifier.State.CONFLICT:
                yield f"{one.label} {one.value} on {column.letter} is in conflict."
    if both:
        count = len(both)
        yield f"They stand together on {count} paper{'' if count == 1 else 's'}, and nobody is twice on a paper."
    for column in columns:
        if column.claimed:
            yield f"{column.letter} is claimed: the person proved to be this researcher."


def _add_years(columns: Sequence[CuratorColumn]) -> Axis | None:
    counts = papers_by_year([column.pk for column in columns])
    axis = Axis.over(year for counted in counts.values() for year in counted)
    if axis is not None:
        most = max(max(counted.values(), default=0) for counted in counts.values())
        for column in columns:
            column.years = axis.bars(counts[column.pk], most=most)
    return axis


def _add_places(columns: Sequence[CuratorColumn], axis: Axis | None) -> None:
    found = affiliations_of([column.pk for column in columns], first="most", most=MOST_LISTED)
    for column in columns:
        own = found[column.pk]
        column.more_places = own.more
        places = [
            Place(one.text, one.first_year, one.last_year, one.papers).on(axis, shared=one.shared) for one in own.shown
        ]
        # As a life goes; those whose papers are undated come last.
        column.places = sorted(places, key=lambda one: (one.first is None, one.first or 0, -one.papers, one.text))


def _nearest_titles(
    columns: Sequence[CuratorColumn], papers: Mapping[int, Sequence[PrintedPaper]]
) -> tuple[TitlePair, ...]:
    sides = [
        (column.letter, [(row.paper, plain(row.title)) for row in papers[column.pk][:MOST_TITLES]])
        for column in columns
    ]
    pairs: list[TitlePair] = []
    for place, (letter, ours) in enumerate(sides):
        for other_letter, theirs in sides[place + 1 :]:
            pairs.extend(_nearest_of(letter, ours, other_letter, theirs))
    return tuple(sorted(pairs, key=lambda pair: (-pair.likeness, pair.one, pair.other))[:NEAREST])


def _nearest_of(
    letter: str, ours: Sequence[tuple[int, str]], other_letter: str, theirs: Sequence[tuple[int, str]]
) -> Iterable[TitlePair]:
    known = {paper for paper, _ in ours}
    theirs = [one for one in theirs if one[0] not in known]
    if not ours or not theirs:
        return
    table = process.cdist(
        [title for _, title in ours], [title for _, title in theirs],
        scorer=fuzz.token_set_ratio, processor=utils.default_process, score_cutoff=40,
    )  # fmt: skip
    flat = table.ravel()
    for index in flat.argsort()[::-1][:NEAREST]:
        if flat[index] <= 0:
            return
        row, column = divmod(int(index), len(theirs))
        yield TitlePair((*ours[row], letter), (*theirs[column], other_letter), round(float(flat[index])))
