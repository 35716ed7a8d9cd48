from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wovepaper.lib import names
from wovepaper.lib.names import NameParts


@pytest.mark.parametrize(
    ("printed", "parts"),
    [
        ("Ada Example", NameParts("Ada", "Example")),
        ("Example, Ada", NameParts("Ada", "Example")),
        ("Ada M. van den Example", NameParts("Ada M.", "van den Example")),
        ("Tim Van de Example", NameParts("Tim", "Van de Example")),
        ("Antonio De Example", NameParts("Antonio", "De Example")),
        ("Olivier Le Example", NameParts("Olivier", "Le Example")),
        ("Nguyen Van Hung", NameParts("Nguyen Van", "Hung")),
        ("José Ortega y Gasset", NameParts("José", "Ortega y Gasset")),
        ("Bin Zhou", NameParts("Bin", "Zhou")),
        ("van der Waals", NameParts("", "van der Waals")),
        ("Ada Example Jr.", NameParts("Ada", "Example", "Jr.")),
        ("Ada Example, Jr.", NameParts("Ada", "Example", "Jr.")),
        ("Example, Ada, III", NameParts("Ada", "Example", "III")),
        ("Robert L. Example IV", NameParts("Robert L.", "Example", "IV")),
        ("A.N.Example", NameParts("A.N.", "Example")),
        ("N.d'Ample", NameParts("N.", "d'Ample")),
        ("C. -P. Example", NameParts("C.-P.", "Example")),
        ("Supryadi", NameParts("", "Supryadi")),
        ("조혜린", NameParts("", "조혜린")),
        ("III", NameParts("", "III")),
        (" , ", NameParts("", "")),
        ("", NameParts("", "")),
    ],
)
def test_a_name_is_taken_apart(printed: str, parts: NameParts) -> None:
    assert names.split_name(printed) == parts


@given(st.text(max_size=60))
def test_nothing_of_a_name_is_lost(printed: str) -> None:
    parts = names.split_name(printed)

    kept = sorted(f"{parts.given}{parts.family}{parts.suffix}".replace(" ", ""))
    assert kept == sorted("".join(printed.replace(",", " ").split()))


@pytest.mark.parametrize(
    "name",
    [
        "ATLAS Collaboration",
        "for the XYZ collaboration",
        "The A and B Collaborations",
        "the c2d Team",
        "LHCb collaboration",
        "Particle Data Group",
        "The T2K Beam Group",
        "Event Horizon Consortium",
        "Muon Working Group",
        "The Dark Energy Survey",
    ],
)
def test_collaborations_are_known(name: str) -> None:
    assert names.is_collaboration(name)


@pytest.mark.parametrize(
    "name", ["Mehmet Ali", "A. Teamer", "Grouping, B.", "Kiri Wagstaff", "P. Survey", "Ali Project"]
)
def test_people_are_no_collaborations(name: str) -> None:
    assert not names.is_collaboration(name)
