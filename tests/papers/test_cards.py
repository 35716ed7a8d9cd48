"""Cards and the frame around them: what they show, escaped, and what is kept of them."""

import datetime as dt

import pytest

from papers.cards import author_line, card, card_facts, card_list
from papers.models import Paper
from tests.factories import PaperFactory
from wovepaper.lib.markup import render_title
from wovepaper.lib.markup.rendering import to_html
from wovepaper.lib.markup.scanning import MathsBudget, scan

NASTY = "<b onclick=\"x\">&amp; 'quoted'</b>"


def in_list(**fields) -> Paper:
    paper = PaperFactory(**fields)
    return Paper.objects.for_list(2).get(pk=paper.pk)


@pytest.mark.django_db
def test_a_card_in_full():
    paper = in_list(
        title="On knots", arxiv_id="2005.00123", authors=["A <One>", "B", "C"], published_on=dt.date(2020, 5, 3),
        versions_made=2,
    )  # fmt: skip
    facts = [
        '<time datetime="2020-05-03">3 May 2020</time>',
        *([f"<span>{paper.primary_category_id}</span>"] if paper.primary_category_id else []),
        "<span>arXiv:2005.00123</span>",
        "<span>2 versions</span>",
    ]
    assert card(paper, "h3", snippet="a <mark>knot</mark>", matched_in="abstract") == (
        '<article class="paper-card">\n'
        '  <h3 class="paper-card__title"><a href="/papers/2005.00123-on-knots">On knots</a></h3>\n'
        '  <p class="paper-card__authors"><bdi>A &lt;One&gt;</bdi>, <bdi>B</bdi> and 1 more</p>\n'
        f'  <p class="paper-card__meta">{chr(10).join(facts)}</p>\n'
        '  <p class="paper-card__why"><small>In the abstract:</small> a <mark>knot</mark></p>\n'
        "</article>"
    )


@pytest.mark.django_db
def test_nothing_of_a_paper_is_markup():
    paper = in_list(title=NASTY, authors=[NASTY, NASTY], doi=f"10.1000/{NASTY}")
    html = card_list([paper], "h2")
    assert "onclick=&quot;" in html
    assert "<b " not in html
    assert html.count("<bdi>") == 2


def test_names_that_are_not_shown_are_counted():
    paper = Paper(author_count=3001)
    paper.author_names = []
    assert author_line(paper) == "3,001 authors"
    paper.author_names = ["A"]
    assert author_line(paper) == "<bdi>A</bdi> and 3,000 more"
    paper.author_count = 1
    assert author_line(paper) == "<bdi>A</bdi>"


@pytest.mark.parametrize(
    ("reference", "title", "address"),
    [
        ("2005.00123", "On knots", "/papers/2005.00123-on-knots"),
        ("hep-th/9901001", "Über “Ähnliches”", "/papers/hep-th/9901001-uber-ahnliches"),
        ("2005.00123", "數學", "/papers/2005.00123"),
    ],
)
def test_the_address_of_a_paper(reference, title, address):
    assert Paper(arxiv_id=reference, title=title).get_absolute_url() == address


def test_the_address_of_a_paper_under_a_script_prefix():
    from django.urls import set_script_prefix

    paper = Paper(pk=7, title="Seven")
    assert paper.get_absolute_url() == "/papers/7-seven"
    set_script_prefix("/portal/")
    try:
        assert paper.get_absolute_url() == "/portal/papers/7-seven"
    finally:
        set_script_prefix("/")


@pytest.mark.parametrize(
    "title",
    ["Plain & simple", 'A "quoted" title > none', "  two  spaces ", "Größe\u202e und Maß", "a\x07b", "עברית", "x"],
)
def test_a_title_without_markup_is_what_the_scanner_would_make_of_it(title):
    folded = " ".join(title.replace("\u202e", "").replace("\x07", "").split())
    html = to_html(scan(folded, MathsBudget()), display_allowed=False)
    assert render_title(title) in {html, f"<bdi>{html}</bdi>"}
    assert render_title(title).startswith("<bdi>") == (title == "עברית")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, None),
        (
            {"citation_count": 1234, "citation_source": "crossref", "cited_as_of": dt.date(2025, 3, 4)},
            '<span>cited by 1,234 <small>(Crossref, <time datetime="2025-03-04">4 March 2025</time>)</small></span>',
        ),
        ({"citation_count": 0, "citation_source": "a<b"}, "<span>cited by 0 <small>(a&lt;b)</small></span>"),
        ({"citation_count": 5}, "<span>cited by 5</span>"),
    ],
)
def test_how_often_it_is_cited(fields, expected):
    facts = card_facts(in_list(**fields))
    assert facts.endswith(expected) if expected else "cited" not in facts
