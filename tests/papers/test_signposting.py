"""The ``Link`` header of papers, and what is embedded in pages of every type, as programs read them."""

import re

import extruct
import pytest

from papers.models import CategoryListing, Paper
from papers.signposting import LONGEST_ADDRESS, MOST_AUTHORS
from tests.factories import CategoryFactory, InstitutionFactory, PaperFactory
from tests.html import get
from tests.researchers.people import researcher
from tests.researchers.works import paper_of, people

pytestmark = pytest.mark.django_db

SITE = "http://localhost:8000"
_LINK = re.compile(r'<([^<>"\s]*)>; rel="([a-z-]+)"(?:; type="([^"]*)")?')


def links(response):
    """Relation to the addresses, each with its media type."""
    header = response.headers["Link"]
    parts = header.split(", ")
    found = {}
    for part in parts:
        match = _LINK.fullmatch(part)
        assert match, part
        found.setdefault(match[2], []).append((match[1], match[3] or ""))
    return found


def test_a_paper_says_how_it_is_cited_by_whom_it_is_and_where_it_is_described(client):
    ada, bo = people("Ada Weaver", "Bo Spindle")
    paper = paper_of(
        ada, bo, title="Knots", kind="article", doi="10.1234/a(b)<c>", arxiv_id="2103.00001",
        licence="http://creativecommons.org/licenses/by/4.0/",
    )  # fmt: skip
    response = client.get(paper.get_absolute_url())
    assert links(response) == {
        "cite-as": [("https://doi.org/10.1234/a(b)%3Cc%3E", "")],
        "type": [("https://schema.org/AboutPage", ""), ("https://schema.org/ScholarlyArticle", "")],
        "author": [(f"{SITE}{ada.get_absolute_url()}", ""), (f"{SITE}{bo.get_absolute_url()}", "")],
        "license": [("https://creativecommons.org/licenses/by/4.0/", "")],
        "item": [("https://arxiv.org/pdf/2103.00001", "application/pdf")],
        "describedby": [
            (f"{SITE}/papers/2103.00001.bib", "application/x-bibtex"),
            (f"{SITE}/papers/2103.00001.ris", "application/x-research-info-systems"),
            (f"{SITE}/papers/2103.00001.json", "application/vnd.citationstyles.csl+json"),
            (f"{SITE}/papers/2103.00001-knots.md", "text/markdown"),
        ],
    }
    for address, media_type in links(response)["describedby"]:
        described = client.get(address.removeprefix(SITE))
        assert (described.status_code, described.headers["Content-Type"].split(";")[0]) == (200, media_type)
    assert client.head(paper.get_absolute_url()).headers["Link"] == response.headers["Link"]


def test_an_invented_or_nameless_paper_is_cited_by_its_page_here(client):
    for paper in (
        PaperFactory(title="Invented", is_demo=True, doi="10.1234/other"),
        PaperFactory(title="Bare", arxiv_id="", kind="report"),
    ):
        found = links(client.get(paper.get_absolute_url()))
        assert found["cite-as"] == [(f"{SITE}{paper.get_absolute_url()}", "")]
        assert "item" not in found


def test_what_was_withdrawn_has_no_file(client):
    paper = PaperFactory(status="withdrawn")
    found = links(client.get(paper.get_absolute_url()))
    assert found["cite-as"] == [(f"https://arxiv.org/abs/{paper.arxiv_id}", "")]
    assert "item" not in found


@pytest.mark.parametrize(
    "licence",
    ["javascript:alert(1)", "All rights reserved", "", f"https://licences.test/{'x' * LONGEST_ADDRESS}"],
)
def test_a_licence_that_is_no_address_is_left_out(client, licence):
    assert "license" not in links(client.get(PaperFactory(licence=licence).get_absolute_url()))


def test_a_hostile_address_stays_in_its_brackets(client):
    paper = PaperFactory()
    Paper.objects.update(licence='https://licences.test/>; rel="cite-as", <http://evil.test/é\r\nSet-Cookie: a=b')
    response = client.get(paper.get_absolute_url())
    assert "Set-Cookie:" not in response.headers["Link"].replace("%20", " ").split("licences.test")[0]
    header = response.headers["Link"]
    assert "\r" not in header
    assert header.count('rel="cite-as"') == 1
    assert header.count("<") == header.count(">") == header.count('; rel="')


def test_seven_hundred_authors_do_not_make_a_long_header(client):
    crowd = people(*(f"Member {number} Crowder" for number in range(MOST_AUTHORS + 5)))
    paper = paper_of(*crowd, title="Crowds")
    response = client.get(paper.get_absolute_url())
    assert len(links(response)["author"]) == MOST_AUTHORS
    assert len(response.headers["Link"]) < 2_500


def embedded(client, address):
    page = get(client, address)
    found = extruct.extract(page.text, base_url=SITE, syntaxes=["json-ld", "opengraph"], uniform=True)
    return page, found


def test_every_type_of_page_has_json_ld_that_is_read(client):
    category = CategoryFactory()
    ada = researcher("Ada Weaver")
    paper = paper_of(ada, title="Knots </script><b>", doi="10.1234/knots")
    CategoryListing.objects.create(category=category, paper=paper, day=paper.published_on, kind="new")
    place = InstitutionFactory(display_name="Guild </script> & Sons")
    expected = {
        "/": set(), "/papers": set(), "/researchers": set(), "/institutions": set(), "/search": set(), "/about": set(),
        "/categories": set(), "/categories/cs.CL": {"BreadcrumbList"}, "/categories/cs": {"BreadcrumbList"},
        paper.get_absolute_url(): {"ScholarlyArticle", "BreadcrumbList"},
        ada.get_absolute_url(): {"Person", "BreadcrumbList"},
        place.get_absolute_url(): {"CollegeOrUniversity", "BreadcrumbList"},
    }  # fmt: skip
    for address, types in expected.items():
        page, found = embedded(client, address)
        blocks = found["json-ld"]
        assert len(blocks) == len(page.all("//script[@type='application/ld+json']")), address
        graphs = [block for block in blocks if "@graph" in block]
        kinds = {one["@type"] for block in graphs for one in block["@graph"]}
        assert kinds == {"Organization", "WebSite"}, address
        kinds = {kind for block in blocks if block not in graphs for kind in _types(block)}
        assert types <= kinds, (address, kinds)
        for crumbs in (block for block in blocks if block.get("@type") == "BreadcrumbList"):
            assert [item["position"] for item in crumbs["itemListElement"]] == list(
                range(1, len(crumbs["itemListElement"]) + 1)
            )
            assert crumbs["itemListElement"][-1]["item"] == f"{SITE}{address}"
        (graph,) = found["opengraph"]
        assert graph["og:url"] == f"{SITE}{address}"


def _types(block):
    kind = block.get("@type", [])
    return {kind} if isinstance(kind, str) else set(kind)
