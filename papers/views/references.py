"""What a paper refers to, and which papers here refer to it: the whole lists."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from papers.connections import REFERENCES_A_PAGE, read_references
from papers.counts import count_rows
from papers.forms import SOURCE_NAMES
from papers.keyset import BadCursor, KeysetPage, Place, read_page
from papers.listed import read_listed
from papers.models import Paper, PaperCitation
from papers.views.links import Link, Pager, address, moved
from papers.views.paper_address import find_or_404, parse_or_404
from papers.views.shown import ShownCount
from wovepaper.lib.markup import plain
from wovepaper.lib.page_head import PageHead, shorten


@require_safe
def references(request: HttpRequest, address: str) -> HttpResponse:
    """``/papers/<reference>/references``: the list of one source, a hundred a page."""
    found = find_or_404(parse_or_404(address))
    path = reverse("papers:references", args=[found.reference])
    if request.path != path:
        return moved(path)
    after, problems = _read_place(request.GET.get("after", ""))
    lines = read_references(found, after=after)
    context = {
        **_about(found, f"References of “{plain(found.title)}”", path),
        "lines": lines,
        "summary": references_summary(found),
        "pager": _pager(path, after, found.listed_reference_count),
        "problems": problems,
        "empty": _no_references(found, path, after=after),
    }
    return render(request, "papers/references.html", context, status=400 if problems else 200)


@require_safe
def cited_by(request: HttpRequest, address: str) -> HttpResponse:
    """``/papers/<reference>/cited-by``: the papers here that refer to it, the newest first."""
    found = find_or_404(parse_or_404(address))
    path = reverse("papers:cited_by", args=[found.reference])
    if request.path != path:
        return moved(path)
    problems = []
    try:
        place = Place.parse(request.GET)
    except BadCursor as error:
        place = Place()
        problems.append(str(error))
    rows = PaperCitation.objects.filter(cited=found)
    page: KeysetPage[PaperCitation] = read_page(rows, place=place, key_field="sort_date", number_field="paper_id")
    numbers = [row.paper_id for row in page.rows]
    listed = {paper.id: paper for paper in read_listed(Paper.objects.visible().filter(pk__in=numbers))}
    count = count_rows(rows)
    context = {
        **_about(found, f"Papers that cite “{plain(found.title)}”", path),
        "papers": [listed[number] for number in numbers if number in listed],
        "count": count,
        "counts": shown_counts(found),
        "pager": Pager.of(page, path),
        "problems": problems,
        "empty": _no_citing(found, path, first_page=place == Place()),
    }
    return render(request, "papers/cited_by.html", context, status=400 if problems else 200)


def references_summary(found: Paper) -> str:
    """``22 of 91 linked by DOI``, and how many there are where the list leaves some out; empty where none is listed."""
    listed, counted = found.listed_reference_count, found.reference_count or 0
    if not listed:
        return ""
    with_doi = found.doi_reference_count
    said = f"{with_doi:,} of {listed:,} linked by DOI" if with_doi else f"{listed:,} listed, none by DOI"
    return f"{said}; its source counts {counted:,} and lists {listed:,}" if counted > listed else said


def shown_counts(found: Paper) -> list[ShownCount]:
    """What each source counts, the largest count first; a paper that shows none has none."""
    if found.citation_count is None:
        return []
    counts = found.metrics.order_by("-cited_by_count", "-as_of", "source")
    return [
        ShownCount(SOURCE_NAMES.get(source, source), count, day)
        for source, count, day in counts.values_list("source", "cited_by_count", "as_of")
    ]


def _about(found: Paper, title: str, path: str) -> dict[str, object]:
    own = plain(found.title)
    return {
        "head": PageHead(title=shorten(title, 160), description=shorten(title), path=path, index=False),
        "paper": found,
        "crumbs": [Link("Papers", reverse("papers:paper_list")), Link(shorten(own, 80), found.get_absolute_url())],
    }


def _read_place(said: str) -> tuple[int, list[str]]:
    if not said:
        return 0, []
    if said.isascii() and said.isdigit() and len(said) <= 6:
        return int(said), []
    return 0, ["The place in the list could not be read, so it begins at the start."]


def _pager(path: str, after: int, total: int) -> Pager:
    before = min(after, total) - REFERENCES_A_PAGE
    return Pager(
        previous=(address(path, {"after": before}) if before > 0 else path) if after else "",
        next=address(path, {"after": after + REFERENCES_A_PAGE}) if after + REFERENCES_A_PAGE < total else "",
    )


def _no_references(found: Paper, path: str, *, after: int) -> dict[str, object]:
    if after and found.listed_reference_count:
        return {
            "title": "The list ends before this place",
            "sentence": f"It has {found.listed_reference_count:,} entries.",
            "suggestions": [Link("Begin at the start", path)],
        }
    back = [Link("Back to the paper", found.get_absolute_url())]
    if found.reference_count:
        return {
            "title": "The references are not listed",
            "sentence": f"A source counts {found.reference_count:,}, and none lists them openly.",
            "suggestions": back,
        }
    return {
        "title": "No references known",
        "sentence": "No source has told what this paper refers to.",
        "suggestions": back,
    }


def _no_citing(found: Paper, path: str, *, first_page: bool) -> dict[str, object]:
    if not first_page:
        return {
            "title": "The list ends before this page",
            "sentence": "No citing paper lies beyond this place.",
            "suggestions": [Link("Begin at the start", path)],
        }
    return {
        "title": "No paper here cites it yet",
        "sentence": "Papers appear here once their references are known and one of them is this paper.",
        "suggestions": [Link("Back to the paper", found.get_absolute_url())],
    }
