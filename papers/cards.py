"""A paper in a list, as HTML.

Every list shows two dozen of these, so they are written here and not in a template: the same lines cost a tenth. The
standard library escapes them; it writes what Django's ``escape`` writes, in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Literal

from django.utils.safestring import SafeString, mark_safe

from papers.dates import date_html
from papers.models import Paper
from wovepaper.lib.markup import render_title

Heading = Literal["h2", "h3", "h4"]
_BETWEEN_NAMES = "\0"  # PostgreSQL keeps none in its texts, so it is in no name


def card(paper: Paper, heading: Heading, *, title: str = "", snippet: str = "", matched_in: str = "") -> SafeString:
    """One paper, read with ``for_list``. ``title`` and ``snippet`` are HTML: where the words of a search occur."""
    authors = f'\n  <p class="paper-card__authors">{author_line(paper)}</p>' if paper.author_count else ""
    where = f"<small>In the {escape(matched_in)}:</small> " if matched_in else ""
    why = f'\n  <p class="paper-card__why">{where}{snippet}</p>' if snippet else ""
    return mark_safe(  # noqa: S308 - every part is escaped where it is made
        '<article class="paper-card">\n'
        f'  <{heading} class="paper-card__title"><a href="{escape(paper.get_absolute_url())}">'
        f"{title or render_title(paper.title)}</a></{heading}>"
        f'{authors}\n  <p class="paper-card__meta">{card_facts(paper)}</p>{why}\n</article>'
    )


def card_list(papers: Iterable[Paper], heading: Heading) -> SafeString:
    """An ordered list of papers."""
    items = "\n".join([f"  <li>{card(paper, heading)}</li>" for paper in papers])
    return mark_safe(f'<ol class="paper-list">\n{items}\n</ol>')  # noqa: S308 - made of cards


def author_line(paper: Paper) -> SafeString:
    """The first names of a paper on one line, and how many follow."""
    shown: list[str] = paper.author_names  # type: ignore[attr-defined]
    more = paper.author_count - len(shown)
    if not shown:
        return mark_safe(f"{more:,} authors" if more > 0 else "")  # noqa: S308 - a number
    names = escape(_BETWEEN_NAMES.join(shown)).replace(_BETWEEN_NAMES, "</bdi>, <bdi>")
    others = f" and {more:,} more" if more > 0 else ""
    return mark_safe(f"<bdi>{names}</bdi>{others}")  # noqa: S308 - escaped above


def card_facts(paper: Paper) -> SafeString:
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
    return mark_safe("\n".join(facts))  # noqa: S308 - escaped above
