"""How papers are printed on pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import lru_cache
from html import escape

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from papers.category_groups import Choice
from papers.licences import licence_name
from papers.models import Paper
from papers.views.shown import ShownAuthor
from wovepaper.lib.markup import plain, render_abstract, render_title

register = template.Library()
register.filter("title_html", render_title)
register.filter("abstract_html", render_abstract)
register.filter("plain", plain)
register.filter("licence_name", licence_name)

_FORMATS = {"day": "j F Y", "month": "F Y", "year": "Y"}


@register.simple_tag
def partial_date(day: dt.date | dt.datetime | None, precision: str = "day") -> SafeString | str:
    """A date with no more precision than its source gave: ``3 May 2024``, ``May 2024`` or ``2024``."""
    return _date(day.year, day.month, day.day, precision) if day else ""


@lru_cache(maxsize=4096)
def _date(year: int, month: int, day: int, precision: str) -> SafeString:
    machine = "-".join([f"{year:04}", f"{month:02}", f"{day:02}"][: {"day": 3, "month": 2, "year": 1}[precision]])
    return format_html(
        '<time datetime="{}">{}</time>', machine, date_format(dt.date(year, month, day), _FORMATS[precision])
    )


# The next four are called for every line of a list and every author of a paper. They escape with the standard
# library, which writes what Django's ``escape`` writes, at a tenth of its cost.


@register.filter
def author_line(paper: Paper) -> SafeString:
    """The first names of a paper on one line, and how many follow."""
    shown: list[str] = paper.author_names  # type: ignore[attr-defined]
    names = ", ".join([f"<bdi>{escape(name)}</bdi>" for name in shown])
    more = paper.author_count - len(shown)
    if more > 0:
        names = f"{names} and {more:,} more" if shown else f"{more:,} authors"
    return mark_safe(names)  # noqa: S308 - escaped above


@register.filter
def card_facts(paper: Paper) -> SafeString:
    """What a reader chooses by, under the title in a list: standing, date, field, identifier, kind, versions."""
    facts = []
    if paper.status != Paper.Status.CURRENT:
        facts.append(f'<span class="badge badge--alarm">{escape(Paper.Status(paper.status).label)}</span>')
    if paper.published_on:
        facts.append(partial_date(paper.published_on, paper.published_precision))
    if paper.primary_category_id:
        facts.append(f"<span>{escape(paper.primary_category_id)}</span>")
    if name := f"arXiv:{paper.arxiv_id}" if paper.arxiv_id else paper.doi:
        facts.append(f"<span>{escape(name)}</span>")
    if paper.kind != Paper.Kind.PREPRINT:
        facts.append(f"<span>{escape(Paper.Kind(paper.kind).label)}</span>")
    if paper.version_count > 1:
        facts.append(f"<span>{paper.version_count} versions</span>")
    return mark_safe("\n".join(facts))  # noqa: S308 - escaped above


@register.filter
def author_items(authors: Iterable[ShownAuthor]) -> SafeString:
    """The items of an author list."""
    items = [
        f"<li><bdi>{escape(author.name)}</bdi>{f'<sup>{escape(author.marks)}</sup>' if author.marks else ''}</li>"
        for author in authors
    ]
    return mark_safe("".join(items))  # noqa: S308 - escaped above


@register.simple_tag
def meta_tags(tags: Iterable[tuple[str, str]]) -> SafeString:
    """``<meta>`` elements from names and contents."""
    html = [f'<meta name="{escape(name)}" content="{escape(content)}">' for name, content in tags]
    return mark_safe("\n".join(html))  # noqa: S308 - escaped above


@register.simple_tag
def category_options(choices: tuple[Choice, ...], chosen: str) -> SafeString:
    """The options of a choice of categories, by group."""
    options = _options(choices)
    if not chosen:
        return options
    option = format_html('<option value="{}">', chosen)
    return mark_safe(options.replace(option, f"{option[:-1]} selected>", 1))  # noqa: S308 - both parts are escaped


@lru_cache(maxsize=4)
def _options(choices: tuple[Choice, ...]) -> SafeString:
    groups: dict[str, list[Choice]] = {}
    for one in choices:
        if one.canonical is None:
            groups.setdefault(one.group_name, []).append(one)
    return format_html_join(
        "",
        '<optgroup label="{}">{}</optgroup>',
        (
            (
                name,
                format_html_join(
                    "", '<option value="{}">{} {}</option>', ((one.code, one.code, one.name) for one in members)
                ),
            )
            for name, members in sorted(groups.items())
        ),
    )


@register.filter
def bytes_short(size: int | None) -> str:
    """A size as arXiv prints it: ``412 kB``."""
    if size is None:
        return ""
    if size < 1_000_000:
        return f"{max(1, round(size / 1000)):,} kB" if size else "0 kB"
    return f"{size / 1_000_000:,.1f} MB"
