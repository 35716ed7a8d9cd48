import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.search_query import MOST_TERMS, Term, parse_query, read_years, tidy

FIELD_NAMES = "author:, title:, abstract:, cat:, inst:, year:"
NO_WORD = "There is no word in this to look for: these are all papers, newest first."


def read(text):
    return [[(term.text, term.phrase, term.excluded) for term in group] for group in parse_query(text).groups]


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("warp weft", [[("warp", False, False)], [("weft", False, False)]]),
        ('"warp and weft" loom', [[("warp and weft", True, False)], [("loom", False, False)]]),
        ("loom -power", [[("loom", False, False)], [("power", False, True)]]),
        ('loom -"power loom"', [[("loom", False, False)], [("power loom", True, True)]]),
        ("warp OR weft loom", [[("warp", False, False), ("weft", False, False)], [("loom", False, False)]]),
        ("a OR b OR c", [[("a", False, False), ("b", False, False), ("c", False, False)]]),
        ('"loom"', [[("loom", False, False)]]),
        ("spin-offs", [[("spin-offs", False, False)]]),
        ("- -- \" \" ! ( )", []),
        ("or", [[("or", False, False)]]),
    ],
)  # fmt: skip
def test_words_phrases_exclusions_and_alternatives(text, groups):
    assert read(text) == groups


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ('warp "weft', "A quotation mark has no partner, so it was left out."),
        ("OR warp", "An OR stands without something on both sides, so it was left out."),
        ("warp OR", "An OR stands without something on both sides, so it was left out."),
        ("-warp", "Only words to leave out were given: these are all papers without them."),
        ("***", "There is no word in this to look for: these are all papers, newest first."),
        ("x " * 100, f"Only the first {MOST_TERMS} words were looked for."),
    ],
)
def test_what_was_not_understood_is_said(text, remark):
    assert parse_query(text).remarks == (remark,)


@pytest.mark.parametrize(
    ("text", "terms", "remarks"),
    [
        ("author:Kim", [Term("Kim", field="author")], ()),
        ('author:"Ada Kim" -title:x', [Term("Ada Kim", True, field="author"), Term("x", False, True, "title")], ()),
        ("cat:cs.CL year:2019..2021", [Term("cs.CL", field="cat"), Term("2019..2021", field="year")], ()),
        (
            "year:late",
            [Term("late")],
            ("A year is written year:2021 or year:2019..2021; this was looked for as words.",),
        ),
        (
            "place:x place:y",
            [Term("place:x"), Term("place:y")],
            (f"“place:” is no field here and was looked for as a word; fields are {FIELD_NAMES}.",),
        ),
        ('inst:"Yarn Hall" -inst:x', [Term("Yarn Hall", True, field="inst"), Term("x", False, True, "inst")], ()),
        ("author:-", [], ("Nothing to look for stands behind author:.", NO_WORD)),
        ("https://example.org/x", [Term("https://example.org/x")], ()),
    ],
)  # fmt: skip
def test_fields(text, terms, remarks):
    parsed = parse_query(text)
    assert [term for group in parsed.groups for term in group] == terms
    assert parsed.remarks == remarks


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("2019", (2019, 2019)), ("2019..2021", (2019, 2021)), ("2019..", (2019, 9999)), ("..2021", (0, 2021)),
        ("", None), ("..", None), ("20192021", None), ("19", None), ("2019...", None),
    ],
)  # fmt: skip
def test_years(text, years):
    assert read_years(text) == years


def test_a_partnerless_mark_loses_no_word():
    assert read('warp "weft loom') == [[(word, False, False)] for word in ("warp", "weft", "loom")]


def test_words_for_spelling_leave_out_what_is_excluded():
    assert parse_query('warp -weft "power loom"').words == "warp power loom"


def test_nothing_sought_is_no_condition():
    assert parse_query("").as_condition() is None


def test_words_and_phrases_are_ranked_together_and_the_rest_is_required():
    parsed = parse_query('warp -weft "power loom" cat:cs.CL shuttle red OR blue')
    assert parsed.ranked_words == "warp power loom shuttle"
    assert str(parsed.as_condition()).count("BestMatch 'warp power loom shuttle'") == 1
    assert parsed.without_words().ranked_words == ""
    assert [len(group) for group in parsed.without_words().groups] == [1, 1, 2]


def test_in_a_passage_a_minus_and_or_are_words():
    text = "We relate the wave function in a potential V to the solution with -V OR without it at all"
    (words,) = {parse_query(text).ranked_words}
    assert words.split() == text.replace("-V", "V").split()
    assert parse_query("solution with -V").ranked_words == "solution with"


def test_the_source_of_a_title_is_read():
    assert parse_query('Schr\\"odinger').ranked_words == "Schrödinger"


@given(st.text(max_size=300))
def test_nothing_that_can_be_typed_is_an_error(text):
    parsed = parse_query(tidy(text))
    assert all(term.text for group in parsed.groups for term in group)
    parsed.as_condition()


def test_control_characters_and_surrogates_are_tidied_away():
    assert tidy("a\x00b\ud800 \t\n c\x07") == "a b c"
    assert len(tidy("x" * 5000)) == 1000
