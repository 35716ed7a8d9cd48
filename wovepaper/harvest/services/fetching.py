"""Asking a source for a page, as often as makes sense."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from wovepaper.harvest.client import AllowedHosts, Answer, PoliteClient
from wovepaper.harvest.contracts import Page, PageRefused, PageRequest, TokenExpired, Window
from wovepaper.harvest.errors import SourcePostponed
from wovepaper.harvest.models import HarvestRun, SourceState
from wovepaper.harvest.retry import with_retries
from wovepaper.harvest.services.runs import RunContext


class Unusable(Exception):
    """No usable answer came, however often it was asked for; the last one, where there was any, is the evidence."""

    def __init__(self, error: PageRefused, answer: Answer | None) -> None:
        super().__init__(error.reason)
        self.error = error
        self.answer = answer


@contextmanager
def open_client(context: RunContext, day: dt.date) -> Iterator[PoliteClient]:
    """A client for the hosts of the source's own addresses; what it used is noted in the run."""
    source = context.source
    urls = {source.first_request(Window(stream, day, day)).url for stream in source.streams}
    contact = f"; mailto:{settings.CONTACT_EMAIL}" if settings.CONTACT_EMAIL else ""
    client = PoliteClient(
        allowed=AllowedHosts.of(*urls),
        interval=source.host_interval,
        options=context.options,
        user_agent=f"wovepaper (+{settings.SITE_URL}{contact})",
        interruption=context.interruption,
    )
    try:
        with client:
            yield client
    finally:
        HarvestRun.objects.filter(pk=context.run.pk).update(
            requests=client.requests, bytes_received=client.bytes_received
        )
        if client.quota:
            SourceState.objects.filter(name=source.name).update(quota=client.quota)


def fetch_page(context: RunContext, client: PoliteClient, request: PageRequest, *, stream: str) -> tuple[Answer, Page]:
    """One page. Raises ``TokenExpired``, ``SourcePostponed``, ``HostNotAllowed`` or ``Unusable``."""
    source = context.source
    answer: Answer | None = None

    def once() -> tuple[Answer, Page]:
        nonlocal answer
        answer = None
        answer = client.get(request.url, request.params)
        try:
            return answer, source.read_page(answer.body, stream=stream)
        except PageRefused:
            raise
        except Exception as error:
            raise PageRefused(
                f"The answer could not be read ({type(error).__name__}: {error}).", retry=False
            ) from error

    try:
        return with_retries(
            once, options=context.options, interruption=context.interruption, on_wait=context.reporter.waiting
        )
    except (TokenExpired, SourcePostponed):
        raise
    except PageRefused as error:
        raise Unusable(error, answer) from error
