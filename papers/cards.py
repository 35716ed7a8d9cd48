"""A paper in a list, as HTML.

Every list shows two dozen of these, so they are written here and not in a template: the same lines cost a tenth. The
standard library escapes them, and ``SafeString`` is made directly: Django's ``escape`` and ``mark_safe`` do the same,
after asking whether their argument is lazy, which takes longer than the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Literal

from django.utils.safestring import SafeString

from papers.dates import date_html
from papers.forms import SOURCE_NAMES
from papers.listed import ListedPaper
from papers.models import Paper
from wovepaper.lib.markup import render_title

Heading = Literal["h2", "h3", "h4"]
Listed = ListedPaper | Paper
"""A line of ``read_listed``, or a paper read with ``for_list``."""
_BETWEEN_NAMES = "\0"  # PostgreSQL keeps none in its texts, so it is in no name


def card(paper: Listed, heading: Heading, *, title: str = "", snippet: str = "", matched_in: str = "") -> SafeString:
    """One paper. ``title`` and ``snippet`` are HTML: where the words of a search occur."""
    authors = f'\n  <p class="paper-card__authors">{author_line(paper)}</p>' if paper.author_count else ""
    where = f"<small>In the {escape(matched_in)}:</small> " if matched_in else ""
    why = f'\n  <p class="paper-card__why">{where}{snippet}</p>' if snippet else ""
    return SafeString(  # every part is escaped where it is made
        '<article class="paper-card">\n'
        f'  <{heading} class="paper-card__title"><a href="{escape(paper.get_absolute_url())}">'
        f"{title or render_title(paper.title)}</a></{heading}>"
        f'{authors}\n  <p class="paper-card__meta">{card_facts(paper)}</p>{why}\n</article>'
    )


def card_list(papers: Iterable[Listed], heading: Heading) -> SafeString:
    """An ordered list of papers."""
    items = "\n".join([f"  <li>{card(paper, heading)}</li>" for paper in papers])
    return SafeString(f'<ol class="paper-list">\n{items}\n</ol>')  # made of cards


def author_line(paper: Listed) -> SafeString:
    """The first names of a paper on one line, and how many follow."""
    shown: list[str] = paper.author_names  # type: ignore[union-attr]
    more = paper.author_count - len(shown)
    if not shown:
        return SafeString(f"{more:,} authors" if more > 0 else "")  # a number
    names = escape(_BETWEEN_NAMES.join(shown)).replace(_BETWEEN_NAMES, "</bdi>, <bdi>")
    others = f" and {more:,} more" if more > 0 else ""
    return SafeString(f"<bdi>{names}</bdi>{others}")  # escaped above


def card_facts(paper: Listed) -> SafeString:
    """What a reader chooses by, under the title: standing, date, field, identifier, kind, versions."""
    facts = []
    if paper.status != Paper.Status.CURRENT:
        facts.append(f'<span class="badge badge--alarm">{escape(Paper.Status(paper.status).label)}</span>')
    if paper.published_on:
        facts.append(date_html(paper.published_on, paper.published_precision))
    if paper.primary_category_id:
        facts.append(f"<span>{escape(paper.primary_category_id)}</span>")
    if name := f"arXiv:{paper.arxiv_id}" if paper.arxiv_id else paper.doi:
        facts.append(f"<span>{escape(name)}</span>")
    if paper.kind != Paper.Kind.PREPRINT:
        facts.append(f"<span>{escape(Paper.Kind(paper.kind).label)}</span>")
    if paper.version_count > 1:
        facts.append(f"<span>{paper.version_count} versions</span>")
    if paper.citation_count is not None:
        facts.append(f"<span>{cited_by(paper)}</span>")
    return SafeString("\n".join(facts))  # escaped above


def cited_by(paper: Listed) -> SafeString:
    """``cited by 12 (Crossref, 4 March 2025)``: the largest count, whose, and of which day. It is known."""
    source = escape(SOURCE_NAMES.get(paper.citation_source, paper.citation_source))
    said = ", ".join(part for part in (source, date_html(paper.cited_as_of) if paper.cited_as_of else "") if part)
    return SafeString(f"cited by {paper.citation_count:,}{f' <small>({said})</small>' if said else ''}")  # as above
