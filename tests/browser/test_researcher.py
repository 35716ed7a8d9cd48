"""The pages of a researcher in a real browser: no barrier, a network that can be read and walked with the keyboard."""

import datetime as dt

import pytest

from tests.browser.test_pages import check
from tests.factories import affiliate
from tests.researchers.people import orcid, researcher
from tests.researchers.works import count, name, paper_of, written_by

LONG = "Hubert Blaine Wolfeschlegelsteinhausenbergerdorff Sr."
GIVEN = ("Ada", "Maria-Magdalena", "Ottilie Wilhelmina", "Wim", "J. M. W.", "Müge")
FAMILY = ("Weaver", "Wolfeschlegelsteinhausen", "van der Weeverberg", "Li", "O’Brien-Smythe", "Ткачёва", "مريم الحائك")


def prolific(coauthors: int):
    """Somebody who wrote with so many, under short and long names of several scripts."""
    ada = researcher(LONG)
    others = [researcher(f"{GIVEN[number % 6]} {FAMILY[number % 7]}") for number in range(coauthors)]
    for number, one in enumerate(others):
        company = [one, *others[number + 1 : number + 1 + number % 3]]
        paper = paper_of(
            ada, *company, title=f"On the {number}th thread", published_on=dt.date(2000 + number % 20, 1, 1),
            citation_count=number, venue="Journal of Looms",
        )  # fmt: skip
        affiliate(paper, 1, "Institute of Very Long Names and Threads, Weaverton-upon-the-Loom")
    name(ada, "Ада Ткачёва")
    orcid(ada, "0000-0002-1825-0097")
    return ada


def test_every_page_of_a_researcher(open_page, db, complaints):
    ada = prolific(40)
    written_by({"Zacharias Quill": ada})
    paper_of(researcher(LONG))
    count(ada)
    path = ada.get_absolute_url()
    empty = researcher("Nobody’s Author")
    check(
        open_page,
        complaints,
        (path, f"{path}?field=cs.CL&sort=cited", f"{path}/co-authors", f"{path}/venues", f"{path}?year=x",
         empty.get_absolute_url()),
    )  # fmt: skip


BOXES = """() => [...document.querySelectorAll('.network text')].map(text => text.getBoundingClientRect())
    .filter(box => box.width).map(box => [box.left, box.top, box.right, box.bottom])"""


@pytest.mark.parametrize("coauthors", [1, 3, 12, 40])
def test_names_in_the_network_neither_overlap_nor_leave_the_page(open_page, db, coauthors):
    ada = prolific(coauthors)
    page = open_page(ada.get_absolute_url())
    for width in (320, 375, 640, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        boxes = page.evaluate(BOXES)
        assert len(boxes) == min(coauthors, 36)
        for number, (left, top, right, bottom) in enumerate(boxes):
            assert 0 <= left < right <= width, (width, boxes[number])
            for other in boxes[:number]:
                apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
                assert apart, (width, boxes[number], other)


def test_the_network_with_the_keyboard(open_page, db, complaints):
    ada = prolific(3)
    page = open_page(ada.get_absolute_url(), javascript=False)
    first = page.locator(".network a").first
    target = first.get_attribute("href")
    first.focus()
    assert page.evaluate("document.activeElement.getAttribute('href')") == target
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.network') !== null")
    first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{target}")
    assert complaints.found == []
