from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from institutions.matching.index import NameIndex
from institutions.matching.known import KnownInstitution
from institutions.matching.matcher import Matcher
from institutions.matching.words import read_words


def known(number: int, *names: str, city: str = "Threadham", country: str = "GB", **more) -> KnownInstitution:
    kinds = {"acronym": more.pop("acronym", ()), "alias": more.pop("alias", ())}
    all_names = [(name, "label") for name in names] + [(name, kind) for kind, of in kinds.items() for name in of]
    return KnownInstitution(number, tuple(all_names), cities=(city,), countries=(country,), **more)


WEAVERS, GUILD, MUNICH, YORK, OTHER_YORK, OLD, NEW, GONE, LOOM, CNRW, CALIFORNIA, IRVINE, JAPAN, TWO_A, TWO_B = range(
    1, 16
)
MATCHER = Matcher(
    NameIndex.build(
        [
            known(WEAVERS, "University of Threadham", alias=("Weavers' University",), acronym=("UOT",)),
            known(
                GUILD,
                "Guild Institute of Weaving Physics",
                city="Loomstadt",
                country="DE",
                alias=("Guild Institute of Weaving Physics, Guild Academy of Knots",),
                parents=frozenset({LOOM}),
                relatives=frozenset({LOOM}),
            ),
            known(LOOM, "Guild Academy of Knots", city="Loomstadt", country="DE"),
            known(MUNICH, "Technische Universität Webstadt", city="Webstadt", country="DE"),
            known(YORK, "Yarn University", city="Yarn", country="CA"),
            known(OTHER_YORK, "Yarn University", city="Yarn", country="GB"),
            known(OLD, "Spindle Polytechnic", city="Spindle", country="US", status="inactive", leads_to=NEW),
            known(NEW, "Spindle State University", city="Spindle", country="US"),
            known(GONE, "Vanished Weaving College", status="withdrawn"),
            known(CNRW, "Centre National de la Recherche sur le Fil", city="Paris", country="FR", acronym=("CNRF",)),
            known(CALIFORNIA, "University of Tapestry", city="Carpet", country="US"),
            known(IRVINE, "University of Tapestry, Irwell", city="Irwell", country="US"),
            known(JAPAN, "織物大学", "Orimono University", city="Kiryu", country="JP"),
            known(TWO_A, "Institute of Archaeology", city="Threadham", country="GB"),
            known(TWO_B, "Institute of Archaeology", city="Loomstadt", country="DE"),
        ]
    )
)


def found(text: str) -> list[int]:
    return [match.institution for match in MATCHER.match(text)]


CAUTIOUS = Matcher(
    NameIndex.build(
        [
            known(1, "Yarn University", city="Yarn", country="CA"),
            known(2, "University of Threadham"),
            known(3, "SJ College of Weaving", alias=("College of Weaving",)),
            known(4, "Institute of Loom Research", city="Loomstadt", country="DE"),
            known(5, "Université de Filville", city="Filville", country="FR"),
            known(6, "University of Tapestry", city="Carpet", country="US"),
            *(
                known(number, f"University of Tapestry {city}", city=city, country="US", parents=frozenset({6}))
                for number, city in ((7, "Irwell"), (8, "Twill"))
            ),
            known(9, "Weaving University of the West", city="Selvedge", country="US", parents=frozenset({6})),
            known(10, "Guild Hospital", city="Yarn", country="CA"),
        ]
    )
)


@pytest.mark.parametrize(
    ("text", "institutions"),
    [
        ("Yarn University of Nationalities", []),
        ("Yarn University of Canada", [1]),
        ("Department of Knots Yarn University  Yarn Canada", [1]),
        ("University of Yarn", [1]),
        ("University of Yarn Nationalities", []),
        ("Complejo Universitario Threadham, Threadham", []),
        ("P.E.S. College of Weaving, UK", []),
        ("College of Weaving, Threadham", [3]),
        ("Institute of Loom Research", [4]),
        ("Institute of Loom Research, Carpet", []),
        ("Université de Filville, France", [5]),
        ("Université de Filville 2, France", []),
        ("University of Threadham 2, UK", [2]),
        ("University of Tapestry, USA", [6]),
        ("Loom Center, University of Tapestry, Twill, USA", [8]),
        ("Loom Center, University of Tapestry, 1 Weft Street, Selvedge, USA", []),
        ("Guild Hospital", [10]),
        ("Guild Hospital Bergmannstrost", []),
    ],
)
def test_it_abstains_where_another_one_may_be_meant(text, institutions) -> None:
    assert [match.institution for match in CAUTIOUS.match(text)] == institutions


@pytest.mark.parametrize(
    ("text", "institutions"),
    [
        ("University of Threadham", [WEAVERS]),
        ("Dept. of Knots, Univ. of Threadham, UK", [WEAVERS]),
        ("THREADHAM UNIVERSITY, England", [WEAVERS]),
        ("Department of KnotsUniversity of ThreadhamThreadham", [WEAVERS]),
        ("1University of Threadham", [WEAVERS]),
        ("Knots &amp; Threads, University of Threadham", [WEAVERS]),
        ("Technical University of Webstadt, Germany", [MUNICH]),
        ("Techn. Univ. Webstadt", []),
        ("TU, Technische Universitaet Webstadt", [MUNICH]),
        ("織物大学 工学部", [JAPAN]),
        ("Orimono Daigaku", []),
        ("University of Threadham and Spindle State University", [WEAVERS, NEW]),
        ("", []),
        ("Department of Knots", []),
        (",;()", []),
    ],
)
def test_names_are_found_however_they_are_printed(text, institutions):
    assert found(text) == institutions


@pytest.mark.parametrize(
    ("text", "institutions"),
    [
        ("Yarn University", []),
        ("Department of Wool, Yarn University, Yarn", []),
        ("Yarn University, Canada", [YORK]),
        ("Yarn University, Yarn, United Kingdom", [OTHER_YORK]),
        ("Institute of Archaeology", []),
        ("Institute of Archaeology, Loomstadt", [TWO_B]),
        ("Institute of Archaeology, France", []),
    ],
)
def test_what_two_are_called_is_told_by_the_place_or_not_at_all(text, institutions):
    assert found(text) == institutions


def test_another_country_contradicts():
    assert found("University of Threadham, Australia") == []
    assert found("University of Threadham, Threadham, Australia") == []


@pytest.mark.parametrize(
    ("text", "institutions"),
    [
        ("CNRF, Paris, France", [CNRW]),
        ("CNRF", []),
        ("CNRF, Germany", []),
        ("Cnrf, Paris", []),
        ("CNRF, University of Threadham, Paris, Threadham", [WEAVERS]),
    ],
)
def test_acronyms_need_capitals_and_a_place_and_nothing_better(text, institutions):
    assert found(text) == institutions


def test_a_campus_is_found_by_its_city():
    assert found("University of Tapestry, Irwell, USA") == [IRVINE]
    assert found("University of Tapestry School of Dyeing, Irwell") == [IRVINE]
    assert found("University of Tapestry, Carpet, USA") == [CALIFORNIA]


def test_the_whole_is_named_beside_its_part():
    assert found("Guild Institute of Weaving Physics, Guild Academy of Knots, Loomstadt") == [GUILD, LOOM]


def test_what_is_no_more_leads_to_its_successor_and_what_is_withdrawn_to_nothing():
    assert found("Spindle Polytechnic, USA") == [NEW]
    assert found("Vanished Weaving College, UK") == []


@pytest.mark.parametrize(
    "text",
    [
        "Columbia University, Threadham",
        "University of Threadham Hospital",
        "St. Threadham",
        "Threadham, United Kingdom",
    ],
)
def test_pieces_of_other_names_are_none(text):
    assert found(text) == []


def test_a_match_says_how_and_why():
    (match,) = MATCHER.match("Univ. of Threadham, England")
    assert (match.how, match.words, match.why) == ("label", "university threadham", "label; the country agrees")
    (match,) = MATCHER.match("Threadham University, England")
    assert match.how == "turned"


def test_words_are_written_in_one_way():
    words = read_words("Dépt. d’Études, Univ. of St. Gallen; A&M (U.S.A.) 中国")
    assert words.words == ("department", "etudes", "university", "saint", "gallen", "am", "usa", "中", "国")
    assert words.parts == (0, 0, 1, 1, 1, 2, 3, 4, 4)
    assert words.shouted[5:7] == (True, True)


@given(st.text(max_size=300))
def test_no_text_breaks_it(text):
    MATCHER.match(text)


def test_long_texts_are_read_in_bounded_time():
    assert len(MATCHER.match("University of Threadham; " * 5_000)) == 1
