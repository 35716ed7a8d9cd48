"""A researcher in a list, as HTML: written here and not in a template, since every list shows two dozen."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe

from researchers.services.listing import ListedResearcher


def card_list(researchers: Iterable[ListedResearcher]) -> SafeString:
    """An ordered list of researchers."""
    items = "\n".join([f"  <li>{card(one)}</li>" for one in researchers])
    return mark_safe(f'<ol class="person-list">\n{items}\n</ol>')  # noqa: S308 - made of cards


def card(one: ListedResearcher) -> SafeString:
    """One researcher."""
    mark = ' <span class="badge" title="Has an ORCID iD">ORCID</span>' if one.has_orcid else ""
    also = f'<p class="person-card__where">Found as <bdi>{escape(one.found_as)}</bdi></p>' if one.found_as else ""
    where = f'<p class="person-card__where"><bdi>{escape(one.affiliation)}</bdi></p>' if one.affiliation else ""
    facts = [f"<span>{one.papers:,} paper{'' if one.papers == 1 else 's'}</span>"]
    if one.years:
        facts.append(f"<span>{one.years}</span>")
    if one.fields:
        facts.append(f"<span>{escape(', '.join(one.fields))}</span>")
    if one.citations is not None:
        facts.append(f"<span>{one.citations:,} citation{'' if one.citations == 1 else 's'}</span>")
    if one.h_index is not None:
        facts.append(f"<span>h-index {one.h_index}</span>")
    return mark_safe(  # noqa: S308 - every part is escaped above
        f'<article class="person-card"><h2 class="person-card__name"><a href="{escape(one.url)}">'
        f"<bdi>{escape(one.name)}</bdi></a>{mark}</h2>{also}{where}"
        f'<p class="person-card__facts">{" ".join(facts)}</p></article>'
    )
