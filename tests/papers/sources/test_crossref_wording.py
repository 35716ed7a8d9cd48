from __future__ import annotations

import time

import pytest

from papers.sources.crossref.wording import abstract, plain

MATH = 'xmlns:mml="http://www.w3.org/1998/Math/MathML"'


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Threads &amp; knots", "Threads & knots"),
        ("Threads &amp;amp; knots", "Threads & knots"),
        ("&amp;lt;i&amp;gt;Loom&amp;lt;/i&amp;gt; weaving", "Loom weaving"),
        ("\u03b4&amp;lt;sup&amp;gt;13&amp;lt;/sup&amp;gt;C of wool", "\u03b4$^{13}$C of wool"),
        ("Q&A about R&D and AT&T", "Q&A about R&D and AT&T"),
        ("A&section B&copy C", "A&section B&copy C"),
        ("Wool&#233; &#xE9;&nbsp;&unknown;", "Woolé é &unknown;"),
        ("  A\n  <i>Loom</i>\n  . Knots\t", "A Loom. Knots"),
        ("Of <i>Ovis</i>-wool<br/>and flax", "Of Ovis-wool and flax"),
        ("H<sub>2</sub>O and <sup>13</sup>C", "H$_{2}$O and $^{13}$C"),
        ("the 5<sup>th</sup> knot", "the 5$^{\\mathrm{th}}$ knot"),
        ("c<sub><i>p</i></sub>", "c$_{p}$"),
        ('<scp>DNA</scp> <emph type="ital">in</emph> <jats:italic>wool</jats:italic>', "DNA in wool"),
        ("P &lt; 0.05 and x <y and z> 7", "P < 0.05 and x <y and z> 7"),
        ("a < b", "a < b"),
        ("the <looms> remain", "the <looms> remain"),
        ("Costs $5 and $6", "Costs $5 and $6"),
        ("Schr\\\"odinger's $\\alpha$", "Schrödinger's $\\alpha$"),
        ("Caf\u00c3\u00a9", "Café"),
        ("a\u0000b\u200b", "ab"),
        ("<!-- a note -->Loom<?pi x?>", "Loom"),
        ("", ""),
        (None, ""),
        (7, ""),
        (["a"], ""),
    ],
)
def test_plain_text(said: object, expected: str) -> None:
    assert plain(said) == expected


@pytest.mark.parametrize(
    ("mathml", "expected"),
    [
        ("<mml:mi>x</mml:mi>", "$x$"),
        ("<mml:msub><mml:mi mathvariant='normal'>Ru</mml:mi><mml:mn>2</mml:mn></mml:msub>", "$\\mathrm{Ru}_{2}$"),
        (
            "<mml:msup><mml:mn>10</mml:mn><mml:mrow><mml:mo>−</mml:mo><mml:mn>3</mml:mn></mml:mrow></mml:msup>",
            "${10}^{−3}$",
        ),
        (
            "<mml:msubsup><mml:mi>a</mml:mi><mml:mi>i</mml:mi><mml:mn>2</mml:mn></mml:msubsup>",
            "$a_{i}^{2}$",
        ),
        ("<mml:mfrac><mml:mn>1</mml:mn><mml:mi>n</mml:mi></mml:mfrac>", "$\\frac{1}{n}$"),
        ("<mml:msqrt><mml:mn>2</mml:mn></mml:msqrt>", "$\\sqrt{2}$"),
        ("<mml:mroot><mml:mn>2</mml:mn><mml:mn>3</mml:mn></mml:mroot>", "$\\sqrt[3]{2}$"),
        ("<mml:mover><mml:mi>p</mml:mi><mml:mo>¯</mml:mo></mml:mover>", "$\\bar{p}$"),
        ("<mml:munder><mml:mo>max</mml:mo><mml:mi>x</mml:mi></mml:munder>", "$\\max_{x}$"),
        ("<mml:mi>sin</mml:mi><mml:mo>\u2061</mml:mo><mml:mi>x</mml:mi>", "$\\sin x$"),
        ("<mml:mi mathvariant='double-struck'>R</mml:mi>", "$\\mathbb{R}$"),
        ("<mml:mfenced><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfenced>", "$(a,b)$"),
        ("<mml:mi>a</mml:mi><mml:mo>&lt;</mml:mo><mml:mn>5</mml:mn><mml:mo>%</mml:mo>", "$a<5\\%$"),
        (
            "<mml:mmultiscripts><mml:mi>C</mml:mi><mml:mprescripts/><mml:none/><mml:mn>13</mml:mn></mml:mmultiscripts>",
            "${}^{13}C$",
        ),
        ("<mml:mtext>if </mml:mtext><mml:mi>n</mml:mi>", "$\\text{if}n$"),
        ("<mml:unheard><mml:mi>k</mml:mi></mml:unheard>", "$k$"),
        (
            "<mml:semantics><mml:mi>k</mml:mi><mml:annotation encoding='tex'>\\kappa</mml:annotation></mml:semantics>",
            "$\\kappa$",
        ),
        ("", ""),
    ],
)
def test_mathml_becomes_tex(mathml: str, expected: str) -> None:
    assert plain(f"Of <mml:math {MATH}>{mathml}</mml:math>.") == " ".join(f"Of {expected}.".split())
    assert plain(f"Of <mml:math>{mathml}</mml:math>.") == " ".join(f"Of {expected}.".split())


def test_formulas_stand_apart_from_words() -> None:
    formula = f"<mml:math {MATH}><mml:mi>k</mml:mi></mml:math>"
    assert plain(f"spaces{formula}are") == "spaces $k$ are"
    assert plain(f"a {formula}-frame") == "a $k$-frame"


def test_mathml_that_is_damaged_keeps_its_letters() -> None:
    assert plain("Of <math><mi>x</math> and <math>") == "Of $x$ and <math>"


def test_of_several_forms_of_a_formula_tex_is_taken() -> None:
    said = (
        "Let <jats:inline-formula><jats:alternatives><jats:tex-math>\\documentclass[12pt]{minimal}\n"
        "\\begin{document}$$\\alpha \\le 1$$\\end{document}</jats:tex-math>"
        "<mml:math><mml:mi>α</mml:mi></mml:math></jats:alternatives></jats:inline-formula> be."
    )
    assert plain(said) == "Let $\\alpha \\le 1$ be."
    assert plain("<jats:tex-math><![CDATA[$\\beta$]]></jats:tex-math>") == "$\\beta$"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("<jats:title>Abstract</jats:title><jats:p>We weave.</jats:p><jats:p>We knot.</jats:p>", "We weave. We knot."),
        ("<p>We weave.</p>", "We weave."),
        ("<title>Summary</title>We weave.", "We weave."),
        (
            "<sec><title>Aim</title><p>Wool.</p></sec><jats:sec><jats:title>Why?</jats:title>Flax.</jats:sec>",
            "Aim: Wool. Why? Flax.",
        ),
        ("<jats:list><jats:list-item>a</jats:list-item><jats:list-item>b</jats:list-item></jats:list>", "a b"),
        ("Abstract. We weave.", "We weave."),
        ("Entitled knots", "Entitled knots"),
        (None, ""),
    ],
)
def test_abstracts(said: object, expected: str) -> None:
    assert abstract(said) == expected


@pytest.mark.parametrize(
    "said",
    [
        "<" * 50_000,
        "&amp;" * 50_000,
        "<math>" * 20_000,
        "<mml:math>" * 20_000 + "</math>",
        "<sub>" * 20_000 + "</sup>",
        "<jats:title>" * 10_000,
        "<i " * 20_000,
        "&#;" * 50_000,
        "</i>" + " " * 50_000 + "x",
    ],
    ids=lambda said: said[:12],
)
def test_damage_of_any_length_takes_little_time(said: str) -> None:
    before = time.process_time()
    abstract(said)
    assert time.process_time() - before < 2
