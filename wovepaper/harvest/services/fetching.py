"""Asking a source for a page, as often as makes sense."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from django.conf import settings

from wovepaper.harvest.client import AllowedHosts, Answer, PoliteClient
from wovepaper.harvest.contracts import (
    Dumps,
    Identifier,
    LookupAnswer,
    Lookups,
    Page,
    PageRefused,
    PageRequest,
    Probing,
    Source,
    TokenExpired,
    Undated,
    Window,
)
from wovepaper.harvest.errors import SourcePostponed
from wovepaper.harvest.models import HarvestRun, SourceState
from wovepaper.harvest.retry import with_retries
from wovepaper.harvest.services.runs import RunContext
from wovepaper.harvest.services.spending import Purse

T = TypeVar("T")


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
    purse = Purse(source, context.options)
    contact = f"; mailto:{settings.CONTACT_EMAIL}" if settings.CONTACT_EMAIL else ""
    client = PoliteClient(
        allowed=AllowedHosts.of(*_addresses(source, day)),
        interval=source.host_interval,
        options=context.options,
        user_agent=f"wovepaper (+{settings.SITE_URL}{contact})",
        interruption=context.interruption,
        before_request=purse.charge,
        on_headers=purse.listen,
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
        purse.keep()


def _addresses(source: Source, day: dt.date) -> set[str]:
    """What its requests begin with."""
    urls = {source.first_request(Window(stream, day, day)).url for stream in source.streams}
    if isinstance(source, Probing):
        urls |= {source.probe_request(stream, day).url for stream in source.alternatives}
    if isinstance(source, Lookups):
        urls.add(source.base_url)
    if isinstance(source, Dumps) and (dump := source.dump_request()) is not None:
        urls.add(dump.url)
    return urls


def fetch_page(context: RunContext, client: PoliteClient, request: PageRequest, *, stream: str) -> tuple[Answer, Page]:
    """One page. Raises ``TokenExpired``, ``SourcePostponed``, ``HostNotAllowed`` or ``Unusable``."""
    return fetch(context, client, request, lambda answer: context.source.read_page(answer.body, stream=stream))


def fetch_lookup(
    context: RunContext, client: PoliteClient, identifiers: Sequence[Identifier]
) -> tuple[Answer, LookupAnswer]:
    """What the source knows under these identifiers. Raises what ``fetch_page`` raises."""
    source = context.source
    assert isinstance(source, Lookups)
    lookups: Lookups = source
    try:
        request = lookups.lookup_request(identifiers)
    except PageRefused as error:
        raise Unusable(error, None) from error
    return fetch(
        context,
        client,
        request,
        lambda answer: read_lookup(
            lookups, answer.body, identifiers, status=answer.status, fetched_at=answer.fetched_at
        ),
    )


def read_lookup(
    source: Lookups, body: bytes, identifiers: Sequence[Identifier], *, status: int, fetched_at: dt.datetime
) -> LookupAnswer:
    """The answer taken apart, its records stamped where the source has no dates. Raises ``PageRefused``."""
    found = source.read_lookup(body, identifiers, status=status)
    if not (isinstance(source, Undated) and source.records_are_undated):
        return found
    stamp = fetched_at.astimezone(dt.UTC).isoformat(timespec="seconds")
    return replace(found, records=tuple(replace(one, stamp=one.stamp or stamp) for one in found.records))


def fetch(
    context: RunContext, client: PoliteClient, request: PageRequest, read: Callable[[Answer], T]
) -> tuple[Answer, T]:
    """An answer that could be read, however often it takes to get it. Raises what ``fetch_page`` raises."""
    answer: Answer | None = None

    def once() -> tuple[Answer, T]:
        nonlocal answer
        answer = None
        answer = client.fetch(request)
        try:
            return answer, read(answer)
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
