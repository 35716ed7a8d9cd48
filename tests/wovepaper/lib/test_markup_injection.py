"""Attempts to run something through a title or an abstract. None of them gets past the lists."""

from __future__ import annotations

import pytest

from tests.wovepaper.lib.markup_checks import elements_of, text_of
from wovepaper.lib.markup import plain, render_abstract, render_title

OUTSIDE = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//x.test/a.js></sCrIpT>",
    "<img src=x onerror=alert(1)>",
    "<img/src='x'/onerror='alert(1)'>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<math><mtext><script>alert(1)</script></mtext></math>",
    "<math><maction actiontype='statusline' xlink:href='javascript:alert(1)'>x</maction></math>",
    "<math><annotation-xml encoding='text/html'><img src=x onerror=alert(1)></annotation-xml></math>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<iframe srcdoc='&lt;script&gt;alert(1)&lt;/script&gt;'>",
    "<object data='data:text/html,x'></object>",
    "<embed src='javascript:alert(1)'>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='JaVa\tScRiPt:alert(1)'>x</a>",
    "<i onclick=alert(1)>x</i>",
    "<b style='background:url(javascript:alert(1))'>x</b>",
    "<sub/onmouseover=alert(1)>x</sub>",
    "<i<script>>alert(1)</i</script>>",
    "<i\x00 onclick=alert(1)>x</i>",
    "<\x00script>alert(1)</script>",
    "<sc<i>ript>alert(1)</sc</i>ript>",
    "<body onload=alert(1)>",
    "<style>@import 'x'</style>",
    "<link rel=stylesheet href=x>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<base href='javascript:alert(1)//'>",
    "<form action='javascript:alert(1)'><button>x</button></form>",
    "<input autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)></video>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "</p></div><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "--><script>alert(1)</script>",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml-stylesheet href='javascript:alert(1)'?>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    '"><script>alert(1)</script>',
    "'-alert(1)-'",
    "{{constructor.constructor('alert(1)')()}}",
    "{% load x %}{{ request }}",
    "\u202e<script>alert(1)</script>",
    "\ud83c<script>alert(1)</script>\udf00",
    r"\href{javascript:alert(1)}{x}",
    r"\emph{<script>alert(1)</script>}",
    r"\textbf{\textit{<img src=x onerror=alert(1)>}",
    r"<i>\emph{</i><script>alert(1)</script>}",
    "<plaintext>",
    "<xmp><script>alert(1)</script></xmp>",
]
INSIDE = [
    r"\href{javascript:alert(1)}{x}",
    r"\href{javascript:alert(1)}{\text{<b>}}",
    r"\text{<img src=x onerror=alert(1)>}",
    r"\mbox{<script>alert(1)</script>}",
    r"\hbox{</mtext></math><script>alert(1)</script>}",
    r"\textcolor{red\" onclick=\"alert(1)}{x}",
    r"\color{red}{x}",
    r"\color{expression(alert(1))}{x}",
    r"\style{background:url(javascript:alert(1))}{x}",
    r"\class{x\" onmouseover=\"alert(1)}{x}",
    r"\colorbox{url(//x.test)}{x}",
    r"\fcolorbox{a\"b}{c}{<i>}",
    r"\fbox{<svg onload=alert(1)>}",
    r"\operatorname{<script>alert(1)</script>}",
    r"\unicode{x3c}script\unicode{x3e}alert(1)",
    r"\unicode{60}\unicode{x26}lt;",
    r"\verb|<script>alert(1)</script>|",
    r"\tag{<script>alert(1)</script>}",
    r"\rule{1em\" onclick=\"alert(1)}{1em}",
    r"\hspace{1em\" onclick=\"alert(1)}",
    r"\kern{javascript:alert(1)}x",
    r"\above{<b>}{x}",
    r"\genfrac(){<i>}{0}{a}{b}",
    r"\begin{array}{l<script>}x\end{array}",
    r"\begin{script}alert(1)\end{script}",
    r"\cssId{a}{x}",
    r"\includegraphics{//x.test/a.png}",
    r"\input{/etc/passwd}",
    r"\def\x{<script>}\x",
    r"\newcommand{\x}{\href{javascript:alert(1)}{y}}\x",
    "</math><script>alert(1)</script>",
    "</mi></mrow></math><img src=x onerror=alert(1)>",
    "<mtext><style><img src=x onerror=alert(1)></style></mtext>",
    "<annotation-xml encoding=text/html><script>alert(1)</script>",
    "&#x3c;script&#x3e;alert(1)&#x3c;/script&#x3e;",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&amp;lt;img src=x onerror=alert(1)&amp;gt;",
    'x" onclick="alert(1)',
    "x' onclick='alert(1)",
    '\\" autofocus onfocus=alert(1) x=\\"',
    "]]><script>alert(1)</script>",
    "--><script>alert(1)</script>",
    "<\u0000script>alert(1)</script>",
]
VECTORS = list(
    dict.fromkeys(
        [*OUTSIDE, *INSIDE, *(f"${inner}$" for inner in INSIDE), *(f"\\[{inner}\\]" for inner in INSIDE)],
    )
)


@pytest.mark.parametrize("vector", VECTORS)
def test_nothing_but_listed_elements_reaches_the_page(vector: str) -> None:
    for html in (render_title(vector), render_abstract(vector), render_title(f"<i>{vector}</i>")):
        elements_of(html)
        assert "<script" not in html.lower()


@pytest.mark.parametrize("vector", OUTSIDE)
def test_what_is_not_markup_of_ours_is_shown(vector: str) -> None:
    shown = text_of(render_title(vector))
    assert "alert" in shown or "alert" not in vector
    assert plain(vector) == " ".join(plain(vector).split())


def test_there_are_enough_attempts() -> None:
    assert len(set(OUTSIDE)) >= 50
    assert len(set(INSIDE)) >= 40
