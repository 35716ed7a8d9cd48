"""Researchers with everything that programs read of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from django.conf import settings
from django.db.models import F

from researchers.former_names import former_names
from researchers.models import Researcher, ResearcherIdentifier, ResearcherMetric, ResearcherName
from researchers.schemas import ResearcherIdentifierOut, ResearcherMetricOut, ResearcherOut

EVERYTHING = frozenset(ResearcherOut.model_fields)
_SHOWN = (ResearcherIdentifier.State.TRUSTED, ResearcherIdentifier.State.CLAIMED)
_IDENTIFIERS = {"orcid", "identifiers"}


def describe_researchers(
    researchers: Sequence[Researcher], *, wanted: Collection[str] = EVERYTHING
) -> list[ResearcherOut]:
    """Each of these roots, in five queries at most. Names that anybody merged into them had hidden are left out."""
    numbers = [person.pk for person in researchers]
    names = _names(researchers) if "other_names" in wanted and numbers else {}
    identifiers = _identifiers(numbers) if _IDENTIFIERS & set(wanted) and numbers else {}
    metrics = _metrics(numbers) if "metrics" in wanted and numbers else {}
    return [
        ResearcherOut(
            id=person.pk,
            url=settings.SITE_URL + person.get_absolute_url(),
            name=person.display_name,
            other_names=names.get(person.pk, []),
            orcid=next(
                (one.value for one in identifiers.get(person.pk, ()) if one.scheme == "orcid" and one.trusted), None
            ),
            identifiers=identifiers.get(person.pk, []),
            affiliation=person.affiliation or None,
            categories=person.categories,
            countries=person.countries,
            paper_count=person.paper_count,
            citation_count=person.citation_count,
            h_index=person.h_index,
            first_year=person.first_year,
            last_year=person.last_year,
            metrics=metrics.get(person.pk, []),
            updated_at=person.updated_at,
        )
        for person in researchers
    ]


def _names(researchers: Sequence[Researcher]) -> dict[int, list[str]]:
    numbers = [person.pk for person in researchers]
    former = former_names(numbers)
    found: dict[int, dict[str, str]] = {
        person.pk: {person.display_name.casefold(): ""} for person in researchers
    }  # in capitals it is the same name
    rows = ResearcherName.objects.filter(researcher__root__in=numbers, visibility=ResearcherName.Visibility.PUBLIC)
    for root, value in rows.order_by("id").values_list("researcher__root", "value"):
        if root not in former or not former[root].hide(value):
            found[root].setdefault(value.casefold(), value)
    return {root: [value for value in names.values() if value] for root, names in found.items()}


def _identifiers(numbers: Sequence[int]) -> dict[int, list[ResearcherIdentifierOut]]:
    found: defaultdict[int, dict[tuple[str, str], bool]] = defaultdict(dict)
    rows = ResearcherIdentifier.objects.filter(researcher__root__in=numbers, state__in=_SHOWN)
    for root, scheme, value, state in rows.order_by("scheme", "value").values_list(
        "researcher__root", "scheme", "value", "state"
    ):
        trusted = state == ResearcherIdentifier.State.TRUSTED
        found[root][scheme, value] = trusted or found[root].get((scheme, value), False)
    return {
        root: [
            ResearcherIdentifierOut(scheme=scheme, value=value, trusted=trusted)
            for (scheme, value), trusted in known.items()
        ]
        for root, known in found.items()
    }


def _metrics(numbers: Sequence[int]) -> dict[int, list[ResearcherMetricOut]]:
    """Figures of two profiles of one source cannot be added, so that with the most works stands."""
    largest: dict[tuple[int, str], Any] = {}
    rows = ResearcherMetric.objects.filter(researcher__root__in=numbers).annotate(root=F("researcher__root"))
    for row in rows.order_by("source", "pk"):
        root: int = row.root
        known = largest.get((root, row.source))
        if known is None or (row.works_count or 0) > (known.works_count or 0):
            largest[root, row.source] = row
    found: defaultdict[int, list[ResearcherMetricOut]] = defaultdict(list)
    for (root, source), row in largest.items():
        found[root].append(
            ResearcherMetricOut(
                source=source,
                h_index=row.h_index,
                cited_by_count=row.cited_by_count,
                works_count=row.works_count,
                as_of=row.as_of,
            )
        )
    return found
