"""Plain text that stays plain text in Markdown."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wovepaper.lib.markdown_text import code, code_block, escape, guard_lines, link

READER = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
SHOWN = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=60)


def paragraph_of(markdown):
    """The text of the only paragraph, which holds nothing else."""
    tokens = READER.parse(markdown)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"], tokens
    assert {child.type for child in tokens[1].children} <= {"text", "softbreak"}, tokens[1].children
    return "".join(child.content for child in tokens[1].children)


@pytest.mark.parametrize(
    "text",
    [
        "[x](http://evil.test)", "![x](/y)", "<script>alert(1)</script>", "<http://evil.test>", "&lt;b&gt; &#60;",
        "# not a heading", "- no list", "+ no list", "1. no list", "12) no list", "> no quotation", "*a* _b_ **c**",
        "~~a~~", "`code`", "a\\b \\[c\\](d)", "| a | b |", "=====", "---", "***", "[a]: http://evil.test",
        "http://evil.test www.evil.test a@evil.test", "$x^2$ and H^2^ and [^1]", "\ttabbed    text",
    ],
)  # fmt: skip
def test_nothing_in_it_means_anything(text):
    escaped = guard_lines(escape(text).strip())
    assert paragraph_of(escaped) == " ".join(text.split())
    # GitHub makes links of bare addresses, and of nothing that is broken up so.
    for address in ("http:", "www.", "a@"):
        assert address not in escaped


@given(SHOWN)
def test_any_text_is_read_back(text):
    shown = " ".join(text.split())
    if shown:
        assert paragraph_of(guard_lines(escape(text).strip())) == shown


@given(SHOWN, SHOWN)
def test_a_label_cannot_leave_its_link_nor_an_address_its_brackets(label, rest):
    text = link(escape(label).strip() or "x", f"https://papers.test/{rest}")
    (_, inline, _) = READER.parse(text)
    kinds = [child.type for child in inline.children]
    assert (kinds[0], kinds[-1], kinds.count("link_open")) == ("link_open", "link_close", 1)
    assert inline.children[0].attrs["href"].startswith("https://papers.test/")


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "mailto:a@b.test", "//evil.test", ""])
def test_addresses_that_are_not_of_the_web_are_no_links(address):
    assert link("x", address) == "x"


@given(st.text(st.sampled_from("`ab \\*<"), max_size=12))
def test_code_is_as_it_is(text):
    shown = " ".join(text.split())
    if shown:
        (_, inline, _) = READER.parse(f"x {code(text)}")
        assert [child.type for child in inline.children] == ["text", "code_inline"]
        assert inline.children[1].content == shown
    else:
        assert code(text) == ""


def test_a_block_of_code_ends_where_it_ends():
    text = "a\n```\n<b>\n````\n"
    (fence,) = READER.parse(code_block(text))
    assert (fence.type, fence.content) == ("fence", text)
    assert html.escape("<b>") in READER.render(code_block(text))
