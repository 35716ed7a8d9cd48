"""Writes of pages."""

from __future__ import annotations

from django.conf import settings
from django.contrib.flatpages.models import FlatPage
from django.contrib.sites.models import Site
from django.db import transaction

from wovepaper.pages.texts import FIRST_TEXTS


def write_first_texts(*, using: str = "default") -> list[str]:
    """Make the pages every site has, where they are missing, and return their addresses.

    A page that is there is left as it is, whatever it says. One that staff removed comes back with the next
    migration, since every page's foot leads to it.
    """
    written = []
    with transaction.atomic(using=using):
        site, _ = Site.objects.using(using).get_or_create(
            pk=settings.SITE_ID, defaults={"domain": "localhost", "name": "wovepaper"}
        )
        for text in FIRST_TEXTS:
            bare = text.url.rstrip("/")
            if FlatPage.objects.using(using).filter(url__in=[bare, text.url]).exists():
                continue
            page = FlatPage.objects.using(using).create(url=text.url, title=text.title, content=text.content)
            page.sites.add(site)
            written.append(text.url)
    return written
