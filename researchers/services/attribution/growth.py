"""Names that have grown since their bearers were told apart together.

Who comes first is decided by less than who comes last: a few papers look like one person's until there are many of
that name. What is decided one by one is therefore looked at again, all bearers of the name together, once it is a
quarter more than what was decided together before. Each author is so decided anew a few times while a catalogue grows a
hundredfold, and not at all while it rests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from django.db import connection

from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.names import NameForm, block_of
from researchers.models import NameBlock
from researchers.services.arrays import bigints, texts
from researchers.services.attribution.printed import KEY_LENGTH
from researchers.services.attributions import MODEL_DECIDED

GROWN = 4
"""A name has grown when what came one by one is a fourth of what was decided together."""
MOST_AT_ONCE = 60_000
"""Authors that are decided anew in one transaction besides its own, read with their papers: about 16 kB each."""
KNOWN_AFTER_DAYS = 30
"""Whoever is this old is known to readers, and is not left without a paper for a name that has grown."""


@dataclass(frozen=True, slots=True)
class Grown:
    """Names whose bearers are to be told apart anew, by their blocks, and the papers of those."""

    blocks: frozenset[str] = frozenset()
    papers: frozenset[int] = frozenset()
    established: frozenset[int] = field(default=frozenset())
    """Researchers among them who have been here for long."""

    def __contains__(self, form: NameForm) -> bool:
        return bool(self.blocks) and key_of(form) in self.blocks


def key_of(form: NameForm) -> str:
    """The block of a name as it is kept."""
    return block_of(form)[:KEY_LENGTH]


def note_arrivals(people: Iterable[AuthorshipEvidence]) -> set[str]:
    """Count authors who were never decided; returns their blocks. Of a block not seen before all come together."""
    counts = Counter(key_of(one.name) for one in people)
    keys = sorted(counts)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO researchers_nameblock AS kept (key, together, since)"
            " SELECT key, number, 0 FROM unnest(%s::text[], %s::bigint[]) AS given(key, number)"
            " ON CONFLICT (key) DO UPDATE SET since = kept.since + excluded.together",
            [texts(keys), bigints(counts[key] for key in keys)],
        )
    return set(keys)


def take_grown(among: Collection[str] | None = None) -> Grown:
    """The names that have grown, of those or of all, those with the most new authors first: names that many bear are
    where most goes wrong. As many as fit one transaction.

    They count as decided together from then on, so the caller decides them in the same transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH due AS (SELECT key, sum(together + since) OVER (ORDER BY since DESC, key) AS total,"
            " together + since AS own FROM researchers_nameblock"
            " WHERE since > 0 AND since * %s >= together AND (%s OR key = ANY(%s)))"
            " UPDATE researchers_nameblock AS kept SET together = kept.together + kept.since, since = 0 FROM due"
            " WHERE due.key = kept.key AND (due.total <= %s OR due.total = due.own) RETURNING kept.key",
            [GROWN, among is None, texts(sorted(among or ())), MOST_AT_ONCE],
        )
        blocks = frozenset(row[0] for row in cursor.fetchall())
        if not blocks:
            return Grown()
        # Key by key, as where the bearers of names are looked up.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "SELECT DISTINCT row.paper_id, row.base_id, person.created_at < now() - make_interval(days => %s)"
            " FROM unnest(%s::text[]) AS key(value)"
            " JOIN researchers_researchername AS name ON name.match_keys @> ARRAY[key.value]::varchar[]"
            " JOIN researchers_researcher AS person ON person.id = name.researcher_id"
            " JOIN researchers_attribution AS row ON row.base_id = person.id AND row.decided_by = ANY(%s)",
            [KNOWN_AFTER_DAYS, texts(sorted(_searched(blocks))), list(MODEL_DECIDED)],
        )
        rows = cursor.fetchall()
        cursor.execute("SET LOCAL enable_seqscan = on")
    return Grown(
        blocks,
        frozenset(paper for paper, _, _ in rows),
        frozenset(base for _, base, established in rows if established),
    )


def count_grown() -> int:
    """Authors of all names that have grown."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(together + since), 0) FROM researchers_nameblock"
            " WHERE since > 0 AND since * %s >= together",
            [GROWN],
        )
        return int(cursor.fetchone()[0])


def forget_growth() -> None:
    """Begin to count anew, before everything is decided from nothing."""
    NameBlock.objects.all().delete()


def _searched(blocks: Collection[str]) -> set[str]:
    """What names of these blocks are found by: see ``researchers.matching.names.keys``."""
    found: set[str] = set()
    for block in blocks:
        found |= {block} if block.startswith("=") else {f"F {block}"[:KEY_LENGTH], f"i {block}"[:KEY_LENGTH]}
    return found
