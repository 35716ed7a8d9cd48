"""Learning the weights of evidence from labelled authorships of the catalogue's papers."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from django.db import connection

from papers.models import Paper
from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.fit import fit_weights
from researchers.matching.population import Population
from researchers.matching.weights import Weights
from researchers.services.attribution.evidence import AT_ONCE, load_papers
from wovepaper.lib import doi as dois

COLUMNS = ("doi", "position", "tier", "person")
TIERS = ("human", "orcid", "hard")
"""The most trusted first: people curators know, ORCIDs printed on the authorship, people of contested names."""


class TrainingError(Exception):
    """Nothing can be learnt from this; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Gold:
    """Labels by tier: from a paper's DOI and the author's position, counted from 1, to a person."""

    file: str
    digest: str
    """SHA-256 of the file, in hexadecimal."""
    labels: Mapping[str, Mapping[tuple[str, int], str]]


def read_gold(path: Path) -> Gold:
    """Read labels from a file of tab-separated values, compressed by gzip or not. Raises ``TrainingError``.

    The first line names the columns ``doi``, ``position``, ``tier`` and ``person`` in any order.
    """
    if not path.exists():
        raise TrainingError(f"There is no file {path}.")
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise TrainingError(f"{path} cannot be read as text in UTF-8 ({error}).") from error
    reader = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
    named = reader.fieldnames or []
    if sorted(named) != sorted(COLUMNS):
        raise TrainingError(
            f"The first line of {path} must name the columns {', '.join(COLUMNS)}, separated by tabs; "
            f"it names {', '.join(map(repr, named)) or 'nothing'}."
        )
    labels: dict[str, dict[tuple[str, int], str]] = {tier: {} for tier in TIERS}
    for row in reader:
        where = f"Line {reader.line_num} of {path}"
        key, tier, person = _label(row, where)
        if labels[tier].setdefault(key, person) != person:
            raise TrainingError(f"{where}: {key[0]}, author {key[1]}, already has another person in the tier {tier}.")
    return Gold(path.name, hashlib.sha256(content).hexdigest(), labels)


def _label(row: Mapping[str | None, Any], where: str) -> tuple[tuple[str, int], str, str]:
    if None in row or None in row.values():
        raise TrainingError(f"{where} does not have {len(COLUMNS)} columns.")
    doi, position, tier, person = (str(row[column]).strip() for column in COLUMNS)
    bare = dois.normalise(doi)
    if bare is None:
        raise TrainingError(f"{where}: {doi!r} is no DOI.")
    if not (position.isascii() and position.isdecimal() and 0 < int(position) < 100_000):
        raise TrainingError(f"{where}: the position must be a number from 1 on, not {position!r}.")
    if tier not in TIERS:
        raise TrainingError(f"{where}: the tier must be one of {', '.join(TIERS)}, not {tier!r}.")
    if not person:
        raise TrainingError(f"{where} names no person.")
    return (bare, int(position)), tier, person


def train_weights(
    gold: Gold,
    *,
    leave_out: Sequence[str] = (),
    on: date,
    advance: Callable[[int], None] | None = None,
) -> Weights:
    """Weights learnt from the labels of authorships that are in the catalogue, with their provenance.

    The same catalogue, labels and day give the same weights. ``leave_out`` names persons whose labels are not to be
    trusted. ``advance`` is called with numbers of papers read. Raises ``TrainingError``.
    """
    unknown = set(leave_out) - {person for tier in gold.labels.values() for person in tier.values()}
    if unknown:
        raise TrainingError(f"Nobody in {gold.file} is called {', '.join(sorted(unknown))}: nothing to leave out.")
    labels = _in_catalogue(gold, frozenset(leave_out))
    everybody, population = _read_catalogue(advance)
    labelled = {one for tier in labels for one in tier}
    blocks = {_block(one) for one in everybody if one.id in labelled}
    provenance = {
        "learnt_by": "manage.py train_matching",
        "date": on.isoformat(),
        "file": gold.file,
        "file_sha256": gold.digest,
        "left_out": sorted(leave_out),
        "labels": dict(zip(TIERS, map(len, labels), strict=True)),
        "papers": len({one.paper.id for one in everybody}),
        "authorships": len(everybody),
        "set_by_hand": "thresholds; source_id, source_id_differs",
    }
    try:
        weights = fit_weights(
            authorships=[one for one in everybody if _block(one) in blocks],
            labels=labels,
            population=population,
            version="",
            provenance=provenance,
        )
    except ValueError as error:
        raise TrainingError(str(error)) from error
    return replace(weights, version=_version_of(weights))


def _version_of(weights: Weights) -> str:
    """The same for weights that decide the same, whenever they were learnt."""
    parts = [weights.pairs, weights.groups, weights.variants, weights.decide, weights.calibration]
    return hashlib.sha256(json.dumps([dict(part) for part in parts], sort_keys=True).encode()).hexdigest()[:12]


def _in_catalogue(gold: Gold, leave_out: frozenset[str]) -> list[dict[int, str]]:
    """The labels of each tier by authorship."""
    wanted = sorted({doi for tier in gold.labels.values() for doi, _ in tier})
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT paper.doi, place.position, place.id FROM papers_paper AS paper"
            " JOIN papers_authorship AS place ON place.paper_id = paper.id"
            " WHERE paper.doi = ANY(%s) AND paper.redirect_to_id IS NULL",
            [wanted],
        )
        places = {(doi, position): authorship for doi, position, authorship in cursor.fetchall()}
    found = [
        {places[key]: person for key, person in gold.labels[tier].items() if key in places and person not in leave_out}
        for tier in TIERS
    ]
    if not any(found):
        raise TrainingError(
            f"The catalogue has none of the {len(wanted)} papers labelled in {gold.file}: harvest them first."
        )
    return found


def _read_catalogue(advance: Callable[[int], None] | None) -> tuple[list[AuthorshipEvidence], Population]:
    papers = list(Paper.objects.filter(redirect_to=None).order_by("pk").values_list("pk", flat=True))
    population = Population()
    everybody: list[AuthorshipEvidence] = []
    for start in range(0, len(papers), AT_ONCE):
        part = papers[start : start + AT_ONCE]
        people = list(load_papers(part).people())
        population.add(people)
        everybody += people
        if advance:
            advance(len(part))
    return everybody, population


def _block(one: AuthorshipEvidence) -> tuple[str, str]:
    return "".join(one.name.family), one.name.given[0][0] if one.name.given else ""
