"""The researchers that new authorships may be of, with all that is attributed to them."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from django.db import connection

from researchers.matching.evidence import AuthorshipEvidence, Decisions, KnownResearcher
from researchers.matching.names import NameForm, form_of
from researchers.services.arrays import bigints, texts
from researchers.services.attribution.evidence import load_papers
from researchers.services.attribution.printed import searched_keys

MOST_OF_A_KEY = 2_000
"""Researchers that are looked at for one key of a name, those with the most papers first: so many bear no name that
can be told apart, and one batch stays bounded."""
MOST_OF_ONE = 400
"""Authorships that are read of one researcher, spread over all; the matching compares at most 300."""


@dataclass(slots=True)
class Surroundings:
    """Known researchers, by the root of merges, and what people decided about the new authorships and them."""

    known: dict[int, KnownResearcher] = field(default_factory=dict)
    members: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Of roots that stand for several researchers: all of them."""
    of_base: dict[int, list[AuthorshipEvidence]] = field(default_factory=dict)
    """What was read of each of those several."""
    orcids_of_base: dict[int, set[str]] = field(default_factory=dict)
    names_of_base: dict[int, set[str]] = field(default_factory=dict)
    """As printed."""
    sizes: dict[int, int] = field(default_factory=dict)
    """How many authorships each root keeps, whatever was read of them."""
    sizes_of_base: dict[int, int] = field(default_factory=dict)
    decisions: Decisions = field(default_factory=Decisions)
    bases_decided: dict[int, int] = field(default_factory=dict)
    """By authorship: whom people said it is; the resolution names the root."""


def load_surroundings(
    new: Sequence[AuthorshipEvidence],
    *,
    standing: Iterable[AuthorshipEvidence],
    roots: Collection[int],
    until: int | None = None,
    released: Collection[int] = (),
) -> Surroundings:
    """Everybody with a name or an ORCID that ``new`` may be of, and the ``roots`` besides.

    ``standing`` are authorships of the same papers that are decided and are not looked at again. What is attributed to
    anybody now and is not among ``new`` is theirs. In a run over everything, ``until`` is the last paper of its earlier
    batches: of papers after it only what people decided counts, and nobody without an authorship is known. The same
    goes for ``released``: roots whose authorships are among ``new`` to be decided from nothing.
    """
    found = Surroundings()
    new_ids = {one.id for one in new}
    _read_decisions(new_ids, found)
    ids = set(roots) | set(found.decisions.is_of.values())
    ids |= _roots_by_orcids({one.orcid for one in new if one.orcid}, by_people=until is not None)
    if until != 0:
        ids |= _roots_by_names({one.name for one in new})
    if ids:
        _read_people(sorted(ids), new_ids, {one.id: one for one in standing}, until, found)
    needed = set(roots) | set(found.decisions.is_of.values())
    found.known = {
        root: one
        for root, one in found.known.items()
        if one.authorships or one.orcids or root in needed or (until is None and root not in released)
    }
    return found


def _roots_by_names(forms: Iterable[NameForm]) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM researchers_researchername)")
        if not cursor.fetchone()[0]:
            return set()
        wanted = set(chain.from_iterable(map(searched_keys, forms)))
        # Key by key: the operator for lists compares every key of one list with every key of the other.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "SELECT key.value, top.id, top.paper_count FROM unnest(%s::text[]) AS key(value)"
            " JOIN researchers_researchername AS name ON name.match_keys @> ARRAY[key.value]::varchar[]"
            " JOIN researchers_researcher AS person ON person.id = name.researcher_id"
            " JOIN researchers_researcher AS top ON top.id = person.root_id AND top.erased_at IS NULL",
            [texts(sorted(wanted))],
        )
        by_key: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
        for key, root, papers in cursor.fetchall():
            by_key[key].add((papers, root))
        cursor.execute("SET LOCAL enable_seqscan = on")
    found: set[int] = set()
    for bearers in by_key.values():
        if len(bearers) > MOST_OF_A_KEY:
            found.update(root for _, root in heapq.nsmallest(MOST_OF_A_KEY, bearers, key=_most_papers_first))
        else:
            found.update(root for _, root in bearers)
    return found


def _most_papers_first(bearer: tuple[int, int]) -> tuple[int, int]:
    papers, root = bearer
    return -papers, root


def _roots_by_orcids(orcids: Collection[str], *, by_people: bool) -> set[int]:
    """Those who hold one of these ORCIDs; ``by_people`` leaves out what sources said of them."""
    if not orcids:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT person.root_id FROM researchers_researcheridentifier AS held"
            " JOIN researchers_researcher AS person ON person.id = held.researcher_id"
            " WHERE held.scheme = 'orcid' AND held.state = 'trusted' AND held.value = ANY(%s)"
            " AND NOT (%s AND held.provenance ->> 'from' IS NOT DISTINCT FROM 'sources')",
            [sorted(orcids), by_people],
        )
        return {row[0] for row in cursor.fetchall()}


def _read_decisions(new: Collection[int], found: Surroundings) -> None:
    is_of: dict[int, int] = {}
    is_not: set[tuple[int, int]] = set()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT said.authorship_id, said.verdict, said.researcher_id, person.root_id"
            " FROM researchers_decision AS said JOIN researchers_researcher AS person ON person.id = said.researcher_id"
            " WHERE NOT said.revoked AND said.authorship_id = ANY(%s::bigint[])",
            [bigints(new)],
        )
        for authorship, verdict, researcher, root in cursor.fetchall():
            if verdict == "is":
                is_of[authorship] = root
                found.bases_decided[authorship] = researcher
            else:
                is_not.add((authorship, root))
    found.decisions = Decisions(is_of, frozenset(is_not))


def _read_people(
    roots: Sequence[int],
    new: set[int],
    standing: dict[int, AuthorshipEvidence],
    until: int | None,
    found: Surroundings,
) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT person.root_id, person.id FROM researchers_researcher AS person"
            " WHERE person.root_id = ANY(%s::bigint[]) AND person.id <> person.root_id ORDER BY person.id",
            [bigints(roots)],
        )
        merged: defaultdict[int, list[int]] = defaultdict(list)
        for root, member in cursor.fetchall():
            merged[root].append(member)
        found.members = {root: (root, *members) for root, members in merged.items()}
        cursor.execute(
            "SELECT root_id, base_id, authorship_id, paper_id FROM researchers_attribution"
            " WHERE root_id = ANY(%s::bigint[])"
            " AND (%s OR paper_id <= %s OR decided_by IN ('human', 'claim')) ORDER BY paper_id, authorship_id",
            [bigints(roots), until is None, until or 0],
        )
        rows: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
        for root, *row in cursor.fetchall():
            if row[1] not in new:
                rows[root].append(tuple(row))
                found.sizes_of_base[row[0]] = found.sizes_of_base.get(row[0], 0) + 1
        cursor.execute(
            "SELECT person.root_id, name.researcher_id, name.value FROM researchers_researcher AS person"
            " JOIN researchers_researchername AS name ON name.researcher_id = person.id"
            " WHERE person.root_id = ANY(%s::bigint[])",
            [bigints(roots)],
        )
        names: defaultdict[int, set[str]] = defaultdict(set)
        for root, base, value in cursor.fetchall():
            names[root].add(value)
            found.names_of_base.setdefault(base, set()).add(value)
        cursor.execute(
            "SELECT person.root_id, held.researcher_id, held.value, held.provenance ->> 'from'"
            " FROM researchers_researcher AS person"
            " JOIN researchers_researcheridentifier AS held ON held.researcher_id = person.id"
            " WHERE person.root_id = ANY(%s::bigint[]) AND held.scheme = 'orcid' AND held.state = 'trusted'",
            [bigints(roots)],
        )
        orcids: defaultdict[int, list[tuple[str, bool]]] = defaultdict(list)
        for root, base, value, origin in cursor.fetchall():
            orcids[root].append((value, origin == "sources"))
            found.orcids_of_base.setdefault(base, set()).add(value)
        cursor.execute(
            "SELECT one.root_id, other.root_id FROM researchers_assertion AS said"
            " JOIN researchers_researcher AS one ON one.id = said.a_id"
            " JOIN researchers_researcher AS other ON other.id = said.b_id"
            " WHERE said.kind = 'different' AND NOT said.revoked AND one.root_id = ANY(%s::bigint[])"
            " AND other.root_id = ANY(%s::bigint[])",
            [bigints(roots), bigints(roots)],
        )
        different = frozenset((min(pair), max(pair)) for pair in cursor.fetchall())
    decisions = found.decisions
    found.decisions = Decisions(decisions.is_of, decisions.is_not, different)
    read = {root: _spread(of_root, standing) for root, of_root in rows.items()}
    wanted = {row[1] for of_root in read.values() for row in of_root if row[1] not in standing}
    papers = {row[2] for of_root in read.values() for row in of_root if row[1] in wanted}
    evidence = {one.id: one for one in load_papers(papers, only=wanted).people()} | standing
    for root in roots:
        theirs = [(base, evidence[place]) for base, place, _ in read.get(root, ()) if place in evidence]
        found.sizes[root] = len(rows.get(root, ()))
        if root in found.members:
            for base, one in theirs:
                found.of_base.setdefault(base, []).append(one)
        printed = {one.name.key for _, one in theirs}
        forms = {form_of(value) for value in names.get(root, ())}
        backed = {one.orcid for _, one in theirs}
        # An ORCID that sources gave counts as long as one of them still prints it.
        trusted = {value for value, by_sources in orcids.get(root, ()) if value in backed or not by_sources}
        found.known[root] = KnownResearcher(
            root,
            tuple(one for _, one in theirs),
            tuple(sorted((form for form in forms if form.key not in printed), key=lambda form: form.words)),
            frozenset(trusted),
        )


def _spread(
    rows: Sequence[tuple[int, int, int]], standing: dict[int, AuthorshipEvidence]
) -> Sequence[tuple[int, int, int]]:
    """Some of very many, evenly, and all that stand on papers of this batch."""
    if len(rows) <= MOST_OF_ONE:
        return rows
    chosen = {index * len(rows) // MOST_OF_ONE for index in range(MOST_OF_ONE)}
    return [row for index, row in enumerate(rows) if index in chosen or row[1] in standing]


def load_neighbours(roots: Collection[int]) -> Surroundings:
    """These researchers, and everybody whose names may be of one with theirs; nothing is new."""
    theirs = Surroundings()
    _read_people(sorted(roots), set(), {}, None, theirs)
    forms = {one.name for known in theirs.known.values() for one in known.authorships}
    forms |= {name for known in theirs.known.values() for name in known.names}
    found = Surroundings()
    _read_people(sorted({*roots, *_roots_by_names(forms)}), set(), {}, None, found)
    return found
