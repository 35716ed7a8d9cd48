"""The rows that hang on institutions: what is new is copied in, what is gone is deleted, the rest stays untouched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.backends.utils import CursorWrapper
from psycopg import sql

from institutions.matching.folding import fold
from institutions.sources.records import OrganisationRecord
from wovepaper.harvest.rows import copy_rows, delete_rows

Row = tuple[Any, ...]


@dataclass(slots=True)
class WrittenChildren:
    """``changed`` are institutions of which some row differed; ``successors`` tells whether a redirect may have."""

    changed: set[int] = field(default_factory=set)
    successors: bool = False


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    columns: tuple[str, ...]
    """Besides ``id`` and ``institution_id``; together they say all that a row says."""
    rows: Callable[[OrganisationRecord], Iterable[Row]]
    derived: Callable[[Row], Row] = lambda row: ()
    derived_columns: tuple[str, ...] = ()


_NAMES = _Table(
    "institutions_institutionname",
    ("value", "lang", "kind"),
    lambda record: ((name.value, name.lang, name.kind) for name in record.names),
    lambda row: (fold_key(row[0]),),
    ("key",),
)
_IDENTIFIERS = _Table(
    "institutions_institutionidentifier",
    ("scheme", "value", "preferred"),
    lambda record: ((each.scheme, each.value, each.preferred) for each in record.identifiers),
)
_RELATIONS = _Table(
    "institutions_institutionrelation",
    ("kind", "target_ror_id", "label"),
    lambda record: ((each.kind, each.ror_id, each.label) for each in record.relations),
)


def fold_key(value: str) -> str:
    """As ``InstitutionName.key`` keeps it: a space before every word, so that ``% wor%`` finds words by their start."""
    return f" {fold(value)}"


def write_children(
    cursor: CursorWrapper, records: Mapping[int, OrganisationRecord], *, old: Sequence[int]
) -> WrittenChildren:
    """Make the rows of these institutions, by number, what their records say; ``old`` are those that have rows.

    Relations are tied to the institutions they name as far as these are known, older ones to those that are new.
    """
    written = WrittenChildren()
    for table in (_NAMES, _IDENTIFIERS, _RELATIONS):
        kept: dict[Row, int] = {}
        if old:
            statement = sql.SQL("SELECT id, institution_id, {} FROM {} WHERE institution_id = ANY(%s)").format(
                sql.SQL(", ").join(map(sql.Identifier, table.columns)), sql.Identifier(table.name)
            )
            cursor.execute(statement, [list(old)])
            kept = {row[1:]: row[0] for row in cursor.fetchall()}
        wanted = {(number, *row): None for number, record in records.items() for row in table.rows(record)}
        gone = [row for row in kept if row not in wanted]
        new = [row for row in wanted if row not in kept]
        delete_rows(cursor, table.name, [kept[row] for row in gone])
        copy_rows(
            cursor,
            table.name,
            ("institution_id", *table.columns, *table.derived_columns),
            [(*row, *table.derived(row[1:])) for row in new],
        )
        written.changed |= {row[0] for row in gone} | {row[0] for row in new}
        if table is _RELATIONS:
            written.successors |= any(row[1] == "successor" for row in [*gone, *new])
    written.successors |= _tie_relations(cursor, list(records), [record.ror_id for record in records.values()])
    return written


def _tie_relations(cursor: CursorWrapper, institutions: list[int], ror_ids: list[str]) -> bool:
    """Returns whether one that names a successor was tied."""
    cursor.execute(
        "UPDATE institutions_institutionrelation AS relation SET target_id = institution.id"
        " FROM institutions_institution AS institution"
        " WHERE relation.target_id IS NULL AND relation.target_ror_id = institution.ror_id"
        " AND (relation.institution_id = ANY(%s) OR relation.target_ror_id = ANY(%s)) RETURNING relation.kind",
        [institutions, ror_ids],
    )
    return any(row[0] == "successor" for row in cursor.fetchall())
