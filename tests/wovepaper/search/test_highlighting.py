"""Snippets: what is marked, what is shown, and that nothing harvested can run."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest
from django.template import Context, Template
from django.utils.safestring import SafeString
from haystack.inputs import Exact
from haystack.query import SearchQuerySet

from tests.wovepaper.search.indexes import paper
from wovepaper.search.conditions import Words
from wovepaper.search.highlighting import Highlighter


def _snippets(query: SearchQuerySet, **options) -> dict[str, list[str]]:
    (hit,) = query.highlight(**options)
    return dict(hit.highlighted)


@pytest.mark.parametrize(
    ("filters", "marked"),
    [
        ({"content": "network"}, "Graph neural <em>networks</em> for e-mail at the café"),
        ({"content": "NEURAL networks"}, "Graph <em>neural</em> <em>networks</em> for e-mail at the café"),
        ({"content": "email"}, "Graph neural networks for <em>e-mail</em> at the café"),
        ({"content": "e-mail"}, "Graph neural networks for <em>e</em>-<em>mail</em> at the café"),
        ({"content": "cafe"}, "Graph neural networks for e-mail at the <em>café</em>"),
        ({"content": Exact("neural networks")}, "Graph <em>neural</em> <em>networks</em> for e-mail at the café"),
        ({"content__startswith": "net"}, "Graph neural <em>networks</em> for e-mail at the café"),
        ({"content__endswith": "aph"}, "<em>Graph</em> neural networks for e-mail at the café"),
        ({"content__contains": "eura"}, "Graph <em>neural</em> networks for e-mail at the café"),
    ],
)
def test_marks(add, filters, marked):
    add(paper(1, "Graph neural networks for e-mail at the café"))
    assert _snippets(SearchQuerySet().filter(**filters)) == {"text": [marked]}


def test_fields(add):
    add(paper(1, "Graph networks", "Of networks.", names=["Ann Graph", "Bo Li", "Cy Graph"]))
    results = SearchQuerySet().filter(content="graph")
    assert _snippets(results, fields=["title", "abstract", "authors"], tag="mark") == {
        "title": ["<mark>Graph</mark> networks"],
        "abstract": [],
        "authors": ["Ann <mark>Graph</mark>", "Cy <mark>Graph</mark>"],
    }
    assert _snippets(results, fields="title") == {"title": ["<em>Graph</em> networks"]}
    # What is asked of one field is marked in that field; what is excluded, nowhere.
    only_title = SearchQuerySet().filter(title="networks").exclude(content="sound")
    assert _snippets(only_title, fields=["title", "abstract"]) == {
        "title": ["Graph <em>networks</em>"],
        "abstract": [],
    }


def test_keywords_are_marked_whole(add):
    add(paper(1, "x", categories=["hep-th"]))
    assert _snippets(SearchQuerySet().filter(categories_exact="hep-th"), fields=["categories_exact"]) == {
        "categories_exact": ["<em>hep-th</em>"]
    }


def test_the_document_is_asked_by_number_too(add):
    add(paper(1, "Graph networks"))
    (hit,) = SearchQuerySet().filter(content="graph").highlight()
    assert hit.highlighted[0] == hit.highlighted["text"][0] == "<em>Graph</em> networks"
    assert hit.highlighted.get("title") is None
    with pytest.raises(KeyError):
        hit.highlighted["title"]
    with pytest.raises(IndexError):
        hit.highlighted[1]


def test_long_texts_are_cut_where_most_is_marked(add):
    add(paper(1, "start", "alpha " + "filler " * 100 + "graph of neural graph nets " + "padding " * 100 + "graph"))
    (snippet,) = _snippets(SearchQuerySet().filter(content="graph"), fields=["abstract"], max_length=80)["abstract"]
    plain = re.sub(r"</?em>", "", snippet)
    assert snippet.count("<em>graph</em>") == 2
    assert plain.startswith("…filler ")
    assert plain.endswith(" padding…")
    assert 60 <= len(plain) <= 84


def test_a_snippet_never_ends_within_a_mark(add):
    add(paper(1, "x " * 100 + "a" * 240))
    (snippet,) = _snippets(SearchQuerySet().filter(content="a" * 240), max_length=50)["text"]
    assert snippet == f"…<em>{'a' * 240}</em>"


@pytest.mark.parametrize("tag", ["", "em class=x", "EM", "a" * 17, "<b>"])
def test_tags_are_names_of_elements(add, tag):
    add(paper(1, "graph"))
    with pytest.raises(Exception, match="name of an element"):
        list(SearchQuerySet().filter(content="graph").highlight(tag=tag))


ATTACKS = [
    "<script>alert(1)</script> graph",
    "graph <img src=x onerror=alert(1)>",
    "<graph onclick=alert(1)>",
    "<em>graph</em><script>alert(1)</script>",
    "graph</em><script>alert(1)</script><em>",
    '"graph" onmouseover="alert(1)',
    "' graph ' onfocus='alert(1)",
    "&lt;script&gt;graph&lt;/script&gt;",
    "&#60;script&#62;graph",
    "<svg/onload=alert(1)>graph",
    "<scr<graph>ipt>alert(1)</scr</graph>ipt>",
    "<<graph>>",
    "<!-- graph --> <!--[if]>graph<![endif]-->",
    "graph\x00<script\x00>",
    "javascript:graph/*<",
    "{{ graph }} {% graph %} ${graph}",
    "<a href='data:text/html,<script>graph</script>'>graph</a>",
    "\u202egraph\u202d <script>",
    "graph\u2028<script>alert(1)</script>",
    "＜script＞graph＜/script＞",
    "<title>graph</title></textarea><script>alert(1)</script>",
]


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.closed: list[str] = []
        self.other: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.opened.append((tag, attrs))

    def handle_endtag(self, tag):
        self.closed.append(tag)

    def handle_comment(self, data):
        self.other.append(data)

    def handle_decl(self, decl):
        self.other.append(decl)


@pytest.mark.parametrize("query", ["graph", "script", "alert", "em", "lt", "amp", "x27", "quot"])
def test_nothing_harvested_is_markup(add, query):
    add(*(paper(number, text) for number, text in enumerate(ATTACKS)), paper(99, "script alert em lt amp x27 quot"))
    hits = SearchQuerySet().filter(content=query).highlight()[:100]
    assert len(hits) >= 1
    for hit in hits:
        (snippet,) = hit.highlighted["text"]
        assert isinstance(snippet, SafeString)
        page = Template("<p>{{ hit.highlighted.text.0 }}</p>").render(Context({"hit": hit}))
        elements = _Elements()
        elements.feed(page)
        assert elements.other == []
        assert set(map(repr, elements.opened)) == {"('p', [])", "('em', [])"}
        assert len(elements.opened) == len(elements.closed)
        assert html.unescape(re.sub(r"</?em>", "", snippet)) == hit.title.strip()


@pytest.mark.timeout(60)  # quadratic marking would take minutes
def test_marking_ends(add):
    add(paper(1, "graph"))
    from haystack import connections

    schema = connections["default"].get_backend()._snapshot().schema
    for text in ("graph " * 30_000, "graph-" * 30_000, "<" * 200_000, "a" * 200_000, "graph" + "\u0301" * 100_000):
        Highlighter(schema, Words(None, "graph"), {"fields": ["title"]}).of({"title": text})
