"""JSON-LD and citation tags, read back from a page."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace

import extruct
import pytest
from django.template import Context, Template
from lxml import html

from papers.citations import CitedName, from_paper
from papers.models import Paper
from papers.structured_data import (
    MAX_JSON_LD_AUTHORS,
    MAX_META_AUTHORS,
    breadcrumbs,
    citation_meta,
    scholarly_article,
    site_graph,
    to_script_json,
)
from tests.factories import PaperFactory
from tests.papers.citations.samples import CROWD

SITE = "https://papers.test"
HOSTILE = "</script><script>alert(1)</script><!-- \u2028 & $x^2$"


@pytest.fixture
def paper(db: None) -> Paper:
    return PaperFactory(
        title="A loom for $x^2$ threads",
        abstract="We weave.",
        kind="article",
        authors=["Ada Weaver", "Jan van der Waals", "Martin King, Jr."],
        arxiv_id="2103.00001",
        doi="10.1234/loom",
        published_on=dt.date(2021, 3, 4),
        announced_on=dt.date(2021, 3, 5),
        last_version_on=dt.date(2021, 9, 9),
        venue="Journal of Knots",
        volume="12",
        issue="3",
        pages="101-110",
        publisher="Thread Press",
        licence="https://creativecommons.org/licenses/by/4.0/",
    )


def page(*data: object, meta: list[tuple[str, str]] = []) -> str:  # noqa: B006 - only read
    template = Template(
        "<html><head>{% for name, content in meta %}<meta name='{{ name }}' content='{{ content }}'>{% endfor %}"
        "{% for json in scripts %}<script type='application/ld+json'>{{ json }}</script>{% endfor %}</head></html>"
    )
    return template.render(Context({"scripts": [to_script_json(item) for item in data], "meta": meta}))


def read(text: str) -> list[dict]:
    return extruct.extract(text, base_url=SITE, syntaxes=["json-ld"])["json-ld"]


def test_an_article(paper: Paper) -> None:
    address = f"{SITE}{paper.get_absolute_url()}"
    assert read(page(scholarly_article(paper, SITE))) == [
        {
            "@context": "https://schema.org",
            "@type": "ScholarlyArticle",
            "@id": address,
            "url": address,
            "mainEntityOfPage": address,
            "name": "A loom for x² threads",
            "headline": "A loom for x² threads",
            "abstract": "We weave.",
            "author": [
                {"@type": "Person", "name": "Ada Weaver", "givenName": "Ada", "familyName": "Weaver"},
                {"@type": "Person", "name": "Jan van der Waals", "givenName": "Jan", "familyName": "van der Waals"},
                {
                    "@type": "Person",
                    "name": "Martin King Jr.",
                    "givenName": "Martin",
                    "familyName": "King",
                    "honorificSuffix": "Jr.",
                },
            ],
            "datePublished": "2021-03-04",
            "dateModified": "2021-09-09",
            "identifier": [
                {"@type": "PropertyValue", "propertyID": "DOI", "value": "10.1234/loom"},
                {"@type": "PropertyValue", "propertyID": "arXiv", "value": "2103.00001"},
            ],
            "sameAs": ["https://arxiv.org/abs/2103.00001", "https://doi.org/10.1234/loom"],
            "isPartOf": {
                "@type": "PublicationIssue",
                "issueNumber": "3",
                "isPartOf": {
                    "@type": "PublicationVolume",
                    "volumeNumber": "12",
                    "isPartOf": {"@type": "Periodical", "name": "Journal of Knots"},
                },
            },
            "pagination": "101-110",
            "publisher": {"@type": "Organization", "name": "Thread Press"},
            "license": "https://creativecommons.org/licenses/by/4.0/",
            "keywords": ["cs.CL"],
            "encoding": {
                "@type": "MediaObject",
                "contentUrl": "https://arxiv.org/pdf/2103.00001",
                "encodingFormat": "application/pdf",
            },
            "isAccessibleForFree": True,
        }
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(("precision", "json_date", "tag"), [("month", "2021-03", "2021/03"), ("year", "2021", "2021")])
def test_dates_keep_their_precision(precision: str, json_date: str, tag: str) -> None:
    paper = PaperFactory(published_on=dt.date(2021, 3, 1), published_precision=precision)
    assert scholarly_article(paper, SITE)["datePublished"] == json_date
    tags = dict(citation_meta(paper, site_url=SITE))
    assert tags["citation_publication_date"] == tag
    assert "citation_online_date" not in tags


@pytest.mark.django_db
def test_what_is_unknown_is_left_out() -> None:
    paper = PaperFactory(title="Bare", abstract="", authors=[], published_on=None, arxiv_id="", primary_category=None)
    address = f"{SITE}{paper.get_absolute_url()}"
    assert scholarly_article(paper, SITE) == {
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "@id": address,
        "url": address,
        "mainEntityOfPage": address,
        "name": "Bare",
        "headline": "Bare",
    }
    assert citation_meta(paper, site_url=SITE) == [("citation_title", "Bare"), ("citation_abstract_html_url", address)]


@pytest.mark.django_db
def test_a_withdrawn_preprint_says_so_and_offers_no_pdf() -> None:
    paper = PaperFactory(status="withdrawn", kind="preprint")
    article = scholarly_article(paper, SITE)
    assert article["creativeWorkStatus"] == "Withdrawn"
    assert article["publisher"] == {"@type": "Organization", "name": "arXiv"}
    assert "encoding" not in article
    assert "citation_pdf_url" not in dict(citation_meta(paper, site_url=SITE))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("book", "Book"),
        ("book-chapter", "Chapter"),
        ("thesis", "Thesis"),
        ("report", "Report"),
        ("dataset", "Dataset"),
        ("proceedings-article", "ScholarlyArticle"),
        ("other", "ScholarlyArticle"),
    ],
)
def test_types(paper: Paper, kind: str, expected: str) -> None:
    paper.kind = kind
    assert scholarly_article(paper, SITE)["@type"] == expected


def test_tags_for_google_scholar_and_zotero(paper: Paper) -> None:
    tags = citation_meta(paper, site_url=SITE)
    expected = [
        ("citation_title", "A loom for x² threads"),
        ("citation_author", "Weaver, Ada"),
        ("citation_author", "van der Waals, Jan"),
        ("citation_author", "King, Martin Jr."),
        ("citation_publication_date", "2021/03/04"),
        ("citation_online_date", "2021/03/05"),
        ("citation_journal_title", "Journal of Knots"),
        ("citation_volume", "12"),
        ("citation_issue", "3"),
        ("citation_firstpage", "101"),
        ("citation_lastpage", "110"),
        ("citation_publisher", "Thread Press"),
        ("citation_doi", "10.1234/loom"),
        ("citation_arxiv_id", "2103.00001"),
        ("citation_abstract_html_url", f"{SITE}{paper.get_absolute_url()}"),
        ("citation_pdf_url", "https://arxiv.org/pdf/2103.00001"),
    ]
    assert tags == expected
    found = html.fromstring(page(meta=tags)).xpath("//meta")
    assert [(tag.get("name"), tag.get("content")) for tag in found] == expected


@pytest.mark.parametrize(
    ("kind", "tags"),
    [
        (
            "proceedings-article",
            {"citation_conference_title": "Journal of Knots", "citation_publisher": "Thread Press"},
        ),
        ("thesis", {"citation_dissertation_institution": "Thread Press"}),
        (
            "report",
            {"citation_technical_report_institution": "Thread Press", "citation_technical_report_number": "R-7"},
        ),
    ],
)
def test_tags_by_kind(paper: Paper, kind: str, tags: dict[str, str]) -> None:
    paper.kind, paper.report_number = kind, "R-7"
    found = dict(citation_meta(paper, site_url=SITE))
    names = (
        "conference_title",
        "journal_title",
        "publisher",
        "dissertation_institution",
        "technical_report_institution",
        "technical_report_number",
    )
    assert {f"citation_{name}": found[f"citation_{name}"] for name in names if f"citation_{name}" in found} == tags


def test_long_author_lists_are_bounded(paper: Paper) -> None:
    crowd = replace(CROWD, authors=CROWD.authors * 2)
    assert len(scholarly_article(paper, SITE, citation=crowd)["author"]) == MAX_JSON_LD_AUTHORS
    tags = citation_meta(paper, site_url=SITE, citation=crowd)
    assert sum(1 for name, _ in tags if name == "citation_author") == MAX_META_AUTHORS
    collaboration = replace(CROWD, authors=(CitedName(literal="Loom Collaboration"),))
    assert scholarly_article(paper, SITE, citation=collaboration)["author"] == [
        {"@type": "Organization", "name": "Loom Collaboration"}
    ]


def test_queries(paper: Paper, django_assert_num_queries) -> None:
    with django_assert_num_queries(2):
        citation = from_paper(paper)
    with django_assert_num_queries(0):
        scholarly_article(paper, SITE, citation=citation)
        citation_meta(paper, site_url=SITE, citation=citation)


def test_nothing_ends_the_script_element(paper: Paper) -> None:
    paper.title = paper.abstract = paper.venue = HOSTILE
    text = page(scholarly_article(paper, SITE), meta=citation_meta(paper, site_url=SITE))
    tree = html.fromstring(text)
    assert len(tree.xpath("//script")) == 1
    assert text.count("<!--") == 0
    [article] = read(text)
    assert article["name"] == "</script><script>alert(1)</script><!-- & x²"
    assert article["isPartOf"]["isPartOf"]["isPartOf"]["name"] == HOSTILE
    assert tree.xpath("//meta[@name='citation_title']/@content") == ["</script><script>alert(1)</script><!-- & x²"]


def test_script_json_is_json_without_dangerous_characters() -> None:
    value = {"a": HOSTILE, "b": ["\u2029", "é"]}
    text = to_script_json(value)
    assert json.loads(text) == value
    assert not set(text) & set("<>&\u2028\u2029")


def test_breadcrumbs() -> None:
    assert read(page(breadcrumbs([("Papers", "/papers"), ("A loom", "/papers/1-a-loom")], SITE + "/"))) == [
        {
            "@context": "https://schema.org",
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": 1, "name": "Papers", "item": f"{SITE}/papers"},
                {"@type": "ListItem", "position": 2, "name": "A loom", "item": f"{SITE}/papers/1-a-loom"},
            ],
        }
    ]


def test_the_site() -> None:
    [site] = read(page(site_graph(SITE)))
    organisation, website = site["@graph"]
    assert organisation == {
        "@type": "Organization",
        "@id": f"{SITE}/#organization",
        "name": "wovepaper",
        "url": f"{SITE}/",
    }
    assert website["@type"] == "WebSite"
    assert website["publisher"] == {"@id": organisation["@id"]}
    assert website["potentialAction"] == {
        "@type": "SearchAction",
        "target": {"@type": "EntryPoint", "urlTemplate": f"{SITE}/search?q={{search_term_string}}"},
        "query-input": "required name=search_term_string",
    }
