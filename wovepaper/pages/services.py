"""Writes of pages."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.flatpages.models import FlatPage
from django.contrib.sites.models import Site
from django.db import transaction

from wovepaper.pages.texts import FIRST_TEXTS

_NOT_NAMED_YET = "example.com"  # what Django's own sites framework calls a site of which it knows nothing


def write_first_texts(*, using: str = "default") -> list[str]:
    """Make the pages every site has, where they are missing, and return their addresses.

    The site itself is named after ``SITE_URL`` if nobody has named it. A page that is there is left as it is,
    whatever it says. One that staff removed comes back with the next
    migration, since every page's foot leads to it.
    """
    written = []
    with transaction.atomic(using=using):
        named = {"domain": urlsplit(settings.SITE_URL).netloc, "name": "wovepaper"}
        site, _ = Site.objects.using(using).get_or_create(pk=settings.SITE_ID, defaults=named)
        if site.domain == _NOT_NAMED_YET:  # mails to readers would greet them from there
            site.domain, site.name = named["domain"], named["name"]
            site.save(using=using)
        for text in FIRST_TEXTS:
            bare = text.url.rstrip("/")
            if FlatPage.objects.using(using).filter(url__in=[bare, text.url]).exists():
                continue
            page = FlatPage.objects.using(using).create(url=text.url, title=text.title, content=text.content)
            page.sites.add(site)
            written.append(text.url)
    return written
