"""Reasons as curators read them."""

from __future__ import annotations

import pytest

from researchers.admin.reasons import suggest_different, tell
from researchers.matching import source_ids
from researchers.matching.clusters import VARIANT_FEATURES
from researchers.matching.groups import GROUP_FEATURES
from researchers.matching.names import Relation
from researchers.matching.outcomes import Reason
from researchers.matching.pairs import FEATURES
from researchers.matching.weights import default_weights
from researchers.matching.wording import Phrase, homonym_rate, in_words, likelihood


def test_likeness_is_no_proof() -> None:
    assert [likelihood(score) for score in (0.0, 0.604, 0.99, 0.996, 1.0)] == ["0%", "60%", "99%", "99%", "99%"]


@pytest.mark.parametrize(
    ("namesakes", "expected"),
    [
        (0.001, "about 1 in 1,700 names this rare are several people"),
        (0.05, "about 1 in 70 names this common are several people"),
        (0.5, "about 1 in 10 names this common are several people"),
        (3.0, "about 4 in 10 names this common are several people"),
    ],
)
def test_expected_namesakes_explain_themselves(namesakes: float, expected: str) -> None:
    assert homonym_rate(namesakes) == expected


def test_parts_that_belong_together_are_one_phrase_and_the_weightiest_is_first() -> None:
    reasons = [
        Reason("title", 0.25, 1.0),
        Reason("title_phrase", 1.0, 0.5),
        Reason("namesakes", -0.5, 0.75),
        Reason("namesakes_above_tenth", 0.5, -1.25),
        Reason("co_author", 1.0, 1.75),
        Reason("co_author_rarity", 3.0, 0.5),
        Reason("more_co_authors", 1.0, 0.25),
        Reason("affiliation_disjoint", 1.0, -1.0),
        Reason("years_apart", 0.1, -0.125),
    ]
    assert in_words(reasons) == (
        Phrase("two co-authors in common, one of a rare name", 2.5),
        Phrase("titles agree by 25%, with a phrase in common", 1.5),
        Phrase("affiliations have nothing in common", -1.0),
        Phrase("about 1 in 10 names this common are several people", -0.5),
        Phrase("papers 1 year apart", -0.12),
    )


def test_variants_in_words() -> None:
    reasons = [Reason("relation: initial", 1.0, -1.0), Reason("years_between", 0.7, -0.5), Reason("venue", 1.0, 0.25)]
    assert in_words(reasons) == (
        Phrase("one name has only an initial", -1.0),
        Phrase("7 years between the last paper of one and the first of the other", -0.5),
        Phrase("a venue in common", 0.25),
    )


def test_groups_in_words() -> None:
    reasons = [
        Reason("co_author_share", 0.5, 1.0),
        Reason("co_authors", 2.0, 0.5),
        Reason("co_author", 1.0, 0.25),
        Reason("venue", 0.25, -0.5),
        Reason("same_years", 1.0, 0.25),
    ]
    assert in_words(reasons) == (
        Phrase("50% of the co-authors of the smaller side in common", 1.75),
        Phrase("venues agree by 25%", -0.5),
        Phrase("papers of the same years", 0.25),
    )


def _weighed(part: str, **values: float) -> dict[str, Phrase]:
    """What the learnt weights of a part make of values, by the kind of evidence."""
    weights = getattr(default_weights(), part)
    reasons = [Reason(name, value, value * weights[name]) for name, value in values.items()]
    return {phrase.about: phrase for phrase in in_words(reasons)}


def test_agreement_that_weighs_against_says_why() -> None:
    same = {"affiliation": 1.0, "affiliation_known": 1.0}
    of_variants = _weighed("variants", **same)["affiliation"]
    assert of_variants.contribution < 0
    assert of_variants.text == (
        "affiliations agree by 100%, which makes up only in part for the lower start where both are known"
    )
    of_pairs = _weighed("pairs", **same)["affiliation"]
    assert (of_pairs.text, of_pairs.contribution > 0) == ("affiliations agree by 100%", True)
    little = _weighed("pairs", affiliation=0.2, affiliation_known=1.0)["affiliation"]
    assert (little.text, little.contribution < 0) == ("affiliations agree by only 20%", True)
    disjoint = _weighed("variants", affiliation_disjoint=1.0, affiliation_known=1.0)["affiliation"]
    assert disjoint.text == "affiliations have nothing in common"


def test_what_other_evidence_counts_already_is_called_a_correction() -> None:
    found = _weighed("groups", namesakes=-4.0, venue=1.0)
    assert found["namesakes"].contribution < 0 > found["venue"].contribution
    assert [found[about].text for about in ("namesakes", "venue")] == [
        "about 1 in 1,700 names this rare are several people, a correction: the other evidence counts this already",
        "a venue in common, a correction: the other evidence counts this already",
    ]
    assert _weighed("pairs", namesakes=-4.0)["namesakes"].text.endswith("are several people")
    common = _weighed("groups", namesakes=1.0, namesakes_above_tenth=2.0)["namesakes"]
    assert (common.text, common.contribution < 0) == ("about 4 in 10 names this common are several people", True)
    told = tell(
        {"text": phrase.text, "contribution": phrase.contribution, "about": phrase.about} for phrase in found.values()
    )
    assert suggest_different(told, both_on_paper=False, other_orcids=False) == "Nothing but the name in common"


@pytest.mark.parametrize(
    "evidence",
    [
        *FEATURES,
        *GROUP_FEATURES,
        *VARIANT_FEATURES,
        *source_ids.FEATURES,
        "rare_name",
        *(f"relation: {kind}" for kind in Relation),
    ],
)
def test_everything_weighed_can_be_told(evidence: str) -> None:
    (phrase,) = in_words([Reason(evidence, 1.0, 1.0)])
    assert len(phrase.text) > 10


def test_the_weights_file_weighs_everything() -> None:
    weights = default_weights()
    assert set(weights.pairs) == {"bias", *FEATURES, *source_ids.FEATURES}
    assert set(weights.groups) == {"bias", *GROUP_FEATURES}
    assert set(VARIANT_FEATURES) < set(weights.variants)
    assert weights.provenance["learnt_by"] == "manage.py train_matching"
