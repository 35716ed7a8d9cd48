"""References: which rows come, change and go."""

from __future__ import annotations

from collections.abc import Collection

from django.db.backends.utils import CursorWrapper

from papers.services.ingest.plan import PlannedRows
from papers.services.ingest.references import SCHEME_COLUMNS, ReferenceRow
from wovepaper.harvest.rows import copy_rows, delete_rows, update_rows

REFERENCE_COLUMNS = {"position": "integer", **dict.fromkeys(SCHEME_COLUMNS.values(), "text"), "text": "text"}


def write_references(
    cursor: CursorWrapper, rows: PlannedRows, changed: dict[int, tuple[ReferenceRow, ...]], known: Collection[int]
) -> None:
    """Write the rows of papers whose digest changed. ``known`` are those that had rows before."""
    if known:
        _plan_changes(cursor, rows, {paper_id: changed[paper_id] for paper_id in known})
    rows.references.extend(
        (paper_id, *row) for paper_id, wanted in changed.items() if paper_id not in known for row in wanted
    )
    delete_rows(cursor, "papers_reference", rows.references_gone)
    update_rows(cursor, "papers_reference", REFERENCE_COLUMNS, rows.reference_updates)
    copy_rows(cursor, "papers_reference", ("paper_id", *REFERENCE_COLUMNS), rows.references)


def _plan_changes(cursor: CursorWrapper, rows: PlannedRows, wanted: dict[int, tuple[ReferenceRow, ...]]) -> None:
    """A row stays the row it is while its place in the list stays; without a place, while it says the same."""
    columns = ", ".join(REFERENCE_COLUMNS)
    cursor.execute(
        f"SELECT paper_id, id, {columns} FROM papers_reference WHERE paper_id = ANY(%s) ORDER BY id",  # noqa: S608
        [sorted(wanted)],
    )
    placed: dict[tuple[int, int], tuple[int, ReferenceRow]] = {}
    unplaced: dict[tuple[int, ReferenceRow], int] = {}
    for paper_id, row_id, *values in cursor.fetchall():
        row = ReferenceRow(*values)
        if row.position is None:
            unplaced[paper_id, row] = row_id
        else:
            placed[paper_id, row.position] = row_id, row
    for paper_id, entries in wanted.items():
        for entry in entries:
            if entry.position is None:
                if unplaced.pop((paper_id, entry), None) is None:
                    rows.references.append((paper_id, *entry))
                continue
            row_id, known = placed.pop((paper_id, entry.position), (0, None))
            if known is None:
                rows.references.append((paper_id, *entry))
            elif known != entry:
                rows.reference_updates.append({"id": row_id, **entry._asdict()})
    rows.references_gone.extend(row_id for row_id, _ in placed.values())
    rows.references_gone.extend(unplaced.values())
