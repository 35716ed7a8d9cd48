"""How pages about accounts, most of which are allauth's, are worded."""

from __future__ import annotations

import re

from django import template
from django.template import RequestContext
from django.template.defaultfilters import stringfilter
from django.urls import reverse

from accounts.sites import NAMES

register = template.Library()

_CAPITAL = re.compile(r"(?<=[a-z] )[A-Z](?=[a-z])")
_EMAIL = re.compile(r"\b([Ee])mail\b")


LINKS = (
    ("account_settings", "Settings"),
    ("account_email", "E-mail addresses"),
    ("account_change_password", "Password"),
    ("mfa_index", "Passkeys and codes"),
    ("usersessions_list", "Sessions"),
)
"""Names of addresses, and of links to them, on every page from which a reader governs their account."""


@register.filter
def site_name(provider: str) -> str:
    """What another site that one may sign in by is called; its code where it is not known here any more."""
    return NAMES.get(provider, provider)


@register.simple_tag(takes_context=True)
def account_links(context: RequestContext) -> list[tuple[str, str, bool]]:
    """Address, name, and whether it is the page that is open."""
    here = context["request"].path
    return [((address := reverse(route)), name, address == here) for route, name in LINKS]


@register.filter(is_safe=True)
@stringfilter
def as_we_write(text: str) -> str:
    """``Sign In`` as ``Sign in``, ``Email Addresses`` as ``E-mail addresses``: for headings, labels and buttons.

    Text with an address or a tag in it, which must stay as it is, is left alone.
    """
    if "@" in text or "<" in text:
        return text
    return _EMAIL.sub(r"\1-mail", _CAPITAL.sub(lambda found: found[0].lower(), text))
