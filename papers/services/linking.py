"""Who cites whom: references find the papers here that they mean, whichever of the two came in first."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from papers.services.ingest.references import SCHEME_COLUMNS

LINK_LOCK = (0x776F7665, 3)
"""Two 32-bit keys of the advisory lock: the project's, and that of linking."""

_OWNER = (
    "(SELECT coalesce(owner.redirect_to_id, owner.id) FROM papers_paperidentifier AS named"
    " JOIN papers_paper AS owner ON owner.id = named.paper_id"
    " WHERE named.scheme = '{scheme}' AND named.value = entry.{column} AND entry.{column} <> '')"
)
_MEANT = ", ".join(_OWNER.format(scheme=scheme, column=column) for scheme, column in SCHEME_COLUMNS.items())
"""The paper here that an entry means: by its strongest identifier that some paper has."""
_NAMED = " UNION ".join(
    f"SELECT entry.id FROM papers_paperidentifier AS named JOIN papers_reference AS entry"  # noqa: S608 - constants
    f" ON entry.{column} = named.value AND entry.{column} <> ''"
    f" WHERE named.paper_id = ANY(%(papers)s) AND named.scheme = '{scheme}'"
    for scheme, column in SCHEME_COLUMNS.items()
)
"""Entries that name one of the papers."""
_ENTRIES = (
    "SELECT id FROM papers_reference WHERE paper_id = ANY(%(papers)s)"  # noqa: S608 - constants
    f" UNION SELECT id FROM papers_reference WHERE cited_id = ANY(%(papers)s) UNION {_NAMED}"
)


@transaction.atomic
def link_references(paper_ids: Collection[int]) -> set[int]:
    """Bring the links of these papers' references, and of all references to these papers, to what they are today.

    For papers that are new, that say something else, or that were merged or split. Only links that differ are written.
    Returns the papers that cite another paper here than before.
    """
    if not paper_ids:
        return set()
    papers = sorted(paper_ids)
    with connection.cursor() as cursor:
        # Two workers could else take the rows of one list in different orders.
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", LINK_LOCK)
        cursor.execute(
            f"WITH entries AS ({_ENTRIES}),"  # noqa: S608 - constants
            " before AS MATERIALIZED (SELECT entry.id, entry.paper_id, entry.cited_id,"
            f" coalesce({_MEANT}) AS meant FROM papers_reference AS entry JOIN entries USING (id))"
            " UPDATE papers_reference AS entry SET cited_id = before.meant FROM before"
            " WHERE entry.id = before.id AND before.cited_id IS DISTINCT FROM before.meant"
            " RETURNING before.paper_id, before.cited_id, before.meant",
            {"papers": papers},
        )
        changed = cursor.fetchall()
        _add_citations(cursor, {(paper, meant) for paper, _, meant in changed if meant is not None})
        # Of entries that went away altogether nothing is known here but whose they were.
        _drop_citations(cursor, {(paper, was) for paper, was, _ in changed if was is not None}, papers)
        cursor.execute(
            "UPDATE papers_papercitation AS kept SET sort_date = paper.sort_date FROM papers_paper AS paper"
            " WHERE kept.paper_id = ANY(%s) AND paper.id = kept.paper_id AND kept.sort_date <> paper.sort_date",
            [papers],
        )
    return {paper for paper, _, _ in changed}


def _add_citations(cursor: CursorWrapper, pairs: Iterable[tuple[int, int]]) -> None:
    """Papers that were merged away cite nothing, and no paper cites itself."""
    wanted = sorted((paper, cited) for paper, cited in pairs if paper != cited)
    if not wanted:
        return
    cursor.execute(
        "INSERT INTO papers_papercitation (paper_id, cited_id, sort_date)"
        " SELECT given.paper, given.cited, paper.sort_date"
        " FROM unnest(%s::bigint[], %s::bigint[]) AS given(paper, cited) JOIN papers_paper AS paper"
        " ON paper.id = given.paper WHERE paper.redirect_to_id IS NULL"
        " ON CONFLICT (paper_id, cited_id) DO NOTHING",
        [[paper for paper, _ in wanted], [cited for _, cited in wanted]],
    )


def _drop_citations(cursor: CursorWrapper, pairs: Iterable[tuple[int, int]], papers: Collection[int]) -> None:
    """Of these pairs, and of all that the papers cite, those that no entry stands for any more."""
    given = sorted(pairs)
    cursor.execute(
        "WITH asked AS (SELECT * FROM unnest(%s::bigint[], %s::bigint[]) AS asked(paper_id, cited_id)"
        "  UNION SELECT paper_id, cited_id FROM papers_papercitation WHERE paper_id = ANY(%s))"
        " DELETE FROM papers_papercitation AS kept USING asked, papers_paper AS paper"
        " WHERE kept.paper_id = asked.paper_id AND kept.cited_id = asked.cited_id AND paper.id = kept.paper_id"
        " AND (paper.redirect_to_id IS NOT NULL OR NOT EXISTS (SELECT FROM papers_reference AS entry"
        "  WHERE entry.paper_id = kept.paper_id AND entry.cited_id = kept.cited_id))",
        [[paper for paper, _ in given], [cited for _, cited in given], list(papers)],
    )
