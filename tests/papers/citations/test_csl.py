"""CSL-JSON, and references as text."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest

from papers.citations import FORMATS, TEXT_STYLES, CitationData, CitedName, UnknownFormat, export
from papers.citations.styles import to_text_reference
from papers.sources.records import PartialDate
from tests.papers.citations.samples import ALL_KINDS, ARTICLE, CROWD, PREPRINT


def test_a_preprint_as_csl_json() -> None:
    assert json.loads(export([replace(PREPRINT, status="retracted")], "csl-json")) == [
        {
            "id": "vanderwaals2021mrna",
            "type": "article",
            "title": "On the mRNA of x²-fields & E. coli",
            "author": [
                {"family": "van der Waals", "given": "Jan"},
                {"family": "Müller", "given": "Jörg A.", "suffix": "Jr."},
                {"literal": "Loom Team"},
                {"family": "Plato"},
            ],
            "issued": {"date-parts": [[2021, 3]]},
            "publisher": "arXiv",
            "number": "arXiv:2103.00001",
            "URL": "https://arxiv.org/abs/2103.00001",
            "abstract": "We weigh xᵢ.",
            "keyword": "cs.CL, cs.LG",
            "note": "Retracted",
        }
    ]


def test_an_article_as_csl_json() -> None:
    assert json.loads(export([ARTICLE], "csl-json")) == [
        {
            "id": "weaver2020loom",
            "type": "article-journal",
            "title": "A loom for long threads",
            "author": [{"family": "Weaver", "given": "Ada"}, {"family": "Spindle", "given": "Bo C."}],
            "issued": {"date-parts": [[2020, 11, 5]]},
            "container-title": "Weaving & Knots",
            "volume": "12",
            "issue": "3",
            "page": "101-110",
            "publisher": "Thread Press",
            "DOI": "10.1234/loom_5",
            "URL": "https://doi.org/10.1234/loom_5",
        }
    ]


def test_every_kind_has_a_type_of_the_schema() -> None:
    assert [item["type"] for item in json.loads(export(ALL_KINDS, "csl-json"))] == [
        "article", "article-journal", "paper-conference", "book", "chapter", "thesis", "report", "dataset", "document",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("style", "preprint", "article"),
    [
        (
            "apa",
            (
                "van der Waals, J., Müller, J. A., Jr., Loom Team, & Plato. (2021). On the mRNA of x²-fields & "
                "E. coli (arXiv:2103.00001). arXiv. https://arxiv.org/abs/2103.00001"
            ),
            (
                "Weaver, A., & Spindle, B. C. (2020). A loom for long threads. Weaving & Knots, 12(3), 101–110. "
                "https://doi.org/10.1234/loom_5"
            ),
        ),
        (
            "mla",
            (
                "van der Waals, Jan, et al. “On the mRNA of x²-fields & E. coli.” arXiv:2103.00001, arXiv, Mar. 2021, "
                "https://arxiv.org/abs/2103.00001."
            ),
            (
                "Weaver, Ada, and Bo C. Spindle. “A Loom for Long Threads.” Weaving & Knots, vol. 12, no. 3, "
                "Nov. 2020, pp. 101–110, https://doi.org/10.1234/loom_5."
            ),
        ),
        (
            "chicago",
            (
                "van der Waals, Jan, Jörg A. Müller Jr., Loom Team, and Plato. 2021. “On the mRNA of x²-fields & "
                "E. coli.” arXiv:2103.00001. Preprint, arXiv, March. https://arxiv.org/abs/2103.00001."
            ),
            (
                "Weaver, Ada, and Bo C. Spindle. 2020. “A Loom for Long Threads.” Weaving & Knots 12 (3): 101–110. "
                "https://doi.org/10.1234/loom_5."
            ),
        ),
        (
            "ieee",
            (
                "J. van der Waals, J. A. Müller Jr., Loom Team, and Plato, “On the mRNA of x²-fields & E. coli,” "
                "Mar. 2021, arXiv: arXiv:2103.00001. [Online]. Available: https://arxiv.org/abs/2103.00001"
            ),
            (
                "A. Weaver and B. C. Spindle, “A loom for long threads,” Weaving & Knots, vol. 12, no. 3, "
                "pp. 101–110, Nov. 2020, doi: 10.1234/loom_5."
            ),
        ),
        (
            "vancouver",
            (
                "van der Waals J, Müller JA Jr., Loom Team, Plato. On the mRNA of x²-fields & E. coli [Internet]. "
                "arXiv; 2021. Available from: https://arxiv.org/abs/2103.00001"
            ),
            (
                "Weaver A, Spindle BC. A loom for long threads. Weaving & Knots. 2020 Nov 5;12(3):101–110. "
                "doi:10.1234/loom_5"
            ),
        ),
        (
            "harvard",
            (
                "van der Waals, J. et al. (2021) “On the mRNA of x²-fields & E. coli”. arXiv. Available at: "
                "https://arxiv.org/abs/2103.00001."
            ),
            (
                "Weaver, A. and Spindle, B.C. (2020) “A loom for long threads”, Weaving & Knots, 12(3), "
                "pp. 101–110. Available at: https://doi.org/10.1234/loom_5."
            ),
        ),
    ],
)
def test_styles(style: str, preprint: str, article: str) -> None:
    assert to_text_reference(PREPRINT, style) == preprint
    assert to_text_reference(ARTICLE, style) == article
    assert export([PREPRINT, ARTICLE], style) == f"{preprint}\n{article}\n"


@pytest.mark.parametrize(
    ("style", "beginning"),
    [
        ("apa", "Author001, A., " + "".join(f"Author{n:03}, A., " for n in range(2, 20)) + "… Author700, A. (2020)."),
        ("mla", "Author001, Ann, et al. “"),
        ("chicago", "Author001, Ann, Ann Author002, Ann Author003, et al. 2020."),
        ("ieee", "A. Author001 et al., “"),
        ("vancouver", "Author001 A, Author002 A, Author003 A, Author004 A, Author005 A, Author006 A, et al. A loom"),
        ("harvard", "Author001, A. et al. (2020)"),
    ],
)
def test_seven_hundred_authors_are_shortened_as_the_style_has_it(style: str, beginning: str) -> None:
    assert to_text_reference(CROWD, style).startswith(beginning)


@pytest.mark.parametrize("style", TEXT_STYLES)
def test_what_is_missing_is_not_invented(style: str) -> None:
    bare = CitationData("A lone thread", (), "article")
    text = to_text_reference(bare, style)
    assert text.casefold().count("a lone thread") == 1
    assert "None" not in text
    year_only = to_text_reference(replace(ARTICLE, date=PartialDate(2020)), style)
    assert "2020" in year_only
    assert "Jan" not in year_only
    assert "Nov" not in year_only
    assert to_text_reference(replace(ARTICLE, status="withdrawn"), style).endswith(" [Withdrawn]")


@pytest.mark.parametrize("style", TEXT_STYLES)
@pytest.mark.parametrize(
    "title",
    [
        "",
        '<span class="nocase">',
        "</span>",
        "<b>&</b>\n\u2028x",
        "\ue0000\ue001",
        "?",
        "“q”",
        "$\\unknown$ {x",
        "\ud800\x00",
    ],
)
def test_odd_titles_give_one_line(style: str, title: str) -> None:
    text = to_text_reference(replace(ARTICLE, title=title, venue=title, authors=(CitedName(title or "x"),)), style)
    assert text == " ".join(text.split())
    assert "2020" in text
    text.encode()


def test_a_question_is_not_followed_by_a_full_stop() -> None:
    asked = replace(ARTICLE, title="Why weave?")
    assert "“Why Weave?” Weaving" in to_text_reference(asked, "mla")
    assert "“Why weave?” Weaving" in to_text_reference(asked, "ieee")
    assert "Why weave? Weaving" in to_text_reference(asked, "apa")


def test_short_page_ranges_keep_their_digits() -> None:
    assert "pp. 1–10," in to_text_reference(replace(ARTICLE, pages="1-10"), "mla")


def test_styles_can_be_used_by_several_threads() -> None:
    expected = {style: to_text_reference(PREPRINT, style) for style in TEXT_STYLES}
    found: list[dict[str, str]] = []

    def write() -> None:
        found.append({style: to_text_reference(PREPRINT, style) for style in TEXT_STYLES for _ in range(5)})

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_formats() -> None:
    assert list(FORMATS) == [
        "bibtex", "biblatex", "ris", "csl-json", "apa", "mla", "chicago", "ieee", "vancouver", "harvard",
    ]  # fmt: skip
    assert {name: export([], name) for name in FORMATS} == dict.fromkeys(FORMATS, "") | {"csl-json": "[]\n"}
    with pytest.raises(UnknownFormat, match=r"no citation format 'endnote'; known: bibtex, biblatex"):
        export([PREPRINT], "endnote")


@pytest.mark.parametrize(
    ("style", "beginning"),
    [
        ("apa", "Lee, D.-M. (2020)."),
        ("ieee", "D.-M. Lee, “"),
        ("vancouver", "Lee DM. A loom"),
        ("harvard", "Lee, D.-M. (2020)"),
        ("mla", "Lee, Dong-min. “"),
        ("chicago", "Lee, Dong-min. 2020."),
    ],
)
def test_a_hyphenated_given_name(style: str, beginning: str) -> None:
    data = replace(ARTICLE, authors=(CitedName("Lee", "Dong-min"),))
    assert to_text_reference(data, style)[: len(beginning)] == beginning


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_an_invented_paper_leads_nowhere_else_and_says_so(name: str) -> None:
    text = export([replace(PREPRINT, is_invented=True, doi="10.1234/loom")], name)
    assert "arxiv.org" not in text
    assert "doi.org" not in text
    assert "Invented for demonstration" in text
