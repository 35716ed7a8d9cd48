"""The papers that a search finds, as a file for reference managers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe

from institutions.services.finding import find_numbers
from papers.citations import FORMATS, stream
from papers.citations.reading import read_citations
from papers.models import Paper
from papers.search_query import parse_query
from papers.searching import SearchDown, default_mode, search_numbers
from papers.views.citing import EXTENSIONS
from papers.views.search import read_asked
from wovepaper.lib.error_page import error_page
from wovepaper.lib.limited_streams import LimitedStreams, TooManyStreams
from wovepaper.search.meaning.encoders import EncoderUnavailable

MOST_PAPERS = 10_000
FILES = LimitedStreams(2)
"""Files being sent by this process; its other threads stay free for pages."""
_WHERE_TO_LOOK = (
    ("/search?q=<words>", "the search; its page has links to these files"),
    ("/papers/<arXiv id>.bib", "one paper as BibTeX; .ris and .json as well"),
)


@require_safe
def export_search(request: HttpRequest, extension: str) -> HttpResponseBase:
    """``/search.bib?q=``, ``.ris`` and ``.json`` (CSL-JSON): the first ``MOST_PAPERS`` papers with all the words, sent
    while they are read.

    With the parameters of the page, but for ``page``. What the address asks wrongly is an error here: a file cannot say
    what was left out. 503 where the search does not answer, or too many files are being sent.
    """
    problems: list[str] = []
    asked = read_asked(request.GET, problems)
    if not asked.query:
        problems.append("Say what to search for, such as ?q=spin+glass.")
    if problems:
        return _refuse(request, 400, "This request can’t be read", " ".join(problems))
    pieces: Iterable[str] = ()
    name = EXTENSIONS[extension]
    # Servers read the whole body of an answer to HEAD before they throw it away.
    if request.method != "HEAD":
        later: list[Iterable[str]] = []
        try:
            held = FILES.begin(chain.from_iterable(later))  # the search for so many is part of the work
        except TooManyStreams:
            return _refuse(request, 503, "Try again in a moment", "Other long files are being sent; only a few can be.")
        try:
            numbers = search_numbers(
                parse_query(asked.text).with_institutions(find_numbers),
                filters=asked.filters,
                sort=asked.sort,
                mode=asked.mode or default_mode(),
                most=MOST_PAPERS,
            )
            counts = dict(Paper.objects.visible().filter(pk__in=numbers).values_list("pk", "author_count"))
            rows = [(number, counts[number]) for number in numbers if number in counts]
            later.append(stream(read_citations(rows, site_url=settings.SITE_URL), name))
            pieces = held
        except (SearchDown, EncoderUnavailable):
            held.close()
            return _refuse(request, 503, "The search is not answering", "It should be back in a moment.")
    response = StreamingHttpResponse(pieces, content_type=FORMATS[name].content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="search.{extension}"'
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _refuse(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    headers = {"Retry-After": "30"} if status == 503 else None
    return error_page(request, status, title=title, sentence=sentence, where_to_look=_WHERE_TO_LOOK, headers=headers)
