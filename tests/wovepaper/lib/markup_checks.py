"""Read rendered markup back as a browser would, and hold it to the elements and attributes that may be there."""

from __future__ import annotations

import html5lib

ALLOWED: dict[str, set[str]] = {
    **{name: set() for name in ("p", "i", "em", "b", "sub", "sup", "bdi")},
    "span": {"class"},
    "math": {"display", "alttext"},
    **{
        name: {
            "accent", "accentunder", "displaystyle", "fence", "largeop", "movablelimits", "separator", "stretchy",
            "symmetric", "depth", "height", "lspace", "rspace", "voffset", "width", "minsize", "maxsize",
            "linethickness", "scriptlevel", "form", "columnalign", "columnlines", "rowlines", "notation", "mathvariant",
        }
        for name in (
            "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder",
            "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose",
        )
    },
}  # fmt: skip


def elements_of(markup: str) -> dict[str, set[str]]:
    """The elements and their attributes; an assertion where one is outside the list or an attribute could act."""
    found: dict[str, set[str]] = {}
    for element in html5lib.parseFragment(markup, namespaceHTMLElements=False).iter():
        if element.tag == "DOCUMENT_FRAGMENT":
            continue
        name = str(element.tag).rpartition("}")[2]
        assert name in ALLOWED, f"<{name}> in {markup!r}"
        extra = set(element.attrib) - ALLOWED[name]
        assert not extra, f"{extra} of <{name}> in {markup!r}"
        if name == "span":
            assert element.attrib == {"class": "tex"}
        found.setdefault(name, set()).update(element.attrib)
    return found


def text_of(markup: str) -> str:
    """The text a reader sees."""
    return "".join(html5lib.parseFragment(markup, namespaceHTMLElements=False).itertext())
