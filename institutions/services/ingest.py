"""Records of the registry in: institutions, names, identifiers and relations, and only the rows that differ written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from institutions.models.institution import slug_of
from institutions.services.children import write_children
from institutions.services.successors import settle_successors
from institutions.sources.records import OrganisationRecord
from wovepaper.harvest.contracts import IngestCounts, RawRecord
from wovepaper.harvest.rows import as_array, copy_rows, next_ids, update_rows
from wovepaper.pipeline.services import enqueue

KIND = "institution"
TABLE = "institutions_institution"
COLUMNS = {
    "display_name": "text",
    "slug": "text",
    "kind": "text",
    "kinds": "varchar[]",
    "status": "text",
    "established": "smallint",
    "country": "text",
    "city": "text",
    "latitude": "double precision",
    "longitude": "double precision",
    "places": "jsonb",
    "homepage": "text",
    "wikipedia": "text",
    "domains": "text[]",
    "stamp": "text",
    "hash": "text",
}
_IMPORT_LOCK = (0x776F7665, 3)
"""Two 32-bit keys of the advisory lock: the project's, and that of the registry's import."""


def ingest_organisations(records: Sequence[tuple[RawRecord, Any]]) -> IngestCounts:
    """The sink of the registry. Needs a transaction around it."""
    return _ingest([organisation for _, organisation in records], again=False)


def ingest_again(records: Sequence[tuple[RawRecord, Any]]) -> IngestCounts:
    """The sink of replayed records: one that says the same may mean more now, so it is compared value by value."""
    return _ingest([organisation for _, organisation in records], again=True)


def _ingest(records: Sequence[OrganisationRecord], *, again: bool) -> IngestCounts:
    """A record that is older than what is kept changes nothing, so that dumps may come in any order.

    Merges of curators are left alone; see ``settle_successors``.
    """
    latest: dict[str, OrganisationRecord] = {}
    for record in records:
        if record.ror_id not in latest or latest[record.ror_id].stamp <= record.stamp:
            latest[record.ror_id] = record
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", _IMPORT_LOCK)
        cursor.execute(
            "SELECT ror_id, id, stamp, hash FROM institutions_institution WHERE ror_id = ANY(%s)", [list(latest)]
        )
        kept = {ror_id: (number, stamp, digest) for ror_id, number, stamp, digest in cursor.fetchall()}
        new = [record for ror_id, record in latest.items() if ror_id not in kept]
        differing = [
            record
            for ror_id, record in latest.items()
            if ror_id in kept and record.stamp >= kept[ror_id][1] and (again or record.content_hash != kept[ror_id][2])
        ]
        if not new and not differing:
            return IngestCounts(unchanged=len(records))
        ids = {record.ror_id: kept[record.ror_id][0] for record in differing}
        ids |= dict(zip((record.ror_id for record in new), next_ids(cursor, TABLE, len(new)), strict=True))
        _insert(cursor, new, ids)
        known = [{"id": ids[record.ror_id], **_values(record)} for record in differing]
        changed = set(update_rows(cursor, TABLE, COLUMNS, known, stamp="updated_at"))
        children = write_children(
            cursor,
            {ids[record.ror_id]: record for record in [*new, *differing]},
            old=[ids[record.ror_id] for record in differing],
        )
        changed |= children.changed
        arrived = [ids[record.ror_id] for record in new]
        moved = settle_successors(cursor) if children.successors or _may_move(new, differing) else set()
    enqueue(kind=KIND, ids={*arrived, *changed, *moved}, reason="import")
    count_changed = len(changed & set(ids.values()) - set(arrived))
    return IngestCounts(len(new), count_changed, len(records) - len(new) - count_changed)


def _may_move(new: Iterable[OrganisationRecord], differing: Iterable[OrganisationRecord]) -> bool:
    """Whether a redirect may come of these: of a record that is no longer active, or of one that is again."""
    return any(record.status != "active" for record in new) or any(True for _ in differing)


def _insert(cursor: CursorWrapper, records: Sequence[OrganisationRecord], ids: Mapping[str, int]) -> None:
    cursor.execute("SELECT now()")
    now = cursor.fetchone()[0]
    rows = []
    for record in records:
        number = ids[record.ror_id]
        values = _values(record)
        values |= {name: as_array(values[name]) for name in ("kinds", "domains")}
        values["places"] = json.dumps(values["places"], ensure_ascii=False)
        rows.append((number, number, 1, record.ror_id, False, now, now, *(values[name] for name in COLUMNS)))
    fixed = ("id", "root_id", "version", "ror_id", "follows_successor", "created_at", "updated_at")
    copy_rows(cursor, TABLE, (*fixed, *COLUMNS), rows)


def _values(record: OrganisationRecord) -> dict[str, Any]:
    first = record.places[0] if record.places else None
    return {
        "display_name": record.display_name,
        "slug": slug_of(record.display_name),
        "kind": record.kind,
        "kinds": list(record.kinds),
        "status": record.status,
        "established": record.established,
        "country": first.country if first else "",
        "city": first.city if first else "",
        "latitude": first.latitude if first else None,
        "longitude": first.longitude if first else None,
        "places": [asdict(place) for place in record.places],
        "homepage": record.homepage,
        "wikipedia": record.wikipedia,
        "domains": list(record.domains),
        "stamp": record.stamp,
        "hash": record.content_hash,
    }
