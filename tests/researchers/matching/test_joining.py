"""Groups of one name, seen as wholes: what joins them, what keeps them apart, and in what bounds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from researchers.matching.clusters import Cluster
from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.groups import GROUP_FEATURES, GroupScorer
from researchers.matching.joining import join_groups
from researchers.matching.outcomes import Reason
from researchers.matching.weights import Weights, default_weights
from researchers.matching.workings import Workings
from tests.researchers.matching.building import COMMON, Catalogue, population

_NOTHING = dict.fromkeys(("bias", *GROUP_FEATURES), 0.0)


def _weights(**groups: float) -> Weights:
    decide = {**default_weights().decide, "attach_group": 0.6}
    return replace(default_weights(), groups={**_NOTHING, **groups}, decide=decide)


def _scorer(catalogue: Catalogue, weights: Weights | None = None) -> GroupScorer:
    counts = population(*COMMON, catalogue=catalogue)
    return GroupScorer(counts, weights or _weights())


def _cluster(number: int, *rows: AuthorshipEvidence, known: int | None = None) -> Cluster:
    cluster = Cluster(number, known)
    for row in rows:
        cluster.add(row, new=known is None)
    return cluster


def _features(catalogue: Catalogue, one: Cluster, other: Cluster) -> dict[str, float]:
    found = _scorer(catalogue).features(one, other, 1.0)
    return dict(zip(GROUP_FEATURES, found, strict=True))


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue()


def test_what_two_groups_have_in_common(catalogue: Catalogue) -> None:
    one = catalogue.paper("Yang Liu", "Ugo Vexley", "Bodo Yzermann", title="Lichen walls", venue="Walls", year=2001)[0]
    two = catalogue.paper("Yang Liu", "Ugo Vexley", title="Tariff games", venue="Walls", year=2004)[0]
    found = _features(catalogue, _cluster(0, one), _cluster(1, two))
    assert found["co_author"] == 1
    assert found["co_author_share"] == 1  # of the group with fewer
    assert found["venue"] == 1
    assert found["years_between"] == 0.3
    assert (found["same_years"], found["title"], found["affiliation_known"]) == (0, 0, 0)
    assert (found["alone"], found["smaller"], found["larger"]) == (0, 0, 0)


def _join(
    catalogue: Catalogue, weights: Weights, *clusters: Cluster, namesakes: float = 0.5
) -> tuple[Workings, list[list[int]]]:
    workings = Workings((), (), population(*COMMON, catalogue=catalogue), weights)
    workings.clusters.update({cluster.number: cluster for cluster in clusters})
    scorer = GroupScorer(workings.population, weights)
    left = join_groups(workings, scorer, list(clusters), namesakes)
    return workings, sorted(sorted(one.id for one in cluster.members) for cluster in left)


def test_groups_are_joined_from_the_likeliest_down_and_the_rest_is_listed(catalogue: Catalogue) -> None:
    rows = [
        catalogue.paper("Yang Liu", "Ugo Vexley", "Bodo Yzermann")[0],
        catalogue.paper("Yang Liu", "Ugo Vexley", "Bodo Yzermann")[0],
        catalogue.paper("Yang Liu", "Otto Wexler", "Ida Quill", "Bodo Yzermann")[0],
        catalogue.paper("Yang Liu", "Nils Zander")[0],
    ]
    # Shared by half: one co-author in two makes a log-odds of 0, which is listed; two in two one of 2.
    weights = _weights(bias=-2.0, co_author_share=4.0)
    workings, left = _join(catalogue, weights, *(_cluster(at, row) for at, row in enumerate(rows)))
    assert left == [[rows[0].id, rows[1].id], [rows[2].id], [rows[3].id]]
    (listed,) = workings.listed
    assert (listed.first, listed.second, listed.score, listed.probability) == (0, 2, 0.0, 0.5)
    assert listed.reasons == (Reason("co_author_share", 0.5, 2.0),)
    assert workings.scores[rows[1].id][0] == 2.0
    assert rows[2].id not in workings.scores


def test_two_researchers_two_on_one_paper_and_two_suffixes_stay_apart(catalogue: Catalogue) -> None:
    weights = _weights(bias=5.0)
    one, two = catalogue.paper("Bing Liu", "Bing Liu")
    three, four = catalogue.paper("Bing Liu")[0], catalogue.paper("Bing Liu")[0]
    senior, junior = catalogue.paper("Bing Liu Sr.")[0], catalogue.paper("Bing Liu Jr.")[0]
    assert _join(catalogue, weights, _cluster(0, one), _cluster(1, two))[1] == [[one.id], [two.id]]
    known = _cluster(0, three, known=7), _cluster(1, four, known=8)
    assert _join(catalogue, weights, *known)[1] == [[three.id], [four.id]]
    assert _join(catalogue, weights, _cluster(0, senior), _cluster(1, junior))[1] == [[senior.id], [junior.id]]
    assert _join(catalogue, weights, _cluster(0, three), _cluster(1, four))[1] == [[three.id, four.id]]


def test_of_a_very_common_name_titles_alone_are_listed_and_join_nothing(catalogue: Catalogue) -> None:
    weights = _weights(bias=5.0)
    alone = [_cluster(at, catalogue.paper("Yang Liu", title="Lichen walls")[0]) for at in range(2)]
    workings, left = _join(catalogue, weights, *alone, namesakes=2.0)
    assert len(left) == 2
    assert [(one.first, one.second, one.score) for one in workings.listed] == [(0, 1, 5.0)]
    catalogue.paper("Ada Quarn", affiliation="Harbour College, Bergen")
    at_home = [
        _cluster(at, catalogue.paper("Yang Liu", affiliation="Snow Institute, Ulm", title=f"Number{at}")[0])
        for at in range(2)
    ]
    assert len(_join(catalogue, weights, *at_home, namesakes=2.0)[1]) == 1
    together = [_cluster(at, catalogue.paper("Yang Liu", "Ugo Vexley", title=f"Number{at}")[0]) for at in range(2)]
    assert len(_join(catalogue, weights, *together, namesakes=2.0)[1]) == 1


def test_what_may_not_be_joined_is_listed_unless_a_human_said_no(catalogue: Catalogue) -> None:
    one, two, three = (catalogue.paper("Bing Liu")[0] for _ in range(3))
    weights = _weights(bias=5.0)
    clusters = _cluster(0, one), _cluster(1, two)
    clusters[0].orcids.add("0000-0002-1825-0097")
    clusters[1].orcids.add("0000-0001-5109-3700")
    workings, left = _join(catalogue, weights, *clusters)
    assert len(left) == 2
    assert [(link.first, link.second) for link in workings.listed] == [(0, 1)]
    barred = _cluster(0, one, known=7), _cluster(1, three)
    barred[1].barred.add(7)
    workings, left = _join(catalogue, weights, *barred)
    assert (len(left), workings.listed) == (2, [])


def test_of_many_groups_only_those_with_something_in_common_are_compared(catalogue: Catalogue) -> None:
    rows = [catalogue.paper("Yang Liu", f"Ugo Vexley{'x' * (at // 2)}")[0] for at in range(200)]
    weights = _weights(bias=-5.0)
    workings = Workings((), (), population(*COMMON, catalogue=catalogue), weights)
    clusters = [_cluster(at, row) for at, row in enumerate(rows)]
    workings.clusters.update({cluster.number: cluster for cluster in clusters})
    scorer = GroupScorer(workings.population, weights)
    join_groups(workings, scorer, clusters, 1.0)
    assert scorer.compared == 100


def test_a_file_without_weights_of_groups_can_be_read() -> None:
    content = json.loads(default_weights().to_json())
    del content["groups"]
    assert Weights.from_json(json.dumps(content)) == replace(default_weights(), groups={})
