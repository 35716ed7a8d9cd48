"""Every kind of page, narrow and wide, light and dark: no complaint, no barrier, no sideways scrolling."""

from axe_playwright_python.sync_playwright import Axe

from tests.browser.catalogue import DAY, fill_catalogue

NARROW, WIDE = 375, 1280
EVERY_LOOK = [(width, scheme) for width in (NARROW, WIDE) for scheme in ("light", "dark")]
# Colours depend on the scheme, places on the width: two looks see all four, which the main pages show in full.
TWO_LOOKS = [(NARROW, "light"), (WIDE, "dark")]


def barriers(page):
    """What axe finds that is serious or worse."""
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        (one["id"], [node["html"][:200] for node in one["nodes"][:3]])
        for one in found.response["violations"]
        if one["impact"] in {"serious", "critical"}
    ]


def sideways(page):
    """How many pixels the page is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


def check(open_page, complaints, addresses, looks=TWO_LOOKS):
    page = open_page("/livez")
    for address in addresses:
        page.goto(address)
        # What is folded is part of the page too.
        page.evaluate("document.querySelectorAll('details:not(.menu)').forEach(one => { one.open = true })")
        menus = page.locator("details.menu > summary")
        if menus.count():
            menus.first.click()
        for width in (320, NARROW, WIDE):
            page.set_viewport_size({"width": width, "height": 800})
            assert sideways(page) <= 0, (address, width)
        for width, scheme in looks:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            assert barriers(page) == [], (address, width, scheme)
    assert complaints.found == []


def test_the_main_pages_in_every_look(open_page, index_papers, complaints):
    paper = fill_catalogue(long_lists=False)
    index_papers()
    check(open_page, complaints, ("/", "/papers", "/search?q=weft+loom", paper.get_absolute_url()), EVERY_LOOK)


def test_lists_and_search(open_page, index_papers, complaints):
    fill_catalogue(long_lists=False)
    index_papers()
    check(
        open_page,
        complaints,
        ("/papers?kind=article&year_from=2020", "/papers?kind=thesis", "/papers?year_from=x", "/categories",
         "/categories/cs.CL", f"/categories/cs.CL?day={DAY}", "/search", "/search?q=wefft&status=current"),
    )  # fmt: skip


def test_papers_and_written_pages(open_page, db, complaints):
    full = fill_catalogue()
    plain = full.__class__.objects.filter(status="current").first()
    check(
        open_page,
        complaints,
        (plain.get_absolute_url(), f"/papers/{full.reference}v2", f"/papers/{plain.reference}/cite", "/about",
         "/developers", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/no/such/page"),
    )  # fmt: skip


def test_with_the_search_down(open_page, db, complaints, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError

    monkeypatch.setattr("wovepaper.search.backend.TantivySearchBackend.search", fail)
    check(open_page, complaints, ("/search?q=weft",))


def test_data_for_machines_raises_no_violation(open_page, db, complaints):
    full = fill_catalogue()
    page = open_page(full.get_absolute_url())
    assert page.locator("script[type='application/ld+json']").count() == 3
    assert page.evaluate("[...document.scripts].filter(one => one.type === 'module').length") == 1
    assert complaints.found == []


def test_a_script_that_got_onto_a_page_would_not_run(open_page, db, complaints):
    page = open_page("/about")
    page.evaluate(
        """() => { const script = document.createElement('script'); script.textContent = 'window.ran = true';
            document.body.append(script) }"""
    )
    assert page.evaluate("window.ran") is None
    assert any("policy: script-src" in complaint for complaint in complaints.found)
