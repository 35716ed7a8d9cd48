"""Finding people, telling namesakes apart, and contesting an attribution, in a real browser."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from researchers.models import Attribution, Contest, Researcher, SamePersonVote
from tests.browser.test_pages import check
from tests.factories import affiliate
from tests.researchers.people import curator, orcid, researcher
from tests.researchers.works import count, paper_of, written_by
from wovepaper.search.services import update_documents

LONG = "Hubert Blaine Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren"


@pytest.fixture
def people(index_papers):
    """Two called Ada Weaver, with a co-author in common, and somebody with a very long name."""
    ada, other, bo, long = (researcher(name) for name in ("Ada Weaver", "Ada Weaver", "Bo Spindle", LONG))
    orcid(ada, "0000-0002-1694-233X")
    for person in (ada, other):
        paper_of(person, bo, title=f"Looms of {person.pk}", venue="Journal of Looms")
    affiliate(written_by({"A. Weaver": ada, "Loom Collaboration": None, LONG: long}, title="Likely looms"), 1, "W" * 90)
    Attribution.objects.filter(paper__title="Likely looms").update(
        score=0.8, decided_by="model", evidence=[["co_author", 1.0, 1.5], ["affiliation_disjoint", 1.0, -0.5]]
    )
    count(ada, other, bo, long)
    index_papers()
    update_documents(model=Researcher, ids=list(Researcher.objects.values_list("pk", flat=True)))
    return ada, other


def sign_in(page):
    """As a reader, by a session made beside the browser."""
    client = Client()
    user = curator("reader", [])
    client.force_login(user)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": page.url.split("/livez")[0]}]
    )
    return user


def test_every_page_in_two_looks(open_page, people, complaints):
    ada, other = people
    paper = Attribution.objects.filter(paper__title="Likely looms").first().paper
    pages = (
        "/researchers", "/researchers?sort=name&category=cs.CL&year=2021", "/researchers?q=weaver",
        "/researchers?q=nobody", f"/researchers/compare?ids={ada.pk},{other.pk}", f"/papers/{paper.reference}/authors",
        paper.get_absolute_url(), "/researchers/compare?ids=1", "/researchers/orcid/1",
    )  # fmt: skip
    check(open_page, complaints, pages)


def test_every_page_for_who_is_signed_in(open_page, people, complaints):
    ada, other = people
    paper = Attribution.objects.filter(paper__title="Likely looms").first().paper
    place = paper.authorships.get(position=1)

    def open_signed_in(address):
        page = open_page(address)
        sign_in(page)
        return page

    pages = (
        ada.get_absolute_url(), f"/researchers/compare?ids={ada.pk},{other.pk}",
        f"/papers/{paper.reference}/authors/{place.pk}/contest",
    )  # fmt: skip
    check(open_signed_in, complaints, pages)


@pytest.mark.parametrize("javascript", [True, False])
def test_a_reader_finds_a_namesake_compares_and_votes(open_page, people, complaints, javascript):
    ada, other = people
    page = open_page("/livez", javascript=javascript)
    sign_in(page)
    page.goto("/")
    page.get_by_role("searchbox").fill("weaver")
    page.keyboard.press("Enter")
    page.get_by_role("navigation", name="What to search for").get_by_role("link", name="Researchers 2").click()
    expect(page.locator(".person-card")).to_have_count(2)
    page.goto(ada.get_absolute_url())
    page.locator("#same-name").get_by_role("link", name=f"Compare with Ada Weaver ({other.pk})").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("One person, or several?")
    expect(page.get_by_role("rowheader", name="Bo Spindle")).to_be_visible()
    page.get_by_role("button", name="Different people").click()
    expect(page.get_by_role("status").first).to_contain_text("Noted: different people")
    expect(page.get_by_text("You said: different people")).to_be_visible()
    page.get_by_role("button", name="Same person?").click()
    expect(page.get_by_text("You said: same person")).to_be_visible()
    assert list(SamePersonVote.objects.values_list("verdict", flat=True)) == ["same"]
    assert complaints.found == []


def test_a_reader_contests_an_author_without_javascript(open_page, people, complaints):
    _, other = people
    page = open_page("/livez", javascript=False, width=375)
    sign_in(page)
    paper = Attribution.objects.filter(paper__title="Likely looms").first().paper
    page.goto(paper.get_absolute_url())
    expect(page.locator(".authors li").first).to_have_text("A. Weaver1 (likely)")
    page.get_by_role("link", name="Why is this person here?").click()
    expect(page.locator(".why__reasons").first).to_contain_text("a co-author in common")
    page.get_by_role("link", name="Not them? (A. Weaver)").click()
    page.get_by_label("This is another researcher").check()
    page.get_by_label("Who it is, if you know").fill(other.get_absolute_url())
    page.get_by_label("How you know").fill("Her list of publications has it.")
    page.get_by_role("button", name="Send to the curators").click()
    expect(page.get_by_role("status").first).to_contain_text("A curator will read this")
    assert page.url.endswith(f"#author-{paper.authorships.get(position=1).pk}")
    assert Contest.objects.get().claimed == other
    assert complaints.found == []


def test_an_orcid_in_the_search_box_leads_to_the_person(open_page, people, complaints):
    page = open_page("/")
    page.get_by_role("searchbox").fill("https://orcid.org/0000-0002-1694-233x")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada Weaver")
    assert complaints.found == []
