"""What holds for every address of the interface: methods, limits, other sites' scripts, and problems as JSON."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, set_response_etag
from ninja.errors import ValidationError

from wovepaper.rest.limits import PERIOD, Allowance, spend
from wovepaper.rest.problems import KINDS, Fault, Problem, problem_response

logger = logging.getLogger(__name__)

METHODS = "GET, HEAD, OPTIONS"
READ_BY_OTHER_SITES = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "ETag, Link, Location, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy"
    ),
}
"""Scripts of any site may read, and nothing tells them who the reader is: no cookie is ever looked at."""
NOT_A_PAGE = {"X-Robots-Tag": "noindex"}
"""The pages themselves are what search engines shall find."""
_PREFLIGHT = {
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": "Accept, If-Modified-Since, If-None-Match",
    "Access-Control-Max-Age": "86400",
    "Allow": METHODS,
}

View = Callable[..., HttpResponse]


def public(view: View, *, limited: bool = True) -> View:
    """``view`` for everybody and for reading only. Whatever it raises is answered as a problem.

    ``limited``: whether each request is counted.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "OPTIONS":
            return HttpResponse(status=204, headers=READ_BY_OTHER_SITES | _PREFLIGHT)
        headers = READ_BY_OTHER_SITES | NOT_A_PAGE
        answer = _refuse(request)
        if answer is None and limited:
            allowance = spend(request)
            headers |= allowance.headers
            answer = _hold_up(allowance)
        if answer is None:
            answer = _unless_known(request, _ask(view, request, *args, **kwargs))
        for name, value in headers.items():
            answer.headers[name] = value
        return answer

    guarded.csrf_exempt = True  # type: ignore[attr-defined]  # nothing here can be changed by anybody
    return guarded


def _refuse(request: HttpRequest) -> HttpResponse | None:
    if request.method in ("GET", "HEAD"):
        return None
    return problem_response(
        Problem("method-not-allowed", f"{request.method} is not known here.", headers={"Allow": METHODS})
    )


def _hold_up(allowance: Allowance) -> HttpResponse | None:
    if not allowance.is_exceeded:
        return None
    detail = f"One client may send {allowance.limit:,} requests in {PERIOD} seconds."
    return problem_response(Problem("too-many-requests", detail, headers={"Retry-After": str(allowance.resets_in)}))


def _ask(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    # The operations are those for GET; what is left of their answers for HEAD, the server decides.
    asked, request.method = request.method, "GET"
    try:
        return view(request, *args, **kwargs)
    except Exception as error:
        return answer_to(error, request)
    finally:
        request.method = asked


def _unless_known(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """304 where the client has this answer already. Here, since the site's middleware would drop the other headers."""
    if answer.status_code != 200:
        return answer
    set_response_etag(answer)
    known = get_conditional_response(request, etag=answer.headers["ETag"], response=answer)
    return known if isinstance(known, HttpResponse) else answer


def answer_to(error: Exception, request: HttpRequest) -> HttpResponse:
    """The problem that an exception is."""
    if isinstance(error, Problem):
        return problem_response(error)
    if isinstance(error, ValidationError):
        return problem_response(_unreadable(error))
    if isinstance(error, Http404):
        return problem_response(Problem("not-found", str(error) or KINDS["not-found"].title))
    logger.error("The programming interface cannot answer %s", request.path, exc_info=error)
    got_request_exception.send(sender=None, request=request)
    return problem_response(Problem("server-error", KINDS["server-error"].title))


def _unreadable(error: ValidationError) -> Problem:
    messages = {str(one["loc"][1]): str(one["msg"]).removeprefix("Value error, ") for one in error.errors}
    faults = [Fault(name, f"{message}.") for name, message in messages.items()]
    return Problem("bad-parameter", " ".join(f"{fault.name}: {fault.message}" for fault in faults), faults)


def nowhere(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Addresses below the interface's own that no operation has."""
    raise Problem("not-found", "No operation has this address: /developers lists them all.")
