"""The papers of one researcher as a file for reference managers."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe

from papers.citations import FORMATS, stream
from researchers.services.profile.export import citations_of, is_long
from researchers.views.refusal import refusal
from researchers.views.researcher_address import Found, find, reference_of
from wovepaper.lib.limited_streams import LimitedStreams, TooManyStreams

EXTENSIONS = {"bib": "bibtex", "ris": "ris"}
LONG_FILES = LimitedStreams(2)
"""Long files being sent by this process; its other threads stay free for pages."""
_BUSY = (
    "Other long lists of references are being sent, and only a few can be at once. Ask for this one again in half a "
    "minute; all pages can be read meanwhile."
)


@require_safe
def download(request: HttpRequest, address: str, extension: str) -> HttpResponseBase:
    """``/researchers/<id>-<slug>.bib`` and ``.ris``, sent while it is read; 503 where too many long ones are."""
    found = find(request, address, "download", extension=extension)
    if not isinstance(found, Found):
        return found
    root, name = found.researcher.pk, EXTENSIONS[extension]
    pieces: Iterable[str] = ()
    # Servers read the whole body of an answer to HEAD before they throw it away.
    if request.method != "HEAD":
        pieces = stream(citations_of(root, site_url=settings.SITE_URL), name)
        if is_long(root):
            try:
                pieces = LONG_FILES.begin(pieces)
            except TooManyStreams:
                headers = {"Retry-After": "30"}
                return refusal(request, 503, title="Try again in a moment", sentence=_BUSY, headers=headers)
    response = StreamingHttpResponse(pieces, content_type=FORMATS[name].content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{reference_of(found.researcher)}.{extension}"'
    return response
