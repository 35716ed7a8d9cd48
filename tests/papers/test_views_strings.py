"""Whatever a source prints appears as text: no element or attribute of it reaches any page."""

import json
import re

import pytest
from lxml import html

from papers.models import Affiliation, Authorship, Paper
from tests.admin_people import client_of, user_with
from tests.factories import ListingFactory, PaperFactory, SourceRecordFactory, affiliate
from tests.html import Page, get, tags_of
from tests.injections import INJECTIONS
from tests.searching import index_papers  # noqa: F401
from tests.shared_data import shared_data_dir
from wovepaper.lib.markup import plain, render_title
from wovepaper.lib.markup.characters import one_line

pytestmark = pytest.mark.django_db

# What the renderer of titles and abstracts may add of its own; never more than these, never an attribute of a text's.
OWN_ELEMENTS = set(
    "math mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd "
    "mstyle mpadded mphantom menclose merror mmultiscripts mprescripts none semantics annotation "
    "em strong sub sup i b code span bdi br p".split()
)
OWN_ATTRIBUTES = set(
    "math@display math@xmlns math@alttext math@class mo@stretchy mo@fence mo@form mo@separator mo@lspace mo@rspace "
    "mo@minsize mo@maxsize mo@largeop mo@movablelimits mo@symmetric mo@accent mi@mathvariant mn@mathvariant "
    "mi@class mo@class mtext@class mtext@mathvariant mspace@width mspace@height mspace@depth mfrac@linethickness "
    "mover@accent munder@accentunder munderover@accent mtable@columnalign mtable@class mtable@displaystyle "
    "mtable@rowspacing mtable@columnspacing mtable@columnlines mtable@rowlines mtable@frame mtd@columnalign mtd@class "
    "mstyle@displaystyle mstyle@scriptlevel mstyle@mathcolor annotation@encoding menclose@notation mpadded@width "
    "mpadded@lspace mpadded@height mpadded@depth mpadded@voffset mrow@class span@class code@class".split()
)


class Sample:
    """One paper with a text in every place a source can fill, and every page that shows it."""

    def __init__(self, client):
        self.client = client
        self.paper = PaperFactory(arxiv_id="2101.54321", authors=["A"], versions_made=1)
        affiliate(self.paper, 1, "B")
        SourceRecordFactory(paper=self.paper)
        ListingFactory(paper=self.paper, category=self.paper.primary_category)
        self.fields = (
            "title", "abstract", "venue", "publisher", "licence", "comments", "journal_reference", "report_number",
        )  # fmt: skip

    def fill(self, text):
        text = text.replace("\x00", "")
        values = dict.fromkeys(self.fields, text)
        short = text[:60]
        Paper.objects.filter(pk=self.paper.pk).update(
            **values, volume=short, issue=short, pages=short, announced_on="2021-01-04"
        )
        Authorship.objects.filter(paper=self.paper).update(name=text)
        Affiliation.objects.update(text=text)
        self.paper.source_records.update(stamp=short[:40], external_id=text[:255], format=text[:24])
        self.paper.refresh_from_db()

    def pages(self):
        slug = self.paper.get_absolute_url()
        return {
            address: Page(self.client.get(address))
            for address in (
                slug, "/papers/2101.54321v1", "/papers/2101.54321/cite", "/papers", "/categories/cs.CL",
                "/categories/cs.CL?day=2021-01-04", "/",
            )
        }  # fmt: skip

    def check(self, text, plain):
        self.fill(text)
        for (address, page), expected in zip(self.pages().items(), plain, strict=True):
            assert page.response.status_code == 200, (address, text)
            assert_nothing_added(tags_of(page), expected, (address, text))
            for block in page.json_ld:
                assert block["@context"] == "https://schema.org"


def assert_nothing_added(found, expected, where):
    for name, count in found.items():
        if name not in OWN_ELEMENTS | OWN_ATTRIBUTES:
            # Fewer is right too: an empty text has no section of its own.
            assert count <= expected.get(name, 0), (name, count, expected.get(name, 0), where)


@pytest.fixture
def sample(client):
    sample = Sample(client)
    sample.plain = [{} for _ in sample.pages()]
    # An address as licence is a link, a range of pages is two tags, a long title is set smaller.
    for text in ("https://example.org/plain", "1-2", "long " * 60):
        sample.fill(text)
        for most, page in zip(sample.plain, sample.pages().values(), strict=True):
            for name, count in tags_of(page).items():
                most[name] = max(most.get(name, 0), count)
    return sample


def test_injections_are_text_on_every_page(sample):
    for text in INJECTIONS:
        sample.check(text, sample.plain)


PARAMETERS = {
    "/search": ("year", "category", "kind", "status", "sort", "page"),
    "/papers": ("year_from", "year_to", "category", "kind", "status", "source", "sort", "after"),
    "/categories/cs.CL": ("day", "kind", "before"),
}


def test_injections_are_text_in_what_is_typed(client, index_papers):  # noqa: F811
    PaperFactory(title="alert script img onerror", abstract="alert script img onerror 1")
    index_papers()
    for address, parameters in PARAMETERS.items():
        bad = dict.fromkeys(parameters, "nothing at all")
        plain = set(tags_of(Page(client.get(address, {"q": "alert", **bad})))) | {"mark"}
        for text in INJECTIONS:
            page = Page(client.get(address, {"q": text, **dict.fromkeys(parameters, text)}))
            assert page.response.status_code == 400, (address, text)
            assert set(tags_of(page)) <= plain | set(tags_of(Page(client.get(address, {"q": "zzz", **bad})))), text


def test_what_a_hit_quotes_is_text(client, index_papers):  # noqa: F811
    for text in INJECTIONS:
        PaperFactory(title=f"loom {text}", abstract=f"loom {text} loom", authors=[f"loom {text}"])
    index_papers()
    addresses = [
        "/search?q=loom&sort=newest",
        "/search?q=loom&sort=newest&page=2",
        "/search?q=alert",
        "/search?q=script",
    ]
    for address in addresses:
        page = Page(client.get(address))
        assert page.all("//mark")
        tags = tags_of(page)
        assert not {name for name in tags if "@on" in name or name in {"img", "iframe", "style", "base", "form@onx"}}
        assert {found.get("type") for found in page.all("//script")} == {"application/ld+json", "module"}
        for piece in page.all("//p[@class='paper-card__why']"):
            assert {child.tag for child in piece.iterdescendants()} <= {"mark", "small"}


def test_injections_are_text_in_addresses_that_are_not_here(client):
    plain = tags_of(Page(client.get("/nothing/at/all")))
    for text in INJECTIONS:
        for address in (f"/{text}", f"/papers/{text}", f"/categories/{text}", f"/papers/doi/{text}"):
            # Any client escapes these; what matters is what the page makes of the text once it is unescaped.
            response = client.get("/" + re.sub(r"[^\w/.-]", lambda found: quote(found[0]), address[1:]))
            assert response.status_code in {301, 404}, address
            if response.status_code == 404:
                assert set(tags_of(Page(response))) <= set(plain), address


def quote(character):
    return "".join(f"%{byte:02X}" for byte in character.encode())


@pytest.mark.shared_data
def test_real_strings_that_break_things_are_text_on_every_page(sample):
    lines = shared_data_dir("strings", "nasty_strings.jsonl").read_text(encoding="utf-8").splitlines()
    texts = list(dict.fromkeys(json.loads(line)["value"] for line in lines))
    assert len(texts) > 1000
    # Many to a page: each place of a text is tried with every string, without a page for each.
    for start in range(0, len(texts), 40):
        sample.check(" · ".join(texts[start : start + 40]), sample.plain)


@pytest.mark.shared_data
def test_real_names_are_printed_as_they_are(client):
    lines = shared_data_dir("strings", "nasty_strings.jsonl").read_text(encoding="utf-8").splitlines()
    names = [
        " ".join(record["value"].split())
        for record in map(json.loads, lines)
        if record["category"].startswith("name.") and "\x00" not in record["value"]
    ]
    for start in range(0, len(names), 20):
        paper = PaperFactory(authors=names[start : start + 20])
        page = Page(client.get(paper.get_absolute_url()))
        assert page.texts("//ol[@aria-label='Authors']/li") == [
            " ".join(name.split()) for name in names[start : start + 20]
        ]


def folded(text):
    """A text on one line, as a browser shows it."""
    return " ".join(text.split())


def shown(text):
    """The text of a title as its HTML has it: formulas set, emphasis applied, all else as it was written."""
    return " ".join(html.fromstring(f"<div>{render_title(text)}</div>").text_content().split())


def main_text(page):
    (main,) = page.all("//main")
    return " ".join(main.text_content().split())


FACTS = ("comments", "journal_reference", "report_number", "venue")


@pytest.fixture
def filled():
    """One paper for each text, which stands in all that a source can fill."""
    papers = {}
    for number, text in enumerate(INJECTIONS, 1):
        paper = PaperFactory(
            arxiv_id=f"2101.{number:05}", title=f"loom {text}", abstract=f"abstract {text}", authors=[f"name {text}"],
            announced_on="2021-01-04", **{name: f"{name} {text}" for name in FACTS},
        )  # fmt: skip
        affiliate(paper, 1, f"place {text}")
        ListingFactory(paper=paper, category=paper.primary_category, day="2021-01-04")
        papers[paper.pk] = text
    return papers


def test_texts_without_markup_of_their_own_are_shown_as_they_were_written():
    plain_ones = [text for text in INJECTIONS if not re.search(r"[\\$]|</?(i|em|b|sub|sup) ?>", text)]
    assert len(plain_ones) > 30
    assert [shown(text) for text in plain_ones] == [one_line(text) for text in plain_ones]


def test_each_text_can_be_read_in_every_list(client, filled, index_papers):  # noqa: F811
    index_papers()
    titles = sorted(shown(f"loom {text}") for text in INJECTIONS)
    names = sorted(folded(f"name {text}") for text in INJECTIONS)
    lists = (
        "/papers",
        "/categories/cs.CL",
        "/categories/cs.CL?day=2021-01-04&kind=new",
        "/categories/cs?day=2021-01-04",
    )
    for address in (*lists, "/search?q=loom"):
        seen, authors, following = [], [], address
        while following:
            page = get(client, following)
            seen += page.titles
            authors += page.texts("//p[@class='paper-card__authors']/bdi")
            following = page.next
        assert sorted(seen) == titles, address
        assert sorted(authors) == names, address
    day = get(client, "/categories/cs.CL?day=2021-01-04")
    assert len(day.titles) == 24
    assert set(day.titles) <= set(titles)
    front = get(client, "/")
    assert front.titles
    assert set(front.titles) <= set(titles)


def test_each_text_can_be_read_on_the_page_of_its_paper_and_in_the_admin(client, filled):
    head = client_of(user_with(is_superuser=True))
    listed = main_text(get(head, "/admin/papers/paper/?all="))
    for paper in Paper.objects.all():
        text = filled[paper.pk]
        page = get(client, paper.get_absolute_url())
        assert page.one("//h1") == shown(f"loom {text}")
        assert page.texts("//ol[@aria-label='Authors']/li/bdi") == [folded(f"name {text}")]
        read = main_text(page)
        assert shown(f"abstract {text}") in read
        assert folded(f"place {text}") in read
        for name in FACTS:
            assert {value for value in (folded(f"{name} {text}"), shown(f"{name} {text}")) if value in read}, (
                name,
                text,
            )
        cite = main_text(get(client, f"/papers/{paper.reference}/cite"))
        assert plain(f"loom {text}") in cite
        admin = main_text(get(head, f"/admin/papers/paper/{paper.pk}/change/"))
        for part in (f"loom {text}", f"abstract {text}", f"name {text}"):
            assert {value for value in (folded(part), plain(part), shown(part)) if value in admin}, part
        if paper.reference in listed:
            assert plain(f"loom {text}")[:40].strip() in listed
    assert "loom" in listed
