"""Harvesting a source that gives all its records in one file: found on the network, and then read like any file."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from wovepaper.harvest.client import PoliteClient
from wovepaper.harvest.contracts import Dumps
from wovepaper.harvest.errors import HarvestError
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import HarvestRun
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.registry import Registration
from wovepaper.harvest.reporter import Reporter
from wovepaper.harvest.services.fetching import Unusable, fetch, open_client
from wovepaper.harvest.services.files import harvest_files
from wovepaper.harvest.services.runs import RunContext, RunSummary, running, summary_of
from wovepaper.harvest.services.windows import set_watermark

LARGEST_DUMP = 512 * 2**20
"""Bytes, as transferred. It is held in memory for a moment; ROR's has about 40 MB."""
LONGEST_DOWNLOAD = 3_600.0
"""Seconds."""


def harvest_dump(
    *,
    registration: Registration,
    limit: int | None,
    restart: bool,
    options: HarvestOptions,
    reporter: Reporter | None,
    interruption: Interruption | None,
    today: dt.date,
) -> RunSummary:
    """Fetch the newest dump and take it in: one run for the network, and one for the file, whose summary is returned.

    Raises ``SourceBusy``, ``SourcePaused`` and ``SourcePostponed``.
    """
    source = registration.source
    with TemporaryDirectory(prefix="wovepaper-") as folder:
        path: Path | None = None
        with running(
            source=source,
            sink=registration.sink,
            kind=HarvestRun.Kind.NETWORK,
            options=replace(
                options, max_packed=LARGEST_DUMP, max_unpacked=LARGEST_DUMP, answer_timeout=LONGEST_DOWNLOAD
            ),
            reporter=reporter,
            interruption=interruption,
        ) as context:
            context.reporter.begin(total=1, what="dumps")
            context.check()
            with open_client(context, today) as client:
                path = _download(context, client, Path(folder))
            context.reporter.step_done()
        fetched = summary_of(context)
        if path is None or not fetched.ok:
            return fetched
        taken = harvest_files(
            name=source.name,
            paths=[path],
            limit=limit,
            restart=restart,
            options=options,
            reporter=reporter,
            interruption=interruption,
        )
    if taken.ok and taken.outcome == HarvestRun.Outcome.COMPLETED:
        set_watermark(source=source, day=today - dt.timedelta(days=1))
    return taken


def _download(context: RunContext, client: PoliteClient, folder: Path) -> Path:
    """The file, on this machine. Raises ``HarvestError``."""
    source = context.source
    assert isinstance(source, Dumps)
    request = source.dump_request()
    assert request is not None
    try:
        context.reporter.working_on(f"looking for the newest dump of {source.name}")
        answer, (name, elsewhere) = fetch(context, client, request, lambda found: source.find_dump(found.body))
        if elsewhere is not None:
            context.check()
            context.reporter.working_on(name)
            answer, (_, further) = fetch(context, client, elsewhere, lambda found: source.find_dump(found.body))
            if further is not None:
                raise HarvestError(f"{elsewhere.url} is no dump, but names another one.")
    except Unusable as error:
        raise HarvestError(f"The dump of {source.name} cannot be had: {error}") from error
    path = folder / (re.sub(r"[^\w.-]+", "_", name, flags=re.ASCII)[-100:].lstrip(".") or "dump")
    path.write_bytes(answer.body)
    return path
