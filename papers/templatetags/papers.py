"""How papers are printed on pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import lru_cache
from html import escape

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from papers.cards import Heading, Listed, card, card_list
from papers.category_groups import Choice, Choices
from papers.connection_items import citing_list, notice_line, reference_list
from papers.dates import date_html
from papers.licences import licence_name
from papers.searching import Hit
from papers.views.shown import ShownAuthor
from wovepaper.lib.markup import plain, render_abstract, render_title

register = template.Library()
register.filter("title_html", render_title)
register.filter("abstract_html", render_abstract)
register.filter("plain", plain)
register.filter("licence_name", licence_name)
register.simple_tag(reference_list)
register.simple_tag(notice_line)
register.filter("citing_list", citing_list)


@register.simple_tag
def partial_date(day: dt.date | dt.datetime | None, precision: str = "day") -> SafeString | str:
    """A date with no more precision than its source gave: ``3 May 2024``, ``May 2024`` or ``2024``."""
    return date_html(day, precision) if day else ""


@register.simple_tag
def paper_card(paper: Listed, heading: Heading, hit: Hit | None = None) -> SafeString:
    """One paper of a list; of a search with where its words occur."""
    if not hit:
        return card(paper, heading)
    return card(paper, heading, title=hit.title, snippet=hit.snippet, matched_in=hit.matched_in)


@register.simple_tag
def paper_list(papers: Iterable[Listed], heading: Heading) -> SafeString:
    """A list of papers, with their titles as headings of this level."""
    return card_list(papers, heading)


@register.simple_tag
def options(choices: Iterable[tuple[str, str]], chosen: str) -> SafeString:
    """The options of a choice."""
    html = [
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(label)}</option>'
        for value, label in choices
    ]
    return mark_safe("".join(html))  # noqa: S308 - escaped above


@register.filter
def author_items(authors: Iterable[ShownAuthor]) -> SafeString:
    """The items of an author list."""
    return mark_safe("".join([_author_item(author) for author in authors]))  # noqa: S308 - escaped there


def _author_item(author: ShownAuthor) -> str:
    name = f"<bdi>{escape(author.name)}</bdi>"
    if author.url:
        name = f'<a href="{escape(author.url)}">{name}</a>'
    marks = f"<sup>{escape(author.marks)}</sup>" if author.marks else ""
    return f"<li>{name}{marks}{' <small>(likely)</small>' if author.is_likely else ''}</li>"


@register.simple_tag
def meta_tags(tags: Iterable[tuple[str, str]]) -> SafeString:
    """``<meta>`` elements from names and contents."""
    html = [f'<meta name="{escape(name)}" content="{escape(content)}">' for name, content in tags]
    return mark_safe("\n".join(html))  # noqa: S308 - escaped above


@register.simple_tag
def category_options(choices: Choices, chosen: str) -> SafeString:
    """The options of a choice of categories, by group."""
    options = _options(choices)
    if not chosen:
        return options
    option = format_html('<option value="{}">', chosen)
    return mark_safe(options.replace(option, f"{option[:-1]} selected>", 1))  # noqa: S308 - both parts are escaped


@lru_cache(maxsize=4)
def _options(choices: Choices) -> SafeString:
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
def thousands(number: int) -> str:
    """A number with its thousands set apart: ``3,001``."""
    return f"{number:,}"


@register.filter
def bytes_short(size: int | None) -> str:
    """A size as arXiv prints it: ``412 kB``."""
    if size is None:
        return ""
    if size < 1_000_000:
        return f"{max(1, round(size / 1000)):,} kB" if size else "0 kB"
    return f"{size / 1_000_000:,.1f} MB"
