"""Which paper a record belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from django.db.backends.utils import CursorWrapper

from papers.services.ingest.alignment import initials_key
from papers.sources.records import PaperRecord
from wovepaper.lib.doi import is_of_preprint_server
from wovepaper.lib.numerals import numerals_differ
from wovepaper.lib.text import title_fingerprint

Identifier = tuple[str, str]

STRENGTH = ("arxiv", "doi", "pmid", "openalex", "s2", "dblp")
"""Schemes, the most trusted first."""
YEARS_APART = 1
SHORTEST_TITLE = 12
"""Characters of a fingerprint below which titles ("Erratum", "Introduction") prove nothing."""
LIKE_AUTHORS = 0.5
"""The share of the shorter author list that must be found in the other."""


@dataclass(slots=True)
class Candidate:
    """A paper a record may belong to; ``ref`` is its id, or negative for one that this batch makes."""

    ref: int
    identifiers: set[Identifier] = field(default_factory=set)
    authors: set[tuple[str, str]] = field(default_factory=set)
    years: set[int] = field(default_factory=set)
    title: str = ""
    kind: str = ""
    doi: str = ""
    """The DOI it shows."""
    _records: list[PaperRecord] = field(default_factory=list)

    @property
    def arxiv_ids(self) -> set[str]:
        """The arXiv ids it has."""
        return self.of_scheme("arxiv")

    def of_scheme(self, scheme: str) -> set[str]:
        """Its names in one scheme."""
        return {value for known, value in self.identifiers if known == scheme}

    def names(self) -> Sequence[Names]:
        """Its names of which a work has one of each kind, by what the paper shows and by each record that joins it."""
        return [
            names_of(self.identifiers, self.kind, self.doi),
            *(names_of(one.identifiers, one.kind) for one in self._records),
        ]

    def is_told_apart_by_numerals(self, record: PaperRecord) -> bool:
        """Whether its title, or one of a record that joins it, has other numerals than the record's."""
        titles = {self.title, *(one.title for one in self._records)} - {"", record.title}
        return any(numerals_differ(title, record.title) for title in titles)

    def title_keys(self) -> set[str]:
        """Fingerprints of the titles of the records that join it."""
        return {title_key(one.title) for one in self._records}

    def has_format_of(self, record: PaperRecord) -> bool:
        """Whether the batch brings the record in another format too."""
        return any((one.source, one.external_id) == (record.source, record.external_id) for one in self._records)

    def add(self, record: PaperRecord) -> None:
        """What a record that was found to belong here adds."""
        self.identifiers.update(record.identifiers)
        self._records.append(record)

    def author_keys(self) -> set[tuple[str, str]]:
        """Authors by family name and initial. Only asked for where a title agrees."""
        return self.authors.union(*map(_author_keys, self._records))

    def all_years(self) -> set[int]:
        """The years any record gives."""
        return self.years.union(*map(years_of, self._records))


@dataclass(frozen=True, slots=True)
class Assignment:
    """For each record the id of its paper, or a negative number for a new one; and which identifiers were nobody's.

    ``namesakes`` are pairs of papers of one title, of which a record could join neither or was not let join the other.
    """

    papers: Sequence[int]
    unowned: frozenset[Identifier]
    namesakes: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Names:
    """The names of which one work has one of each kind: a preprint's DOI and its article's may both be its own."""

    arxiv: frozenset[str]
    preprint_dois: frozenset[str]
    dois: frozenset[str]

    def contradict(self, other: Names) -> bool:
        """Whether two works that have these cannot be one."""
        return any(
            mine and theirs and not mine & theirs
            for mine, theirs in (
                (self.arxiv, other.arxiv), (self.preprint_dois, other.preprint_dois), (self.dois, other.dois)
            )
        )  # fmt: skip


def names_of(identifiers: Iterable[Identifier], kind: str, doi: str = "") -> Names:
    """Sort names by kind. The first DOI, or ``doi``, of a preprint that is not on arXiv is the preprint's own.

    What arXiv's records call DOI is the article's.
    """
    arxiv: list[str] = []
    of_preprint: list[str] = []
    dois: list[str] = []
    for scheme, value in identifiers:
        if scheme == "arxiv":
            arxiv.append(value)
        elif scheme == "doi":
            (of_preprint if is_of_preprint_server(value) else dois).append(value)
    if kind == "preprint" and not arxiv and not of_preprint:
        own = doi if doi in dois else next(iter(dois), "")
        of_preprint, dois = [own] if own else [], [name for name in dois if name != own]
    return Names(frozenset(arxiv), frozenset(of_preprint), frozenset(dois))


title_key = lru_cache(maxsize=8_192)(title_fingerprint)
"""``title_fingerprint``, remembered for the page in hand."""


def assign_papers(cursor: CursorWrapper, records: Sequence[PaperRecord]) -> Assignment:
    """Find the papers of records that are not known yet.

    By identifiers, the strongest first; then by title, authors and year, if exactly one paper fits. A record with an
    arXiv id only ever joins a paper that has this arXiv id or none, and none joins a paper whose title differs by
    numerals, unless it is there in another format. A record that names two papers joins the one its strongest
    identifier names; whether they are one is found out afterwards. The order of ``records`` does not matter.
    """
    named = {identifier for record in records for identifier in record.identifiers}
    by_identifier = _owners(cursor, named)
    unowned = frozenset(named - by_identifier.keys())
    order = sorted(range(len(records)), key=lambda index: _order(records[index]))
    keys = [title_key(record.title) for record in records]
    unmatched = {
        keys[index]
        for index, record in enumerate(records)
        if len(keys[index]) >= SHORTEST_TITLE and not any(i in by_identifier for i in record.identifiers)
    }
    by_title = _papers_by_title(
        cursor, unmatched, only_without_arxiv_id=all(_has_arxiv_id(record) for record in records)
    )
    result = [0] * len(records)
    made = 0
    namesakes: set[tuple[int, int]] = set()

    def is_known_format(candidate: Candidate, record: PaperRecord) -> bool:
        return candidate.has_format_of(record) or _has_record(cursor, candidate.ref, record)

    for index in order:
        record = records[index]
        alike = by_title.get(keys[index], ())
        candidate = _by_identifiers(record, by_identifier, is_known_format) or _by_title(record, alike)
        if candidate is None:
            made += 1
            candidate = Candidate(-made)
            namesakes.update((candidate.ref, other.ref) for other in alike)
            if len(keys[index]) >= SHORTEST_TITLE:
                by_title[keys[index]].append(candidate)
        candidate.add(record)
        for identifier in record.identifiers:
            by_identifier.setdefault(identifier, candidate)
        result[index] = candidate.ref
    return Assignment(result, unowned, frozenset(namesakes))


def _order(record: PaperRecord) -> tuple[bool, tuple[str, str], str, str, str]:
    """arXiv records first, by arXiv id."""
    first = min((i for i in record.identifiers if i[0] == "arxiv"), default=("", ""))
    return (not first[0], first, record.source, record.format, record.external_id)


def _has_arxiv_id(record: PaperRecord) -> bool:
    return any(scheme == "arxiv" for scheme, _ in record.identifiers)


def _by_identifiers(
    record: PaperRecord,
    known: Mapping[Identifier, Candidate],
    is_known_format: Callable[[Candidate, PaperRecord], bool],
) -> Candidate | None:
    own = {value for scheme, value in record.identifiers if scheme == "arxiv"}
    for scheme, value in sorted(record.identifiers, key=lambda i: (STRENGTH.index(i[0]), i[1])):
        candidate = known.get((scheme, value))
        if candidate is None:
            continue
        if own and (theirs := candidate.arxiv_ids) and not own & theirs:
            continue
        if candidate.is_told_apart_by_numerals(record) and not is_known_format(candidate, record):
            continue
        return candidate
    return None


def choose(record: PaperRecord, candidates: Iterable[Candidate]) -> Candidate | None:
    """The one of a few papers that a record's strongest identifier names; else the only one that fits it otherwise.

    What two of them name is that of the one without arXiv id, as ownership of identifiers has it.
    """
    candidates = sorted(candidates, key=lambda one: (bool(one.arxiv_ids), one.ref))
    known: dict[Identifier, Candidate] = {}
    for candidate in candidates:
        for identifier in candidate.identifiers:
            known.setdefault(identifier, candidate)
    named = _by_identifiers(record, known, lambda candidate, record: candidate.has_format_of(record))
    key = title_key(record.title)
    return named or _by_title(record, [one for one in candidates if key in one.title_keys()])


def _by_title(record: PaperRecord, candidates: Iterable[Candidate]) -> Candidate | None:
    fitting = [candidate for candidate in candidates if _fits(record, candidate)]
    return fitting[0] if len(fitting) == 1 else None


def _fits(record: PaperRecord, candidate: Candidate) -> bool:
    """Same fingerprint of the title, numerals included, is given."""
    mine = names_of(record.identifiers, record.kind)
    if any(mine.contradict(theirs) for theirs in candidate.names()):
        return False
    years, known_years = years_of(record), candidate.all_years()
    if not years or not known_years or min(abs(a - b) for a in years for b in known_years) > YEARS_APART:
        return False
    authors, known_authors = _author_keys(record), candidate.author_keys()
    shorter = min(len(authors), len(known_authors))
    return bool(shorter) and len(authors & known_authors) / shorter >= LIKE_AUTHORS


def _author_keys(record: PaperRecord) -> set[tuple[str, str]]:
    return {initials_key(author.name) for author in record.authors}


def years_of(record: PaperRecord) -> set[int]:
    """The years a record gives."""
    years = {version.submitted_at.year for version in record.versions if version.submitted_at}
    if record.published is not None:
        years.add(record.published.year)
    return years


def _owners(cursor: CursorWrapper, identifiers: Collection[Identifier]) -> dict[Identifier, Candidate]:
    if not identifiers:
        return {}
    cursor.execute(
        "SELECT i.scheme, i.value, coalesce(p.redirect_to_id, p.id), p.arxiv_id, p.title"
        " FROM papers_paperidentifier i"
        " JOIN unnest(%s::text[], %s::text[]) AS given(scheme, value)"
        " ON i.scheme = given.scheme AND i.value = given.value"
        " JOIN papers_paper p ON p.id = i.paper_id",
        [[scheme for scheme, _ in identifiers], [value for _, value in identifiers]],
    )
    papers: dict[int, Candidate] = {}
    found: dict[Identifier, Candidate] = {}
    for scheme, value, paper_id, arxiv_id, title in cursor.fetchall():
        candidate = papers.setdefault(paper_id, Candidate(paper_id, title=title))
        candidate.identifiers.add((scheme, value))
        if arxiv_id:
            candidate.identifiers.add(("arxiv", arxiv_id))
        found[scheme, value] = candidate
    return found


def _has_record(cursor: CursorWrapper, paper: int, record: PaperRecord) -> bool:
    """Whether the paper has the record in another format. Asked only where numerals tell the titles apart."""
    cursor.execute(
        "SELECT EXISTS (SELECT FROM papers_sourcerecord WHERE paper_id = %s AND source = %s AND external_id = %s)",
        [paper, record.source, record.external_id],
    )
    return bool(cursor.fetchone()[0])


def _papers_by_title(
    cursor: CursorWrapper, keys: Collection[str], *, only_without_arxiv_id: bool
) -> defaultdict[str, list[Candidate]]:
    """Papers with these fingerprints. A record with an arXiv id can only join a paper that has none."""
    found: defaultdict[str, list[Candidate]] = defaultdict(list)
    if not keys:
        return found
    cursor.execute(
        "SELECT p.title_key, p.id, p.title, p.kind, p.doi, extract(year FROM p.published_on)::int,"
        " ARRAY(SELECT i.scheme || ' ' || i.value FROM papers_paperidentifier i WHERE i.paper_id = p.id),"
        " ARRAY(SELECT coalesce(a.replaced_name, a.name) FROM papers_authorship a WHERE a.paper_id = p.id"
        " ORDER BY a.position)"
        " FROM papers_paper p WHERE p.title_key <> '' AND p.title_key = ANY(%s) AND p.redirect_to_id IS NULL"
        " AND (p.arxiv_id = '' OR NOT %s) ORDER BY p.id",
        [list(keys), only_without_arxiv_id],
    )
    for key, paper_id, title, kind, doi, year, identifiers, names in cursor.fetchall():
        candidate = Candidate(paper_id, title=title, kind=kind, doi=doi)
        for text in identifiers:
            scheme, _, value = text.partition(" ")
            candidate.identifiers.add((scheme, value))
        candidate.authors.update(initials_key(name) for name in names)
        if year is not None:
            candidate.years.add(year)
        found[key].append(candidate)
    return found
