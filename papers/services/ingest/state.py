"""What the database holds of the papers that a batch touches, read with a fixed number of queries."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.backends.utils import CursorWrapper

from papers.services.ingest.alignment import Place
from papers.services.ingest.validation import check
from papers.sources.records import PaperRecord
from wovepaper.harvest import registry
from wovepaper.harvest.contracts import RawRecord, RecordRefused

logger = logging.getLogger(__name__)


class KeptAuthorship(NamedTuple):
    """A row of Authorship. ``name`` is what sources print, whatever is shown in its place."""

    id: int
    position: int
    name: str
    is_collaboration: bool
    corresponding: bool


class KeptSourceAuthorship(NamedTuple):
    """A row of SourceAuthorship with the source of its record."""

    id: int
    source: str
    authorship_id: int
    source_record_id: int
    position: int
    name: str
    given: str
    family: str
    suffix: str
    orcid: str
    source_author_id: str

    @property
    def values(self) -> tuple[Any, ...]:
        """All columns but the id."""
        return self[2:]


@dataclass(slots=True)
class PaperState:
    """All rows of one paper."""

    pinned: dict[str, Any] = field(default_factory=dict)
    references_digest: str = ""
    notice_count: int = 0
    other_records: list[tuple[int, PaperRecord]] = field(default_factory=list)
    """Records that this batch does not bring, parsed again, with the ids of their rows."""
    sources: set[str] = field(default_factory=set)
    authorships: list[KeptAuthorship] = field(default_factory=list)
    source_authorships: dict[tuple[int, int], KeptSourceAuthorship] = field(default_factory=dict)
    """By record and position."""
    affiliations: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    """By authorship: row and text, in order."""
    versions: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    """By number: row, then the values."""
    listings: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def places(self) -> list[Place]:
        """The author list with the ids any source gave, as alignment sees it."""
        orcids: dict[int, set[str]] = {}
        source_ids: dict[int, set[tuple[str, str]]] = {}
        for kept in self.source_authorships.values():
            if kept.orcid:
                orcids.setdefault(kept.authorship_id, set()).add(kept.orcid)
            if kept.source_author_id:
                source_ids.setdefault(kept.authorship_id, set()).add((kept.source, kept.source_author_id))
        return [
            Place(row.name, frozenset(orcids.get(row.id, ())), frozenset(source_ids.get(row.id, ())))
            for row in self.authorships
        ]


def parse_stored(*, source: str, format: str, external_id: str, stamp: str, payload: bytes) -> PaperRecord | None:  # noqa: A002
    """A stored record in the shape it had when it came in; ``None``, logged, where its source no longer takes it."""
    try:
        parser = registry.get(source).source
    except registry.UnknownSource as error:
        logger.warning("The stored record %s (%s) says nothing any more: %s", external_id, format, error)
        return None
    try:
        record = parser.parse(RawRecord(external_id, format, stamp, bytes(payload)))
        check(record)  # a newer parser may find more in it than a column holds
    except RecordRefused as error:
        logger.warning("The stored record %s of %s (%s) says nothing any more: %s", external_id, source, format, error)
        return None
    except Exception:
        logger.exception("The parser of %s failed on the stored record %s (%s).", source, external_id, format)
        return None
    assert isinstance(record, PaperRecord)
    return record


def load_states(cursor: CursorWrapper, papers: Collection[int], *, replaced: Iterable[int]) -> dict[int, PaperState]:
    """Lock the papers, in the order of their ids, and read all that hangs on them.

    ``replaced`` are the rows of records that the batch brings anew; their old payloads are not needed.
    """
    if not papers:
        return {}
    wanted = [sorted(papers)]
    cursor.execute(
        "SELECT id, pinned, references_digest, notice_count FROM papers_paper WHERE id = ANY(%s)"
        " ORDER BY id FOR NO KEY UPDATE",
        wanted,
    )
    # Django hands jsonb out as text outside its own fields.
    states = {
        paper_id: PaperState(json.loads(pinned) if isinstance(pinned, str) else pinned, digest, notices)
        for paper_id, pinned, digest, notices in cursor.fetchall()
    }
    cursor.execute(
        "SELECT paper_id, id, source, format, external_id, stamp, CASE WHEN id = ANY(%s) THEN NULL ELSE payload END"
        " FROM papers_sourcerecord WHERE paper_id = ANY(%s)",
        [list(replaced), *wanted],
    )
    for paper_id, row, source, format_, external_id, stamp, payload in cursor.fetchall():
        state = states[paper_id]
        state.sources.add(source)
        if payload is not None:
            record = parse_stored(source=source, format=format_, external_id=external_id, stamp=stamp, payload=payload)
            if record is not None:
                state.other_records.append((row, record))
    cursor.execute(
        "SELECT paper_id, id, position, coalesce(replaced_name, name), is_collaboration, corresponding"
        " FROM papers_authorship WHERE paper_id = ANY(%s) ORDER BY paper_id, position",
        wanted,
    )
    paper_of: dict[int, PaperState] = {}
    for paper_id, *values in cursor.fetchall():
        kept = KeptAuthorship(*values)
        states[paper_id].authorships.append(kept)
        paper_of[kept.id] = states[paper_id]
    cursor.execute(
        "SELECT s.id, r.source, s.authorship_id, s.source_record_id, s.position, s.name, s.given, s.family, s.suffix,"
        " s.orcid, s.source_author_id"
        " FROM papers_authorship a JOIN papers_sourceauthorship s ON s.authorship_id = a.id"
        " JOIN papers_sourcerecord r ON r.id = s.source_record_id WHERE a.paper_id = ANY(%s)",
        wanted,
    )
    for values in cursor.fetchall():
        printed = KeptSourceAuthorship(*values)
        key = printed.source_record_id, printed.position
        paper_of[printed.authorship_id].source_authorships[key] = printed
    cursor.execute(
        "SELECT f.authorship_id, f.id, f.text FROM papers_authorship a"
        " JOIN papers_affiliation f ON f.authorship_id = a.id WHERE a.paper_id = ANY(%s) ORDER BY f.id",
        wanted,
    )
    for authorship_id, row, text in cursor.fetchall():
        paper_of[authorship_id].affiliations.setdefault(authorship_id, []).append((row, text))
    cursor.execute(
        "SELECT paper_id, number, id, submitted_at, size, source_type, withdrawn FROM papers_paperversion"
        " WHERE paper_id = ANY(%s)",
        wanted,
    )
    for paper_id, number, *values in cursor.fetchall():
        states[paper_id].versions[number] = tuple(values)
    cursor.execute(
        "SELECT paper_id, id, category_id, day, kind FROM papers_categorylisting WHERE paper_id = ANY(%s)", wanted
    )
    for paper_id, row, *values in cursor.fetchall():
        states[paper_id].listings[tuple(values)] = row
    return states
