"""What machines read of an institution's page: an organisation by the vocabulary of schema.org."""

from __future__ import annotations

from typing import Any

from institutions.models import Institution
from papers.institutions.profile import Profile
from wovepaper.lib import ror

MOST_NAMES = 20


def organization(institution: Institution, profile: Profile, *, url: str) -> dict[str, Any]:
    """JSON-LD of an organisation. ``url`` is absolute."""
    invented = ror.is_invented(institution.ror_id)
    same = ["" if invented else institution.ror_url, institution.homepage, institution.wikipedia]
    same += [one.url for one in profile.identifiers if one.url]
    place: dict[str, Any] = {}
    if institution.city or institution.country:
        place = {
            "@type": "PostalAddress",
            "addressLocality": institution.city,
            "addressCountry": institution.country,
        }
    described: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "CollegeOrUniversity" if institution.kind == "education" else "Organization",
        "@id": url,
        "url": url,
        "mainEntityOfPage": url,
        "name": institution.display_name,
        "alternateName": [*profile.acronyms, *(one.value for one in profile.names)][:MOST_NAMES],
        "identifier": "" if invented else institution.ror_url,
        "sameAs": [address for address in same if address],
        "foundingDate": str(institution.established or ""),
        "address": {key: value for key, value in place.items() if value},
        "parentOrganization": [{"@type": "Organization", "name": one.name} for one in profile.parents],
    }
    return {key: value for key, value in described.items() if value}
