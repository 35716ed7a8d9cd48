"""Plain text as Markdown (CommonMark, with the additions of GitHub) in which it stays plain text.

What is escaped can neither make a link, HTML, a heading or a list, nor end what stands around it.
"""

from __future__ import annotations

import re
from urllib.parse import quote

# A backslash before any ASCII punctuation is that character (CommonMark 2.4). Hyphens, dots and the like mean something
# at the beginning of a line only, which `guard_lines` sees to.
_PUNCTUATION = re.compile(r"[\\`*_{}\[\]<>#|~&!$^]")
# GitHub makes links of bare addresses.
_BARE = re.compile(r"\b(https?|ftp|mailto|xmpp|javascript|data|vbscript)(:)|\b(www)(\.)|(@)", re.IGNORECASE)
_BEGINNING = re.compile(r"(?m)^(\s*)([-+=:]|\d{1,9}(?=[.)]))")
_UNSAFE_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f<>()\\\"`|]")
_TICKS = re.compile("`+")


def escape(text: str) -> str:
    """``text`` on one line, as what a reader sees."""
    folded = re.sub(r"\s+", " ", text)
    escaped = _PUNCTUATION.sub(lambda match: f"\\{match[0]}", folded)
    return _BARE.sub(lambda match: f"{match[1] or match[3] or ''}\\{match[2] or match[4] or match[5]}", escaped)


def guard_lines(text: str) -> str:
    """Escaped text of one block, in which no line begins like a list, a rule or an underlined heading."""

    def guarded(match: re.Match[str]) -> str:
        space, mark = match[1], match[2]
        return f"{space}{mark}\\" if mark.isdigit() else f"{space}\\{mark}"

    return _BEGINNING.sub(guarded, text)


def code(text: str) -> str:
    """``text`` as a code span: as it is, whatever it holds; empty for nothing."""
    folded = " ".join(text.split())
    if not folded:
        return ""
    ticks = "`" * (max((len(run) for run in _TICKS.findall(folded)), default=0) + 1)
    return f"{ticks} {folded} {ticks}" if folded.startswith("`") or folded.endswith("`") else f"{ticks}{folded}{ticks}"


def code_block(text: str) -> str:
    """``text`` as a fenced block: lines as they are."""
    fence = "`" * max(3, max((len(run) for run in _TICKS.findall(text)), default=0) + 1)
    return f"{fence}\n{text.strip(chr(10))}\n{fence}"


def link(label: str, address: str) -> str:
    """A link; ``label`` is Markdown already. Only the label where the address is not of the web."""
    if not address.startswith(("https://", "http://")):
        return label
    return f"[{label}]({_UNSAFE_IN_ADDRESS.sub(lambda match: quote(match[0], safe=''), address)})"
