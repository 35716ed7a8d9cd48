from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.sources.arxiv.authors import read_string, read_structured
from papers.sources.records import AuthorRecord


def names_in(authors: str) -> list[str]:
    return [author.name for author in read_string(authors)]


def affiliations_in(authors: str) -> list[tuple[str, ...]]:
    return [author.affiliations for author in read_string(authors)]


@pytest.mark.parametrize(
    ("printed", "names"),
    [
        ("Ada Example", ["Ada Example"]),
        ("Ada Example, Bo Sample and Cy Specimen", ["Ada Example", "Bo Sample", "Cy Specimen"]),
        ("Ada Example, Bo Sample, and Cy Specimen", ["Ada Example", "Bo Sample", "Cy Specimen"]),
        ("Ada Example; Bo Sample & Cy Specimen", ["Ada Example", "Bo Sample", "Cy Specimen"]),
        ("Ada Example,\n  Bo\n  Sample", ["Ada Example", "Bo Sample"]),
        ("Rolandand Anders, Sandy Land", ["Rolandand Anders", "Sandy Land"]),
        (r"B\'ela Ex\"ample, H{\aa}kan \'Ample", ["Béla Exämple", "Håkan Ámple"]),
        ("Bo Sample Jr., Cy Specimen, III", ["Bo Sample Jr.", "Cy Specimen III"]),
        ("Ada Example, et al", ["Ada Example"]),
        ("Ada Example et al., Bo Sample", ["Ada Example", "Bo Sample"]),
        ("Ada (Addie) Example, Bo Sample", ["Ada (Addie) Example", "Bo Sample"]),
        ("Mehmet Ali, Ali Etal", ["Mehmet Ali", "Ali Etal"]),
        ("Ada Example (1,2) Bo Sample (3)", ["Ada Example", "Bo Sample"]),
        ("A.N.Example, N.d'Ample", ["A.N.Example", "N.d'Ample"]),
        ("", []),
        (" , and ; ", []),
        ("(Somewhere)", []),
    ],
)
def test_names_are_told_apart(printed: str, names: list[str]) -> None:
    assert names_in(printed) == names


def test_a_suffix_is_no_author() -> None:
    (author,) = read_string("Raymond E. Sample, III (2,3)")

    assert (author.given, author.family, author.suffix) == ("Raymond E.", "Sample", "III")


@pytest.mark.parametrize(
    ("printed", "affiliations"),
    [
        ("A. One (MIT), B. Two (Caltech)", [("MIT",), ("Caltech",)]),
        ("A. One (MIT, Cambridge (USA)), B. Two", [("MIT, Cambridge (USA)",), ()]),
        ("A. One (U. of X and Y, Z), B. Two (Q)", [("U. of X and Y, Z",), ("Q",)]),
        ("A. One, B. Two (X) and C. Three (Y)", [("X",), ("X",), ("Y",)]),
        ("A. One, B. Two and C. Three (X)", [("X",), ("X",), ("X",)]),
        ("A. One (X), B. Two", [("X",), ()]),
        ("A. One (1) (2) ((1) X, (2) Y)", [("X", "Y")]),
        ("A. One (1), B. Two (1,2), C. Three ((1) X, (2) Y, Z)", [("X",), ("X", "Y, Z"), ()]),
        ("A. One (1 and 2), B. Two (1 2) ((1) X; (2) Y)", [("X", "Y"), ("X", "Y")]),
        ("A. One (1-3), B. Two (2) ((1) X, (2) Y, (3) Z)", [("X", "Y", "Z"), ("Y",)]),
        ("A. One (a), B. Two (a,b) ((a) X, (b) Y)", [("X",), ("X", "Y")]),
        ("A. One (1), B. Two (2). ((1) X (Y), and (2) Z.)", [("X (Y)",), ("Z.",)]),
        ("A. One (1), B. Two (2) (1 X, Via Y 2 - 4; 2 Z)", [("X, Via Y 2 - 4",), ("Z",)]),
        ("A. One (1), B. Two (2), (1) X, City, (2) Y", [("X, City",), ("Y",)]),
        ("A. One (1), B. Two (2) ((1) X, (2) Y", [("X",), ("Y",)]),
        ("A. One$^{1,2}$, B. Two$^2$ ((1) X, (2) Y)", [("X", "Y"), ("Y",)]),
        ("A. One (1), B. Two (2)", [(), ()]),
        ("A. One, (X), B. Two", [("X",), ()]),
        ("A. One (X, B. Two", [("X",), ()]),
        ('A. One (Universit\\"at X)', [("Universität X",)]),
        ("A. One (X), B. Two (X), B. Two (X)", [("X",), ("X",), ("X",)]),
    ],
)
def test_affiliations_stand_with_their_authors(printed: str, affiliations: list[tuple[str, ...]]) -> None:
    assert affiliations_in(printed) == affiliations


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (
            "The XYZ Collaboration: A. One, B. Two",
            [("The XYZ Collaboration", True), ("A. One", False), ("B. Two", False)],
        ),
        ("XYZ Collaboration", [("XYZ Collaboration", True)]),
        ("A. One, for the XYZ Collaboration", [("A. One", False), ("for the XYZ Collaboration", True)]),
        ("A. One for the XYZ collaboration", [("A. One", False), ("for the XYZ collaboration", True)]),
        ("A. One (X) on behalf of XYZ Collaboration", [("A. One", False), ("on behalf of XYZ Collaboration", True)]),
        ("The XYZ and UVW Collaborations", [("The XYZ and UVW Collaborations", True)]),
        ("A. One and the c2d Team", [("A. One", False), ("the c2d Team", True)]),
        ("A. One, Mehmet Ali", [("A. One", False), ("Mehmet Ali", False)]),
    ],
)
def test_collaborations_are_told_from_people(printed: str, expected: list[tuple[str, bool]]) -> None:
    assert [(author.name, author.is_collaboration) for author in read_string(printed)] == expected


def test_a_collaboration_in_parentheses_is_not_shared() -> None:
    assert affiliations_in("A. One, B. Two (on behalf of the XYZ Collaboration)") == [
        (),
        ("on behalf of the XYZ Collaboration",),
    ]


def test_an_affiliation_behind_members_is_not_the_collaborations() -> None:
    assert affiliations_in("The XYZ Collaboration: A. One, B. Two (X)") == [(), ("X",), ("X",)]


def test_structured_authors_keep_their_parts() -> None:
    assert read_structured("van den Example", "C. -P.", "Jr.", ["X, Y", "1 and 2", "X, Y", ""]) == [
        AuthorRecord("C.-P. van den Example Jr.", "C.-P.", "van den Example", "Jr.", affiliations=("X, Y",))
    ]
    assert read_structured("Ex\\'ample") == [AuthorRecord("Exámple", "", "Exámple")]


@pytest.mark.parametrize(
    ("keyname", "forenames", "expected"),
    [
        ("XYZ Collaboration", "", [("XYZ Collaboration", True)]),
        ("Collaboration", "for the XYZ", [("for the XYZ Collaboration", True)]),
        ("Collaboration", "Ada Example for the XYZ", [("Ada Example", False), ("for the XYZ Collaboration", True)]),
        ("Ada for XYZ Collaboration", "", [("Ada", False), ("for XYZ Collaboration", True)]),
        ("al.", "et", []),
        (":", "", []),
        ("", "", []),
    ],
)
def test_odd_structured_entries(keyname: str, forenames: str, expected: list[tuple[str, bool]]) -> None:
    assert [(author.name, author.is_collaboration) for author in read_structured(keyname, forenames)] == expected


@given(st.text(alphabet="ABab1 ,;()&:$^{}\\'.-", max_size=80) | st.text(max_size=60))
def test_any_string_gives_authors_with_names(printed: str) -> None:
    for author in read_string(printed):
        assert author.name.strip() == author.name != ""


def test_three_thousand_authors_are_read_with_their_affiliations() -> None:
    people = ", ".join(f"A. Author{number} ({number % 90 + 1})" for number in range(3000))
    legend = ", ".join(f"({number}) Institute {number}" for number in range(1, 91))

    read = read_string(f"{people} ({legend})")

    assert len(read) == 3000
    assert (read[89].name, read[89].affiliations) == ("A. Author89", ("Institute 90",))


@pytest.mark.parametrize(
    "piece", ["(", ")", "(1) ", "((1) ", "a,(", "A (", "and ", ", et al", "$^{1}$", "A (1), ", "A for "]
)
@pytest.mark.timeout(60)  # the square of the length would take many minutes
def test_time_is_linear(piece: str) -> None:
    assert all(author.name for author in read_string(piece * 20_000))
