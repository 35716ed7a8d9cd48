"""What the page of an institution shows, read in a few queries whatever its size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import cast
from urllib.parse import urlencode

from django.conf.locale import LANG_INFO
from django.db import connection
from django.urls import reverse

from institutions.models import Institution, InstitutionIdentifier, InstitutionName, InstitutionRelation
from papers.keyset import KeysetPage, Place, read_page
from papers.listed import ListedPaper, read_listed
from papers.models import Paper, PaperInstitution

MOST_PARTNERS = 10
MOST_FIELDS = 8


@dataclass(frozen=True, slots=True)
class Name:
    """A name besides the one shown. ``lang`` is an ISO 639 code or empty."""

    value: str
    lang: str
    kind: str

    @property
    def language(self) -> str:
        """The language in English, or its code where it has no name here."""
        return LANG_INFO.get(self.lang, {}).get("name", self.lang)


@dataclass(frozen=True, slots=True)
class Relative:
    """Another institution; ``url`` is empty where it is not in the registry's records here."""

    name: str
    url: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of its history, earliest first."""

    label: str
    relative: Relative | None = None
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Identifier:
    """What another registry calls it; ``more`` counts further numbers of the same registry."""

    label: str
    value: str
    url: str = ""
    more: int = 0


@dataclass(frozen=True, slots=True)
class Bar:
    """So many papers of one field; ``percent`` of all, at least 1."""

    label: str
    count: int
    percent: int
    url: str = ""
    """The list of these papers; empty for those without a field."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The registry's side of an institution."""

    names: tuple[Name, ...]
    acronyms: tuple[str, ...]
    identifiers: tuple[Identifier, ...]
    parents: tuple[Relative, ...]
    children: tuple[Relative, ...]
    related: tuple[Relative, ...]
    history: tuple[Step, ...]


def read_profile(institution: Institution) -> Profile:
    """Names, identifiers, relatives and history, in three queries."""
    names: dict[str, Name] = {}
    acronyms: dict[str, None] = {}
    for name in InstitutionName.objects.filter(institution__root=institution.pk).order_by("id"):
        if name.kind == InstitutionName.Kind.ACRONYM:
            acronyms[name.value] = None
        elif name.value != institution.display_name:
            names.setdefault(name.value, Name(name.value, name.lang, name.kind))
    identifiers: dict[str, Identifier] = {}
    rows = InstitutionIdentifier.objects.filter(institution=institution.pk)
    for one in rows.order_by("scheme", "-preferred", "id"):
        known = identifiers.get(one.scheme)
        label = InstitutionIdentifier.Scheme(one.scheme).label
        identifiers[one.scheme] = (
            replace(known, more=known.more + 1) if known else Identifier(label, one.value, _address(one))
        )
    relations = (
        InstitutionRelation.objects.filter(institution__root=institution.pk)
        .exclude(target__root=institution.pk)
        .select_related("target__root")
        .order_by("label", "id")
    )
    by_kind: dict[str, dict[str, Relative]] = {}
    for relation in relations:
        relative = _relative(relation)
        by_kind.setdefault(relation.kind, {}).setdefault(relative.url or relative.name, relative)

    def of(kind: str) -> tuple[Relative, ...]:
        return tuple(by_kind.get(kind, {}).values())

    return Profile(
        tuple(names.values()),
        tuple(acronyms),
        tuple(identifiers.values()),
        of("parent"),
        of("child"),
        of("related"),
        _history(institution, of("predecessor"), of("successor")),
    )


def _relative(relation: InstitutionRelation) -> Relative:
    target = relation.target
    if target is None:
        return Relative(relation.label or relation.target_ror_id, "")
    shown = cast("Institution", target.root)
    note = "" if shown.status == Institution.Status.ACTIVE else Institution.Status(shown.status).label.lower()
    return Relative(shown.display_name, shown.get_absolute_url(), note)


def _history(
    institution: Institution, predecessors: Iterable[Relative], successors: Iterable[Relative]
) -> tuple[Step, ...]:
    steps = [Step("Continues", one) for one in predecessors]
    former = Institution.objects.filter(root=institution.pk).exclude(pk=institution.pk).order_by("established", "id")
    steps += [Step("Before", Relative(one.display_name, ""), one.established) for one in former]
    if institution.established:
        steps.append(Step("Founded", None, institution.established))
    if institution.status != Institution.Status.ACTIVE:
        steps.append(Step(Institution.Status(institution.status).label))
    steps += [Step("Continued by", one) for one in successors]
    return tuple(steps)


def _address(identifier: InstitutionIdentifier) -> str:
    match identifier.scheme:
        case "wikidata":
            return f"https://www.wikidata.org/wiki/{identifier.value}"
        case "isni":
            return f"https://isni.org/isni/{identifier.value.replace(' ', '')}"
    return ""


# --- papers --------------------------------------------------------------------------------------------------


def read_papers(institution: int, *, place: Place) -> tuple[KeysetPage[PaperInstitution], list[ListedPaper]]:
    """One page of its papers, the newest first, in two queries."""
    page: KeysetPage[PaperInstitution] = read_page(
        PaperInstitution.objects.filter(institution=institution),
        place=place,
        key_field="sort_date",
        number_field="paper_id",
    )
    numbers = [row.paper_id for row in page.rows]
    listed = {paper.id: paper for paper in read_listed(Paper.objects.visible().filter(pk__in=numbers))}
    return page, [listed[number] for number in numbers if number in listed]


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over all its papers."""

    total: int = 0
    fields: tuple[Bar, ...] = ()
    years: tuple[tuple[int, int], ...] = ()
    undated: int = 0


_SUMMARY = """
SELECT grouping(code, year) AS sort, code, year, count(*), min(name)
FROM (
  SELECT coalesce(paper.primary_category_id, '') AS code, extract(year FROM listed.sort_date)::int AS year,
         category.name
  FROM papers_paperinstitution AS listed JOIN papers_paper AS paper ON paper.id = listed.paper_id
  LEFT JOIN papers_category AS category ON category.code = paper.primary_category_id
  WHERE listed.institution_id = %s
) AS one
GROUP BY GROUPING SETS ((code), (year), ())
ORDER BY count(*) DESC, code, year
"""


def read_summary(institution: int) -> Summary:
    """Fields and years, in one statement over its papers."""
    with connection.cursor() as cursor:
        cursor.execute(_SUMMARY, [institution])
        rows = cursor.fetchall()
    total = next((count for sort, _, _, count, _ in rows if sort == 3), 0)
    years = {year: count for sort, _, year, count, _ in rows if sort == 2}
    undated = years.pop(1, 0)
    span = range(min(years), max(years) + 1) if years else ()
    fields = [
        Bar(name or code or "Not classified", count, max(1, round(100 * count / total)), _papers_in(institution, code))
        for sort, code, _, count, name in rows
        if sort == 1
    ]
    return Summary(total, tuple(fields[:MOST_FIELDS]), tuple((year, years.get(year, 0)) for year in span), undated)


def _papers_in(institution: int, category: str) -> str:
    query = urlencode({"institution": institution, "category": category})
    return f"{reverse('papers:paper_list')}?{query}" if category else ""


@dataclass(frozen=True, slots=True)
class Partner:
    """An institution with which it shares papers."""

    name: str
    url: str
    place: str
    papers: int


def read_partners(institution: int) -> list[Partner]:
    """Those with which it shares the most papers, in two queries."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT other.institution_id, count(*) FROM papers_paperinstitution AS mine"
            " JOIN papers_paperinstitution AS other ON other.paper_id = mine.paper_id"
            " AND other.institution_id <> mine.institution_id"
            " WHERE mine.institution_id = %s GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %s",
            [institution, MOST_PARTNERS],
        )
        shared = dict(cursor.fetchall())
    known = Institution.objects.in_bulk(list(shared))
    return [
        Partner(known[number].display_name, known[number].get_absolute_url(), known[number].place, papers)
        for number, papers in shared.items()
        if number in known
    ]
