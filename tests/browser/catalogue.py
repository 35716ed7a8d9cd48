"""A small catalogue with everything that is hard on a page."""

from __future__ import annotations

import datetime as dt

from papers.models import Authorship, Category, Paper
from tests.factories import ListingFactory, PaperFactory, SourceRecordFactory, affiliate

DAY = dt.date(2021, 3, 1)


def fill_catalogue(*, long_lists: bool = True) -> Paper:
    """Some papers, more than a page of them with ``long_lists``; returns the one with the most on its page."""
    category = Category.objects.get(code="cs.CL")
    for number in range(30 if long_lists else 6):
        paper = PaperFactory(
            title=f"A study of looms, part {number}",
            abstract=f"The warp and the weft of loom {number}, with $O(n \\log n)$ knots.",
            published_on=DAY - dt.timedelta(days=number),
            announced_on=DAY,
            primary_category=category,
            kind="article" if number % 5 == 0 else "preprint",
        )
        ListingFactory(category=category, paper=paper, day=DAY, kind="new" if number % 3 else "cross")
    full = PaperFactory(
        title="Shuttles of $\\mathbb{R}^n$: " + "a very long title about a very small shuttle " * 4,
        abstract="We prove that $$\\sum_{k=1}^{n} \\frac{1}{k^2} \\le \\frac{\\pi^2}{6}$$ holds for shuttles.\n\n"
        "Second paragraph with a_very_long_word_" + "without_any_break_" * 12,
        arxiv_id="2101.54321",
        doi="10.1234/shuttle." + "x" * 80,
        status="withdrawn",
        comments="Withdrawn by the authors because of a gap in Lemma 3",
        licence="http://creativecommons.org/licenses/by/4.0/",
        venue="Journal of Shuttles",
        versions_made=4,
        published_on=DAY + dt.timedelta(days=1),
        authors=["Ада Ткачёва", "مريم الحائك", "織 布子", "Hubert Blaine Wolfeschlegelsteinhausenbergerdorff Sr."],
    )
    authors = 706 if long_lists else 40
    Authorship.objects.bulk_create(
        Authorship(paper=full, position=number, name=f"Author-{number} of the Collaboration")
        for number in range(5, authors + 1)
    )
    Paper.objects.filter(pk=full.pk).update(author_count=authors)
    for position in range(1, 16):
        affiliate(full, position, f"Institute {position} of Weaving, " + "Department of Very Long Names " * 3)
    SourceRecordFactory(paper=full, external_id="oai:arXiv.org:2101.54321")
    ListingFactory(category=category, paper=full, day=DAY, kind="revised")
    return full
