"""How researchers are printed on pages."""

from __future__ import annotations

from django import template

from papers.forms import SOURCE_NAMES
from researchers.cards import card_list
from researchers.matching.wording import likelihood
from wovepaper.lib.countries import country_name

register = template.Library()
register.filter("country_name", country_name)
register.filter("likelihood", likelihood)
register.simple_tag(card_list, name="person_list")


@register.filter
def source_name(source: str) -> str:
    """A source as readers know it: ``arXiv`` for ``arxiv``."""
    return SOURCE_NAMES.get(source, source)
