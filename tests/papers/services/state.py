"""The catalogue without the numbers that only tell rows apart and the times at which things were noted."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db import connection

QUERIES = {
    "papers": """
        SELECT p.title, p.abstract, p.kind, p.status, p.published_on, p.published_precision, p.announced_on,
               p.sort_date, p.primary_category_id, p.categories, p.venue, p.volume, p.issue, p.pages, p.publisher,
               p.licence, p.comments, p.journal_reference, p.report_number, p.arxiv_id, p.doi, p.title_key,
               p.author_count, p.version_count, p.last_version_on, p.pinned::text, p.is_demo,
               p.citation_count, p.citation_source, p.cited_as_of, p.dates::text, p.event::text, p.reference_count,
               p.listed_reference_count, p.doi_reference_count, p.references_digest, p.notice_count
        FROM papers_paper p""",
    "references": """
        SELECT p.arxiv_id, p.title, r.position, r.doi, r.arxiv_id, r.openalex_id, r.s2_id, r.pmid, r.text
        FROM papers_reference r JOIN papers_paper p ON p.id = r.paper_id""",
    "notices": """
        SELECT p.arxiv_id, p.title, n.kind, n.work, n.notice, n.day, n.precision, n.asserted_by
        FROM papers_notice n JOIN papers_paper p ON p.id = n.paper_id""",
    "identifiers": """
        SELECT p.arxiv_id, p.title, i.scheme, i.value
        FROM papers_paperidentifier i JOIN papers_paper p ON p.id = i.paper_id""",
    "clashes": """
        SELECT p.arxiv_id, p.title, i.scheme, i.value
        FROM papers_identifierclash i JOIN papers_paper p ON p.id = i.paper_id""",
    "records": """
        SELECT p.arxiv_id, p.title, r.source, r.format, r.external_id, r.stamp, r.hash, encode(r.payload, 'escape'),
               r.cited_by_count, r.counted_on
        FROM papers_sourcerecord r JOIN papers_paper p ON p.id = r.paper_id""",
    "authorships": """
        SELECT p.arxiv_id, p.title, a.position, a.name, a.is_collaboration, a.corresponding,
               ARRAY(SELECT f.text FROM papers_affiliation f WHERE f.authorship_id = a.id ORDER BY f.id)
        FROM papers_authorship a JOIN papers_paper p ON p.id = a.paper_id""",
    "source authorships": """
        SELECT r.source, r.format, r.external_id, s.position, a.position, s.name, s.given, s.family, s.suffix, s.orcid,
               s.source_author_id
        FROM papers_sourceauthorship s JOIN papers_sourcerecord r ON r.id = s.source_record_id
        JOIN papers_authorship a ON a.id = s.authorship_id""",
    "counts": """
        SELECT p.arxiv_id, p.title, m.source, m.cited_by_count, m.as_of
        FROM papers_papermetric m JOIN papers_paper p ON p.id = m.paper_id""",
    "versions": """
        SELECT p.arxiv_id, p.title, v.number, v.submitted_at, v.size, v.source_type, v.withdrawn
        FROM papers_paperversion v JOIN papers_paper p ON p.id = v.paper_id""",
    "listings": """
        SELECT p.arxiv_id, p.title, l.category_id, l.day, l.kind
        FROM papers_categorylisting l JOIN papers_paper p ON p.id = l.paper_id""",
}

TABLES = (
    "papers_paper",
    "papers_papermetric",
    "papers_reference",
    "papers_papercitation",
    "papers_notice",
    "papers_paperidentifier",
    "papers_identifierclash",
    "papers_sourcerecord",
    "papers_authorship",
    "papers_sourceauthorship",
    "papers_affiliation",
    "papers_paperversion",
    "papers_categorylisting",
    "papers_category",
    "pipeline_workitem",
)


def catalogue() -> dict[str, list[Any]]:
    """Every table as a sorted list of rows."""
    found = {}
    with connection.cursor() as cursor:
        for name, query in QUERIES.items():
            cursor.execute(query)
            found[name] = sorted(map(repr, cursor.fetchall()))
    return found


def fingerprint() -> str:
    """One hash of all of it."""
    return hashlib.sha256(repr(catalogue()).encode()).hexdigest()


def row_versions() -> dict[str, list[Any]]:
    """Where each row lies and who wrote or locked it: changes with any write to the heap."""
    found = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"SELECT ctid::text, xmin::text, xmax::text FROM {table}")
            found[table] = sorted(cursor.fetchall())
    return found


def writes_in_this_transaction() -> dict[str, tuple[int, int, int]]:
    """Rows inserted, updated and deleted so far by this transaction, by table, from the statistics of the server."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_xact_user_tables"
            " WHERE n_tup_ins + n_tup_upd + n_tup_del > 0"
        )
        return {name: (inserted, updated, deleted) for name, inserted, updated, deleted in cursor.fetchall()}
