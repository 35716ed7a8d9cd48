"""The volume brake, which is pure."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from wovepaper.harvest.brake import Profile, why_field_vanished, why_refused_too_much
from wovepaper.harvest.options import HarvestOptions

OPTIONS = HarvestOptions()


@dataclass
class Thing:
    title: str
    authors: tuple[str, ...] = ()
    size: int | None = None


@pytest.mark.parametrize(
    ("refused", "seen", "stops"),
    [(10, 20, False), (11, 20, True), (19, 19, False), (20, 20, True), (0, 5000, False), (501, 1000, True)],
)
def test_more_than_half_of_twenty_or_more(refused, seen, stops):
    reason = why_refused_too_much(refused=refused, seen=seen, options=OPTIONS, where="page")
    assert (reason is not None) is stops


def test_a_profile_counts_what_is_filled():
    profile = Profile.of([Thing("a", ("b",), 0), Thing("", (), None), {"title": "c", "other": []}, 7])

    assert profile.records == 4
    # Nought is a value; an empty text, tuple or list is none.
    assert profile.filled == {"title": 2, "authors": 1, "size": 1, "other": 0}


def test_profiles_add_up_and_forget_slowly():
    assert Profile(2, {"a": 1}) + Profile(3, {"b": 2}) == Profile(5, {"a": 1, "b": 2})
    assert Profile(9_000, {"a": 9_000}) + Profile(3_000, {"a": 0}) == Profile(6_000, {"a": 4_500})


@pytest.mark.parametrize(
    ("before", "now", "reason"),
    [
        (Profile(50, {"authors": 45}), Profile(20, {"authors": 0}), "'authors' is empty in all 20 records"),
        (Profile(50, {"authors": 45}), Profile(20, {}), "'authors' is empty in all 20 records"),
        (Profile(50, {"a": 50, "b": 50, "c": 50}), Profile(20, {"c": 1}), "'a' and 'b' is empty"),
        (Profile(50, {"authors": 44}), Profile(20, {"authors": 0}), None),
        (Profile(49, {"authors": 49}), Profile(20, {"authors": 0}), None),
        (Profile(50, {"authors": 50}), Profile(19, {"authors": 0}), None),
        (Profile(50, {"authors": 50}), Profile(20, {"authors": 1}), None),
        (Profile(), Profile(20, {}), None),
    ],
)
def test_a_field_that_vanishes(before, now, reason):
    found = why_field_vanished(now=now, before=before, options=OPTIONS)
    assert (found is None) if reason is None else (reason in found)
