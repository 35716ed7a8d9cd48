import pytest
from lxml import html as lxml_html

from tests.injections import INJECTIONS
from wovepaper.pages.markdown import TAGS, render_markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**a** *b* ~~c~~", "<p><strong>a</strong> <em>b</em> <s>c</s></p>"),
        ("# One\n\n## Two", "<h2>One</h2>\n<h2>Two</h2>"),
        ("[a](/contact)", '<p><a href="/contact" rel="noopener">a</a></p>'),
        ("| a |\n|---|", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table>"),
        ("`<b>`", "<p><code>&lt;b&gt;</code></p>"),
        ("a <u>b</u> <kbd>c</kbd>", "<p>a b c</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("<script>alert(1)</script>", ""),
    ],
)  # fmt: skip
def test_markdown_becomes_harmless_html(text, html):
    assert render_markdown(text).strip() == html


@pytest.mark.parametrize("text", INJECTIONS)
def test_nothing_but_the_list_gets_through(text):
    root = lxml_html.fragment_fromstring(str(render_markdown(text)), create_parent="div")
    for element in root.iterdescendants():
        assert element.tag in TAGS
        assert set(element.attrib) <= {"href", "title", "rel", "scope", "start"}
        assert not element.get("href", "").lower().startswith(("javascript", "data"))
