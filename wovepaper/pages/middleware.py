"""What holds for every address."""

from __future__ import annotations

from collections.abc import Callable

from django.db import DataError
from django.http import HttpRequest, HttpResponse

from wovepaper.pages.errors import bad_request


class NulIsABadRequest:
    """Answers 400 where a view put a NUL of the address to the database, which keeps none in its texts.

    Views that take NUL out, or find nothing by it, are left alone.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Changes nothing on the way in."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page for 400, or nothing for what has another reason."""
        if isinstance(exception, DataError) and "\0" in f"{request.path}{''.join(_texts(request))}":
            return bad_request(request, exception)
        return None


def _texts(request: HttpRequest) -> list[str]:
    return [text for name, values in request.GET.lists() for text in (name, *values)]
