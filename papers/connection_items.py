"""References, citing papers and notices as HTML. Written here and not in a template, as cards are: there are many."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from urllib.parse import quote

from django.utils.safestring import SafeString

from papers.connections import CitingLine, ReferenceLine, ShownNotice
from papers.dates import date_html
from papers.models import Paper
from wovepaper.lib.markup import render_title

LONGEST_SHOWN = 600
"""Characters of an entry on the page of a paper; its own list shows all."""

ASSERTERS = {"publisher": "its publisher", "retraction-watch": "Retraction Watch"}
_OUTSIDE = (
    ("doi", "doi", "https://doi.org/"),
    ("arxiv_id", "arXiv", "https://arxiv.org/abs/"),
    ("openalex_id", "OpenAlex", "https://openalex.org/"),
    ("s2_id", "Semantic Scholar", "https://www.semanticscholar.org/paper/"),
    ("pmid", "PubMed", "https://pubmed.ncbi.nlm.nih.gov/"),
)


def reference_list(lines: Iterable[ReferenceLine], *, is_invented: bool = False, whole: bool = False) -> SafeString:
    """An ordered list, or a part of it.

    ``is_invented``: the DOIs may be those of other, real works, so none is made a link.
    """
    items = "\n".join([_reference(line, is_invented=is_invented, whole=whole) for line in lines])
    return SafeString(f'<ol class="references">\n{items}\n</ol>')  # every part is escaped where it is made


def _reference(line: ReferenceLine, *, is_invented: bool, whole: bool) -> str:
    text = line.text if whole or len(line.text) <= LONGEST_SHOWN else f"{line.text[: LONGEST_SHOWN - 1].rstrip()}…"
    said = render_title(text) if text else render_title(line.cited_title)
    if line.url and said:
        said = SafeString(f'<a href="{escape(line.url)}">{said}</a>')
    if line.cited_status != Paper.Status.CURRENT:
        said = SafeString(f"{said} {_badge(line.cited_status)}")
    outside = _outside(line, is_invented=is_invented)
    if not said and not outside:
        said = SafeString('<span class="references__empty">The source says nothing of this entry.</span>')
    return f'<li value="{line.position}">{said}{" " if said and outside else ""}{outside}</li>'


def _outside(line: ReferenceLine, *, is_invented: bool) -> str:
    """Where the work is beyond this site: by its strongest identifier."""
    for name, label, base in _OUTSIDE:
        value = getattr(line, name)
        if not value:
            continue
        if name in ("openalex_id", "s2_id") and (line.text or line.cited):
            return ""  # the id of an index tells a reader nothing beside the words
        shown = f"{label}:{escape(value)}" if name in ("doi", "arxiv_id") else f"{label} {escape(value)}"
        if is_invented:
            return f"<small>{shown}</small>"
        return f'<small><a href="{base}{escape(quote(value, safe="/:;()._-"))}" rel="external">{shown}</a></small>'
    return ""


def citing_list(lines: Iterable[CitingLine]) -> SafeString:
    """A short list of citing papers: title, first names, year."""
    items = "\n".join([_citing(line) for line in lines])
    return SafeString(f'<ul class="citing plain-list">\n{items}\n</ul>')  # as above


def _citing(line: CitingLine) -> str:
    more = line.author_count - len(line.names)
    names = ", ".join(f"<bdi>{escape(name)}</bdi>" for name in line.names) + (f" and {more:,} more" if more > 0 else "")
    year = str(line.published_on.year) if line.published_on else ""
    meta = " · ".join(part for part in (names, year) if part)
    badge = f" {_badge(line.status)}" if line.status != Paper.Status.CURRENT else ""
    return (
        f'<li><a href="{escape(line.url)}">{render_title(line.title)}</a>{badge}'
        f"{f' <small>{meta}</small>' if meta else ''}</li>"
    )


def notice_line(notice: ShownNotice, *, is_invented: bool = False) -> SafeString:
    """``4 March 2022, by its publisher and Retraction Watch. Notice: …``."""
    when = f"{date_html(notice.day, notice.precision)}, by" if notice.day else "By"
    who = escape(" and ".join(ASSERTERS.get(name, name) for name in notice.asserted_by))
    links = []
    if notice.url:
        links.append(f'<a href="{escape(notice.url)}">{render_title(notice.title)}</a>')
    if notice.doi:
        shown = f"doi:{escape(notice.doi)}"
        address = escape(f"https://doi.org/{quote(notice.doi, safe='/:;()._-')}")
        links.append(shown if is_invented else f'<a href="{address}" rel="external">{shown}</a>')
    where = f" {', '.join(links)}" if links else ""
    return SafeString(f"{when} {who}.{where}")  # as above


def _badge(status: str) -> str:
    return f'<span class="badge badge--alarm">{escape(Paper.Status(status).label)}</span>'
