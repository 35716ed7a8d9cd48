"""A page of this site as Markdown: its main part, without what only a browser can use (forms, buttons, drawings)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urljoin

from lxml import html

from wovepaper.lib.markdown_text import code, code_block, escape, guard_lines, link
from wovepaper.lib.markup.characters import subscript, superscript

_PARSER = html.HTMLParser(encoding="utf-8")
_LEFT_OUT = frozenset(
    "script style template svg form button input select textarea dialog noscript iframe object head".split()
)
_NOT_HERE = ("/follows/", "/accounts/", "mailto:?")
"""Links to what only a signed-in reader or a mail program can do."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    "address article aside blockquote details dd div dl dt fieldset figcaption figure footer header hgroup hr li main "
    "nav ol p pre section summary table ul".split()
) | frozenset(_HEADINGS)


def page_as_markdown(page: bytes) -> str:
    """The main part of a page that this site made, in UTF-8; empty where it has none."""
    root = html.document_fromstring(page, parser=_PARSER)
    main = root.find(".//main")
    if main is None:
        return ""
    link_to_itself = root.find(".//link[@rel='canonical']")
    canonical = link_to_itself.get("href", "") if link_to_itself is not None else ""
    blocks = _Writer(canonical).blocks(main)
    if canonical:
        blocks += ["---", f"This page: <{canonical}>"]
    return "\n\n".join(blocks) + "\n"


class _Writer:
    """Writes elements as blocks; addresses are made whole by that of the page."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._inline: dict[str, Callable[[html.HtmlElement], str]] = {
            "a": self._link,
            "abbr": self.text,
            "b": lambda element: _around("**", self.text(element)),
            "br": lambda _: "\\\n",
            "cite": lambda element: _around("*", self.text(element)),
            "code": _code,
            "em": lambda element: _around("*", self.text(element)),
            "i": lambda element: _around("*", self.text(element)),
            "kbd": _code,
            "math": lambda element: f"${code(element.get('alttext') or '')}$" if element.get("alttext") else "",
            "strong": lambda element: _around("**", self.text(element)),
            "sub": lambda element: _moved(element, self.text(element), subscript, "_"),
            "sup": lambda element: _moved(element, self.text(element), superscript, "^"),
        }

    # --- blocks ------------------------------------------------------------------------------------------------

    def blocks(self, element: html.HtmlElement, *, in_list: bool = False) -> list[str]:
        """The blocks in an element, in order."""
        found: list[str] = []
        line: list[str] = []

        def end_line() -> None:
            if text := _tidy("".join(line)):
                found.append(guard_lines(text))
            line.clear()

        line.append(escape(element.text or ""))
        for child in _shown(element):
            if child.tag in _BLOCKS or _holds_blocks(child):
                end_line()
                found += self._block(child, in_list=in_list)
            else:
                line.append(self._piece(child))
            line.append(_after(child))
        end_line()
        # What is left of a form is its heading.
        if len(found) == 1 and element.find(".//form") is not None and found[0].startswith(("#", "**")):
            return []
        return found

    def _block(self, element: html.HtmlElement, *, in_list: bool) -> list[str]:
        tag = element.tag
        if tag in _HEADINGS:
            text = _tidy(self.text(element)).replace("\\\n", " ")
            if not text:
                return []
            return [_around("**", text)] if in_list else [f"{'#' * _HEADINGS[tag]} {text}"]
        match tag:
            case "ul" | "ol":
                return self._list(element)
            case "dl":
                return self._definitions(element)
            case "table":
                return self._table(element)
            case "pre":
                return [code_block(element.text_content())]
            case "nav":
                links = [_tidy(self._link(one)) for one in element.iter("a") if not _is_hidden(one)]
                return [guard_lines(" · ".join(filter(None, links)))] if any(links) else []
            case "hr":
                return ["---"]
            case "blockquote":
                inner = "\n\n".join(self.blocks(element, in_list=in_list))
                return ["\n".join(f"> {line}".rstrip() for line in inner.splitlines())] if inner else []
            case "summary":
                text = _tidy(self.text(element))
                return [_around("**", text)] if text else []
        return self.blocks(element, in_list=in_list)

    def _list(self, element: html.HtmlElement) -> list[str]:
        items = []
        for number, item in enumerate((one for one in _shown(element) if one.tag == "li"), start=1):
            mark = f"{number}. " if element.tag == "ol" else "- "
            inner = "\n\n".join(self.blocks(item, in_list=True))
            if inner:
                items.append(
                    mark + inner.replace("\n", f"\n{' ' * len(mark)}").replace(f"\n{' ' * len(mark)}\n", "\n\n")
                )
        # With air between items of several blocks, as CommonMark has it.
        return [("\n\n" if any("\n\n" in item for item in items) else "\n").join(items)] if items else []

    def _definitions(self, element: html.HtmlElement) -> list[str]:
        lines: list[str] = []
        for child in element.iter("dt", "dd"):
            if _is_hidden(child):
                continue
            text = _tidy(self.text(child)).replace("\\\n", " ")
            if child.tag == "dt":
                lines.append(f"- {_around('**', text)}:")
            elif lines:
                lines[-1] += f"{';' if not lines[-1].endswith(':') else ''} {text}"
            else:
                lines.append(f"- {text}")
        return ["\n".join(lines)] if lines else []

    def _table(self, element: html.HtmlElement) -> list[str]:
        rows = []
        for row in element.iter("tr"):
            cells = [_tidy(self.text(cell)).replace("\\\n", " ") for cell in _shown(row) if cell.tag in {"th", "td"}]
            rows.append(cells)
        width = max(map(len, rows), default=0)
        if not width:
            return []
        rows = [row + [""] * (width - len(row)) for row in rows]
        if element.find(".//thead") is None and any(cell.tag == "td" for cell in element.find(".//tr")):
            rows.insert(0, [""] * width)
        lines = [f"| {' | '.join(row)} |" for row in rows]
        lines.insert(1, f"|{' --- |' * width}")
        captions = [_tidy(self.text(caption)) for caption in element.iter("caption")]
        return [*(_around("**", caption) for caption in captions if caption), "\n".join(lines)]

    # --- within a line -----------------------------------------------------------------------------------------

    def text(self, element: html.HtmlElement) -> str:
        """What is in an element, on one line; of blocks in it too."""
        pieces = [escape(element.text or "")]
        for child in _shown(element):
            pieces += [self._piece(child), _after(child)]
        return "".join(pieces)

    def _piece(self, element: html.HtmlElement) -> str:
        if (write := self._inline.get(element.tag)) is not None:
            return write(element)
        inner = self.text(element)
        return f" {inner} " if element.tag in _BLOCKS else inner

    def _link(self, element: html.HtmlElement) -> str:
        label = _tidy(self.text(element)).replace("\\\n", " ")
        address = element.get("href", "")
        if address.startswith("#") and element.getparent().tag != "sup":
            return ""  # to a place that has no name here
        if address.startswith(_NOT_HERE):
            return ""
        if not label or not address or address.startswith("#"):
            return label
        return link(label, urljoin(self._address, address))


def _shown(element: html.HtmlElement) -> Iterator[html.HtmlElement]:
    """The elements right in this one that are read; what stands after the others is kept."""
    for child in element:
        if not isinstance(child.tag, str) or child.tag in _LEFT_OUT or _is_hidden(child):
            if child.tail:
                stand_in = html.Element("span")
                stand_in.tail = child.tail
                yield stand_in
            continue
        yield child


def _after(element: html.HtmlElement) -> str:
    """The text behind an element; a space where only the style sheet sets the next one apart."""
    if element.tail:
        return escape(element.tail)
    other = element.getnext()
    if other is None or not isinstance(other.tag, str):
        return ""
    is_apart = _stands_alone(element) or _stands_alone(other)
    return " " if is_apart or element.tag == other.tag == "a" else ""


def _stands_alone(element: html.HtmlElement) -> bool:
    return element.tag in {"span", "time"} and element.get("class") != "tex"


def _is_hidden(element: html.HtmlElement) -> bool:
    return element.get("hidden") is not None or element.get("aria-hidden") == "true"


def _holds_blocks(element: html.HtmlElement) -> bool:
    return any(child.tag in _BLOCKS for child in element.iterdescendants())


def _code(element: html.HtmlElement) -> str:
    return code(element.text_content())


def _around(mark: str, text: str) -> str:
    """Emphasis; white space stays outside, where it does not undo it."""
    bare = text.strip()
    if not bare or "\n" in bare:
        return text
    before, after = " " * (text[0] == " "), " " * (text[-1] == " ")
    # A mark within would end this one.
    return (
        f"{before}{mark}{bare.replace('**', '')}{mark}{after}" if mark == "**" else f"{before}{mark}{bare}{mark}{after}"
    )


def _moved(element: html.HtmlElement, text: str, move: Callable[[str], str | None], mark: str) -> str:
    """Characters of that height, else the text after a sign for it."""
    bare = element.text_content().strip()
    moved = move(bare) if bare and len(element) == 0 else None
    return moved if moved is not None else f"\\{mark}{text.strip()}" if text.strip() else ""


def _tidy(text: str) -> str:
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return "\n".join(lines).strip().removesuffix("\\").strip() if lines else ""
