"""What goes wrong, as ``application/problem+json`` (RFC 9457): a code for programs, a sentence for people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from django.conf import settings
from django.http import HttpResponse

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its code, its status, its title, and what to do about it."""

    code: str
    status: int
    title: str
    advice: str


KINDS = {
    kind.code: kind
    for kind in (
        Kind("bad-parameter", 400, "A parameter cannot be read", "Correct the parameters that errors names."),
        Kind("unknown-parameter", 400, "A parameter is not known", "Leave it out, or use one that the operation has."),
        Kind("bad-cursor", 400, "The cursor cannot be used", "Begin at the start, and follow next as it comes."),
        Kind("not-found", 404, "Nothing here has this address", "Check the identifier; it may not be harvested yet."),
        Kind("method-not-allowed", 405, "This address is only read", "Use GET or HEAD."),
        Kind("gone", 410, "This was removed for good", "Forget it: it will not come back."),
        Kind("too-many-requests", 429, "Too many requests", "Wait as many seconds as Retry-After says."),
        Kind("server-error", 500, "Something broke on our side", "It has been noted. Try again in a moment."),
        Kind("search-down", 503, "The search does not answer", "Wait as many seconds as Retry-After says."),
    )
}
"""Every kind there is, by code."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one parameter."""

    name: str
    message: str


@dataclass
class Problem(Exception):
    """Raised where a request cannot be answered as it was asked."""

    code: str
    detail: str
    faults: Sequence[Fault] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


def bad_parameter(name: str, message: str) -> Problem:
    """One parameter that cannot be read; ``message`` says what it should be."""
    return Problem("bad-parameter", f"{name}: {message}", [Fault(name, message)])


def problem_response(problem: Problem) -> HttpResponse:
    """The answer that tells of a problem."""
    kind = KINDS[problem.code]
    content: dict[str, object] = {
        "type": f"{settings.SITE_URL}/developers#{kind.code}",
        "title": kind.title,
        "status": kind.status,
        "code": kind.code,
        "detail": problem.detail,
        "advice": kind.advice,
    }
    if problem.faults:
        content["errors"] = [asdict(fault) for fault in problem.faults]
    return HttpResponse(
        json.dumps(content, ensure_ascii=False),
        status=kind.status,
        content_type=MEDIA_TYPE,
        headers=dict(problem.headers),
    )
