"""The frame of every page: its head's links, header and footer."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.urls import get_script_prefix
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def frame_part(template_name: str, **values: Hashable) -> SafeString:
    """A template that says the same whenever it is given the same values, and is given nothing else.

    Neither the request nor the reader reaches it but through ``values``, so what was rendered once is kept: nobody's
    frame can be shown to anybody else. While ``DEBUG`` is on nothing is kept, since templates are edited then.
    """
    render = _render.__wrapped__ if settings.DEBUG else _render
    return render(template_name, get_script_prefix(), tuple(sorted(values.items())))


@lru_cache(maxsize=512)
def _render(template_name: str, script_prefix: str, values: tuple[tuple[str, Hashable], ...]) -> SafeString:
    return render_to_string(template_name, dict(values))
