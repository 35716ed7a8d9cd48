"""The search page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from institutions.services.finding import find_numbers, names_of
from papers.models import Paper
from papers.search_entrance import TAB
from papers.search_query import parse_query, tidy
from papers.searching import FACETS, LAST_PAGE, MODES, PAGE_SIZE, SORTS, Found, SearchDown, default_mode, search_papers
from papers.views.links import Link, Pager, address
from wovepaper.lib.countries import country_name, is_country
from wovepaper.lib.page_head import PageHead, shorten
from wovepaper.search.entrances import find_landing, read_tabs
from wovepaper.search.meaning.encoders import EncoderUnavailable

FACET_TITLES = {
    "year": "Year", "categories": "Category", "countries": "Country", "institutions": "Institution", "kind": "Kind",
    "status": "Status",
}  # fmt: skip
PARAMETERS = {
    "year": "year", "categories": "category", "countries": "country", "institutions": "institution", "kind": "kind",
    "status": "status",
}  # fmt: skip
EXPORTS = {"bib": "BibTeX", "ris": "RIS", "json": "CSL-JSON"}
MOST_VALUES = 12
MODE_LABELS = {"lexical": "Words", "hybrid": "Words and meaning", "meaning": "Meaning"}
SORT_LABELS = {"relevance": "Relevance", "newest": "Newest first", "oldest": "Oldest first", "cited": "Most cited"}


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value of a facet, with the address that puts it in force or takes it away."""

    label: str
    count: int
    percent: int
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """How the hits divide by one field."""

    name: str
    title: str
    values: list[FacetValue]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks."""

    text: str
    filters: Mapping[str, str]
    sort: str
    mode: str
    """What was asked for; empty for the way that is usual here."""
    page: int

    @property
    def query(self) -> dict[str, str]:
        """What is sought, as parameters of an address, without order and page; empty where nothing is."""
        said = {"q": self.text} | {PARAMETERS[name]: value for name, value in self.filters.items()}
        return {name: value for name, value in said.items() if value}

    @property
    def exported(self) -> dict[str, str]:
        """The same with what decides which papers come first."""
        order = {"sort": "" if self.sort == "relevance" else self.sort, "mode": self.mode}
        return self.query | {name: value for name, value in order.items() if value}

    def url(self, **changes: object) -> str:
        """The address of this search with changes; the page is the first unless it is given."""
        query: dict[str, object] = {"q": self.text, **self.query}
        if self.sort != "relevance":
            query["sort"] = self.sort
        if self.mode:
            query["mode"] = self.mode
        return address(reverse("papers:search"), query | changes)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """``/search?q=``. No query is an error; an engine that is down is a page that says so, with status 503."""
    problems: list[str] = []
    asked = read_asked(request.GET, problems)
    landing = find_landing(asked.text) if asked.text else None
    if landing and landing.url and not asked.filters and asked.page == 1:
        found_at_once = HttpResponseRedirect(landing.url)
        found_at_once.headers["Cache-Control"] = "no-store"
        return found_at_once

    chosen = names_of(filter(None, [asked.filters.get("institutions")]))
    context: dict[str, object] = {
        "head": PageHead(
            title=f"Search: {asked.text[:80]}" if asked.text else "Search",
            description="Search the papers of this catalogue.",
            path=asked.url(),
            index=False,
            feed=address("search.xml", asked.query) if asked.query else "",
        ),
        "hide_header_search": True,
        "search_text": asked.text,
        "problems": problems,
        "chips": [
            Link(_label(name, value, chosen), asked.url(**{PARAMETERS[name]: ""}))
            for name, value in asked.filters.items()
        ],
        "clear_url": address(reverse("papers:search"), {"q": asked.text}),
    }
    status = 400 if problems else 200
    if asked.text or asked.filters:
        parsed = parse_query(asked.text).with_institutions(find_numbers)
        context["remarks"] = [*([landing.remark] if landing and landing.remark else []), *parsed.remarks]
        try:
            found = search_papers(
                parsed,
                filters=asked.filters,
                sort=asked.sort,
                mode=asked.mode or default_mode(),
                start=(asked.page - 1) * PAGE_SIZE,
            )
        except (SearchDown, EncoderUnavailable):
            context["down"] = True
            context["down_suggestions"] = [
                Link("See the newest papers", reverse("papers:paper_list")),
                Link("Browse the categories", reverse("papers:category_list")),
            ]
            status = 503
        else:
            context |= _results(asked, found)
            context["tabs"] = read_tabs(asked.text, current=TAB, count=found.total) if asked.text else []
    response = render(request, "papers/search.html", context, status=status)
    if status == 503:
        response.headers["Retry-After"] = "30"
    return response


def read_asked(query: Mapping[str, str], problems: list[str]) -> Asked:
    """What an address asks; what it asks wrongly is left out, with a sentence in ``problems``."""
    filters = {}
    for name, parameter in PARAMETERS.items():
        value = tidy(query.get(parameter, ""))[:40]
        if not value:
            continue
        if not _is_known(name, value):
            problems.append(f"{FACET_TITLES[name]} “{value}” was left out: it is none of the choices.")
            continue
        filters[name] = value
    sort = query.get("sort") or "relevance"
    if sort not in SORTS:
        problems.append("The order can be relevance, newest, oldest or cited; this is by relevance.")
        sort = "relevance"
    mode = query.get("mode") or ""
    if mode and mode not in MODES:
        problems.append(
            "The mode can be lexical (words), hybrid (words and meaning) or meaning; this is the usual one."
        )
        mode = ""
    page_text = query.get("page") or "1"
    page = int(page_text) if page_text.isascii() and page_text.isdigit() and len(page_text) < 6 else 0
    if not 1 <= page <= LAST_PAGE:
        problems.append(f"Pages run from 1 to {LAST_PAGE}; this is the first.")
        page = 1
    return Asked(tidy(query.get("q", "")), filters, sort, mode, page)


def _is_known(name: str, value: str) -> bool:
    match name:
        case "year":
            return value.isascii() and value.isdigit() and len(value) == 4
        case "countries":
            return is_country(value)
        case "institutions":
            return value.isascii() and value.isdigit() and len(value) < 18
        case "kind":
            return value in Paper.Kind.values
        case "status":
            return value in Paper.Status.values
        case _:
            return value.isascii() and value.replace("-", "").replace(".", "").isalnum()


def _label(name: str, value: str, institutions: Mapping[str, str]) -> str:
    match name:
        case "countries":
            return country_name(value)
        case "institutions":
            return shorten(institutions.get(value, f"institution {value}"), 60)
        case "kind" if value in Paper.Kind.values:
            return str(Paper.Kind(value).label)
        case "status" if value in Paper.Status.values:
            return str(Paper.Status(value).label)
    return value


def _results(asked: Asked, found: Found) -> dict[str, object]:
    last = max(1, min(LAST_PAGE, -(-found.reachable // PAGE_SIZE)))
    return {
        "hits": found.hits,
        "summary": _summary(asked, found, last),
        "modes": _modes(asked),
        "total": found.total,
        "downloads": [
            Link(label, address(reverse("papers:export_search", args=[extension]), asked.exported))
            for extension, label in EXPORTS.items()
            if found.total
        ],
        "sorts": [
            Link(label, asked.url(sort="" if sort == "relevance" else sort), current=asked.sort == sort)
            for sort, label in SORT_LABELS.items()
        ],
        "pager": Pager(
            previous=asked.url(page=asked.page - 1 if asked.page > 2 else "") if asked.page > 1 else "",
            next=asked.url(page=asked.page + 1) if asked.page < last else "",
        ),
        "ends_early": (
            f"Only the first {LAST_PAGE * PAGE_SIZE:,} of them can be paged through: more words, a field or a year "
            "narrow the search."
            if asked.page == LAST_PAGE and found.reachable > LAST_PAGE * PAGE_SIZE
            else ""
        ),
        "facets": _facets(asked, found),
        "suggestion": Link(found.suggestion, asked.url(q=found.suggestion)) if found.suggestion else None,
        "empty_suggestions": _suggestions(asked),
        "shows_demo": any(hit.paper.is_demo for hit in found.hits),
    }


def _summary(asked: Asked, found: Found, last: int) -> str:
    papers = "paper" if found.total == 1 else "papers"
    if found.reachable == found.total:
        summary = f"{found.total:,} {papers}"
    elif found.total:
        have = "has" if found.total == 1 else "have"
        summary = f"{found.total:,} {papers} {have} all of these words; those with some of them follow"
    else:
        summary = "No paper has all of these words; these come closest"
    return f"{summary}, page {asked.page} of {last}" if last > 1 else summary


def _modes(asked: Asked) -> list[Link]:
    """Ways to tell relevance, where there is something to tell."""
    if not asked.text or asked.sort != "relevance":
        return []
    usual = default_mode()
    return [
        Link(label, asked.url(mode="" if mode == usual else mode), current=(asked.mode or usual) == mode)
        for mode, label in MODE_LABELS.items()
    ]


def _facets(asked: Asked, found: Found) -> list[Facet]:
    rows = {name: found.facets.get(name) or [] for name in FACETS}
    rows["institutions"] = sorted(rows["institutions"], key=lambda pair: (-int(pair[1]), str(pair[0])))[:MOST_VALUES]
    institutions = names_of(str(value) for value, _ in rows["institutions"])
    return [facet for name in FACETS if (facet := _facet(asked, name, rows[name], institutions))]


def _facet(asked: Asked, name: str, counts: list[tuple[str, int]], institutions: Mapping[str, str]) -> Facet | None:
    chosen = asked.filters.get(name, "")
    known = [(str(value), int(count)) for value, count in counts if count]
    if name == "year":
        known = sorted(known, reverse=True)[: 2 * MOST_VALUES]
    else:
        known = sorted(known, key=lambda pair: (-pair[1], pair[0]))[:MOST_VALUES]
    if not known or (len(known) == 1 and not chosen):
        return None
    most = max(count for _, count in known)
    values = [
        FacetValue(
            label=_label(name, value, institutions),
            count=count,
            percent=max(1, round(100 * count / most)),
            url=asked.url(**{PARAMETERS[name]: "" if value == chosen else value}),
            current=value == chosen,
        )
        for value, count in known
    ]
    return Facet(name, FACET_TITLES[name], values)


def _suggestions(asked: Asked) -> list[Link]:
    suggestions = []
    if asked.filters:
        suggestions.append(Link("Search without the filters", address(reverse("papers:search"), {"q": asked.text})))
    if '"' in asked.text:
        loose = asked.text.replace('"', " ")
        suggestions.append(Link("Search for the words in any order", asked.url(q=" ".join(loose.split()))))
    if len(asked.text.split()) > 3:
        suggestions.append(Link("Try fewer words", ""))
    return [
        *suggestions,
        Link("Browse the categories", reverse("papers:category_list")),
        Link("See the newest papers", reverse("papers:paper_list")),
    ]
