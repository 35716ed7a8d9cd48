"""Identifiers of researchers as sources give them: trusted, in conflict, no longer in use."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import connection

from wovepaper.harvest.rows import copy_rows

SCHEMES = {"openalex": "openalex", "semantic-scholar": "s2", "dblp": "dblp"}
"""Sources whose author ids are kept, by the scheme they are kept under."""


@dataclass(frozen=True, slots=True)
class GivenOrcid:
    """An ORCID printed on an authorship of a base; ``trusted`` if nothing speaks against it."""

    base: int
    orcid: str
    authorship: int
    trusted: bool
    why: str = ""


def write_orcids(given: Iterable[GivenOrcid]) -> set[int]:
    """Keep ORCIDs beside their bases, a trusted one once for all; returns the bases that got a new trusted one.

    What people said of an identifier stays: only rows that sources made are changed.
    """
    best: dict[tuple[int, str], GivenOrcid] = {}
    for one in given:
        known = best.get((one.base, one.orcid))
        if known is None or (not one.trusted, one.authorship) < (not known.trusted, known.authorship):
            best[one.base, one.orcid] = one
    if not best:
        return set()
    rows = [
        (one.base, one.orcid, "trusted" if one.trusted else "conflict", json.dumps(_provenance(one)))
        for one in sorted(best.values(), key=lambda one: (one.base, one.orcid))
    ]
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE orcids_given (base_id bigint, value text, state text, provenance jsonb)")
        copy_rows(cursor, "orcids_given", ("base_id", "value", "state", "provenance"), rows)
        cursor.execute(
            "UPDATE researchers_researcheridentifier AS kept SET state = given.state, provenance = given.provenance"
            " FROM orcids_given AS given WHERE kept.researcher_id = given.base_id AND kept.scheme = 'orcid'"
            " AND kept.value = given.value AND kept.provenance ->> 'from' = 'sources' AND kept.state <> given.state"
            " AND (given.state <> 'trusted' OR NOT EXISTS (SELECT FROM researchers_researcheridentifier AS other"
            " WHERE other.scheme = 'orcid' AND other.state = 'trusted' AND other.value = given.value))"
            " RETURNING kept.researcher_id, kept.state"
        )
        fresh = {base for base, state in cursor.fetchall() if state == "trusted"}
        cursor.execute(
            "INSERT INTO researchers_researcheridentifier (researcher_id, scheme, value, provenance, state, created_at)"
            " SELECT base_id, 'orcid', value, provenance, state, now() FROM orcids_given ORDER BY base_id, value"
            " ON CONFLICT DO NOTHING RETURNING researcher_id, state"
        )
        fresh |= {base for base, state in cursor.fetchall() if state == "trusted"}
        cursor.execute("DROP TABLE orcids_given")
    return fresh


def _provenance(one: GivenOrcid) -> dict[str, object]:
    return {"from": "sources", "authorship": one.authorship, **({"why": one.why} if one.why else {})}


def retire_orcids(bases: Collection[int]) -> None:
    """Deprecate ORCIDs that sources gave these researchers and none of their authors prints any more."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE researchers_researcheridentifier AS kept SET state = 'deprecated'"
            " WHERE kept.researcher_id = ANY(%s) AND kept.scheme = 'orcid' AND kept.state IN ('trusted', 'conflict')"
            " AND kept.provenance ->> 'from' = 'sources' AND NOT EXISTS (SELECT FROM researchers_attribution AS row"
            " JOIN papers_sourceauthorship AS printed ON printed.authorship_id = row.authorship_id"
            " WHERE row.base_id = kept.researcher_id AND printed.orcid = kept.value)",
            [sorted(bases)],
        )


def sync_source_ids(bases: Collection[int]) -> list[tuple[str, tuple[int, ...]]]:
    """Keep the ids that sources give the authors of these bases; those they no longer give are deprecated.

    An id that its source made part of another one (see ``SourceAuthor``) counts as that one, one that it took away as
    none.

    Returns ids, as ``scheme:value``, that two or more people shown apart have now, with their roots.
    """
    wanted = sorted(bases)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE source_ids_given AS SELECT DISTINCT row.base_id, record.source,"
            " printed.source_author_id AS value FROM researchers_attribution AS row"
            " JOIN papers_sourceauthorship AS printed ON printed.authorship_id = row.authorship_id"
            " JOIN papers_sourcerecord AS record ON record.id = printed.source_record_id"
            " WHERE row.base_id = ANY(%s) AND printed.source_author_id <> '' AND record.source = ANY(%s)",
            [wanted, list(SCHEMES)],
        )
        cursor.execute(
            "DELETE FROM source_ids_given AS given USING researchers_sourceauthor AS known"
            " WHERE known.source = given.source AND known.author_id = given.value AND known.gone"
        )
        cursor.execute(
            "UPDATE source_ids_given AS given SET value = known.merged_into FROM researchers_sourceauthor AS known"
            " WHERE known.source = given.source AND known.author_id = given.value AND known.merged_into <> ''"
        )
        for source, scheme in SCHEMES.items():
            cursor.execute("UPDATE source_ids_given SET source = %s WHERE source = %s", [scheme, source])
        cursor.execute(
            "UPDATE researchers_researcheridentifier AS kept SET state = changed.state FROM ("
            " SELECT DISTINCT held.id, CASE WHEN given.value IS NULL THEN 'deprecated'"
            "  WHEN held.state = 'conflict' THEN 'conflict' ELSE 'claimed' END AS state"
            " FROM researchers_researcheridentifier AS held LEFT JOIN source_ids_given AS given"
            " ON given.base_id = held.researcher_id AND given.source = held.scheme AND given.value = held.value"
            " WHERE held.researcher_id = ANY(%s) AND held.scheme = ANY(%s)"
            " AND held.provenance ->> 'from' = 'sources') AS changed"
            " WHERE kept.id = changed.id AND kept.state <> changed.state",
            [wanted, list(SCHEMES.values())],
        )
        cursor.execute(
            "INSERT INTO researchers_researcheridentifier (researcher_id, scheme, value, provenance, state, created_at)"
            " SELECT base_id, source, value, '{\"from\": \"sources\"}', 'claimed', now() FROM source_ids_given"
            " ORDER BY base_id, source, value ON CONFLICT DO NOTHING"
        )
        cursor.execute(
            "SELECT held.scheme || ':' || held.value, array_agg(DISTINCT person.root_id)"
            " FROM (SELECT DISTINCT source, value FROM source_ids_given) AS given"
            " JOIN researchers_researcheridentifier AS held ON held.scheme = given.source AND held.value = given.value"
            " JOIN researchers_researcher AS person ON person.id = held.researcher_id"
            " WHERE held.state = 'claimed' GROUP BY 1 HAVING count(DISTINCT person.root_id) > 1 ORDER BY 1"
        )
        shared = [(value, tuple(sorted(roots))) for value, roots in cursor.fetchall()]
        cursor.execute("DROP TABLE source_ids_given")
    return shared
