"""The list of institutions, and the page of each."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from institutions.models import Institution
from institutions.services.countries import known_countries
from institutions.services.finding import find_by_address
from papers.counts import RowCount, count_rows
from papers.institutions.forms import DEFAULT_ORDER, ORDERS, InstitutionFilter, read_filter
from papers.institutions.profile import read_papers, read_partners, read_profile, read_summary
from papers.institutions.querysets import people_of
from papers.institutions.search_entrance import TAB
from papers.institutions.structured_data import organization
from papers.keyset import BadCursor, KeysetPage, Place, read_page
from papers.structured_data import breadcrumbs, to_script_json
from papers.views.links import Link, Pager, address, moved
from wovepaper.lib import ror
from wovepaper.lib.page_head import PageHead, shorten
from wovepaper.search.entrances import read_tabs


@require_safe
def institution_list(request: HttpRequest) -> HttpResponse:
    """``/institutions``. What an address asks wrongly is left out, with a sentence and status 400."""
    chosen, problems = read_filter(request.GET)
    path = reverse("institutions:institution_list")
    ror_id = ror.normalise(chosen.q) if chosen.q else None
    if ror_id and (found := find_by_address(ror_id).institution):
        response = HttpResponseRedirect(found.get_absolute_url())
        response.headers["Cache-Control"] = "no-store"
        return response
    try:
        place = Place.parse(request.GET, str if chosen.order.key_field == "slug" else int)
    except BadCursor as error:
        place = Place()
        problems.append(str(error))
    institutions = chosen.apply(Institution.objects.visible())
    page: KeysetPage[Institution] = read_page(
        institutions.defer("places", "domains", "hash"),
        place=place,
        key_field=chosen.order.key_field,
        descending=chosen.order.descending,
    )
    count = count_rows(institutions)
    query = chosen.as_query()
    context = {
        "head": PageHead(
            title="Institutions",
            description="Universities, laboratories, hospitals and companies of this catalogue, by country and kind.",
            path=address(path, query),
            index=not query and not request.GET.keys() & {"after", "before"},
        ),
        "institutions": page.rows,
        "pager": Pager.of(page, path, query),
        "summary": _summary(count, chosen),
        "sorts": [
            Link(order.label, address(path, chosen.as_query(sort=name)), current=(chosen.sort or DEFAULT_ORDER) == name)
            for name, order in ORDERS.items()
        ],
        "chips": [Link(label, address(path, chosen.as_query(**change))) for label, change in chosen.chips()],
        "clear_url": path,
        "chosen": chosen,
        "countries": known_countries(chosen.country),
        "kinds": Institution.Kind.choices,
        "problems": problems,
        "tabs": read_tabs(chosen.q, current=TAB, count=count.number if count.exact else None) if chosen.q else [],
        "empty": _empty_state(chosen, path, first_page=place == Place()),
    }
    return render(request, "institutions/institution_list.html", context, status=400 if problems else 200)


def _summary(count: RowCount, chosen: InstitutionFilter) -> str:
    noun = "institution" if count == RowCount(1, exact=True) else "institutions"
    return f"{str(count).capitalize()} {noun}{' with these filters' if chosen.is_active else ''}"


def _empty_state(chosen: InstitutionFilter, path: str, *, first_page: bool) -> dict[str, object]:
    if not first_page:
        return {
            "title": "The list ends before this page",
            "sentence": "No institution lies beyond this place.",
            "suggestions": [Link("Begin at the start", address(path, chosen.as_query()))],
        }
    if not chosen.is_active:
        return {
            "title": "No institutions yet",
            "sentence": "They appear here as soon as the registry of research organisations has been imported.",
        }
    without = [Link(f"Without “{label}”", address(path, chosen.as_query(**change))) for label, change in chosen.chips()]
    return {
        "title": "No institution found",
        "sentence": "None is called so in any language."
        if chosen.q and len(without) == 1
        else "None passes these filters.",
        "suggestions": [*without, Link("All institutions", path)],
    }


@require_safe
def institution(request: HttpRequest, address: str) -> HttpResponse:
    """``/institutions/<id>-<slug>``. Its number, ROR id and exact name lead here, and those of what it was before."""
    found = find_by_address(address)
    if found.ambiguous:
        return HttpResponseRedirect(_search_for(address))
    shown = found.institution
    if shown is None:
        raise Http404("No institution here has this number, ROR id or name. It may be mistyped.")
    path = shown.get_absolute_url()
    if request.path != path:
        query = request.META.get("QUERY_STRING", "")
        return moved(f"{path}?{query}" if query else path)
    problems = []
    try:
        place = Place.parse(request.GET, dt.date)
    except BadCursor as error:
        place = Place()
        problems.append(str(error))
    plain = place == Place()
    profile = read_profile(shown)
    summary = read_summary(shown.pk)
    page, papers = read_papers(shown.pk, place=place)
    list_path = reverse("institutions:institution_list")
    crumbs = [("Institutions", list_path), (shown.display_name, path)]
    url = f"{settings.SITE_URL}{path}"
    context = {
        "head": PageHead(
            title=shorten(shown.display_name, 120),
            description=shorten(_description(shown, summary.total)),
            path=path,
            index=plain and shown.status != Institution.Status.WITHDRAWN,
            feed=f"institutions/{shown.pk}.xml",
        ),
        "institution": shown,
        "kinds": [Institution.Kind(kind).label for kind in shown.kinds if kind in Institution.Kind.values],
        "profile": profile,
        "is_invented": ror.is_invented(shown.ror_id),
        "filter_url": _papers_of(shown),
        "summary": summary,
        "year_chart": _chart(summary.years),
        "papers": papers,
        "pager": Pager.of(page, path),
        "problems": problems,
        "is_plain": plain,
        "crumbs": [Link(label, target) for label, target in crumbs[:-1]],
        "json_ld": [
            to_script_json(organization(shown, profile, url=url)),
            to_script_json(breadcrumbs(crumbs, settings.SITE_URL)),
        ],
    }
    if plain:
        context |= {"people": people_of(shown.pk), "partners": read_partners(shown.pk)}
    return render(request, "institutions/institution.html", context, status=400 if problems else 200)


def _papers_of(institution: Institution) -> str:
    return address(reverse("papers:paper_list"), {"institution": institution.pk})


def _search_for(name: str) -> str:
    return address(reverse("institutions:institution_list"), {"q": name})


def _description(institution: Institution, papers: int) -> str:
    where = f" in {institution.place}" if institution.place else ""
    return f"{institution.display_name}{where}: {papers:,} paper{'' if papers == 1 else 's'} in this catalogue."


def _chart(years: tuple[tuple[int, int], ...]) -> dict[str, object] | None:
    """Columns of a drawing whose box is 10 units wide a year and 40 high."""
    if not years:
        return None
    most = max(count for _, count in years)
    columns = [
        (year, count, 10 * step + 1, round(40 - 40 * count / most, 1)) for step, (year, count) in enumerate(years)
    ]
    return {"columns": columns, "width": 10 * len(years), "first": years[0][0], "last": years[-1][0], "most": most}
