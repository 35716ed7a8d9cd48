"""The papers of one researcher as a file for reference managers."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe

from papers.citations import FORMATS, stream
from researchers.services.profile.export import citations_of
from researchers.views.researcher_address import Found, find, reference_of

EXTENSIONS = {"bib": "bibtex", "ris": "ris"}


@require_safe
def download(request: HttpRequest, address: str, extension: str) -> HttpResponseBase:
    """``/researchers/<id>-<slug>.bib`` and ``.ris``, sent while it is read."""
    found = find(request, address, "download", extension=extension)
    if not isinstance(found, Found):
        return found
    name = EXTENSIONS[extension]
    pieces = stream(citations_of(found.researcher.pk, site_url=settings.SITE_URL), name)
    response = StreamingHttpResponse(pieces, content_type=FORMATS[name].content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{reference_of(found.researcher)}.{extension}"'
    return response
