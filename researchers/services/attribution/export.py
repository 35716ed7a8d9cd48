"""Every author with the researcher they are attributed to, as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.db import connection, transaction

AT_ONCE = 5_000
"""Lines that are fetched in one go."""
KEYS = ("arxiv_id", "doi", "position", "name", "researcher_id", "decided_by", "score")


def export_lines() -> Iterator[str]:
    """One line for each author of each paper, by paper and position: streamed, whatever their number.

    ``arxiv_id`` and ``doi`` are the paper's or null, ``position`` counts from 1, ``name`` is the one
    shown (as printed, unless the person had that name hidden),
    ``researcher_id`` the root or null, ``decided_by`` and ``score`` (from 0 to 1) the attribution's or null.
    """
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(
            "SELECT nullif(paper.arxiv_id, ''), nullif(paper.doi, ''), place.position, place.name, row.root_id,"
            " row.decided_by, row.score FROM papers_authorship AS place"
            " JOIN papers_paper AS paper ON paper.id = place.paper_id AND paper.redirect_to_id IS NULL"
            " LEFT JOIN researchers_attribution AS row ON row.authorship_id = place.id"
            " ORDER BY place.paper_id, place.position"
        )
        while rows := cursor.fetchmany(AT_ONCE):
            for row in rows:
                yield json.dumps(dict(zip(KEYS, row, strict=True)), ensure_ascii=False)
