"""From an ORCID iD to the person."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from researchers.services.finding import find_by_orcid
from wovepaper.curation.services import moved_permanently
from wovepaper.lib import orcid


@require_safe
def by_orcid(request: HttpRequest, text: str) -> HttpResponse:
    """``/researchers/orcid/<ORCID iD>``, in any usual spelling, leads to the researcher's page in one hop."""
    normal = orcid.normalise(text)
    if normal is None:
        raise Http404(
            "This is not an ORCID iD: it has 16 digits in groups of four, and the last one, which may be an X, must"
            " fit the others. It may be mistyped."
        )
    found = find_by_orcid(normal)
    if found is None:
        raise Http404("Nobody here has this ORCID iD. It may belong to somebody whose papers are not harvested yet.")
    return moved_permanently(found.get_absolute_url())
