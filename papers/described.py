"""Papers with everything that programs read of them, in a number of queries that does not grow with the papers."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.urls import reverse

from papers.models import Affiliation, Authorship, Paper, PaperIdentifier, PaperMetric, PaperVersion, SourceAuthorship
from papers.schemas import (
    AUTHORS_IN_A_LIST,
    AffiliationOut,
    AuthorOut,
    IdentifierOut,
    InstitutionRef,
    MetricOut,
    PaperOut,
    PublishedOut,
    ResearcherRef,
    VersionOut,
)
from wovepaper.lib.ror import url_of

EVERYTHING = frozenset(PaperOut.model_fields)
_EMPTY: dict[int, Any] = {}


def describe_papers(
    papers: Sequence[Paper], *, wanted: Collection[str] = EVERYTHING, most_authors: int = AUTHORS_IN_A_LIST
) -> list[PaperOut]:
    """Each of these papers, in six queries at most: none for fields that are not ``wanted``.

    Of authors the first ``most_authors``. Names that people had hidden are not among them.
    """
    numbers = [paper.pk for paper in papers]
    identifiers = _identifiers(numbers) if "identifiers" in wanted and numbers else _EMPTY
    versions = _versions(numbers) if "versions" in wanted and numbers else _EMPTY
    metrics = _metrics(numbers) if "metrics" in wanted and numbers else _EMPTY
    authors = authors_of(numbers, first=1, last=most_authors) if "authors" in wanted and numbers else _EMPTY
    return [
        PaperOut(
            id=paper.pk,
            url=settings.SITE_URL + paper.get_absolute_url(),
            title=paper.title,
            abstract=paper.abstract or None,
            kind=paper.kind,  # type: ignore[arg-type]
            status=paper.status,  # type: ignore[arg-type]
            arxiv_id=paper.arxiv_id or None,
            doi=paper.doi or None,
            identifiers=identifiers.get(paper.pk, []),
            published=_published(paper),
            categories=paper.categories,
            primary_category=paper.primary_category_id,
            authors=authors.get(paper.pk, []),
            author_count=paper.author_count,
            authors_url=settings.SITE_URL + reverse("api:paper_authors", args=[paper.pk]),
            versions=versions.get(paper.pk, []),
            venue=paper.venue or None,
            metrics=metrics.get(paper.pk, []),
            updated_at=paper.updated_at,
        )
        for paper in papers
    ]


def authors_of(papers: Sequence[int], *, first: int, last: int) -> dict[int, list[AuthorOut]]:
    """The authors at these positions of each paper, in two queries."""
    places = Authorship.objects.filter(paper__in=papers, position__gte=first, position__lte=last)
    rows = list(
        _with_researchers(places)
        .order_by("paper_id", "position")
        .values_list(
            "pk", "paper_id", "position", "name",
            "attribution__root", "attribution__root__display_name", "attribution__root__slug", "is_gone",
            "trusted_orcid", "printed_orcids",
        )
    )  # fmt: skip
    numbers = [row[0] for row in rows]
    affiliations = _affiliations(numbers)
    people = settings.SITE_URL + reverse("researchers:researcher_list")
    found: defaultdict[int, list[AuthorOut]] = defaultdict(list)
    for number, paper, position, name, root, shown, slug, is_gone, trusted, printed in rows:
        known = root is not None and not is_gone
        found[paper].append(
            AuthorOut(
                position=position,
                name=name,
                # Where sources differ, none of them is believed.
                orcid=printed[0] if len(printed) == 1 else (trusted if known else None),
                researcher=(
                    ResearcherRef(id=root, name=shown, url=f"{people}/{root}-{slug}" if slug else f"{people}/{root}")
                    if known
                    else None
                ),
                affiliations=affiliations.get(number, []),
            )
        )
    return found


def _with_researchers(places: QuerySet[Authorship]) -> QuerySet[Any]:
    """With what is known of who stands there in the same query: what is beyond doubt, and what sources print."""
    person = OuterRef("pk")
    trusted = (
        Authorship.objects.filter(
            pk=person,
            attribution__root__members__identifiers__scheme="orcid",
            attribution__root__members__identifiers__state="trusted",
        )
        .order_by("attribution__root__members__identifiers__id")
        .values("attribution__root__members__identifiers__value")[:1]
    )
    printed = SourceAuthorship.objects.filter(authorship=person).exclude(orcid="").order_by()
    return places.annotate(
        is_gone=F("attribution__root__erased_at"),
        trusted_orcid=Subquery(trusted),
        printed_orcids=ArraySubquery(printed.values("orcid").distinct()),
    )


def _affiliations(authorships: Sequence[int]) -> dict[int, list[AffiliationOut]]:
    found: defaultdict[int, list[AffiliationOut]] = defaultdict(list)
    rows = Affiliation.objects.filter(authorship__in=authorships).order_by("pk")
    for authorship, text, number, ror, name in rows.values_list(
        "authorship_id", "text", "institution__root", "institution__root__ror_id", "institution__root__display_name"
    ):
        institution = InstitutionRef(id=number, ror=url_of(ror), name=name) if number is not None else None
        found[authorship].append(AffiliationOut(text=text, institution=institution))
    return found


def _identifiers(papers: Sequence[int]) -> dict[int, list[IdentifierOut]]:
    found: defaultdict[int, list[IdentifierOut]] = defaultdict(list)
    rows = PaperIdentifier.objects.filter(paper__in=papers).order_by("scheme", "value")
    for paper, scheme, value in rows.values_list("paper_id", "scheme", "value"):
        found[paper].append(IdentifierOut(scheme=scheme, value=value))
    return found


def _versions(papers: Sequence[int]) -> dict[int, list[VersionOut]]:
    found: defaultdict[int, list[VersionOut]] = defaultdict(list)
    rows = PaperVersion.objects.filter(paper__in=papers).order_by("number")
    for paper, number, submitted_at, withdrawn in rows.values_list("paper_id", "number", "submitted_at", "withdrawn"):
        found[paper].append(VersionOut(number=number, submitted_at=submitted_at, withdrawn=withdrawn))
    return found


def _metrics(papers: Sequence[int]) -> dict[int, list[MetricOut]]:
    found: defaultdict[int, list[MetricOut]] = defaultdict(list)
    rows = PaperMetric.objects.filter(paper__in=papers).order_by("source")
    for paper, source, count, as_of in rows.values_list("paper_id", "source", "cited_by_count", "as_of"):
        found[paper].append(MetricOut(source=source, cited_by_count=count, as_of=as_of))
    return found


def _published(paper: Paper) -> PublishedOut | None:
    day: dt.date | None = paper.published_on
    return PublishedOut(date=day, precision=paper.published_precision) if day else None  # type: ignore[arg-type]
