"""Which papers a feed has: each function reads one, in a few queries however long its list is."""

from __future__ import annotations

import datetime as dt

from django.db.models import Max, OuterRef, Subquery
from django.urls import reverse
from django.utils import timezone

from institutions.models import Institution
from institutions.services.finding import find_numbers
from papers.models import Category, CategoryListing, Paper, PaperInstitution
from papers.search_query import parse_query
from papers.searching import search_papers
from papers.views.archives import Archive
from papers.views.links import address
from papers.views.search import Asked
from researchers.models import Researcher
from researchers.services.profile.works import papers_of
from wovepaper.pages.feeds.entries import (
    MOST_ENTRIES,
    Entry,
    harmless,
    last_change,
    read_entries,
    read_numbered,
)
from wovepaper.pages.feeds.formats import Feed

DAYS_OF_AN_ARCHIVE = 7


def latest() -> Feed:
    """The newest papers, without those dated in the future: journals date their issues ahead."""
    entries = read_entries(Paper.objects.visible().filter(sort_date__lte=timezone.now().date()).newest())
    return Feed(
        title="Newest papers · wovepaper",
        description="The newest papers of this catalogue.",
        page=reverse("papers:paper_list"),
        name="latest.xml",
        entries=entries,
        changed=last_change(entries),
    )


def of_category(category: Category) -> Feed:
    """What was listed in a category, new or crossed from another, newest listing first."""
    listings = (
        CategoryListing.objects.filter(category=category, paper__redirect_to=None)
        .exclude(kind=CategoryListing.Kind.REVISED)
        .order_by("-day", "-paper_id")
    )
    # One paper may be listed twice, on two days.
    numbers = dict.fromkeys(listings.values_list("paper_id", flat=True)[:MOST_ENTRIES])
    entries = read_numbered(list(numbers))
    return _of_field(f"{category.name} ({category.code})", category.code, category.get_absolute_url(), entries)


def of_archive(archive: Archive) -> Feed:
    """What was new in an archive in the week up to its last listing."""
    codes = [category.code for category in archive.categories]
    listings = CategoryListing.objects.filter(category=OuterRef("pk"), kind=CategoryListing.Kind.NEW)
    newest = Subquery(listings.order_by("-day").values("day")[:1])
    day = Category.objects.filter(code__in=codes).annotate(last_day=newest).aggregate(day=Max("last_day"))["day"]
    entries: list[Entry] = []
    if day is not None:
        within = (day - dt.timedelta(days=DAYS_OF_AN_ARCHIVE - 1), day)
        papers = Paper.objects.visible().filter(announced_on__range=within, primary_category__in=codes)
        entries = read_entries(papers.order_by("-announced_on", "-pk"))
    return _of_field(f"{archive.name} ({archive.code})", archive.code, archive.get_absolute_url(), entries)


def _of_field(name: str, code: str, page: str, entries: list[Entry]) -> Feed:
    return Feed(
        title=f"{harmless(name)} · wovepaper",
        description=f"New papers in {harmless(name)}.",
        page=page,
        name=f"categories/{code}.xml",
        entries=entries,
        changed=last_change(entries),
    )


def of_researcher(researcher: Researcher) -> Feed:
    """The newest papers attributed to a person, who must be a root."""
    entries = read_entries(papers_of(researcher.pk).newest())
    name = harmless(researcher.display_name)
    return Feed(
        title=f"{name} · wovepaper",
        description=f"Papers attributed to {name}, newest first.",
        page=researcher.get_absolute_url(),
        name=f"researchers/{researcher.pk}.xml",
        entries=entries,
        # A paper may come and go without being changed itself.
        changed=last_change(entries, researcher.updated_at, researcher.counted_at),
    )


def of_institution(institution: Institution) -> Feed:
    """The newest papers with an author at an institution, which must be shown as itself."""
    rows = PaperInstitution.objects.filter(institution=institution, paper__redirect_to=None)
    numbers = rows.order_by("-sort_date", "-paper_id").values_list("paper_id", flat=True)[:MOST_ENTRIES]
    entries = read_numbered(list(numbers))
    name = harmless(institution.display_name)
    return Feed(
        title=f"{name} · wovepaper",
        description=f"Papers with an author at {name}, newest first.",
        page=institution.get_absolute_url(),
        name=f"institutions/{institution.pk}.xml",
        entries=entries,
        changed=last_change(entries, institution.updated_at),
    )


def of_search(asked: Asked) -> Feed:
    """The newest papers that a search finds. Raises ``SearchDown``.

    Always by date and by words: an order by relevance would hide what is new.
    """
    found = search_papers(
        parse_query(asked.text).with_institutions(find_numbers),
        filters=asked.filters,
        sort="newest",
        limit=MOST_ENTRIES,
    )
    entries = read_numbered([hit.paper.id for hit in found.hits])
    words = harmless(asked.text) or "all papers"
    return Feed(
        title=f"Search: {words} · wovepaper",
        description=f"The newest papers found by: {words}",
        page=asked.url(sort="newest", mode=""),
        name=address("search.xml", asked.query),
        entries=entries,
        changed=last_change(entries),
    )
