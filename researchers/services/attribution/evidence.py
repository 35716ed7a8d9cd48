"""What the catalogue knows of papers and their authors, read as evidence in a fixed number of queries."""

from __future__ import annotations

import hashlib
import itertools
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from django.db import connection

from researchers.matching.evidence import AuthorshipEvidence, PaperEvidence, affiliation_words, title_words
from researchers.matching.names import NameForm, form_of, name_form
from researchers.services.arrays import bigints
from researchers.services.attribution.printed import fullest, is_person
from wovepaper.lib import orcid as orcids

AT_ONCE = 10_000
"""Papers that are read by one round of queries: it bounds the memory of what is not kept."""
MOST_CO_AUTHORS = 250
"""Authors of a known paper that are read; the matching compares no more than 100."""


Affiliations = tuple[tuple[str, ...], tuple[int, ...]]
"""As printed beside one author, and the institutions that they name. Whether a paper has changed is told by what is
printed alone: that it is read otherwise by now is no reason to decide its authors anew."""


@dataclass(slots=True)
class LoadedPaper:
    """A paper with those of its authors who are people and were asked for."""

    evidence: PaperEvidence
    people: list[AuthorshipEvidence]
    evidence_hash: int = 0


@dataclass(slots=True)
class Loaded:
    """Papers by id, and what is not evidence but is needed to write: names as printed and who printed them."""

    papers: dict[int, LoadedPaper] = field(default_factory=dict)
    printed: dict[int, str] = field(default_factory=dict)
    """By authorship: the name by precedence of sources, whatever is shown in its place."""
    records: dict[int, int] = field(default_factory=dict)
    """By authorship: the source record whose spelling is shown."""

    def people(self) -> Iterator[AuthorshipEvidence]:
        """Everybody, by papers."""
        for paper in self.papers.values():
            yield from paper.people


def load_papers(papers: Collection[int], *, only: Collection[int] | None = None, into: Loaded | None = None) -> Loaded:
    """Read papers, besides what was read ``into`` before; those that redirect are left out.

    Of papers with ``only``, authorships are made of those alone, co-authors beyond the first ``MOST_CO_AUTHORS`` are
    left out and neither hash nor printed names are kept: such papers are what others are compared with.
    """
    loaded = into or Loaded()
    wanted = None if only is None else set(only)
    ordered = sorted(papers)
    for start in range(0, len(ordered), AT_ONCE):
        _load(ordered[start : start + AT_ONCE], wanted, loaded)
    return loaded


def hash_of_print(one: AuthorshipEvidence) -> int:
    """Whether a printed name or its ORCID is another than before shows in this number."""
    return zlib.crc32(f"{one.name.key}|{one.name.suffix}|{one.orcid}".encode())


def _load(papers: Sequence[int], only: set[int] | None, loaded: Loaded) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, title, venue, extract(year FROM published_on)::int FROM papers_paper"
            " WHERE id = ANY(%s::bigint[]) AND redirect_to_id IS NULL ORDER BY id",
            [bigints(papers)],
        )
        facts = cursor.fetchall()
        most = 2**31 - 1 if only is None else MOST_CO_AUTHORS
        parameters: list[Any] = [bigints(papers), most, bigints(only or ())]
        cursor.execute(
            "SELECT place.paper_id, place.id, coalesce(place.replaced_name, place.name), place.is_collaboration,"
            " printed.name, printed.given, printed.family, printed.suffix, printed.orcid, printed.source_author_id,"
            " printed.source_record_id"
            " FROM papers_authorship AS place"
            " LEFT JOIN papers_sourceauthorship AS printed ON printed.authorship_id = place.id"
            " WHERE place.paper_id = ANY(%s::bigint[]) AND (place.position <= %s OR place.id = ANY(%s::bigint[]))"
            " ORDER BY place.paper_id, place.position, printed.id",
            parameters,
        )
        rows = cursor.fetchall()
        cursor.execute(
            "SELECT printed.authorship_id, printed.text, printed.institution_id FROM papers_authorship AS place"
            " JOIN papers_affiliation AS printed ON printed.authorship_id = place.id"
            " WHERE place.paper_id = ANY(%s::bigint[]) AND (place.position <= %s OR place.id = ANY(%s::bigint[]))"
            " ORDER BY printed.authorship_id, printed.id",
            parameters,
        )
        affiliations: dict[int, Affiliations] = {}
        for authorship, group in itertools.groupby(cursor.fetchall(), itemgetter(0)):
            entries = list(group)
            affiliations[authorship] = (
                tuple(text for _, text, _ in entries),
                tuple(sorted({one for _, _, one in entries if one is not None})),
            )
        sources = _sources_of({row[10] for row in rows if row[9]})
    of_paper = {paper: list(group) for paper, group in itertools.groupby(rows, itemgetter(0))}
    for paper, title, venue, year in facts:
        _add_paper(paper, (title, venue, year), of_paper.get(paper, []), affiliations, sources, only, loaded)


def _sources_of(records: set[int]) -> dict[int, str]:
    if not records:
        return {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, source FROM papers_sourcerecord WHERE id = ANY(%s::bigint[])", [bigints(records)])
        return dict(cursor.fetchall())


def _add_paper(
    paper: int,
    facts: tuple[str, str, int | None],
    rows: Sequence[tuple[Any, ...]],
    affiliations: dict[int, Affiliations],
    sources: dict[int, str],
    only: set[int] | None,
    loaded: Loaded,
) -> None:
    title, venue, year = facts
    entries: list[tuple[int, NameForm, frozenset[str], str, frozenset[str]]] = []
    names: list[NameForm] = []
    together: set[str] = set()
    said: list[str] = []
    for authorship, group in _by_authorship(rows):
        name, collaboration = group[0][2], group[0][3]
        form, record = _form(name, group)
        if collaboration or not is_person(name, form=form):
            continue
        names.append(form)
        texts, institutions = affiliations.get(authorship, ((), ()))
        words = affiliation_words(texts, institutions) if texts else frozenset()
        together |= words
        if only is not None and authorship not in only:
            continue
        orcid, ids = _ids(group, sources)
        entries.append((authorship, form, words, orcid, ids))
        if only is None:
            loaded.printed[authorship] = name
            loaded.records[authorship] = record
            said.append("\x1e".join((str(authorship), form.key, form.suffix, orcid, *texts)))
    evidence = PaperEvidence(paper, tuple(names), title_words(title), frozenset(together), venue, year)
    people = [AuthorshipEvidence(one, evidence, form, words, orcid, ids) for one, form, words, orcid, ids in entries]
    loaded.papers[paper] = LoadedPaper(evidence, people, _hash([title, venue, str(year), *sorted(said)]))


def _hash(said: Sequence[str]) -> int:
    """The order of authors is no evidence."""
    return int.from_bytes(hashlib.blake2b("\x1f".join(said).encode(), digest_size=8).digest(), signed=True)


def _by_authorship(rows: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Sequence[tuple[Any, ...]]]]:
    start = 0
    for end in range(1, len(rows) + 1):
        if end == len(rows) or rows[end][1] != rows[start][1]:
            yield rows[start][1], rows[start:end]
            start = end


def _form(name: str, group: Sequence[tuple[Any, ...]]) -> tuple[NameForm, int]:
    """The form of the shown name by the parts a source gives it, and the record of that source or 0."""
    first = group[0]
    if len(group) == 1 and first[4] == name and (first[6] or first[5]):
        return name_form(first[5], first[6], first[7]), first[10]
    shown, record, others = None, 0, []
    for row in group:
        if not (row[5] or row[6]):
            record = record or (row[10] if row[4] == name else 0)
            continue
        form = name_form(row[5], row[6], row[7])
        if shown is None and row[4] == name:
            shown, record = form, row[10]
        else:
            others.append(form)
    return fullest(shown or form_of(name), others), record or 0


def _ids(group: Sequence[tuple[Any, ...]], sources: dict[int, str]) -> tuple[str, frozenset[str]]:
    """The ORCID that no source contradicts, and the sources' own ids."""
    if len(group) == 1 and not group[0][8] and not group[0][9]:
        return "", frozenset()
    given = {found for row in group if row[8] and (found := orcids.normalise(row[8]))}
    ids = frozenset(f"{sources.get(row[10], '')}:{row[9]}" for row in group if row[9])
    return (given.pop() if len(given) == 1 else ""), ids
