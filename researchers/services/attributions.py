"""Writing conclusions: in batches, obeying every decision, while merges wait."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.utils import timezone
from psycopg import sql

from researchers.counts import recount_papers
from researchers.merging import ADAPTER
from researchers.models import Decision, Researcher, ResearcherName
from researchers.models.researcher import slug_of, sort_name_of
from researchers.services.arrays import bigints, texts
from wovepaper.curation.models import take_ids
from wovepaper.curation.services import lock_components

MODEL_DECIDED = ("orcid", "model", "new")
"""What a model decided, it may decide again."""


@dataclass(frozen=True, slots=True)
class AttributionDraft:
    """A conclusion of the model. ``base`` exists: new researchers are made before."""

    authorship: int
    paper: int
    base: int
    decided_by: str
    score: float | None = None
    evidence: Sequence[Any] = ()
    model_version: str = ""


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What became of a batch. ``refused`` names for each authorship not written the reason."""

    written: tuple[int, ...]
    unchanged: int
    refused: dict[int, str]


@dataclass(frozen=True, slots=True)
class NewResearcher:
    """Somebody nobody known is like, by the name first seen. ``papers`` is how many will be theirs, if known."""

    name: str
    source: str = ""
    script: str = ""
    match_keys: tuple[str, ...] = ()
    papers: int = 0


@transaction.atomic
def create_researchers(new: Sequence[NewResearcher]) -> list[int]:
    """Researchers with their first name, in a few statements; returns their numbers in the same order."""
    ids = take_ids(Researcher, len(new))
    blank = _blank_values(Researcher)
    constant = tuple(blank.values())
    with connection.cursor() as cursor:
        _stream(
            cursor,
            "researchers_researcher",
            (*blank, *_GIVEN),
            (
                (*constant, number, number, one.name, slug_of(one.name), sort_name_of(one.name), one.papers)
                for number, one in zip(ids, new, strict=True)
            ),
        )
        _stream(
            cursor,
            "researchers_researchername",
            ("researcher_id", "value", "source", "script", "visibility", "match_keys"),
            (
                (number, one.name, one.source, one.script, ResearcherName.Visibility.PUBLIC, texts(one.match_keys))
                for number, one in zip(ids, new, strict=True)
            ),
        )
    return ids


def _stream(cursor: CursorWrapper, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """COPY rows while they are made: the server takes the first in while the last are not there yet."""
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.wrap_database_errors, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


_GIVEN = ("id", "root_id", "display_name", "slug", "sort_name", "paper_count")


def _blank_values(model: type[Researcher]) -> dict[str, Any]:
    """What the other columns of a new row hold: COPY knows no defaults of the model."""
    now = timezone.now()
    values: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if field.generated or field.column is None or field.column in _GIVEN:
            continue
        value = (
            now if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False) else field.get_default()
        )
        values[field.column] = "{}" if value == [] else value
    return values


@transaction.atomic
def write_attributions(drafts: Iterable[AttributionDraft], *, fresh: Collection[int] = ()) -> WriteReport:
    """Write conclusions of the model, several statements for the whole batch.

    Refused, and left as it is, is what a person decided, what a standing "is" or "is not" forbids, and a second place
    of one person on a paper. The components of the bases are locked as a merge locks them, until the transaction ends,
    so that the root written beside the base is the right one; ``fresh`` are researchers made in this transaction with
    the number of papers they get here: nobody else can see them. Counts of the roots that gain or lose papers are
    brought up to date. Enqueues nothing: the caller is the pipeline.
    """
    wanted = {draft.authorship: draft for draft in drafts}
    if not wanted:
        return WriteReport((), 0, {})
    with connection.cursor() as cursor:
        roots = _lock_bases(cursor, wanted, fresh)
        _give(cursor, wanted.values(), roots)
        refused = _against_decisions(cursor, wanted, roots)
        refused |= {
            draft.authorship: f"there is no researcher {draft.base}"
            for draft in wanted.values()
            if draft.base not in roots and draft.authorship not in refused
        }
        present = _present(cursor)
        decided = [one for one, row in present.items() if row.decided_by not in MODEL_DECIDED and one not in refused]
        refused |= dict.fromkeys(decided, "decided by a person")
        unchanged = {one for one, row in present.items() if row.same and one not in refused}
        writing = [
            draft for draft in wanted.values() if draft.authorship not in refused and draft.authorship not in unchanged
        ]
        twice = _twice_on_paper(cursor, writing, roots)
        refused |= dict.fromkeys(twice, "the person stands on this paper already")
        if refused or unchanged:
            cursor.execute("DELETE FROM attributions_given WHERE authorship_id = ANY(%s)", [[*refused, *unchanged]])
        written = _replace(cursor)
        cursor.execute("DROP TABLE attributions_given")
    writing = [draft for draft in writing if draft.authorship not in twice]
    refused |= {
        draft.authorship: "decided by a person, or gone" for draft in writing if draft.authorship not in written
    }
    touched = {roots[draft.base] for draft in writing}
    touched |= {present[draft.authorship].root for draft in writing if draft.authorship in present}
    # Who was made with the right number of papers has it, unless something was refused.
    recount_papers(touched if refused else touched - set(fresh))
    return WriteReport(tuple(sorted(written)), len(unchanged), refused)


@dataclass(frozen=True, slots=True)
class _Present:
    root: int
    decided_by: str
    same: bool


def _lock_bases(
    cursor: CursorWrapper, wanted: Mapping[int, AttributionDraft], fresh: Collection[int]
) -> dict[int, int]:
    """Base to root, none of which changes before this transaction ends; unknown numbers are left out."""
    own = set(fresh)
    cursor.execute(
        "SELECT DISTINCT base_id FROM researchers_attribution WHERE authorship_id = ANY(%s::bigint[])",
        [bigints(wanted)],
    )
    bases = {draft.base for draft in wanted.values()} | {row[0] for row in cursor.fetchall()}
    cursor.execute("SELECT id FROM researchers_researcher WHERE id = ANY(%s::bigint[])", [bigints(bases - own)])
    known = [row[0] for row in cursor.fetchall()]
    locked = {base: component.root for base, component in lock_components(ADAPTER, known).items()}
    return locked | {base: base for base in bases & own}


def _give(cursor: CursorWrapper, drafts: Iterable[AttributionDraft], roots: Mapping[int, int]) -> None:
    """Send the drafts to the server, once."""
    cursor.execute(
        "CREATE TEMPORARY TABLE attributions_given (authorship_id bigint, paper_id bigint, base_id bigint,"
        " root_id bigint, decided_by text, score double precision, evidence jsonb, model_version text)"
    )
    columns = ("authorship_id", "paper_id", "base_id", "root_id", "decided_by", "score", "evidence", "model_version")
    _stream(cursor, "attributions_given", columns, _rows(drafts, roots))
    cursor.execute("ANALYZE attributions_given")


def _rows(drafts: Iterable[AttributionDraft], roots: Mapping[int, int]) -> Iterator[tuple[Any, ...]]:
    for draft in drafts:
        if draft.base in roots:
            evidence = json.dumps(list(draft.evidence), separators=(",", ":")) if draft.evidence else "[]"
            yield (
                draft.authorship, draft.paper, draft.base, roots[draft.base], draft.decided_by, draft.score, evidence,
                draft.model_version,
            )  # fmt: skip


def _against_decisions(
    cursor: CursorWrapper, wanted: Mapping[int, AttributionDraft], roots: Mapping[int, int]
) -> dict[int, str]:
    refused = {}
    cursor.execute(
        "SELECT said.authorship_id, said.verdict, said.researcher_id, person.root_id FROM researchers_decision AS said"
        " JOIN researchers_researcher AS person ON person.id = said.researcher_id"
        " WHERE NOT said.revoked AND said.authorship_id = ANY(%s::bigint[]) ORDER BY said.id",
        [bigints(wanted)],
    )
    for authorship, verdict, researcher, root in cursor.fetchall():
        base = wanted[authorship].base
        if verdict == Decision.Verdict.IS and base != researcher:
            refused[authorship] = f"decided to be researcher {researcher}"
        elif verdict == Decision.Verdict.IS_NOT and roots.get(base) == root:
            refused[authorship] = f"decided not to be researcher {researcher}"
    return refused


def _present(cursor: CursorWrapper) -> dict[int, _Present]:
    """What there is of the authorships given, and whether it is the same."""
    cursor.execute(
        "SELECT kept.authorship_id, kept.root_id, kept.decided_by, (kept.base_id, kept.decided_by, kept.score,"
        " kept.evidence, kept.model_version) IS NOT DISTINCT FROM (given.base_id, given.decided_by, given.score,"
        " given.evidence, given.model_version) FROM attributions_given AS given"
        " JOIN researchers_attribution AS kept ON kept.authorship_id = given.authorship_id"
    )
    return {row[0]: _Present(*row[1:]) for row in cursor.fetchall()}


def _twice_on_paper(cursor: CursorWrapper, drafts: Sequence[AttributionDraft], roots: Mapping[int, int]) -> set[int]:
    """Authorships whose draft would put a person on a paper twice, the whole batch being written.

    One that is refused keeps its row, which may get into the way of another in turn.
    """
    cursor.execute(
        "SELECT authorship_id, paper_id, root_id FROM researchers_attribution"
        " WHERE paper_id IN (SELECT paper_id FROM attributions_given)"
    )
    standing = {authorship: (paper, root) for authorship, paper, root in cursor.fetchall()}
    refused: set[int] = set()
    while True:
        going = [draft for draft in drafts if draft.authorship not in refused]
        moving = {draft.authorship for draft in going}
        taken = {place for authorship, place in standing.items() if authorship not in moving}
        found = set()
        for draft in sorted(going, key=lambda draft: draft.authorship):
            place = (draft.paper, roots[draft.base])
            if place in taken:
                found.add(draft.authorship)
            taken.add(place)
        if not found:
            return refused
        refused |= found


def _replace(cursor: CursorWrapper) -> set[int]:
    """Replace the model's rows by those given; returns the authorships written."""
    cursor.execute(
        "DELETE FROM researchers_attribution AS kept USING attributions_given AS given"
        " WHERE kept.authorship_id = given.authorship_id AND kept.decided_by = ANY(%s)",
        [list(MODEL_DECIDED)],
    )
    cursor.execute(
        "INSERT INTO researchers_attribution (authorship_id, paper_id, base_id, root_id, decided_by, score,"
        " evidence, model_version, decided_at) SELECT given.authorship_id, given.paper_id, given.base_id,"
        " given.root_id, given.decided_by, given.score, given.evidence, given.model_version, %s"
        " FROM attributions_given AS given JOIN papers_authorship AS place ON place.id = given.authorship_id"
        " AND place.paper_id = given.paper_id ORDER BY given.authorship_id"
        " ON CONFLICT DO NOTHING RETURNING authorship_id",
        [timezone.now()],
    )
    return {row[0] for row in cursor.fetchall()}
