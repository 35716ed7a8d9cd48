"""Versions, and appearances in listings: which rows come, change and go."""

from __future__ import annotations

from django.db.backends.utils import CursorWrapper

from papers.services.ingest.plan import PlannedPaper, PlannedRows
from wovepaper.harvest.rows import copy_rows, delete_rows, update_rows

VERSION_COLUMNS = {"submitted_at": "timestamptz", "size": "bigint", "source_type": "text", "withdrawn": "boolean"}


def plan_versions(rows: PlannedRows, paper: PlannedPaper) -> None:
    """Versions that came, changed or vanished."""
    kept = dict(paper.state.versions) if paper.state else {}
    for version in paper.shown.versions:
        values = (version.submitted_at, version.size, version.source_type, version.withdrawn)
        row = kept.pop(version.number, None)
        if row is None:
            rows.versions.append((paper.id, version.number, *values))
            paper.touched = True
        elif row[1:] != values:
            rows.version_updates.append({"id": row[0], **dict(zip(VERSION_COLUMNS, values, strict=True))})
            paper.touched = True
    if kept:
        rows.versions_gone.extend(row[0] for row in kept.values())
        paper.touched = True


def plan_listings(rows: PlannedRows, paper: PlannedPaper) -> None:
    """Appearances that came or vanished."""
    wanted = paper.shown.listings
    kept = paper.state.listings if paper.state else {}
    for listing in wanted:
        if listing not in kept:
            rows.listings.append((paper.id, *listing))
            paper.touched = True
    for key, row in kept.items():
        if key not in wanted:
            rows.listings_gone.append(row)
            paper.touched = True


def write_versions_and_listings(cursor: CursorWrapper, rows: PlannedRows) -> None:
    """One statement for each kind of change."""
    delete_rows(cursor, "papers_paperversion", rows.versions_gone)
    update_rows(cursor, "papers_paperversion", VERSION_COLUMNS, rows.version_updates)
    copy_rows(cursor, "papers_paperversion", ("paper_id", "number", *VERSION_COLUMNS), rows.versions)
    delete_rows(cursor, "papers_categorylisting", rows.listings_gone)
    copy_rows(cursor, "papers_categorylisting", ("paper_id", "category_id", "day", "kind"), rows.listings)
