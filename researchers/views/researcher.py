"""The page of one researcher: who they are, with whom they wrote, and their papers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from papers.keyset import BadCursor, Place
from papers.models import Paper
from papers.views.links import Link, Pager
from papers.views.links import address as address_of
from researchers.network import draw
from researchers.services.namesakes import namesakes_of
from researchers.services.profile import Company, doubtful_papers, read_company, strange_names
from researchers.services.profile.works import Work, papers_of, read_most_cited, read_works, with_roles
from researchers.views.researcher_address import find, page_url
from researchers.views.researcher_filter import SORTS, WorksFilter
from researchers.views.researcher_frame import Frame, read_frame


@require_safe
def researcher(request: HttpRequest, address: str) -> HttpResponse:
    """``/researchers/<id>-<slug>``. Every other address of the person leads here in one hop."""
    found = find(request, address, "researcher")
    if isinstance(found, HttpResponse):
        return found
    frame = read_frame(found.researcher)
    chosen, problems = WorksFilter.read(request.GET)
    try:
        place = Place.parse(request.GET, int if chosen.sort == "cited" else dt.date)
    except BadCursor as error:
        place = Place()
        problems.append(str(error))
    plain = chosen == WorksFilter() and place == Place()

    strange = strange_names(frame.facts.settled, frame.summary)
    papers = papers_of(frame.researcher.pk)
    page = read_works(chosen.apply(papers), place=place, sort=chosen.sort)
    most_cited = read_most_cited(frame.researcher.pk) if plain else []

    def listed(rows: Iterable[Paper]) -> list[Work]:
        return with_roles(rows, shown=frame.name, facts=frame.facts, strange=strange)

    context = {
        **frame.context("researcher", chosen=chosen),
        "head": frame.head("researcher", path=address_of(frame.path, chosen.query), index=plain),
        "works": listed(page.rows),
        "pager": Pager.of(page, f"{frame.path}", chosen.query),
        "problems": problems,
        "chips": chosen.chips(frame.path, frame.summary),
        "clear_url": chosen.url(frame.path, field="", year=None, kind=""),
        "sorts": _sorts(frame, chosen),
        "list_summary": _list_summary(frame, chosen),
        "choices": _choices(frame, chosen),
        "chosen": chosen,
        "path": frame.path,
        "is_plain": plain,
        "first_page": place == Place(),
    }
    if plain:
        context |= {
            "most_cited": listed(most_cited),
            "doubtful": doubtful_papers(frame.researcher.pk, strange, frame.facts),
            **_network(read_company(frame.researcher.pk)),
            "namesakes": namesakes_of(frame.researcher, names=frame.facts.public_names, reader=request.user.pk),
            "downloads": [
                Link(label, page_url(frame.researcher, "download", extension=extension))
                for extension, label in (("bib", "BibTeX"), ("ris", "RIS"))
            ],
        }
    return render(request, "researchers/researcher.html", context, status=400 if problems else 200)


def _network(company: Company) -> dict[str, object]:
    people = [one.coauthor for one in company.companions]
    drawing = draw([one.name for one in people], [one.papers for one in people], company.links)
    return {
        "company": company,
        "drawing": drawing,
        "dots": [(dot, people[dot.index]) for dot in drawing.dots],
        "coauthors": people,
    }


def _sorts(frame: Frame, chosen: WorksFilter) -> list[Link]:
    offered = [name for name in SORTS if name != "cited" or frame.researcher.cited_paper_count or chosen.sort == name]
    return [Link(SORTS[name], chosen.url(frame.path, sort=name), current=chosen.sort == name) for name in offered]


def _list_summary(frame: Frame, chosen: WorksFilter) -> str:
    total = frame.summary.total
    if not chosen.is_active:
        return f"{total:,} paper{'' if total == 1 else 's'}"
    count = chosen.apply(papers_of(frame.researcher.pk)).count()
    return f"{count:,} of {total:,} papers"


def _choices(frame: Frame, chosen: WorksFilter) -> list[tuple[str, str, list[tuple[str, str]], str]]:
    """Name, label, options and the one chosen of each filter: only what occurs among their papers."""
    summary = frame.summary
    fields = [(bar.key, f"{bar.label} ({bar.count:,})") for bar in summary.fields]
    years = [(str(bar.year), f"{bar.year} ({bar.count:,})") for bar in reversed(summary.years) if bar.count]
    kinds = [(kind, f"{Paper.Kind(kind).label} ({count:,})") for kind, count in summary.kinds]
    return [
        ("field", "Field", [("", "Any field"), *fields], chosen.field),
        ("year", "Year", [("", "Any year"), *years], str(chosen.year or "")),
        ("kind", "Kind", [("", "Any kind"), *kinds], chosen.kind),
    ]
