"""Ids that sources give authors: they tip the scales, and never fill them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from researchers.matching import source_ids
from researchers.matching.clusters import VARIANT_FEATURES, Cluster, VariantScorer
from researchers.matching.evidence import AuthorshipEvidence, affiliation_words
from researchers.matching.groups import GROUP_FEATURES, GroupScorer
from researchers.matching.joining import join_groups
from researchers.matching.names import Relation
from researchers.matching.weights import Weights, default_weights
from researchers.matching.workings import Workings
from tests.researchers.matching.building import COMMON, Catalogue, decide, groups, population


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue()


def with_ids(one: AuthorshipEvidence, *ids: str) -> AuthorshipEvidence:
    return replace(one, source_ids=frozenset(ids))


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("", "x:1", [0.0, 0.0]),
        ("x:1", "x:1 x:1", [1.0, 0.0]),
        ("x:1", "x:2", [0.0, 1.0]),
        ("x:1", "y:1", [0.0, 0.0]),
        ("x:1 x:1 x:1 x:2", "x:2", [10**-0.5, 0.0]),
        ("x:1 y:1", "x:2 y:1", [0.5, 0.0]),
    ],
)
def test_how_alike_the_ids_of_two_groups_are(ours: str, theirs: str, expected: list[float]) -> None:
    one, other = Counter(ours.split()), Counter(theirs.split())
    assert source_ids.compare_ids(one, other) == pytest.approx(expected)
    assert source_ids.compare_ids(other, one) == pytest.approx(expected)


def test_one_id_alone_joins_nobody_of_a_common_name(catalogue: Catalogue) -> None:
    rows = [with_ids(catalogue.paper("Yang Liu")[0], "x:1") for _ in range(3)]
    counts = population(*COMMON, catalogue=catalogue)
    assert groups(decide(rows, counts=counts)) == [(1,), (2,), (3,)]


def test_different_ids_alone_part_nobody(catalogue: Catalogue) -> None:
    team = ("Quade Zwirn", "Quiller Zettel", "Quentin Zobel")
    rows = [
        with_ids(catalogue.paper("Yang Liu", *team, title="woven lattices")[0], f"x:{number}") for number in range(3)
    ]
    counts = population(*COMMON, catalogue=catalogue)
    assert len(groups(decide(rows, counts=counts))) == 1


def weights(bias: float) -> Weights:
    nothing = dict.fromkeys(("bias", *GROUP_FEATURES), 0.0)
    found = default_weights()
    return replace(found, groups={**nothing, **source_ids.GROUP_WEIGHTS, "bias": bias})


@pytest.mark.parametrize(
    ("bias", "ids", "joined", "listed"),
    [
        (0.0, ("x:1", "x:1"), True, False),  # likely enough to be listed: the id tips it
        (0.0, ("x:1", "y:1"), False, True),
        (-1.0, ("x:1", "x:1"), False, True),  # too unlikely without it
        (1.0, ("x:1", "y:1"), True, False),
        (1.0, ("x:1", "x:2"), False, True),
        (4.0, ("x:1", "x:2"), True, False),
    ],
)
def test_an_id_tips_what_would_be_listed(
    catalogue: Catalogue, bias: float, ids: tuple[str, str], joined: bool, listed: bool
) -> None:
    rows = [with_ids(catalogue.paper("Yang Liu")[0], one) for one in ids]
    workings = Workings((), rows, population(*COMMON, catalogue=catalogue), weights(bias))
    clusters = [workings.cluster([row]) for row in rows]
    scorer = GroupScorer(workings.population, workings.weights)
    assert len(join_groups(workings, scorer, clusters, 0.5)) == (1 if joined else 2)
    assert bool(workings.listed) is listed
    if listed and ids == ("x:1", "x:1"):
        (link,) = workings.listed
        assert [(one.evidence, one.contribution) for one in link.reasons] == [("source_id", 2.0)]


def test_groups_of_variants_are_compared_by_their_ids_too(catalogue: Catalogue) -> None:
    ours, theirs = catalogue.paper("Jia Lee")[0], catalogue.paper("J. Lee")[0]
    scorer = VariantScorer(population(*COMMON, catalogue=catalogue), default_weights())
    scores = {}
    for ids in (("x:1", "x:1"), ("x:1", "x:2"), ("x:1", "")):
        clusters = []
        for number, (row, one) in enumerate(zip((ours, theirs), ids, strict=True)):
            cluster = Cluster(2 * len(scores) + number)
            cluster.add(with_ids(row, *filter(None, [one])), new=True)
            clusters.append(cluster)
        features = scorer.features(clusters[0], clusters[1], 0.5)
        assert len(features) == len(VARIANT_FEATURES)
        scores[ids] = scorer.log_odds(features, Relation.INITIAL)
        without = scorer.without_source_ids(features, Relation.INITIAL)
        assert without == pytest.approx(scores[ids] - (2.0 if ids == ("x:1", "x:1") else 0.0))
    bare = scores["x:1", ""]
    assert scores["x:1", "x:1"] - bare == pytest.approx(2.0)
    assert scores["x:1", "x:2"] - bare == pytest.approx(-1.0)


def test_an_institution_is_a_word_of_its_affiliation() -> None:
    assert affiliation_words(["Loom Institute"], [7]) == {"loom", "institute", "@7"}
    assert affiliation_words(["Institut des métiers"], [7]) & affiliation_words(["Loom Institute"], [7]) == {"@7"}
