"""Which of a source's streams this installation may have: asked before each run, since keys and rules change."""

from __future__ import annotations

import datetime as dt

from wovepaper.harvest.client import PoliteClient
from wovepaper.harvest.contracts import Probing
from wovepaper.harvest.errors import HarvestError, UpstreamFailed
from wovepaper.harvest.services.fetching import Unusable, fetch
from wovepaper.harvest.services.runs import RunContext

_REFUSED = frozenset({400, 401, 402, 403})


def choose_stream(context: RunContext, client: PoliteClient, day: dt.date) -> None:
    """Go on with the best stream that the source does not refuse. Raises ``HarvestError`` where it refuses all."""
    source = context.source
    if not isinstance(source, Probing):
        return
    refusals: list[str] = []
    for stream in source.alternatives:
        context.check()
        context.reporter.working_on(f"probing {stream}")
        try:
            fetch(context, client, source.probe_request(stream, day), lambda _answer: None)
        except Unusable as error:
            failed = error.error
            if not isinstance(failed, UpstreamFailed) or failed.status not in _REFUSED:
                raise HarvestError(f"{source.name}: {error}") from error
            refusals.append(f"{stream}: {error}")
            continue
        if refusals:
            context.warnings.append(
                f"{context.source.name} refuses this installation what would be best, so only {stream!r} is harvested "
                f"by day, and what is here is kept fresh by look-ups alone. ({' '.join(refusals)})"
            )
        context.source = source.with_stream(stream)
        return
    raise HarvestError(
        f"{context.source.name} cannot be followed by day from here; what is here is kept fresh by look-ups: use "
        f"--enrich. ({' '.join(refusals)})"
    )
