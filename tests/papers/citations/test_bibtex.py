"""BibTeX and biblatex, read back."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import replace

import bibtexparser
import pytest
import rispy
from bibtexparser.middlewares import SeparateCoAuthors, SplitNameParts
from hypothesis import given, settings
from hypothesis import strategies as st
from pylatexenc.latex2text import LatexNodes2Text

from papers.citations import CitationData, CitedName, export
from papers.sources.records import PartialDate
from tests.papers.citations.samples import ALL_KINDS, ARTICLE, CROWD, PREPRINT
from tests.shared_data import shared_data_dir
from wovepaper.lib.markup import plain


def entries(text: str) -> list[tuple[str, str, dict[str, str]]]:
    library = bibtexparser.parse_string(text)
    assert library.failed_blocks == []
    assert library.comments == []
    assert library.strings == []
    return [(entry.entry_type, entry.key, {f.key: f.value for f in entry.fields}) for entry in library.entries]


def names(text: str) -> list[tuple[str, str, str, str]]:
    """von, last, jr and first of each author, as BibTeX splits them."""
    library = bibtexparser.parse_string(text, append_middleware=[SeparateCoAuthors(), SplitNameParts()])
    return [
        (" ".join(name.von), " ".join(name.last), " ".join(name.jr), " ".join(name.first))
        for name in library.entries[0]["author"]
    ]


def decoded(tex: str) -> str:
    return LatexNodes2Text().latex_to_text(tex)


def test_a_preprint_for_classic_styles() -> None:
    assert export([PREPRINT], "bibtex") == (
        "@misc{vanderwaals2021mrna,\n"
        r'  author = {van der Waals, Jan and M{\"u}ller, Jr., J{\"o}rg A. and {Loom Team} and Plato},' "\n"
        r"  title = {On the {mRNA} of {$x^2$}-fields {\&} \emph{{E}. coli}}," "\n"
        "  year = {2021},\n"
        "  month = mar,\n"
        "  eprint = {2103.00001},\n"
        "  archivePrefix = {arXiv},\n"
        "  primaryClass = {cs.CL},\n"
        "  url = {https://arxiv.org/abs/2103.00001},\n"
        "}\n"
    )  # fmt: skip


def test_a_preprint_for_biblatex_keeps_its_letters() -> None:
    assert export([PREPRINT], "biblatex") == (
        "@online{vanderwaals2021mrna,\n"
        "  author = {van der Waals, Jan and Müller, Jr., Jörg A. and {Loom Team} and Plato},\n"
        r"  title = {On the {mRNA} of {$x^2$}-fields {\&} \emph{{E}. coli}}," "\n"
        "  date = {2021-03},\n"
        "  eprint = {2103.00001},\n"
        "  eprinttype = {arxiv},\n"
        "  eprintclass = {cs.CL},\n"
        "  url = {https://arxiv.org/abs/2103.00001},\n"
        "}\n"
    )  # fmt: skip


def test_an_article_is_read_back_field_by_field() -> None:
    shared = {
        "author": "Weaver, Ada and Spindle, Bo C.",
        "title": "A loom for long threads",
        "volume": "12",
        "number": "3",
        "pages": "101--110",
        "publisher": "Thread Press",
        "doi": "10.1234/loom_5",
        "eprint": "2010.00005",
        "url": "https://doi.org/10.1234/loom_5",
    }
    journal = r"Weaving {\&} Knots"
    assert entries(export([ARTICLE], "bibtex")) == [
        (
            "article",
            "weaver2020loom",
            shared
            | {"year": "2020", "month": "nov", "journal": journal, "archivePrefix": "arXiv", "primaryClass": "cs.LG"},
        )
    ]
    assert entries(export([ARTICLE], "biblatex")) == [
        (
            "article",
            "weaver2020loom",
            shared | {"date": "2020-11-05", "journaltitle": journal, "eprinttype": "arxiv", "eprintclass": "cs.LG"},
        )
    ]


def test_every_kind_has_its_type() -> None:
    assert [kind for kind, _, _ in entries(export(ALL_KINDS, "bibtex"))] == [
        "misc", "article", "inproceedings", "book", "incollection", "phdthesis", "techreport", "misc", "misc",
    ]  # fmt: skip
    assert [kind for kind, _, _ in entries(export(ALL_KINDS, "biblatex"))] == [
        "online", "article", "inproceedings", "book", "incollection", "thesis", "report", "dataset", "misc",
    ]  # fmt: skip


def test_names_are_split_as_meant() -> None:
    data = replace(
        PREPRINT,
        authors=(
            CitedName("van der Waals", "Jan"),
            CitedName("King", "Martin", "Jr."),
            CitedName("Ó Súilleabháin", "Mícheál"),
            CitedName("Plato"),
            CitedName("Two Words"),
            CitedName(literal="Knots and Looms, Inc."),
            CitedName("Rock and Roll", "A, B"),
            CitedName("others"),
        ),
    )
    assert names(export([data], "biblatex")) == [
        ("van der", "Waals", "", "Jan"),
        ("", "King", "Jr.", "Martin"),
        ("", "Ó Súilleabháin", "", "Mícheál"),
        ("", "Plato", "", ""),
        ("", "{Two Words}", "", ""),
        ("", "{Knots and Looms, Inc.}", "", ""),
        ("", "{Rock and Roll}", "", "{A, B}"),
        ("", "{others}", "", ""),
    ]


def test_seven_hundred_authors_are_all_there() -> None:
    for name in ("bibtex", "biblatex"):
        found = names(export([CROWD], name))
        assert len(found) == 700
        assert found[0] == ("", "Author001", "", "Ann")
        assert found[-1] == ("", "Author700", "", "Ann")


@pytest.mark.parametrize(
    ("title", "tex"),
    [
        ("DNA and mRNA", "{DNA} and {mRNA}"),
        ("A plan B", "A plan {B}"),
        ("GeV-scale McGee", "{GeV}-scale {McGee}"),
        ("50% of #1 {x} ~ \\foo_bar^2 $5", (r"50{\%} of {\#}1 {\textbraceleft}x{\textbraceright} {\textasciitilde} "
         r"{\textbackslash}foo{\_}bar{\textasciicircum}2 {\$}5")),
        ("Naïve Bayes", "Naïve Bayes"),
        (r"$\{a\}$ sets", r"{$\lbrace a\rbrace $} sets"),
        (r"$\write18{x}$", r"{\$}{\textbackslash}write18{\textbraceleft}x{\textbraceright}{\$}"),
        (r"$\left\{ x \right.$", r"{$\left\lbrace  x \right.$}"),
        ("H<sub>2</sub>O", r"H\textsubscript{2}{O}"),
        ("a\nb\u2028c", "a b c"),
    ],
)  # fmt: skip
def test_titles_are_protected_and_escaped(title: str, tex: str) -> None:
    assert entries(export([replace(PREPRINT, title=title)], "biblatex"))[0][2]["title"] == tex


def test_classic_bibtex_spells_accents_out() -> None:
    data = replace(PREPRINT, title="Über naïve Łódź – film", authors=(CitedName("Çelik", "Åse"), CitedName("王", "小")))
    fields = entries(export([data], "bibtex"))[0][2]
    assert fields["author"] == r"{\c{C}}elik, {\r{A}}se and 王, 小"
    assert fields["title"].isascii()
    assert decoded(fields["title"]) == "Über naïve Łódź – film"


@pytest.mark.parametrize(
    ("date", "classic", "biblatex"),
    [
        (None, {}, {}),
        (PartialDate(2021), {"year": "2021"}, {"date": "2021"}),
        (PartialDate(2021, 2), {"year": "2021", "month": "feb"}, {"date": "2021-02"}),
        (PartialDate(987, 2, 3), {"year": "0987", "month": "feb"}, {"date": "0987-02-03"}),
    ],
)
def test_dates_keep_their_precision(date: PartialDate | None, classic: dict, biblatex: dict) -> None:
    def dates(name: str) -> dict[str, str]:
        fields = entries(export([replace(ARTICLE, date=date)], name))[0][2]
        return {key: fields[key] for key in ("year", "month", "date") if key in fields}

    assert dates("bibtex") == classic
    assert dates("biblatex") == biblatex


def test_withdrawal_and_journal_reference_are_noted() -> None:
    data = replace(PREPRINT, status="withdrawn", journal_reference="J. Knots 3 (2022)")
    assert entries(export([data], "bibtex"))[0][2]["note"] == "Withdrawn. J. Knots 3 (2022)"
    fields = entries(export([data], "biblatex"))[0][2]
    assert (fields["note"], fields["addendum"]) == ("Withdrawn", "J. Knots 3 (2022)")


ATTACKS = [
    "}, evil = {x",
    "}}\n@misc{evil, title={x}}",
    "\\}",
    "{",
    "{{{",
    '"',
    "x}\n\n@comment{",
    "@string{a = {b}}",
    "\\",
    "a\\}b",
    "$\\}$",
    "$\\{$ and $\\}}$",
    "\r\n@article{x,",
    "\u2028@article{x,",
    "%",
    "\\input{/etc/passwd}",
    "#",
]


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("name", ["bibtex", "biblatex"])
def test_no_value_breaks_out(attack: str, name: str) -> None:
    data = CitationData(
        title=attack,
        authors=(CitedName(attack, attack, attack), CitedName(literal=attack), CitedName(attack)),
        kind="article",
        date=PartialDate(2021),
        arxiv_id=attack,
        primary_category=attack,
        doi=attack,
        venue=attack,
        volume=attack,
        issue=attack,
        pages=attack,
        publisher=attack,
        journal_reference=attack,
    )
    text = export([data], name)
    [(kind, _, fields)] = entries(text)
    assert kind == "article"
    assert set(fields) <= {
        "author", "title", "year", "date", "journal", "journaltitle", "volume", "number", "pages", "publisher", "doi",
        "eprint", "archivePrefix", "eprinttype", "primaryClass", "eprintclass", "url",
    }  # fmt: skip
    assert "\\input" not in text
    assert re.search(r"^@", text[1:], re.MULTILINE) is None
    for value in fields.values():
        assert_balanced(value)


def assert_balanced(value: str) -> None:
    """As BibTeX counts braces: without regard to backslashes."""
    depth = 0
    for character in value:
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["{", "}", "\\", "$", "@", ",", '"', "and", " ", "\n", "x", "é", "%", "#", "_", "^", "<i>", "</i>"]
        )
        | st.text(max_size=3),
        max_size=20,
    ).map("".join)
)
def test_any_text_stays_in_its_field(text: str) -> None:
    data = replace(
        ARTICLE,
        title=text,
        venue=text or "x",
        doi=text,
        authors=(CitedName(text or "x", text), CitedName(literal=text or "x")),
    )
    for name in ("bibtex", "biblatex"):
        [(_, key, fields)] = entries(export([data], name))
        assert re.fullmatch(r"[a-z0-9]+", key)
        for value in fields.values():
            assert_balanced(value)


@given(st.text(alphabet=st.characters(whitelist_categories=("Ll", "Nd", "Po", "Sm")), max_size=30))
def test_plain_lower_case_text_is_read_back(text: str) -> None:
    text = "".join(c for c in text if c not in "\\$<>'`\"?!*")
    tex = entries(export([replace(ARTICLE, venue=f"x{text}x")], "biblatex"))[0][2]["journaltitle"]
    assert decoded(tex) == unicodedata.normalize("NFC", f"x{text}x")


@pytest.mark.shared_data
def test_real_strings_stay_in_their_fields() -> None:
    lines = shared_data_dir("strings", "nasty_strings.jsonl").read_text(encoding="utf-8").splitlines()
    values = [json.loads(line)["value"] for line in lines]
    papers = [
        replace(ARTICLE, title=value, venue=value, authors=(CitedName(literal=value), CitedName(value, value)))
        for value in values
        if value.strip()
    ]
    for name in ("bibtex", "biblatex"):
        found = entries(export(papers, name))
        assert len({key for _, key, _ in found}) == len(papers) > 1000
        for _, _, fields in found:
            for value in fields.values():
                assert_balanced(value)
    ris = rispy.loads(export(papers, "ris"))
    assert [entry.get("title", "") for entry in ris] == [plain(paper.title) for paper in papers]
    assert [item["title"] for item in json.loads(export(papers, "csl-json"))] == [plain(p.title) for p in papers]
