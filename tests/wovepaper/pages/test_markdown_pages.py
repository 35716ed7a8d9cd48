"""Pages as Markdown, as programs read them."""

from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from markdown_it import MarkdownIt

from papers.models import Affiliation, Authorship, CategoryListing, Paper, PaperInstitution
from tests.factories import CategoryFactory, InstitutionFactory, PaperFactory
from tests.html import get
from tests.researchers.people import researcher
from tests.researchers.works import paper_of
from tests.searching import index_papers  # noqa: F401

pytestmark = pytest.mark.django_db

MARKDOWN = {"accept": "text/markdown"}
BROWSERS = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "*/*",
    "",
)
HOSTILE = (
    "[go](http://evil.test/a) <script>alert(1)</script> <img src=x onerror=y> ![i](http://evil.test/i) | `x` "
    "\\[b\\](http://evil.test/c) <http://evil.test/d> $x^2$"
)
READER = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
OWN = {"localhost:8000", "arxiv.org", "doi.org", "ror.org"}


def read(client, address, status=200, **headers):
    response = client.get(address, headers=headers)
    assert response.status_code == status, (address, response.status_code)
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert "Accept" in response.headers["Vary"]
    return response.content.decode()


def tokens_of(text):
    for token in READER.parse(text):
        yield token
        yield from token.children or ()


@pytest.fixture
def world(index_papers):  # noqa: F811
    category = CategoryFactory()
    person = researcher("Ada Weaver")
    place = InstitutionFactory()
    paper = paper_of(person, title="Knots", abstract="We tie $x_1$ knots.", doi="10.1234/knots")
    author = Authorship.objects.get(paper=paper)
    Affiliation.objects.create(authorship=author, text="Guild of Weavers", institution=place)
    PaperInstitution.objects.create(paper=paper, institution=place, sort_date=paper.sort_date)
    CategoryListing.objects.create(category=category, paper=paper, day=paper.published_on, kind="new")
    index_papers()
    return {
        "home": "/",
        "paper": paper.get_absolute_url(),
        "researcher": person.get_absolute_url(),
        "institution": place.get_absolute_url(),
        "category": "/categories/cs.CL",
        "day": f"/categories/cs.CL?day={paper.published_on}",
        "archive": "/categories/cs",
        "papers": "/papers",
        "filtered": "/papers?sort=oldest",
        "researchers": "/researchers",
        "institutions": "/institutions",
        "categories": "/categories",
        "search": "/search?q=knots",
        "cite": f"/papers/{paper.reference}/cite",
        "authors": f"/papers/{paper.reference}/authors",
        "flat": "/about",
    }


def with_ending(address):
    path, mark, query = address.partition("?")
    return f"{'/index' if path == '/' else path}.md{mark}{query}"


def test_every_page_is_there_by_accept_and_by_ending_and_says_what_it_says(client, world):
    for address in world.values():
        page = get(client, address)
        heading = page.one("//h1")
        by_accept = read(client, address, **MARKDOWN)
        assert by_accept == read(client, with_ending(address)), address
        first = next(line for line in by_accept.splitlines() if line.startswith("# "))
        assert heading.split()[0] in first
        assert by_accept.count("\n# ") + by_accept.startswith("# ") == 1
        for token in tokens_of(by_accept):
            assert token.type not in {"html_block", "html_inline", "image"}, (address, token.content)
        # Every link of ours leads somewhere.
        assert page.value("//link[@type='text/markdown']/@href") == with_ending(
            urlsplit(page.value("//link[@rel='canonical']/@href"))._replace(scheme="", netloc="").geturl()
        )


def test_a_paper_is_whole(client, world):
    text = read(client, world["paper"], **MARKDOWN)
    for piece in (
        "\n# Knots\n", "We tie $`x_1`$ knots.", "[Ada Weaver](http://localhost:8000/researchers/",
        "[Guild of Weavers](http://localhost:8000/institutions/", "](https://arxiv.org/pdf/", "- **DOI**: ",
        "```\n@", f"This page: <http://localhost:8000{world['paper']}>",
    ):  # fmt: skip
        assert piece in text, (piece, text)
    assert "/follows/" not in text
    assert "/accounts/" not in text


def test_lists_and_tables_of_a_person(client, world):
    text = read(client, world["researcher"], **MARKDOWN)
    assert "| Year | Papers |\n| --- | --- |\n| 20" in text
    assert "1. **[Knots](http://localhost:8000/papers/" in text


def test_browsers_and_those_who_do_not_say_get_html(client, world):
    for accept in BROWSERS:
        response = client.get(world["paper"], headers={"accept": accept} if accept else {})
        assert response.headers["Content-Type"] == "text/html; charset=utf-8", accept
        assert "Accept" in response.headers["Vary"]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/markdown, text/html;q=0.9, */*;q=0.1", "markdown"),
        ("text/markdown;q=0.9, */*;q=0.1", "markdown"),
        ("text/html, text/markdown;q=0.9", "html"),
        ("text/markdown;q=0, text/html", "html"),
        ("application/json", "html"),
    ],
)
def test_the_one_preferred_is_given(client, accept, kind):
    assert client.get("/papers", headers={"accept": accept}).headers["Content-Type"] == f"text/{kind}; charset=utf-8"


def test_nothing_harvested_becomes_a_link_or_html(client, world):
    Paper.objects.update(title=HOSTILE, abstract=HOSTILE, comments=HOSTILE, venue=HOSTILE, journal_reference=HOSTILE)
    Authorship.objects.update(name=HOSTILE)
    Affiliation.objects.update(text=HOSTILE, institution=None)
    reference = Paper.objects.get().reference
    addresses = [
        "/papers", "/categories/cs.CL", "/search?q=knots", world["researcher"], world["institution"], "/",
        f"/papers/{reference}/cite", f"/papers/{reference}/authors",
        client.get(f"/papers/{reference}").headers["location"],
    ]  # fmt: skip
    seen = 0
    for address in addresses:
        text = read(client, address, **MARKDOWN)
        seen += "evil" in text
        for token in tokens_of(text):
            assert token.type not in {"html_block", "html_inline", "image"}, (address, token.content)
            if token.type == "link_open":
                assert urlsplit(token.attrs["href"]).netloc in OWN, (address, token.attrs)
    assert seen >= 7


def test_what_is_not_here_says_so_and_repeats_nothing_dangerous(client):
    for address in ("/nothing", "/papers/2199.00001"):
        text = read(client, address, 404, **MARKDOWN)
        assert text == read(client, f"{address}.md", 404)
        assert text.startswith("# This page isn’t here")
        assert "`/papers/<arXiv id>`" in text
    text = read(client, "/categories/[go](http:evil.test)", 404, **MARKDOWN)
    assert "evil" in text
    for token in tokens_of(text):
        assert token.type not in {"html_block", "html_inline", "image"}
        if token.type == "link_open":
            assert token.attrs["href"] in {"http://localhost:8000/sitemap.xml", "http://localhost:8000/llms.txt"}


def test_other_addresses_lead_to_the_right_one_with_the_ending(client, world):
    reference = world["paper"].removeprefix("/papers/").split("-")[0]
    assert client.get(f"/papers/{reference}.md").headers["location"] == f"{world['paper']}.md"
    response = client.get(f"/papers/{reference}", headers=MARKDOWN)
    assert response.headers["location"] == world["paper"]
    assert client.get("/search.md?q=10.1234/knots").headers["location"] == f"{world['paper']}.md"


def test_names_that_end_so_are_left_alone(client):
    paper = PaperFactory(doi="10.1234/readme.md")
    assert client.get("/papers/doi/10.1234/readme.md").headers["location"] == paper.get_absolute_url()
    assert client.get("/accounts/login.md").headers["location"] == "/accounts/login/"
    assert client.get("/livez.md").headers["Content-Type"] == client.get("/livez").headers["Content-Type"]


def test_what_is_no_public_page_is_never_markdown(client, admin_client):
    assert client.get("/accounts/login/", headers=MARKDOWN).headers["Content-Type"].startswith("text/html")
    assert admin_client.get("/admin/", headers=MARKDOWN).headers["Content-Type"].startswith("text/html")
    assert client.post("/papers.md").status_code in {404, 405}


def test_it_costs_no_query_and_has_an_etag_of_its_own(client, world):
    for address in (world["paper"], "/papers"):
        with CaptureQueriesContext(connection) as page:
            html = client.get(address)
        with CaptureQueriesContext(connection) as text:
            markdown = client.get(address, headers=MARKDOWN)
        assert len(page) == len(text)
        assert html.headers["ETag"] != markdown.headers["ETag"]
        again = client.get(address, headers={**MARKDOWN, "if-none-match": markdown.headers["ETag"]})
        assert again.status_code == 304
        other = client.get(address, headers={"if-none-match": markdown.headers["ETag"]})
        assert other.status_code == 200


def test_it_is_not_for_search_engines_and_names_its_page(client, world):
    response = client.get(f"{world['paper']}.md")
    assert response.headers["X-Robots-Tag"] == "noindex"
    itself = f'<http://localhost:8000{world["paper"]}>; rel="alternate"; type="text/html"'
    assert response.headers["Link"].endswith(f", {itself}")
    itself = '<http://localhost:8000/papers>; rel="alternate"; type="text/html"'
    assert client.get("/papers.md").headers["Link"] == itself
    assert client.head(f"{world['paper']}.md").content == b""
