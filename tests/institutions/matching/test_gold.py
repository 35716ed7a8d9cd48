"""Printed affiliations that people matched to the registry, against what the matcher finds."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass

import pytest

from institutions.matching.index import NameIndex
from institutions.matching.known import KnownInstitution
from institutions.matching.matcher import Matcher
from institutions.services.successors import end_of, without_circles
from institutions.sources.ror import RorSource
from tests.shared_data import shared_data_dir

pytestmark = pytest.mark.shared_data


@dataclass(frozen=True)
class Gold:
    matcher: Matcher
    strings: list[tuple[str, frozenset[int]]]
    fourth: list[tuple[str, frozenset[int]]]
    """Every fourth text of the file, of those that are scored: no rule was made from what was wrong in it."""


@pytest.fixture(scope="module")
def gold() -> Gold:
    source = RorSource()
    pages = source.read_file(shared_data_dir("ror", "ror_v2_36k.jsonl.gz"))
    records = [source.parse(record) for page in pages for record in page.records]
    numbers = {record.ror_id: number for number, record in enumerate(records, start=1)}
    successors = {}
    for record in records:
        named = [relation.ror_id for relation in record.relations if relation.kind == "successor"]
        if record.status != "active" and len(named) == 1 and named[0] in numbers:
            successors[numbers[record.ror_id]] = numbers[named[0]]
    edges = without_circles(successors)
    known = []
    for record in records:
        related = {
            kind: frozenset(
                numbers[each.ror_id] for each in record.relations if each.kind in kinds and each.ror_id in numbers
            )
            for kind, kinds in {"parents": ("parent",), "relatives": ("parent", "child", "related")}.items()
        }
        number = numbers[record.ror_id]
        known.append(
            KnownInstitution(
                number,
                tuple((name.value, name.kind) for name in record.names),
                cities=tuple(place.city for place in record.places),
                subdivisions=tuple(place.subdivision for place in record.places),
                countries=tuple(place.country for place in record.places),
                status=record.status,
                leads_to=end_of(edges, number),
                **related,
            )
        )
    path = shared_data_dir("ror", "affiliation_gold", "dataset_affiliations_crossref_2024_02_19.json")
    strings, fourth = [], []
    for place, entry in enumerate(json.loads(path.read_text(encoding="utf-8"))):
        ids = [ror_id.removeprefix("https://ror.org/") for ror_id in entry["ror_ids"]]
        if all(ror_id in numbers for ror_id in ids):
            strings.append((entry["affiliation"], frozenset(end_of(edges, numbers[ror_id]) for ror_id in ids)))
            if place % 4 == 3:
                fourth.append(strings[-1])
    return Gold(Matcher(NameIndex.build(known)), strings, fourth)


def test_precision_recall_and_what_is_left_alone(gold, capsys, record_property):
    right = wrong = missed = without = left_alone = 0
    for text, wanted in gold.strings:
        found = {match.institution for match in gold.matcher.match(text)}
        right += len(found & wanted)
        wrong += len(found - wanted)
        missed += len(wanted - found)
        without += not wanted
        left_alone += not wanted and not found
    precision, recall = right / (right + wrong), right / (right + missed)
    record_property("precision", round(precision, 4))
    record_property("recall", round(recall, 4))
    record_property("left alone", f"{left_alone} of {without}")
    with capsys.disabled():
        sys.stdout.write(f"\nprecision {precision:.4f}, recall {recall:.4f}, left alone {left_alone} of {without}\n")
    assert (len(gold.strings), without) == (2280, 483)
    assert precision >= 0.95
    assert recall >= 0.85
    assert left_alone / without >= 0.9


def test_a_quarter_that_no_rule_was_made_from(gold):
    right = wrong = 0
    for text, wanted in gold.fourth:
        found = {match.institution for match in gold.matcher.match(text)}
        right += len(found & wanted)
        wrong += len(found - wanted)
    assert right / (right + wrong) >= 0.95


def test_two_thousand_strings_a_second(gold):
    began = time.process_time()
    for text, _ in gold.strings:
        gold.matcher.match(text)
    assert len(gold.strings) / (time.process_time() - began) >= 2_000
