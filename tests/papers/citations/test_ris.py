"""RIS, read back."""

from __future__ import annotations

from dataclasses import replace

import pytest
import rispy
from hypothesis import given, settings
from hypothesis import strategies as st

from papers.citations import CitedName, export
from papers.sources.records import PartialDate
from tests.papers.citations.samples import ALL_KINDS, ARTICLE, CROWD, PREPRINT
from wovepaper.lib.markup import plain


def test_a_preprint_line_by_line() -> None:
    assert export([replace(PREPRINT, status="withdrawn")], "ris").split("\r\n") == [
        "TY  - UNPB",
        "ID  - vanderwaals2021mrna",
        "AU  - van der Waals, Jan",
        "AU  - Müller, Jörg A., Jr.",
        "AU  - Loom Team",
        "AU  - Plato",
        "TI  - On the mRNA of x²-fields & E. coli",
        "PY  - 2021",
        "DA  - 2021/03/",
        "AN  - arXiv:2103.00001",
        "UR  - https://arxiv.org/abs/2103.00001",
        "KW  - cs.CL",
        "KW  - cs.LG",
        "AB  - We weigh xᵢ.",
        "N1  - Withdrawn",
        "ER  - ",
        "",
        "",
    ]


def test_an_article_is_read_back() -> None:
    [found] = rispy.loads(export([ARTICLE], "ris"))
    found.pop("unknown_tag", None)
    assert found == {
        "type_of_reference": "JOUR",
        "id": "weaver2020loom",
        "authors": ["Weaver, Ada", "Spindle, Bo C."],
        "title": "A loom for long threads",
        "year": "2020",
        "date": "2020/11/05",
        "secondary_title": "Weaving & Knots",
        "volume": "12",
        "number": "3",
        "start_page": "101",
        "end_page": "110",
        "publisher": "Thread Press",
        "doi": "10.1234/loom_5",
        "accession_number": "arXiv:2010.00005",
        "urls": ["https://doi.org/10.1234/loom_5"],
    }


def test_every_kind_and_all_authors() -> None:
    assert [found["type_of_reference"] for found in rispy.loads(export(ALL_KINDS, "ris"))] == [
        "UNPB", "JOUR", "CPAPER", "BOOK", "CHAP", "THES", "RPRT", "DATA", "GEN",
    ]  # fmt: skip
    assert len(rispy.loads(export([CROWD], "ris"))[0]["authors"]) == 700


@pytest.mark.parametrize(
    ("date", "year", "written"),
    [(None, None, None), (PartialDate(2021), "2021", "2021//"), (PartialDate(2021, 3, 4), "2021", "2021/03/04")],
)
def test_dates_keep_their_precision(date: PartialDate | None, year: str | None, written: str | None) -> None:
    [found] = rispy.loads(export([replace(ARTICLE, date=date)], "ris"))
    assert (found.get("year"), found.get("date")) == (year, written)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["\n", "\r\n", "\u2028", "\x85", "\x0b", "\x1e", "ER  - ", "TY  - JOUR", "AU  - Eve", " "])
        | st.text(max_size=4),
        max_size=12,
    ).map("".join)
)
def test_no_value_begins_a_line(text: str) -> None:
    data = replace(
        ARTICLE,
        title=f"t {text}",
        abstract=f"a {text}",
        venue=f"v {text}",
        volume=text,
        pages=text,
        doi=text,
        authors=(CitedName(f"n{text}", text),),
        categories=(f"c {text}",),
    )
    raw = export([data], "ris")
    [found] = rispy.loads(raw)
    assert found["title"] == plain(data.title)
    assert found["abstract"] == plain(data.abstract)
    assert len(found["authors"]) == 1
    assert len(raw.splitlines()) == raw.count("\r\n")
