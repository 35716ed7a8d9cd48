"""How papers are printed on pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from papers.category_groups import CategoryGroup
from papers.licences import licence_name
from papers.models import Authorship, Paper
from wovepaper.lib.markup import plain, render_abstract, render_title

register = template.Library()
register.filter("title_html", render_title)
register.filter("abstract_html", render_abstract)
register.filter("plain", plain)
register.filter("licence_name", licence_name)

_SELECTED = mark_safe(" selected")
_FORMATS = {"day": "j F Y", "month": "F Y", "year": "Y"}


@register.simple_tag
def partial_date(day: dt.date | dt.datetime | None, precision: str = "day") -> SafeString | str:
    """A date with no more precision than its source gave: ``3 May 2024``, ``May 2024`` or ``2024``."""
    if day is None:
        return ""
    return format_html(
        '<time datetime="{}">{}</time>', _machine_date(day, precision), date_format(day, _FORMATS[precision])
    )


def _machine_date(day: dt.date, precision: str) -> str:
    parts = {"day": 3, "month": 2, "year": 1}[precision]
    return "-".join([f"{day.year:04}", f"{day.month:02}", f"{day.day:02}"][:parts])


@register.filter
def author_line(paper: Paper) -> SafeString:
    """The first names of a paper on one line, and how many follow."""
    shown: list[Authorship] = paper.shown_authorships  # type: ignore[attr-defined]
    names = format_html_join(", ", "<bdi>{}</bdi>", ((authorship.name,) for authorship in shown))
    more = paper.author_count - len(shown)
    if more <= 0:
        return names
    return format_html("{} and {} more", names, f"{more:,}") if shown else format_html("{} authors", f"{more:,}")


@lru_cache(maxsize=1024)
def _option(code: str, name: str, selected: bool) -> SafeString:
    return format_html('<option value="{}"{}>{} {}</option>', code, _SELECTED if selected else "", code, name)


@register.simple_tag
def category_options(groups: Iterable[CategoryGroup], chosen: str) -> SafeString:
    """The options of a choice of categories, by group. In Python: there are some 150 of them."""
    html = []
    for group in groups:
        options = format_html_join(
            "", "{}", ((_option(one.code, one.name, one.code == chosen),) for one in group.categories)
        )
        html.append(format_html('<optgroup label="{}">{}</optgroup>', group.name, options))
    return format_html_join("", "{}", ((one,) for one in html))


@register.filter
def bytes_short(size: int | None) -> str:
    """A size as arXiv prints it: ``412 kB``."""
    if size is None:
        return ""
    if size < 1_000_000:
        return f"{max(1, round(size / 1000)):,} kB" if size else "0 kB"
    return f"{size / 1_000_000:,.1f} MB"


@register.filter
def percent_of(part: Any, whole: Any) -> int:
    """``part`` as a whole percentage of ``whole``, from 1 to 100; 0 only for nothing."""
    if not part or not whole:
        return 0
    return max(1, min(100, round(100 * int(part) / int(whole))))
