"""Institutions with everything that programs read of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from django.conf import settings

from institutions.models import Institution, InstitutionIdentifier, InstitutionName
from institutions.schemas import InstitutionIdentifierOut, InstitutionNameOut, InstitutionOut

EVERYTHING = frozenset(InstitutionOut.model_fields)


def describe_institutions(
    institutions: Sequence[Institution], *, wanted: Collection[str] = EVERYTHING
) -> list[InstitutionOut]:
    """Each of these institutions, which are shown under their own numbers, in two queries at most."""
    numbers = [one.pk for one in institutions]
    names = _names(numbers) if "names" in wanted and numbers else {}
    identifiers = _identifiers(numbers) if "identifiers" in wanted and numbers else {}
    return [
        InstitutionOut(
            id=one.pk,
            url=settings.SITE_URL + one.get_absolute_url(),
            ror=one.ror_url,
            name=one.display_name,
            names=names.get(one.pk, []),
            kinds=one.kinds,
            status=one.status,
            established=one.established,
            country=one.country or None,
            city=one.city or None,
            latitude=one.latitude,
            longitude=one.longitude,
            homepage=one.homepage or None,
            domains=one.domains,
            identifiers=identifiers.get(one.pk, []),
            paper_count=one.paper_count,
            researcher_count=one.researcher_count,
            updated_at=one.updated_at,
        )
        for one in institutions
    ]


def _names(numbers: Sequence[int]) -> dict[int, list[InstitutionNameOut]]:
    """Those of everybody who was merged into it, too."""
    found: defaultdict[int, dict[tuple[str, str, str], None]] = defaultdict(dict)
    rows = InstitutionName.objects.filter(institution__root__in=numbers).order_by("id")
    for root, value, lang, kind in rows.values_list("institution__root", "value", "lang", "kind"):
        found[root][value, lang, kind] = None
    return {
        root: [InstitutionNameOut(value=value, lang=lang or None, kind=kind) for value, lang, kind in names]
        for root, names in found.items()
    }


def _identifiers(numbers: Sequence[int]) -> dict[int, list[InstitutionIdentifierOut]]:
    found: defaultdict[int, list[InstitutionIdentifierOut]] = defaultdict(list)
    rows = InstitutionIdentifier.objects.filter(institution__in=numbers).order_by("scheme", "-preferred", "id")
    for institution, scheme, value in rows.values_list("institution_id", "scheme", "value"):
        found[institution].append(InstitutionIdentifierOut(scheme=scheme, value=value))
    return found
