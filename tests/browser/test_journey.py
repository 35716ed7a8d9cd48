"""The way of a reader, in a real browser."""

from playwright.sync_api import expect

from tests.browser.catalogue import fill_catalogue


def test_search_open_page_filter_and_copy_a_reference(open_page, index_papers, complaints):
    fill_catalogue()
    index_papers()
    page = open_page("/")

    page.get_by_role("searchbox").fill("weft of looms")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Search")
    expect(page.locator(".paper-card")).to_have_count(24)
    expect(page.locator(".paper-card__why mark").first).to_be_visible()

    page.get_by_role("link", name="Next").click()
    expect(page.locator(".paper-card")).to_have_count(6)
    page.get_by_role("link", name="Previous").click()
    page.get_by_role("link", name="Journal article").click()
    expect(page.locator(".paper-card")).to_have_count(6)
    page.get_by_role("link", name="Remove the filter Journal article").click()
    expect(page.locator(".paper-card")).to_have_count(24)

    page.get_by_role("link", name="A study of looms, part 7").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A study of looms, part 7")

    page.locator("summary", has_text="Cite").click()
    page.get_by_role("button", name="Copy BibTeX").click()
    expect(page.get_by_role("button", name="Copy BibTeX")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#citation-bibtex").text_content()
    assert copied.startswith("@")
    assert "A study of looms, part 7" in copied
    page.keyboard.press("Escape")
    expect(page.locator("#citation-bibtex")).to_be_hidden()
    expect(page.locator("summary", has_text="Cite")).to_be_focused()

    page.goto("/papers")
    page.get_by_label("From year").fill("2021")
    page.get_by_label("Category").select_option("cs.CL")
    page.get_by_label("Kind").select_option("article")
    page.get_by_role("button", name="Show these papers").click()
    expect(page.locator(".chip:not(.chip--plain)")).to_have_count(3)
    expect(page.locator(".sorts p")).to_have_text("6 papers with these filters")
    assert complaints.found == []


def test_everything_can_be_read_without_javascript(open_page, index_papers):
    full = fill_catalogue()
    index_papers()
    page = open_page("/", javascript=False, width=375)
    page.get_by_role("searchbox").fill("shuttles")
    page.get_by_role("button", name="Search").click()
    page.locator(".paper-card a").first.click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("a very long title")
    expect(page.get_by_text("This paper has been withdrawn.")).to_be_visible()
    expect(page.locator(".abstract math").first).to_be_visible()
    expect(page.locator(".authors").get_by_text("Author-706")).to_be_hidden()
    page.get_by_text("Show all 706 authors").click()
    expect(page.locator(".authors").get_by_text("Author-706")).to_be_visible()

    page.locator("summary", has_text="Cite").click()
    expect(page.locator("#citation-bibtex")).to_be_visible()
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download BibTeX").click()
    assert download.value.suggested_filename == f"{full.arxiv_id}.bib"
    page.get_by_role("link", name="Every format").click()
    expect(page.locator("pre")).to_have_count(10)
    page.goto(full.get_absolute_url())
    page.locator("tr", has_text="v2").get_by_role("link").click()
    expect(page.get_by_text("This is version 2 of 4")).to_be_visible()


def test_the_keyboard_reaches_everything_and_shows_where_it_is(open_page, db, complaints):
    full = fill_catalogue()
    for address in ("/papers", full.get_absolute_url()):
        page = open_page(address)
        reachable = page.evaluate(
            """() => [...document.querySelectorAll(`a[href], button, input:not([type=hidden]), select, summary,
                [tabindex="0"]`)].filter(one => one.checkVisibility()).length"""
        )
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
        seen = 0
        while page.evaluate("document.activeElement !== document.body"):
            seen += 1
            assert seen <= reachable, "the keyboard is caught"
            style = page.evaluate(
                """() => { const style = getComputedStyle(document.activeElement);
                    return [style.outlineStyle, parseFloat(style.outlineWidth), document.activeElement.outerHTML] }"""
            )
            assert style[0] == "solid", style
            assert style[1] >= 2, style
            page.keyboard.press("Tab")
        assert seen == reachable
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "content"
    assert complaints.found == []
