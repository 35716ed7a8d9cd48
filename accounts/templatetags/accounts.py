"""How pages about accounts, most of which are allauth's, are worded."""

from __future__ import annotations

import re

from django import template
from django.template.defaultfilters import stringfilter

register = template.Library()

_CAPITAL = re.compile(r"(?<=[a-z] )[A-Z](?=[a-z])")
_EMAIL = re.compile(r"\b([Ee])mail\b")


@register.filter(is_safe=True)
@stringfilter
def as_we_write(text: str) -> str:
    """``Sign In`` as ``Sign in``, ``Email Addresses`` as ``E-mail addresses``: for headings, labels and buttons.

    Text with an address or a tag in it, which must stay as it is, is left alone.
    """
    if "@" in text or "<" in text:
        return text
    return _EMAIL.sub(r"\1-mail", _CAPITAL.sub(lambda found: found[0].lower(), text))
