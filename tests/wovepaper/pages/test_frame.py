"""What every page has around it."""

import pytest
from django.contrib.auth import get_user_model

from tests.factories import PaperFactory
from tests.html import get

pytestmark = pytest.mark.django_db

ADDRESSES = (
    "/", "/papers", "/categories", "/categories/cs.CL", "/search", "/about", "/accounts/login/", "/accounts/signup/",
    "/accounts/password/reset/",
)  # fmt: skip


@pytest.fixture(params=[*ADDRESSES, "paper"])
def page(request, client):
    address = PaperFactory().get_absolute_url() if request.param == "paper" else request.param
    return get(client, address)


def test_landmarks_headings_and_the_skip_link(page):
    assert page.value("/html/@lang") == "en"
    assert len(page.all("//h1")) == 1
    assert [len(page.all(f"//{name}")) for name in ("main", "body/header", "body/footer")] == [1, 1, 1]
    assert page.all("//body/*")[0].get("href") == "#content"
    assert page.value("//main/@id") == "content"
    assert page.one("//title").endswith(" · wovepaper")
    names = page.all("//nav/@aria-label | //nav/@aria-labelledby")
    assert len(names) == len(set(names)) == len(page.all("//nav"))


def test_every_id_is_given_once_and_every_label_has_its_field(page):
    ids = page.all("//@id")
    assert len(ids) == len(set(ids))
    for target in page.all("//label/@for | //@aria-labelledby | //@aria-describedby"):
        assert set(target.split()) <= set(ids), target
    for field in page.all("//input[not(@type='hidden')] | //select | //textarea"):
        assert page.all(f"//label[@for='{field.get('id')}']"), field.get("name")


def test_there_is_no_inline_script_or_style(page):
    assert page.all("//style | //@style") == []
    for script in page.all("//script"):
        is_data = script.get("type") in ("application/ld+json", "application/json")
        assert is_data or script.get("src", "").startswith("/static/"), script
    assert not [name for element in page.root.iter() for name in element.attrib if name.startswith("on")]


def test_nothing_is_loaded_from_elsewhere(page):
    for address in page.all("//@src | //link[@rel='stylesheet' or @rel='icon']/@href"):
        assert address.startswith("/static/"), address


def test_every_link_to_this_site_leads_somewhere(page, client):
    for address in {link.split("#")[0] for link in page.all("//header//a/@href | //footer//a/@href")} - {""}:
        if address.startswith("/"):
            # What is for readers leads to signing in.
            assert client.get(address, follow=True).status_code == 200, address


def test_the_foot_credits_the_sources_as_their_licences_ask(page):
    (thanks,) = page.all("//footer//p[contains(@class, 'credits')]")
    assert " ".join(thanks.text_content().split()) == (
        "Thank you to arXiv for use of its open access interoperability. This site is not affiliated with arXiv, nor"
        " endorsed by it. Data of Semantic Scholar are used under the licence ODC-BY 1.0."
    )
    assert thanks.xpath(".//a/@href") == ["https://opendatacommons.org/licenses/by/1-0/"]


def test_the_policy_is_strict(page):
    policy = page.response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert page.response.headers["X-Frame-Options"] == "DENY"
    assert page.response.headers["X-Content-Type-Options"] == "nosniff"


def test_machines_learn_who_this_is_and_how_to_search(page):
    site = next(block for block in page.json_ld if "@graph" in block)
    organisation, website = site["@graph"]
    assert organisation["@type"] == "Organization"
    assert website["potentialAction"]["target"]["urlTemplate"] == "http://localhost:8000/search?q={search_term_string}"


def test_shared_links_have_a_title_and_description(client):
    for address in ("/", "/papers", "/categories/cs.CL", "/about", PaperFactory().get_absolute_url()):
        page = get(client, address)
        title = page.one("//title").removesuffix(" · wovepaper")
        assert page.value("//meta[@property='og:title']/@content") == title
        assert page.value("//meta[@name='twitter:title']/@content") == title
        description = page.value("//meta[@name='description']/@content")
        assert page.value("//meta[@property='og:description']/@content") == description
        assert 10 < len(description) <= 200
        assert page.value("//meta[@property='og:url']/@content") == page.value("//link[@rel='canonical']/@href")


def test_the_header_knows_who_is_signed_in(client):
    texts = "//nav[@aria-label='Main']//a"
    assert get(client, "/papers").texts(texts) == ["Papers", "Researchers", "Institutions", "Categories", "Sign in"]
    client.force_login(get_user_model().objects.create_user("a@example.org"))
    assert get(client, "/papers").texts(texts)[4:] == ["Inbox", "Follows", "Settings", "Sign out"]
    assert get(client, "/papers").texts("//nav[@aria-label='Main']//summary") == ["You"]
    client.force_login(get_user_model().objects.create_superuser("b@example.org"))
    assert get(client, "/papers").texts(texts)[4:] == ["Inbox", "Follows", "Settings", "Admin", "Sign out"]
    assert "Cookie" in client.get("/papers").headers["Vary"]


def test_where_you_are_is_marked(client):
    assert get(client, "/papers").one("//nav[@aria-label='Main']/a[@aria-current]") == "Papers"


def test_pages_are_small(client):
    for paper in range(30):
        PaperFactory(title=f"A fairly long title of a paper about looms and their knots, number {paper}")
    for address in ("/", "/papers", "/categories/cs.CL", "/categories", "/search"):
        response = client.get(address, headers={"accept-encoding": "gzip"})
        assert response.headers["Content-Encoding"] == "gzip"
        assert len(response.content) < 20_000, (address, len(response.content))


def test_signing_in_works_through_the_pages(client):
    user = get_user_model().objects.create_user("a@example.org", "correct horse battery")
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    page = get(client, "/accounts/login/")
    assert page.one("//h1") == "Sign in"
    assert page.texts("//main//label")[:2] == ["E-mail", "Password"]
    assert page.texts("//main//button[@type='submit']") == ["Sign in", "Use a passkey"]
    assert page.one("//title") == "Sign in · wovepaper"
    wrong = client.post("/accounts/login/", {"login": "a@example.org", "password": "x"})
    assert b"notice--problem" in wrong.content
    right = client.post("/accounts/login/", {"login": "a@example.org", "password": "correct horse battery"})
    assert (right.status_code, right.headers["location"]) == (302, "/")
