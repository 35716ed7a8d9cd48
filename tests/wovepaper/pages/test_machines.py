import re

import pytest
from lxml import etree


def may_read(robots, address):
    """RFC 9309 for one group of rules that only disallow: a rule is a beginning, in which * is any text."""
    rules = [line.removeprefix("Disallow: ") for line in robots.splitlines() if line.startswith("Disallow: ")]
    patterns = [".*".join(map(re.escape, rule.split("*"))) for rule in rules]
    return not any(re.match(pattern, address) for pattern in patterns)


def test_robots_read_papers_and_leave_filters_and_searches(client):
    response = client.get("/robots.txt")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    robots = response.content.decode()
    assert robots.endswith("\n\nSitemap: http://localhost:8000/sitemap.xml\n")
    for allowed in (
        "/", "/papers", "/papers?after=2020-01-01_7", "/papers/2101.54321-on-looms", "/papers/2101.54321.bib",
        "/categories", "/categories/cs.CL", "/categories/cs.CL?after=2020-01-01_7", "/about",
        "/researchers", "/researchers?after=9_7", "/researchers/7-ada-weaver", "/papers/2101.54321/authors",
    ):  # fmt: skip
        assert may_read(robots, allowed), allowed
    for refused in (
        "/papers?kind=thesis", "/papers?after=2020-01-01_7&status=withdrawn", "/papers?year_from=2020", "/search",
        "/search?q=x", "/categories/cs.CL?day=2020-01-01", "/papers/2101.54321/cite", "/admin/", "/accounts/login/",
        "/researchers?q=weaver", "/researchers?after=9_7&country=DE", "/researchers?year=2020",
        "/papers?institution=7", "/researchers/7-ada-weaver?field=cs.CL",
        "/researchers?sort=name", "/researchers/compare?ids=1,2", "/papers/2101.54321/authors/7/contest",
    ):  # fmt: skip
        assert not may_read(robots, refused), refused


def test_language_models_are_told_what_is_where(client, db):
    response = client.get("/llms.txt")
    text = response.content.decode()
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert text.startswith("# wovepaper\n\n> ")
    links = re.findall(r"\]\(http://localhost:8000(/[^)]*)\)", text)
    assert {"/search.md?q=spin+glass", "/papers.md", "/developers", "/sitemap.xml", "/rss/latest.xml"} <= set(links)
    for address in links:
        assert client.get(address).status_code == 200, address


def test_the_old_address_of_the_icon_leads_to_it(client):
    response = client.get("/favicon.ico")
    assert (response.status_code, response.headers["location"]) == (301, "/static/favicon.svg")


def test_browsers_can_add_the_search(client):
    response = client.get("/opensearch.xml")
    root = etree.fromstring(response.content)
    (url,) = root.findall("{http://a9.com/-/spec/opensearch/1.1/}Url")
    assert url.get("template") == "http://localhost:8000/search?q={searchTerms}"


@pytest.mark.parametrize("address", ["/robots.txt", "/llms.txt", "/favicon.ico", "/opensearch.xml"])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, address, method):
    assert getattr(client, method)(address).status_code == 405
