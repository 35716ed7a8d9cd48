"""Several researchers side by side: everything a curator needs to say whether they are one. Reads only."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import Count, F, Max, Min
from rapidfuzz import fuzz, process, utils

from researchers.admin.timeline import Axis, Bar, Place
from researchers.former_names import NAME_FOR_CURATORS, FormerNames
from researchers.models import Attribution, Researcher, ResearcherIdentifier, ResearcherName
from wovepaper.lib.markup import plain

MOST_COLUMNS = 6
"""Researchers that are compared at once; a group has its members to choose from."""
MOST_LISTED = 12
"""Names, affiliations, co-authors and venues that are listed."""
MOST_TITLES = 250
"""Titles of each side among which the nearest pairs are sought, the latest first."""
NEAREST = 5
LARGEST_TEAM = 100
"""Papers with more authors say little about who knows whom, and cost much."""


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
class Column:
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
class SharedCoAuthor:
    """Somebody who wrote with several of the compared: one researcher, or several of one name.

    ``counts`` are the papers with each of the compared, in the order of columns.
    """

    people: tuple[Researcher, ...]
    counts: tuple[int, ...]

    @property
    def papers(self) -> int:
        """All papers of these people."""
        return sum(one.paper_count for one in self.people)


@dataclass(frozen=True, slots=True)
class SharedVenue:
    """A venue of several of the compared."""

    name: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TitlePair:
    """Two papers of different researchers with titles that are alike, by 0 to 100."""

    one: tuple[int, str, str]
    """Paper, title, letter of the column."""
    other: tuple[int, str, str]
    likeness: int


@dataclass(frozen=True, slots=True)
class PaperOfBoth:
    """A paper on which two of the compared stand: they are two people, or a place is wrongly attributed."""

    paper: int
    title: str
    letters: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The whole page."""

    columns: tuple[Column, ...]
    co_authors: tuple[SharedCoAuthor, ...]
    more_co_authors: int
    venues: tuple[SharedVenue, ...]
    titles: tuple[TitlePair, ...]
    papers_of_both: tuple[PaperOfBoth, ...]
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


def compare(roots: Sequence[int]) -> Comparison:
    """Set these researchers side by side. The number of queries does not depend on how much they wrote."""
    columns = _columns(roots)
    ids = [column.pk for column in columns]
    papers = _papers(ids)
    _add_names(columns, papers)
    _add_identifiers(columns)
    axis = _add_years(columns, papers)
    _add_places(columns, axis)
    co_authors = _shared_co_authors(ids)
    both = _papers_of_both(columns, papers)
    return Comparison(
        columns=tuple(columns),
        co_authors=tuple(co_authors[:MOST_LISTED]),
        more_co_authors=max(0, len(co_authors) - MOST_LISTED),
        venues=_shared_venues(columns, papers),
        titles=_nearest_titles(columns, papers),
        papers_of_both=both,
        conflicts=tuple(_conflicts(columns, both)),
        axis=axis,
    )


@dataclass(frozen=True, slots=True)
class _Row:
    paper: int
    title: str
    year: int | None
    venue: str
    printed: str


def _columns(roots: Sequence[int]) -> list[Column]:
    rows = Researcher.objects.filter(root__in=roots).order_by("pk")
    members: defaultdict[int, list[Researcher]] = defaultdict(list)
    for row in rows:
        members[row.root_id].append(row)
    return [
        Column(
            next(one for one in members[root] if one.pk == root),
            letter=chr(ord("A") + place),
            members=tuple(one.pk for one in members[root]),
            claimed=any(one.claimed_at for one in members[root]),
        )
        for place, root in enumerate(sorted(members))
    ]


def _papers(roots: Sequence[int]) -> dict[int, list[_Row]]:
    """Papers of each, the latest first."""
    found: dict[int, list[_Row]] = {root: [] for root in roots}
    rows = Attribution.objects.filter(root__in=roots).order_by("-paper__sort_date", "-paper_id")
    for root, paper, title, day, venue, printed in rows.values_list(
        "root_id", "paper_id", "paper__title", "paper__published_on", "paper__venue", NAME_FOR_CURATORS
    ):
        found[root].append(_Row(paper, title, day.year if day else None, venue, printed))
    return found


def _add_names(columns: Sequence[Column], papers: dict[int, list[_Row]]) -> None:
    known: defaultdict[int, list[str]] = defaultdict(list)
    hidden: defaultdict[int, list[str]] = defaultdict(list)
    rows = ResearcherName.objects.filter(researcher__root__in=[column.pk for column in columns]).order_by("pk")
    for root, value, visibility in rows.values_list("researcher__root_id", "value", "visibility"):
        if visibility == ResearcherName.Visibility.HIDDEN:
            hidden[root].append(value)
        else:
            known[root].append(value)
    for column in columns:
        former = FormerNames.of(hidden[column.pk], shown=column.researcher.display_name)
        counts = Counter(dict.fromkeys((name for name in known[column.pk] if not former.hide(name)), 0))
        for row in papers[column.pk]:
            counts[row.printed] += 1
        column.names = [Variant(name, count) for name, count in counts.most_common(MOST_LISTED)]


def _add_identifiers(columns: Sequence[Column]) -> None:
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


def _conflicts(columns: Sequence[Column], both: Sequence[PaperOfBoth]) -> Iterable[str]:
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


def _add_years(columns: Sequence[Column], papers: dict[int, list[_Row]]) -> Axis | None:
    counts = {column.pk: Counter(row.year for row in papers[column.pk] if row.year) for column in columns}
    years = [year for counted in counts.values() for year in counted]
    axis = Axis.over(years)
    if axis is not None:
        most = max(max(counted.values(), default=0) for counted in counts.values())
        for column in columns:
            column.years = axis.bars(counts[column.pk], most=most)
    return axis


def _add_places(columns: Sequence[Column], axis: Axis | None) -> None:
    rows = (
        Attribution.objects.filter(root__in=[column.pk for column in columns], authorship__affiliations__isnull=False)
        .values("root_id", text=F("authorship__affiliations__text"))
        .annotate(papers=Count("pk"), first=Min("paper__published_on__year"), last=Max("paper__published_on__year"))
        .order_by("first", "-papers", "text")
    )
    by_root: defaultdict[int, list[Place]] = defaultdict(list)
    seen: defaultdict[str, set[int]] = defaultdict(set)
    for row in rows:
        seen[_folded(row["text"])].add(row["root_id"])
        by_root[row["root_id"]].append(Place(row["text"], row["first"], row["last"], row["papers"]))
    for column in columns:
        every = by_root[column.pk]
        kept = sorted(every, key=lambda place: -place.papers)[:MOST_LISTED]
        column.more_places = len(every) - len(kept)
        column.places = [place.on(axis, shared=len(seen[_folded(place.text)]) > 1) for place in every if place in kept]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _shared_co_authors(roots: Sequence[int]) -> list[SharedCoAuthor]:
    """Who wrote with at least two of them, whoever has the fewest papers first: they are the most telling.

    Researchers of one name count together, since the evidence compares names: perhaps they are one, too.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(nullif(person.slug, ''), person.id::text), own.root_id, count(DISTINCT own.paper_id),"
            " array_agg(DISTINCT person.id) FROM researchers_attribution AS own"
            " JOIN papers_paper AS paper ON paper.id = own.paper_id AND paper.author_count <= %s"
            " JOIN researchers_attribution AS other ON other.paper_id = own.paper_id AND other.root_id <> ALL(%s)"
            " JOIN researchers_researcher AS person ON person.id = other.root_id"
            " WHERE own.root_id = ANY(%s) GROUP BY 1, 2",
            [LARGEST_TEAM, list(roots), list(roots)],
        )
        counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        bearers: defaultdict[str, set[int]] = defaultdict(set)
        for name, own, count, people in cursor.fetchall():
            counts[name][own] = count
            bearers[name].update(people)
    shared = [name for name, found in counts.items() if len(found) > 1]
    everybody = Researcher.objects.in_bulk({one for name in shared for one in bearers[name]})
    found = []
    for name in shared:
        people = tuple(sorted((everybody[one] for one in bearers[name]), key=lambda one: (-one.paper_count, one.pk)))
        found.append(SharedCoAuthor(people, tuple(counts[name].get(root, 0) for root in roots)))
    return sorted(found, key=lambda one: (one.papers, one.people[0].pk))


def _shared_venues(columns: Sequence[Column], papers: dict[int, list[_Row]]) -> tuple[SharedVenue, ...]:
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    names: dict[str, str] = {}
    for column in columns:
        for row in papers[column.pk]:
            if row.venue:
                names.setdefault(_folded(row.venue), row.venue)
                counts[_folded(row.venue)][column.pk] += 1
    shared = [(sum(counted.values()), key) for key, counted in counts.items() if len(counted) > 1]
    return tuple(
        SharedVenue(names[key], tuple(counts[key][column.pk] for column in columns))
        for _, key in sorted(shared, key=lambda pair: (-pair[0], pair[1]))[:MOST_LISTED]
    )


def _nearest_titles(columns: Sequence[Column], papers: dict[int, list[_Row]]) -> tuple[TitlePair, ...]:
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


def _papers_of_both(columns: Sequence[Column], papers: dict[int, list[_Row]]) -> tuple[PaperOfBoth, ...]:
    letters: defaultdict[int, str] = defaultdict(str)
    titles = {}
    for column in columns:
        for row in papers[column.pk]:
            letters[row.paper] += column.letter
            titles[row.paper] = row.title
    return tuple(
        PaperOfBoth(paper, plain(titles[paper]), found) for paper, found in sorted(letters.items()) if len(found) > 1
    )
