"""Papers and categories for programs."""

from __future__ import annotations

import datetime as dt
from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Query, Router

from papers.category_groups import read_choices
from papers.connections import ReferenceLine, read_references
from papers.counts import count_rows
from papers.described import authors_of, describe_papers
from papers.disagreement import compare
from papers.forms import PaperFilter, PaperFilterForm
from papers.keyset import BadCursor, Cursor, Key, KeysetPage, Place, read_page
from papers.models import Paper, PaperCitation
from papers.naming import FORMS, Name, find_named, in_order, read_name
from papers.schemas import (
    AUTHORS_OF_ONE,
    AuthorList,
    AuthorOut,
    BulkList,
    CategoryList,
    CategoryOut,
    CitedOut,
    IdentifierOut,
    PaperFilters,
    PaperList,
    PaperOut,
    ReferenceList,
    ReferenceOut,
    SaidOut,
    SourceList,
    SourceOut,
    VersionList,
    VersionOut,
)
from papers.views.sources import read_authorships
from wovepaper.rest.answers import moved, one, page, place_of, read_select
from wovepaper.rest.interface import answers
from wovepaper.rest.problems import Fault, Problem, bad_parameter
from wovepaper.rest.schemas import MOST, PageParameters, SelectParameters

router = Router(tags=["Papers"])
Row = TypeVar("Row")


@router.get(
    "/papers", response=answers(BulkList, "bad-cursor", "unknown-parameter"), operation_id="listPapers",
    url_name="papers", summary="List papers, or get up to 100 by their ids",
)  # fmt: skip
def papers(request: HttpRequest, asked: Query[PaperFilters]) -> HttpResponse:
    """The papers that pass all filters, in the order asked for. With `ids` those papers, in the order of the ids."""
    wanted = read_select(asked.select, PaperOut)
    if asked.ids:
        return _by_ids(request, asked.ids, wanted)
    chosen = _chosen(request)
    rows = chosen.apply(Paper.objects.visible())
    found: KeysetPage[Paper] = keyset_page(
        request,
        rows.select_related(None),
        size=asked.limit,
        key_field="citation_order" if chosen.sort == "cited" else "sort_date",
        key_type=int if chosen.sort == "cited" else dt.date,
        descending=chosen.sort != "oldest",
    )
    return paper_page(request, found, rows_counted=rows, wanted=wanted, more={"missing": []})


def keyset_page(
    request: HttpRequest, rows: object, *, size: int, key_field: str, key_type: type[Key] = dt.date,
    descending: bool = True, number_field: str = "id",
) -> KeysetPage[Row]:  # fmt: skip
    """The page of ``rows`` that the request's cursor leads to. Raises ``Problem``."""
    text = place_of(request)
    try:
        place = Place(after=Cursor.parse(text, key_type)) if text else Place()
    except BadCursor as error:  # ours, but of an order that this list has no more
        raise Problem("bad-cursor", str(error), [Fault("cursor", str(error))]) from None
    return read_page(
        rows, place=place, key_field=key_field, number_field=number_field, descending=descending, size=size  # type: ignore[arg-type]
    )  # fmt: skip


def paper_page(
    request: HttpRequest, found: KeysetPage[Paper], *, rows_counted: object, wanted: frozenset[str],
    more: dict[str, object] | None = None,
) -> HttpResponse:  # fmt: skip
    """The answer with a page of papers out of ``rows_counted``."""
    count = count_rows(rows_counted)  # type: ignore[arg-type]
    items = describe_papers(found.rows, wanted=wanted)
    return page(request, items, wanted=wanted, following=found.after, count=count.number, exact=count.exact, more=more)


def _chosen(request: HttpRequest) -> PaperFilter:
    """What the site's own form reads of the parameters; one that it would leave out is a problem here."""
    form = PaperFilterForm(
        request.GET, categories={one.code: one for one in (read_choices() if request.GET.get("category") else ())}
    )
    chosen, sentences = form.read()
    if sentences:
        faults = [Fault(name, str(messages[0])) for name, messages in form.errors.items()]
        raise Problem("bad-parameter", " ".join(f"{fault.name}: {fault.message}" for fault in faults), faults)
    return chosen


def _by_ids(request: HttpRequest, text: str, wanted: frozenset[str]) -> HttpResponse:
    if others := sorted(name for name in request.GET if name not in ("ids", "select")):
        raise bad_parameter(others[0], "Nothing but select goes with ids.")
    texts = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if not 1 <= len(texts) <= MOST:
        raise bad_parameter("ids", f"Give between 1 and {MOST} ids; these are {len(texts)}.")
    names = [read_name(one_text) for one_text in texts]
    if unread := [text for text, name in zip(texts, names, strict=True) if name is None]:
        raise bad_parameter("ids", f"{unread[0][:80]} names no paper: give {FORMS}.")
    found = find_named(name for name in names if name is not None)
    shown = in_order(names, found)
    missing = [text for text, name in zip(texts, names, strict=True) if name not in found]
    items = describe_papers(shown, wanted=wanted)
    return page(request, items, wanted=wanted, following=None, count=len(items), more={"missing": missing})


def find_or_problem(ref: str) -> tuple[Paper, bool]:
    """The paper that ``ref`` leads to today, and whether it was merged into it. Raises ``Problem``."""
    name = read_name(ref)
    found = find_named([name]).get(name) if name else None
    if found is None:
        reason = "No paper here has this name." if name else f"This names no paper: give {FORMS}."
        raise Problem("not-found", reason)
    return found.paper, found.moved


def _moved(request: HttpRequest, paper: Paper, operation: str) -> HttpResponse:
    query = request.META.get("QUERY_STRING", "")
    address = reverse(f"api:{operation}", args=[paper.pk])
    return moved(f"{address}?{query}" if query else address)


_OF_ONE = ("not-found", "unknown-parameter")


@router.get(
    "/papers/{path:ref}/authors", response=answers(AuthorList, *_OF_ONE, "bad-cursor", moves=True),
    operation_id="listAuthors", url_name="paper_authors", summary="The authors of a paper",
)  # fmt: skip
def authors(request: HttpRequest, ref: str, asked: Query[PageParameters]) -> HttpResponse:
    """All places of the author list, in its order."""
    wanted = read_select(asked.select, AuthorOut)
    paper, was_merged = find_or_problem(ref)
    if was_merged:
        return _moved(request, paper, "paper_authors")
    after = _number(request)
    items = authors_of([paper.pk], first=after + 1, last=after + asked.limit).get(paper.pk, [])
    following = after + asked.limit if after + asked.limit < paper.author_count else None
    return page(request, items, wanted=wanted, following=following, count=paper.author_count)


@router.get(
    "/papers/{path:ref}/references", response=answers(ReferenceList, *_OF_ONE, "bad-cursor", moves=True),
    operation_id="listReferences", url_name="paper_references", summary="What a paper refers to",
)  # fmt: skip
def references(request: HttpRequest, ref: str, asked: Query[PageParameters]) -> HttpResponse:
    """The list of references of one source, in its order, with the papers here that are meant."""
    wanted = read_select(asked.select, ReferenceOut)
    paper, was_merged = find_or_problem(ref)
    if was_merged:
        return _moved(request, paper, "paper_references")
    after = _number(request)
    lines = read_references(paper, after=after, size=asked.limit)
    total = paper.listed_reference_count
    following = after + asked.limit if after + asked.limit < total else None
    return page(request, [_reference(line) for line in lines], wanted=wanted, following=following, count=total)


@router.get(
    "/papers/{path:ref}/citations", response=answers(PaperList, *_OF_ONE, "bad-cursor", moves=True),
    operation_id="listCitations", url_name="paper_citations", summary="The papers here that cite a paper",
)  # fmt: skip
def citations(request: HttpRequest, ref: str, asked: Query[PageParameters]) -> HttpResponse:
    """The newest first."""
    wanted = read_select(asked.select, PaperOut)
    paper, was_merged = find_or_problem(ref)
    if was_merged:
        return _moved(request, paper, "paper_citations")
    rows = PaperCitation.objects.filter(cited=paper, paper__redirect_to=None)
    found: KeysetPage[PaperCitation] = keyset_page(
        request, rows.select_related("paper"), size=asked.limit, key_field="sort_date", number_field="paper_id"
    )
    citing = KeysetPage([row.paper for row in found.rows], after=found.after)
    return paper_page(request, citing, rows_counted=rows, wanted=wanted)


@router.get(
    "/papers/{path:ref}/versions", response=answers(VersionList, *_OF_ONE, moves=True),
    operation_id="listVersions", url_name="paper_versions", summary="The versions of a preprint",
)  # fmt: skip
def versions(request: HttpRequest, ref: str, asked: Query[SelectParameters]) -> HttpResponse:
    """All of them on one page, the first first."""
    wanted = read_select(asked.select, VersionOut)
    paper, was_merged = find_or_problem(ref)
    if was_merged:
        return _moved(request, paper, "paper_versions")
    (described,) = describe_papers([paper], wanted={"versions"})
    return page(request, described.versions, wanted=wanted, following=None, count=len(described.versions))


@router.get(
    "/papers/{path:ref}/sources", response=answers(SourceList, *_OF_ONE, moves=True),
    operation_id="listSources", url_name="paper_sources", summary="What each source says of a paper",
)  # fmt: skip
def sources(request: HttpRequest, ref: str, asked: Query[SelectParameters]) -> HttpResponse:
    """All records on one page, in the order of precedence. Names that people had hidden are left out of them."""
    wanted = read_select(asked.select, SourceOut)
    paper, was_merged = find_or_problem(ref)
    if was_merged:
        return _moved(request, paper, "paper_sources")
    records = list(paper.source_records.order_by("source", "format", "external_id"))
    authorships = read_authorships(paper)
    hidden = {name for place in authorships for name in place.hidden_names}  # type: ignore[attr-defined]
    table = compare(
        paper, records, authorships=authorships, versions=list(paper.versions.order_by("number")), users={},
        hidden=hidden, with_payloads=False,
    )  # fmt: skip
    items = [
        SourceOut(
            source=column.row.source,
            format=column.row.format,
            external_id=column.row.external_id,
            stamp=column.row.stamp or None,
            harvested_at=column.row.harvested_at,
            says=[
                SaidOut(field=row.field, text=cell.text, differs=cell.differs)
                for row in table.rows
                for cell in row.cells
                if cell.record == column.row.pk and cell.text
            ],
        )
        for column in table.columns
    ]
    return page(request, items, wanted=wanted, following=None, count=len(items))


# Last of those below /papers/: a reference may have slashes.
@router.get(
    "/papers/{path:ref}", response=answers(PaperOut, *_OF_ONE, moves=True), operation_id="getPaper", url_name="paper",
    summary="One paper",
)  # fmt: skip
def paper(request: HttpRequest, ref: str, asked: Query[SelectParameters]) -> HttpResponse:
    """By its number here, its arXiv id (old or new, with or without version), `doi:…` or `openalex:…`."""
    wanted = read_select(asked.select, PaperOut)
    found, was_merged = find_or_problem(ref)
    if was_merged:
        return _moved(request, found, "paper")
    (described,) = describe_papers([found], wanted=wanted, most_authors=AUTHORS_OF_ONE)
    return one(described, wanted)


@router.get(
    "/categories", response=answers(CategoryList, "unknown-parameter"), operation_id="listCategories",
    url_name="categories", summary="All categories", tags=["Categories"],
)  # fmt: skip
def categories(request: HttpRequest, asked: Query[SelectParameters]) -> HttpResponse:
    """arXiv's taxonomy on one page, by code."""
    wanted = read_select(asked.select, CategoryOut)
    items = [
        CategoryOut(
            code=choice.code,
            name=choice.name,
            group=choice.group,
            group_name=choice.group_name,
            canonical=choice.canonical,
            url=settings.SITE_URL + reverse("papers:category", args=[choice.code]),
        )
        for choice in read_choices()
    ]
    return page(request, items, wanted=wanted, following=None, count=len(items))


def _number(request: HttpRequest) -> int:
    text = place_of(request)
    return int(text) if text.isdecimal() else 0


def _reference(line: ReferenceLine) -> ReferenceOut:
    schemes = (
        ("doi", line.doi), ("arxiv", line.arxiv_id), ("openalex", line.openalex_id), ("s2", line.s2_id),
        ("pmid", line.pmid),
    )  # fmt: skip
    return ReferenceOut(
        position=line.position,
        text=line.text or None,
        identifiers=[IdentifierOut(scheme=scheme, value=value) for scheme, value in schemes if value],
        paper=(
            CitedOut(
                id=line.cited,
                url=settings.SITE_URL + line.url,
                title=line.cited_title,
                arxiv_id=line.cited_arxiv_id or None,
                status=line.cited_status,  # type: ignore[arg-type]
            )
            if line.cited
            else None
        ),
    )


__all__ = ["Name", "find_or_problem", "keyset_page", "paper_page", "router"]
