"""What is kept between batches: the population, and by what evidence each paper was decided."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db import connection, transaction

from researchers.matching.population import Population
from researchers.models import AttributedPaper, PopulationPart
from researchers.services.arrays import bigints
from researchers.services.attribution.evidence import Loaded, hash_of_print
from researchers.services.attribution.rows import Row
from wovepaper.harvest.rows import copy_rows

GONE_KEPT = 50
"""Authors who left a paper that are remembered, should they return."""
MOST_PARTS = 40
"""So many parts are kept before they are written as one: writing the whole each time would cost more than a batch."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A row of ``AttributedPaper``."""

    paper: int
    evidence_hash: int
    authorships: tuple[int, ...]
    prints: tuple[int, ...]
    bases: tuple[int, ...]
    """0 where nobody was attributed."""
    counted: bool = True
    """Whether the population counts it."""


def recall_papers(papers: Collection[int]) -> dict[int, Remembered]:
    """What is kept of these papers; those that were never attributed are not there."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT paper_id, evidence_hash, authorships, prints, bases, counted FROM researchers_attributedpaper"
            " WHERE paper_id = ANY(%s::bigint[])",
            [bigints(papers)],
        )
        return {
            paper: Remembered(paper, evidence_hash, tuple(authorships), tuple(prints), tuple(bases), counted)
            for paper, evidence_hash, authorships, prints, bases, counted in cursor.fetchall()
        }


def remember_papers(rows: Iterable[Remembered], *, model_version: str) -> None:
    """Keep what papers were decided by, in place of what was kept of them."""
    given = [(row.paper, row.evidence_hash, *map(bigints, (row.authorships, row.prints, row.bases))) for row in rows]
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE attributed_given"
            " (paper_id bigint, evidence_hash bigint, authorships bigint[], prints bigint[], bases bigint[])"
        )
        columns = ("paper_id", "evidence_hash", "authorships", "prints", "bases")
        copy_rows(cursor, "attributed_given", columns, given)
        cursor.execute(
            "INSERT INTO researchers_attributedpaper"
            " (paper_id, evidence_hash, authorships, prints, bases, counted, model_version, attributed_at)"
            " SELECT paper_id, evidence_hash, authorships, prints, bases, TRUE, %s, now() FROM attributed_given"
            " ORDER BY paper_id ON CONFLICT (paper_id) DO UPDATE SET evidence_hash = excluded.evidence_hash,"
            " authorships = excluded.authorships, prints = excluded.prints, bases = excluded.bases, counted = TRUE,"
            " model_version = excluded.model_version, attributed_at = excluded.attributed_at",
            [model_version],
        )
        cursor.execute("DROP TABLE attributed_given")


def remember_decided(
    loaded: Loaded, remembered: Mapping[int, Remembered], rows: Mapping[int, Row], *, model_version: str
) -> None:
    """Keep by what evidence these papers were decided, and whose their authors are now, where it is not kept so."""
    changed = []
    for number, paper in loaded.papers.items():
        before = remembered.get(number)
        entries = [(one.id, hash_of_print(one), rows[one.id].base if one.id in rows else 0) for one in paper.people]
        if before is not None:
            here = {one.id for one in paper.people}
            gone = [
                entry
                for entry in zip(before.authorships, before.prints, before.bases, strict=True)
                if entry[0] not in here and entry[2]
            ]
            entries += gone[-GONE_KEPT:]
        row = Remembered(
            number,
            paper.evidence_hash,
            tuple(entry[0] for entry in entries),
            tuple(entry[1] for entry in entries),
            tuple(entry[2] for entry in entries),
        )
        if row != before:
            changed.append(row)
    if changed:
        remember_papers(changed, model_version=model_version)


@dataclass(slots=True)
class _Kept:
    """The population as this process knows it, and the parts it is made of."""

    population: Population
    tokens: tuple[uuid.UUID, ...]


_kept: dict[str, _Kept] = {}
"""By database. Taken out while a batch adds to it and put back when the batch is committed: what was rolled back was
never there."""


class KeptPopulation:
    """The population within one transaction, which holds the lock of the stage if it adds to it."""

    def __init__(self) -> None:
        self._name = str(connection.settings_dict["NAME"])
        rows = list(PopulationPart.objects.order_by("pk").values_list("pk", "token"))
        self._tokens = tuple(token for _, token in rows)
        kept = _kept.pop(self._name, None)
        if kept is None or self._tokens[: len(kept.tokens)] != kept.tokens:
            kept = _Kept(Population(), ())
        self.population = kept.population
        missing = [pk for pk, _ in rows[len(kept.tokens) :]]
        for counts in PopulationPart.objects.filter(pk__in=missing).order_by("pk").values_list("counts", flat=True):
            self.population.include(Population.from_bytes(bytes(counts)))

    def add(self, count: Callable[[Population], None]) -> None:
        """Count something that was never counted; kept with the transaction. Called once."""
        part = Population()
        count(part)
        self.population.include(part)
        whole = len(self._tokens) + 1 > MOST_PARTS
        if whole:
            PopulationPart.objects.all().delete()
        row = PopulationPart.objects.create(counts=(self.population if whole else part).to_bytes())
        self._tokens = (row.token,) if whole else (*self._tokens, row.token)

    @classmethod
    def read(cls) -> Population:
        """The population as it is now, to be looked at only."""
        kept = cls()
        kept.keep()
        return kept.population

    def keep(self) -> None:
        """Let this process go on with it once the transaction is committed."""
        kept = _Kept(self.population, self._tokens)
        transaction.on_commit(lambda: _kept.__setitem__(self._name, kept))


def forget_population() -> None:
    """Begin to count anew: every paper is counted when it comes by next. For a transaction that holds the lock."""
    PopulationPart.objects.all().delete()
    AttributedPaper.objects.update(counted=False)
