"""Which paper owns an identifier that several claim."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.backends.utils import CursorWrapper

from papers.services.ingest.identity import Identifier
from wovepaper.harvest.rows import copy_rows, delete_rows

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, order=True)
class _Claimant:
    """The smallest owns the identifier: a paper without arXiv id before one with, then by arXiv id, then by number.

    Between arXiv papers that does not depend on which came first. A paper without arXiv id lives from its identifier
    alone, so it is not taken away from it.
    """

    has_arxiv_id: bool
    arxiv_id: str
    paper_id: int


@dataclass(frozen=True, slots=True)
class Settled:
    """The papers whose own identifiers changed; and of each identifier that two papers name, claimant and owner."""

    changed: set[int]
    ties: frozenset[tuple[int, int]] = frozenset()


def settle_claims(
    cursor: CursorWrapper,
    claims: Mapping[int, Collection[Identifier]],
    arxiv_ids: Mapping[int, str],
    *,
    new: set[int],
    unowned: frozenset[Identifier] = frozenset(),
) -> Settled:
    """Write who owns what: ``claims`` are all identifiers that the records of these papers name, by paper.

    ``new`` are the papers that were made in this transaction, of which the database knows no claim; ``unowned`` the
    identifiers of which it is known already that nobody has them.
    """
    known = [paper_id for paper_id in claims if paper_id not in new]
    claimed = {identifier for identifiers in claims.values() for identifier in identifiers} - unowned
    standing = _standing_claims(cursor, known, claimed) if known or claimed else []
    owners: dict[Identifier, tuple[int, int]] = {}  # identifier: row, paper
    clash_rows: dict[tuple[Identifier, int], int] = {}
    claimants: defaultdict[Identifier, set[_Claimant]] = defaultdict(set)
    for table, row, identifier, paper_id, arxiv_id in standing:
        if table == "owner":
            owners[identifier] = (row, paper_id)
        else:
            clash_rows[identifier, paper_id] = row
        if paper_id not in claims:
            claimants[identifier].add(_Claimant(bool(arxiv_id), arxiv_id, paper_id))
        else:
            claimants[identifier]
    for paper_id, identifiers in claims.items():
        arxiv_id = arxiv_ids[paper_id]
        claimant = _Claimant(bool(arxiv_id), arxiv_id, paper_id)
        for identifier in identifiers:
            claimants[identifier].add(claimant)

    changed: set[int] = set()
    added, moved, deleted = [], [], []
    clashes_added: list[tuple[int, str, str]] = []
    clashes_wanted: set[tuple[Identifier, int]] = set()
    ties: set[tuple[int, int]] = set()
    for identifier, papers in claimants.items():
        row, owner = owners.get(identifier, (0, 0))
        if not papers:
            if row:
                deleted.append(row)
                changed.add(owner)
            continue
        winner = min(papers).paper_id
        if not row:
            added.append((winner, *identifier))
            changed.add(winner)
        elif owner != winner:
            moved.append((row, winner))
            changed |= {owner, winner}
        for claimant in papers:
            if claimant.paper_id != winner:
                clashes_wanted.add((identifier, claimant.paper_id))
                ties.add((claimant.paper_id, winner))
    for identifier, paper_id in sorted(clashes_wanted - clash_rows.keys()):
        clashes_added.append((paper_id, *identifier))
        logger.warning("Paper %s also claims %s:%s, which another paper owns.", paper_id, *identifier)

    delete_rows(cursor, "papers_paperidentifier", deleted)
    if moved:
        cursor.execute(
            "UPDATE papers_paperidentifier AS kept SET paper_id = given.paper_id"
            " FROM unnest(%s::bigint[], %s::bigint[]) AS given(id, paper_id) WHERE kept.id = given.id",
            [[row for row, _ in moved], [paper_id for _, paper_id in moved]],
        )
    copy_rows(cursor, "papers_paperidentifier", ("paper_id", "scheme", "value"), added)
    delete_rows(cursor, "papers_identifierclash", [row for key, row in clash_rows.items() if key not in clashes_wanted])
    if clashes_added:
        cursor.execute(
            "INSERT INTO papers_identifierclash (paper_id, scheme, value, noted_at)"
            " SELECT *, now() FROM unnest(%s::bigint[], %s::text[], %s::text[])",
            [list(column) for column in zip(*clashes_added, strict=True)],
        )
    return Settled(changed, frozenset(ties))


def _standing_claims(
    cursor: CursorWrapper, papers: Sequence[int], identifiers: Collection[Identifier]
) -> list[tuple[str, int, Identifier, int, str]]:
    """Owners and clashing claimants of these identifiers, and of all others that these papers hold or claim."""
    cursor.execute(
        "WITH given AS (SELECT * FROM unnest(%(schemes)s::text[], %(values)s::text[]) AS given(scheme, value)"
        "  UNION SELECT scheme, value FROM papers_paperidentifier WHERE paper_id = ANY(%(papers)s)"
        "  UNION SELECT scheme, value FROM papers_identifierclash WHERE paper_id = ANY(%(papers)s)),"
        " claims AS ("
        "  SELECT 'owner' AS role, i.id, i.scheme, i.value, i.paper_id FROM papers_paperidentifier i"
        "   JOIN given ON i.scheme = given.scheme AND i.value = given.value"
        "  UNION ALL SELECT 'clash', c.id, c.scheme, c.value, c.paper_id FROM papers_identifierclash c"
        "   JOIN given ON c.scheme = given.scheme AND c.value = given.value)"
        " SELECT role, claims.id, scheme, value, paper_id, p.arxiv_id FROM claims"
        " JOIN papers_paper p ON p.id = claims.paper_id",
        {
            "schemes": [scheme for scheme, _ in identifiers],
            "values": [value for _, value in identifiers],
            "papers": list(papers),
        },
    )
    return [(role, row, (scheme, value), paper, arxiv) for role, row, scheme, value, paper, arxiv in cursor.fetchall()]
