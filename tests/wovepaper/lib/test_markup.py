"""Titles and abstracts on a page: mathematics, emphasis, dollar signs that are none, and the bounds."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from django.utils.safestring import SafeString
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared_data import shared_data_dir
from tests.wovepaper.lib.markup_checks import elements_of, text_of
from wovepaper.lib.markup import plain, render_abstract, render_title
from wovepaper.lib.markup.mathematics import CACHED_CHARACTERS, MAX_CHARACTERS, MAX_NESTING
from wovepaper.lib.markup.rendering import _kept_formula
from wovepaper.lib.markup.scanning import MAX_EMPHASIS_DEPTH, MAX_FORMULAS


def maths(inner: str, source: str, display: str = "inline") -> str:
    return f'<math display="{display}" alttext="{source}">{inner}</math>'


@pytest.mark.parametrize(
    ("source", "html", "text"),
    [
        ("Deep sets", "Deep sets", "Deep sets"),
        ("a < b & c", "a &lt; b &amp; c", "a < b & c"),
        ("$x^2$", maths("<msup><mi>x</mi><mn>2</mn></msup>", "x^2"), "x²"),
        (
            r"\(a<b\)",
            maths("<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>", "a&lt;b"),
            "a < b",
        ),
        ("$$k$$", maths("<mi>k</mi>", "k"), "k"),
        (r"\[k\]", maths("<mi>k</mi>", "k"), "k"),
        (r"\begin{equation}k\end{equation}", maths("<mi>k</mi>", "k"), "k"),
        (r"$\mathbb{R}$", maths("<mi>ℝ</mi>", r"\mathbb{R}"), "ℝ"),
        (r"$\mathbf{v}$", maths("<mi>𝐯</mi>", r"\mathbf{v}"), "𝐯"),
        (
            r"$5\,\mathrm{GeV}$",
            maths(
                '<mrow><mn>5</mn><mspace width="0.167em"></mspace><mi mathvariant="normal">GeV</mi></mrow>',
                r"5\,\mathrm{GeV}",
            ),
            "5 GeV",
        ),
        (
            r"$n \sim \log n$",
            maths(
                '<mrow><mi>n</mi><mo>∼</mo><mi>log</mi><mspace width="0.167em"></mspace><mi>n</mi></mrow>',
                r"n \sim \log n",
            ),
            "n ∼ log n",
        ),
        (
            r"$\frac{a+b}{2}$",
            maths("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", r"\frac{a+b}{2}"),
            "(a + b)/2",
        ),
        (r"$\unknown{x}$", r'<span class="tex">$\unknown{x}$</span>', r"$\unknown{x}$"),
        (r"$\frac{a$", r'<span class="tex">$\frac{a$</span>', r"$\frac{a$"),
        ("H<sub>2</sub>O", "H<sub>2</sub>O", "H₂O"),
        ("E<SUP>q</SUP>", "E<sup>q</sup>", "Eq"),
        (r"\emph{in vivo} <i>E. coli</i>", "<em>in vivo</em> <i>E. coli</i>", "in vivo E. coli"),
        (r"\textbf{a \textit{b}} {\em c}", "<b>a <i>b</i></b> <em>c</em>", "a b c"),
        (r"\textsc{Foo} {\rm bar}", "Foo bar", "Foo bar"),
        (r"\emph{the {DNA} of $x$}", f"<em>the {{DNA}} of {maths('<mi>x</mi>', 'x')}</em>", "the {DNA} of x"),
        (r"\emph{open", r"\emph{open", r"\emph{open"),
        ("<i>open", "&lt;i&gt;open", "<i>open"),
        ("<i>a<b>c</i>", "<i>a&lt;b&gt;c</i>", "a<b>c"),
        ("<b>a</i>", "&lt;b&gt;a&lt;/i&gt;", "<b>a</i>"),
        ('<i class="x">a</i>', "&lt;i class=&quot;x&quot;&gt;a&lt;/i&gt;", '<i class="x">a</i>'),
        (r"5\% of \$10 \& more", "5% of $10 &amp; more", "5% of $10 & more"),
    ],
)
def test_title(source: str, html: str, text: str) -> None:
    rendered = render_title(source)
    assert rendered == html
    assert isinstance(rendered, SafeString)
    assert plain(source) == text


@pytest.mark.parametrize(
    "text",
    [
        "Costs $5 and $10",
        "USD$20,000 and USD$30,000",
        "$5 for members and 10$ for others",
        "a 5$ note",
        "$",
        "$$",
        "$$$",
        "$ $",
        "$$ $$",
        "The $ and the $",
        "$100 now, $200 later, $300 never",
        "$5 and x$",
    ],
)
def test_prices_are_text(text: str) -> None:
    assert render_title(text) == text
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("costs $5 where $x_i$ is", "costs $5 where xᵢ is"),
        ("scQP$GW$1 and $-$19.2", "scQPGW1 and −19.2"),
        ("$ k $-means, $ n^2 $", "k-means, n²"),
        ("$a$$b$", "ab"),
        (r"$f \text{ if $x>0$ else}$ g", "f if x > 0 else g"),
        (r"\$5 and $y$", "$5 and y"),
    ],
)
def test_formulas_beside_dollar_signs(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\alpha_{ij}^2", "αᵢⱼ²"),
        (r"e^{-iHt}", "e⁻ⁱᴴᵗ"),
        (r"e^{-\pi}", "e^{−π}"),
        (r"x_Q", "x_Q"),
        (r"\sqrt{2}+\sqrt{a+b}", "√2 + √(a + b)"),
        (r"\sqrt[3]{x}", "³√x"),
        (r"\hat{H}\vec{v}\bar{\psi}", "Ĥv⃗ψ̄"),
        (r"\sum_{i=1}^n x_i", "∑ᵢ₌₁ⁿ xᵢ"),
        (r"\lim_{x\to 0} f", "lim_{x → 0} f"),
        (r"-1 \leq x", "−1 ≤ x"),
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", "(a b; c d)"),
        (r"\binom{n}{k}", "(n choose k)"),
        (r"\text{a b}", "a b"),
    ],
)
def test_formulas_are_read_out(tex: str, text: str) -> None:
    assert unicodedata.normalize("NFC", plain(f"${tex}$")) == unicodedata.normalize("NFC", text)


def test_an_abstract_has_paragraphs_and_display_mathematics() -> None:
    html = render_abstract("First <line>\ngoes on.\n\nThen $$x$$ here.\n  Indented, a third.\n\n\n")
    assert html == (
        "<p>First &lt;line&gt; goes on.</p>\n"
        f"<p>Then {maths('<mi>x</mi>', 'x', 'block')} here.</p>\n"
        "<p>Indented, a third.</p>"
    )
    assert isinstance(html, SafeString)
    assert render_abstract(" \n ") == ""


def test_characters_that_deceive_or_break_a_page_are_removed() -> None:
    assert render_title("a\x00b\x1b\u202ec\u2066d\ufeff\ud800e\U000e0041") == "abcd\ufffde"
    assert plain("$x\u202e$ \udfff") == "x \ufffd"
    assert render_title(r"$\unicode{x202e}\unicode{x3c}$").count("\u202e") == 0


def test_right_to_left_text_is_isolated() -> None:
    assert render_title("שלום world") == "<bdi>שלום world</bdi>"
    assert render_abstract("שלום\n\nplain") == "<p><bdi>שלום</bdi></p>\n<p>plain</p>"


def test_lengths_cannot_move_a_formula_over_the_page() -> None:
    html = render_title(r"$a\hspace{-50em}b\rule{900em}{900em}\raise 90em {c}\kern1em d$")
    assert html.partition(">")[2] == (
        "<mrow><mi>a</mi><mspace></mspace><mi>b</mi><mspace></mspace><mpadded><mi>c</mi></mpadded>"
        '<mspace width="1em"></mspace><mi>d</mi></mrow></math>'
    )


@pytest.mark.parametrize(
    "formula",
    [
        "x" * (MAX_CHARACTERS + 1),
        "{" * (MAX_NESTING + 1) + "x" + "}" * (MAX_NESTING + 1),
        r"\sqrt" * 399 + "x",
        r"\alpha" * 401,
        r"\sideset{}{}{" * 20 + r"\sum" + "}" * 20,
        r"\def\a{\a\a}\a",
        r"\newcommand{\a}{\a\a}\a",
        r"\let\a\b x",
        r"\text{a {b} c}",
        "x}",
        "{x",
        r"\left( x",
        "x^a^b",
    ],
)
def test_what_cannot_be_converted_is_shown_as_its_source(formula: str) -> None:
    html = render_title(f"\\({formula}\\)")
    assert elements_of(html) == {"span": {"class"}}
    assert text_of(html) == f"\\({formula}\\)"
    assert plain(f"\\({formula}\\)") == f"\\({formula}\\)"


def test_the_number_of_formulas_is_bounded() -> None:
    html = render_title("$x$ " * (MAX_FORMULAS + 5))
    assert html.count("<math ") == MAX_FORMULAS
    assert html.count('<span class="tex">$x$</span>') == 5


def test_emphasis_nests_to_a_bounded_depth() -> None:
    html = render_title(r"\emph{{" * 1000 + "x" + "}}" * 1000)
    assert html.count("<em>") == html.count("</em>") == MAX_EMPHASIS_DEPTH
    # The literal braces, and the commands beyond the depth with their braces, are text.
    assert text_of(html).count("{") == text_of(html).count("}") == 2000 - MAX_EMPHASIS_DEPTH


def _calls(text: str) -> int:
    """How many Python and C functions run while ``text`` is rendered."""
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    render_abstract(text)  # fills the caches, so that both sizes are measured alike
    sys.setprofile(profile)
    try:
        render_abstract(text)
        plain(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "unit",
    [
        "$",
        "$$",
        "$a",
        "$ ",
        "{",
        "}",
        "{$",
        "}$",
        "<i>",
        "</i>",
        "<i>{",
        r"\emph{",
        r"{\em ",
        r"\(",
        r"\[",
        r"\begin{math}",
        "\\",
        "\n",
        "  x\n",
        "$x{$y",
        "<sub>$",
        "\u05d0",
    ],
)
def test_work_grows_linearly_with_hostile_text(unit: str) -> None:
    small, large = _calls(unit * 1000), _calls(unit * 4000)
    assert large <= 4.4 * small


@given(st.text(max_size=300))
def test_plain_text_is_preserved(text: str) -> None:
    text = "".join(c for c in text if c not in "$\\<{}" and unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Cn"})
    folded = " ".join(text.split())
    assert plain(text) == folded
    assert text_of(render_title(text)) == folded
    assert " ".join(text_of(render_abstract(text)).split()) == folded


PIECES = st.sampled_from(
    [
        *r"$ $$ \( \) \[ \] { } ^ _ & % # ~ \\ ' \frac \sqrt \left( \right) \text{ \mathbb \hat".split(),
        *r"\over \not \limits \begin{matrix} \end{matrix} \rule \hspace{9em} \color{red} \href{x}{y}".split(),
        *r"\style{a}{b} \class{a}{b} \unicode{x3c} \hbox{ \emph{ <i> </i> <b> </b> <sub> </sub> <script>".split(),
        *'</math> &lt; &#x3c; \u202e \ud800 x 1 + = < > "'.split(),
        "\x00",
        "\n\n",
        " ",
        "",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES | st.text(max_size=4), max_size=40))
def test_never_raises_and_stays_within_the_lists(pieces: list[str]) -> None:
    text = "".join(pieces)
    elements_of(render_title(text))
    elements_of(render_abstract(text))
    assert "\x00" not in plain(text)
    plain(text).encode()


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=30))
def test_any_formula_is_mathematics_or_its_source(pieces: list[str]) -> None:
    source = "".join(piece for piece in pieces if "\\)" not in piece)
    assert set(elements_of(render_title(f"\\({source}\\)"))) & {"math", "span"} or not source.strip("\x00\u202e\n ")


@pytest.mark.shared_data
def test_real_strings_show_as_text() -> None:
    lines = shared_data_dir("strings", "nasty_strings.jsonl").read_text(encoding="utf-8").splitlines()
    values = [json.loads(line)["value"] for line in lines]
    assert len(values) > 1000
    for value in values:
        elements_of(render_title(value))
        elements_of(render_abstract(value))
        if not set(value) & set("$\\<&{}") and all(unicodedata.category(c) not in {"Cc", "Cf", "Cs"} for c in value):
            assert plain(value) == " ".join(value.split())


def test_only_short_formulas_are_kept_in_memory() -> None:
    _kept_formula.cache_clear()
    assert render_title("$x_7$") == render_title("$x_7$")
    assert (_kept_formula.cache_info().currsize, _kept_formula.cache_info().hits) == (1, 1)
    long = f"${'x+' * CACHED_CHARACTERS}y$"
    assert render_title(long) == render_title(long)
    assert _kept_formula.cache_info().currsize == 1
