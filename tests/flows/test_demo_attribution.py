"""The whole demo catalogue through harvest and pipeline, and what became of its people, against the truth."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction

from papers.models import Authorship, Paper
from researchers.matching.population import Population
from researchers.matching.resolve import resolve
from researchers.matching.weights import default_weights
from researchers.models import Attribution, Candidate, MergeEvent, ResearcherIdentifier
from researchers.services.attribution import export_lines
from researchers.services.attribution.evidence import load_papers
from wovepaper.demo.cast import Plot
from wovepaper.demo.catalogue import bring_in
from wovepaper.demo.history import play_history
from wovepaper.demo.management.commands.demo import DEFAULT_PAPERS
from wovepaper.demo.recipe import Recipe
from wovepaper.demo.registry import BLOCK
from wovepaper.demo.truth import TrueAuthorship, true_authorships
from wovepaper.demo.users import ensure_demo_users
from wovepaper.lib.orcid import normalise
from wovepaper.pipeline.services import drain

# Every test within the catalogue of the module, and taken back by itself.
pytestmark = pytest.mark.django_db

RECIPE = Recipe(DEFAULT_PAPERS, 1, dt.date(2026, 3, 16))

FLOORS = {"human": (0.94, 0.98), "orcid": (0.999, 0.995), "hard": (0.80, 0.965)}
"""B-cubed precision and recall on the default catalogue."""


@dataclass(frozen=True)
class Outcome:
    """The truth, and by (paper, position) the researcher; ``None`` for nobody."""

    truth: list[TrueAuthorship]
    found: dict[tuple[str, int], int | None]

    def of(self, row: TrueAuthorship) -> object:
        """The researcher; somebody of their own where there is none."""
        return self.found[row.paper, row.position] or ("nobody", row.paper, row.position)

    def score(self, tier: str) -> tuple[float, float]:
        """B-cubed precision and recall of a tier."""
        rows = [row for row in self.truth if tier in row.tiers]
        assert len(rows) > 1_000
        return b_cubed([self.of(row) for row in rows], [row.person for row in rows])

    def plot(self, plot: Plot) -> dict[int, list[list[TrueAuthorship]]]:
        """By cycle the authorships of each person that a scene is about."""
        people: dict[int, dict[int, list[TrueAuthorship]]] = defaultdict(lambda: defaultdict(list))
        for row in self.truth:
            if row.plot == plot.name.lower():
                people[row.cycle][row.person].append(row)
        assert len(people) >= 4
        return {cycle: list(each.values()) for cycle, each in people.items()}


@pytest.fixture(scope="module")
def outcome(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[Outcome]:
    """Brought in once for all tests here, and taken back as a whole."""
    import haystack

    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch, transaction.atomic():
        path = str(tmp_path_factory.mktemp("search") / "index")
        patch.setitem(haystack.connections.connections_info["default"], "PATH", path)
        haystack.connections.reload("default")
        brought = bring_in(RECIPE)
        assert brought.summary.ok
        assert (brought.drained.failed, brought.drained.stopped) == ({}, {})
        exported = [json.loads(line) for line in export_lines()]
        found = {(row["arxiv_id"] or row["doi"], row["position"]): row["researcher_id"] for row in exported}
        yield Outcome(list(true_authorships(RECIPE)), found)
        transaction.set_rollback(True)
    haystack.connections.reload("default")


def b_cubed(predicted: Sequence[object], gold: Sequence[object]) -> tuple[float, float]:
    """Precision and recall of one grouping against another."""
    ours, theirs, both = Counter(predicted), Counter(gold), Counter(zip(predicted, gold, strict=True))
    total = len(predicted)
    precision = sum(count * count / ours[one] for (one, _), count in both.items()) / total
    recall = sum(count * count / theirs[other] for (_, other), count in both.items()) / total
    return precision, recall


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


def test_the_score_of_groupings() -> None:
    assert b_cubed("aabb", "aabb") == (1, 1)
    assert b_cubed("aaaa", "aabb") == (0.5, 1)
    assert b_cubed("abcd", "aabb") == (1, 0.5)


def test_every_author_of_the_truth_is_in_the_catalogue(outcome: Outcome) -> None:
    assert {(row.paper, row.position) for row in outcome.truth} <= outcome.found.keys()
    places = Authorship.objects.values_list("paper__arxiv_id", "paper__doi", "position", "name")
    names = {(arxiv_id or doi, position): name for arxiv_id, doi, position, name in places}
    assert [row for row in outcome.truth if names[row.paper, row.position] != row.printed] == []


@pytest.mark.parametrize("tier", FLOORS)
def test_precision_and_recall_against_the_truth(outcome: Outcome, tier: str) -> None:
    precision, recall = outcome.score(tier)
    assert precision >= FLOORS[tier][0]
    assert recall >= FLOORS[tier][1]


def test_ids_of_sources_and_affiliations_tell_people_apart_better(outcome: Outcome) -> None:
    """By the same matching, from nothing, without the ids and without both."""
    loaded = load_papers(list(Paper.objects.filter(redirect_to=None).values_list("pk", flat=True)))
    places = {
        row[0]: (row[1] or row[2], row[3])
        for row in Authorship.objects.values_list("pk", "paper__arxiv_id", "paper__doi", "position")
    }
    people = sorted(loaded.people(), key=lambda one: one.id)
    assert sum(bool(one.source_ids) for one in people) > 2_000
    assert sum(bool(one.affiliation) for one in people) > 2_000
    without_ids = [replace(one, source_ids=frozenset()) for one in people]
    bare = {one.paper.id: replace(one.paper, affiliation=frozenset()) for one in people}
    without_both = [replace(one, affiliation=frozenset(), paper=bare[one.paper.id]) for one in without_ids]
    with_both = {tier: f1(*outcome.score(tier)) for tier in ("human", "hard")}
    scores = [with_both]
    for stripped in (without_ids, without_both):
        population = Population()
        population.add(stripped)
        resolution = resolve(known=(), new=stripped, population=population, weights=default_weights())
        found = {places[one.authorship]: (one.person.newcomer or 0) + 1 for one in resolution.attributions}
        told = Outcome(outcome.truth, dict.fromkeys(outcome.found) | found)
        scores.append({tier: f1(*told.score(tier)) for tier in with_both})
    for tier in with_both:
        both, no_ids, neither = (score[tier] for score in scores)
        assert both > no_ids > neither


def test_no_two_authors_of_a_paper_are_one_person(outcome: Outcome) -> None:
    together = Counter((paper, who) for (paper, _), who in outcome.found.items() if who is not None)
    assert max(together.values()) == 1


def test_everybody_has_a_researcher_and_a_collaboration_has_none(outcome: Outcome) -> None:
    assert [row for row in outcome.truth if outcome.found[row.paper, row.position] is None] == []
    true = {(row.paper, row.position) for row in outcome.truth}
    others = {who for place, who in outcome.found.items() if place not in true}
    assert others == {None}
    assert Authorship.objects.filter(is_collaboration=True, attribution__isnull=True).count() == sum(
        who is None for who in outcome.found.values()
    )
    assert not Attribution.objects.filter(authorship__is_collaboration=True).exists()


def test_an_orcid_with_a_wrong_check_digit_is_nobodys(outcome: Outcome) -> None:
    values = list(ResearcherIdentifier.objects.filter(scheme="orcid").values_list("value", flat=True))
    assert len(values) > 300
    assert all(normalise(value) == value and value.startswith(BLOCK) for value in values)
    misprinted = [row for people in outcome.plot(Plot.WRONG_CHECKSUM).values() for person in people for row in person]
    assert not any("orcid" in row.tiers for row in misprinted)
    assert not ResearcherIdentifier.objects.filter(
        scheme="orcid", researcher__in={outcome.found[row.paper, row.position] for row in misprinted}
    ).exists()


@pytest.mark.parametrize("plot", [Plot.NAMESAKES_WITH_ORCIDS, Plot.FATHER_AND_SON])
def test_namesakes_with_orcids_of_their_own_are_never_one(outcome: Outcome, plot: Plot) -> None:
    for people in outcome.plot(plot).values():
        one, other = ({outcome.of(row) for row in person} for person in people)
        assert not one & other
        assert (len(one), len(other)) == (1, 1)


@pytest.mark.parametrize("plot", [Plot.CHANGED_FAMILY_NAME, Plot.CHANGED_GIVEN_NAME])
def test_a_changed_name_under_one_orcid_is_one_person(outcome: Outcome, plot: Plot) -> None:
    scenes = outcome.plot(plot).values()
    assert any(len({row.printed for row in person}) == 2 for people in scenes for person in people)
    if plot is Plot.CHANGED_GIVEN_NAME:  # a family name in common
        for (person,) in scenes:
            assert len({outcome.of(row) for row in person}) == 1


@pytest.mark.parametrize("plot", [Plot.HYPHENS_AND_CAPITALS, Plot.MOVES])
def test_spellings_and_moves_do_not_part_a_person(outcome: Outcome, plot: Plot) -> None:
    for (person,) in outcome.plot(plot).values():
        assert len({outcome.of(row) for row in person}) == 1


@pytest.mark.parametrize(
    ("plot", "key"),
    [
        (Plot.FAMILY_NAME_FIRST, lambda name: name.split()[0]),
        (Plot.MONONYM, lambda name: len(name.split())),
        (Plot.LONGER_FAMILY_NAME, lambda name: len(name.split())),
        (Plot.UMLAUTS, lambda name: "e" in name.replace("é", "") and any(pair in name for pair in ("oe", "ue", "ae"))),
    ],
)
def test_what_only_a_human_may_join_is_listed_instead(
    outcome: Outcome, plot: Plot, key: Callable[[str], object]
) -> None:
    listed = 0
    scenes = outcome.plot(plot).values()
    for (person,) in scenes:
        forms: dict[object, set[object]] = defaultdict(set)
        for row in person:
            forms[key(row.printed)].add(outcome.of(row))
        assert len(forms) == 2
        one, other = forms.values()
        assert not one & other
        listed += (
            Candidate.objects.filter(kind="pair", members__overlap=list(one))
            .filter(members__overlap=list(other))
            .exists()
        )
    assert listed >= len(scenes) - 1


def test_one_orcid_on_two_authors_of_a_paper_joins_nobody(outcome: Outcome) -> None:
    for people in outcome.plot(Plot.ORCID_ON_TWO_AUTHORS).values():
        one, other = ({outcome.of(row) for row in person} for person in people)
        assert not one & other
    assert Candidate.objects.filter(kind="conflict", state="open").count() >= 4


def test_two_of_one_name_on_a_paper_are_two(outcome: Outcome) -> None:
    for people in outcome.plot(Plot.SAME_NAME_ON_ONE_PAPER).values():
        by_paper: dict[str, list[object]] = defaultdict(list)
        for row in (row for person in people for row in person):
            by_paper[row.paper].append(outcome.of(row))
        twice = [found for found in by_paper.values() if len(found) == 2]
        assert twice
        assert all(one != other for one, other in twice)


def test_an_initial_between_two_given_names_joins_them_not(outcome: Outcome) -> None:
    for people in outcome.plot(Plot.INITIALS_BETWEEN_TWO).values():
        full = [{outcome.of(row) for row in person if row.printed[1] != "."} for person in people]
        assert not full[0] & full[1]


def test_the_curators_have_a_history_and_work_of_every_kind(outcome: Outcome) -> None:
    with transaction.atomic():
        assert play_history(RECIPE) == 0  # nobody is there who could have done anything
        ensure_demo_users()
        assert play_history(RECIPE) > 0
        drain()
        events = Counter(MergeEvent.objects.values_list("kind", flat=True))
        assert events["merge"] >= 10
        assert events["undo"] >= 4
        waiting = Counter(Candidate.objects.filter(state="open").values_list("kind", flat=True))
        assert waiting.total() >= 60
        assert min(waiting[kind] for kind in ("pair", "group", "split", "conflict")) >= 1
        for people in outcome.plot(Plot.TWO_ORCIDS).values():
            roots = {_root_of(row) for row in people[0]}
            assert len(roots) == 1
            assert ResearcherIdentifier.objects.filter(researcher__root__in=roots, scheme="orcid").count() == 2
        before = MergeEvent.objects.count()
        assert play_history(RECIPE) == 0
        assert MergeEvent.objects.count() == before
        transaction.set_rollback(True)


def _root_of(row: TrueAuthorship) -> int | None:
    return Attribution.objects.get(authorship__paper__arxiv_id=row.arxiv_id, authorship__position=row.position).root_id


def test_the_truth_scores_with_the_columns_of_the_scorer(outcome: Outcome, tmp_path: Path) -> None:
    """What ``demo --truth`` writes names the papers as ``export_attributions`` does."""
    out = StringIO()
    call_command(
        "demo", papers=RECIPE.papers, until=RECIPE.until, truth=tmp_path / "truth.tsv", stdout=out, verbosity=0
    )
    header, *lines = (tmp_path / "truth.tsv").read_text().splitlines()
    assert header.split("\t") == ["doi", "position", "tier", "person"]
    dois = {(row["doi"], row["position"]) for row in map(json.loads, export_lines()) if row["doi"]}
    assert {(doi, int(position)) for doi, position, _, _ in (line.split("\t") for line in lines)} <= dois
