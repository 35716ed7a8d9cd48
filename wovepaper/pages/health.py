"""Whether this process lives, and whether what it needs answers."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from haystack.query import SearchQuerySet

logger = logging.getLogger(__name__)


@require_safe
@never_cache
def livez(request: HttpRequest) -> HttpResponse:
    """``/livez``: this process answers. Asks nothing of anything else."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """``/readyz``: 200 when the database and the search answer, else 503 and which does not."""
    states = {name: _state(name, check) for name, check in _CHECKS.items()}
    ready = all(state == "ok" for state in states.values())
    return JsonResponse(states, status=200 if ready else 503)


def _state(name: str, check: Callable[[], object]) -> str:
    try:
        check()
    except Exception:
        # The reason may name hosts and paths: it is for the log, not for whoever asks.
        logger.exception("The %s does not answer", name)
        return "down"
    return "ok"


def _check_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _check_search() -> None:
    SearchQuerySet().all().count()


_CHECKS: dict[str, Callable[[], object]] = {"database": _check_database, "search": _check_search}
