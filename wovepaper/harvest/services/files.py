"""Harvesting files in a source's own dump formats: streamed, up to a thousand records for each transaction."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from wovepaper.harvest import registry
from wovepaper.harvest.contracts import Page, PageRefused
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.errors import FileRefused, HarvestError
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import HarvestFile, HarvestRun
from wovepaper.harvest.models.window import Progress
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.reporter import Reporter
from wovepaper.harvest.services import raw
from wovepaper.harvest.services.database import retrying_deadlocks
from wovepaper.harvest.services.pages import first_of, parse_page, size_of, take_in
from wovepaper.harvest.services.runs import RunContext, RunSummary, add_to_run, running, summary_of

_BLOCK = 2**20
_UNREADABLE = (OSError, EOFError, zlib.error, zipfile.BadZipFile, UnicodeError, ValueError)


def harvest_files(
    *,
    name: str,
    paths: Sequence[Path],
    limit: int | None = None,
    restart: bool = False,
    options: HarvestOptions | None = None,
    reporter: Reporter | None = None,
    interruption: Interruption | None = None,
) -> RunSummary:
    """Take in files. One that cannot be read is a problem in the summary, and the others go on.

    A file is known by its content: one that was not finished is gone on with, one that was is read again, unless the
    run goes on with an interrupted one over the same files. Not one transaction but one for each part.
    Raises ``UnknownSource``, ``SourceBusy`` and ``SourcePaused``.
    """
    registration = registry.get(name)
    with running(
        source=registration.source,
        sink=registration.sink,
        kind=HarvestRun.Kind.FILES,
        options=options or HarvestOptions.from_settings(),
        reporter=reporter,
        interruption=interruption,
        limit=limit,
        paths_sha256=hashlib.sha256(
            "\0".join(str(path.absolute()) for path in paths).encode("utf-8", "replace")
        ).hexdigest(),
        fresh=restart,
    ) as context:
        context.reporter.begin(total=len(paths), what="files")
        skipped = 0
        for path in paths:
            context.check()
            context.reporter.working_on(path.name)
            try:
                skipped += not _harvest_file(context, path, restart=restart)
            except FileRefused as error:
                context.problems.append(f"{path}: {error}")
            context.reporter.step_done()
        if skipped:
            context.warnings.append(f"{skipped} of {len(paths)} files were done before the interruption.")
    return summary_of(context)


def _harvest_file(context: RunContext, path: Path, *, restart: bool) -> bool:
    """One file to its end; ``False`` where it was there already. Raises ``FileRefused``; what was read stays."""
    file = _open_file(context, path, restart=restart)
    if file is None:
        return False
    number = 0
    try:
        for number, part in enumerate(_parts(context, path), start=1):
            if number > file.pages:
                context.check()
                _take_part(context, file, part, number)
    except FileRefused as error:
        reason = str(error)
        if number:
            reason += f" What was read before, {file.pages} parts with {_seen(file)} records, was taken in."
        HarvestFile.objects.filter(pk=file.pk).update(state=Progress.STOPPED, reason=reason)
        raise FileRefused(reason) from error
    HarvestFile.objects.filter(pk=file.pk).update(state=Progress.DONE, reason="", finished_at=timezone.now())
    return True


def _seen(file: HarvestFile) -> int:
    return HarvestFile.objects.values_list("seen", flat=True).get(pk=file.pk)


def _open_file(context: RunContext, path: Path, *, restart: bool) -> HarvestFile | None:
    """Its checkpoint; ``None`` when the interrupted run had done with it. Raises ``FileRefused``."""
    if path.is_dir():
        raise FileRefused("This is a folder: name the files in it, for example with a * at the end.")
    try:
        size, sha256 = path.stat().st_size, _sha256(context, path)
    except OSError as error:
        raise FileRefused(_in_words(error)) from error
    now = timezone.now()
    name = path.name.encode("utf-8", "replace").decode()[-255:]
    file, created = HarvestFile.objects.get_or_create(
        source=context.source.name, sha256=sha256, defaults={"name": name, "size": size, "started_at": now}
    )
    if created:
        return file
    run = context.run
    if file.finished_at is not None and run.pass_started_at <= file.finished_at < run.started_at:
        return None
    if restart or file.state != Progress.OPEN:
        file.pages = 0
        file.counts = Counts()
        file.started_at, file.checkpoint_at, file.finished_at = now, None, None
    file.state, file.reason, file.name = Progress.OPEN, "", name
    file.save()
    return file


def _sha256(context: RunContext, path: Path) -> str:
    whole = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            context.interruption.check()
            whole.update(block)
    return whole.hexdigest()


def _parts(context: RunContext, path: Path) -> Iterator[Page]:
    """The pages of the file, none with more records than one transaction should take. Raises ``FileRefused``."""
    most = context.options.file_page_records
    try:
        for page in context.source.read_file(path):
            if size_of(page) <= most:
                yield page
                continue
            for start in range(0, len(page.records), most):
                yield Page(page.records[start : start + most])
            for start in range(0, len(page.damaged), most):
                yield Page((), page.damaged[start : start + most])
    except PageRefused as error:
        raise FileRefused(error.reason) from error
    except _UNREADABLE as error:
        raise FileRefused(_in_words(error)) from error


def _take_part(context: RunContext, file: HarvestFile, part: Page, number: int) -> None:
    cut = first_of(part, context.room(size_of(part)))
    parsed = parse_page(context.source, cut)

    def work() -> Counts:
        with transaction.atomic():
            locked = HarvestFile.objects.select_for_update().get(pk=file.pk)
            if locked.pages != file.pages:
                raise HarvestError(f"Another process reads {file}; this one stops.")
            raw_page = raw.store_records(file=locked, page=part, number=number) if cut is part else None
            intake = take_in(source=context.source, sink=context.sink, page=parsed, raw_page=raw_page)
            seen = intake.counts.seen
            if seen >= context.options.brake_records and intake.broken > context.options.brake_share * seen:
                raise HarvestError(
                    f"{file}: parser or sink failed on {intake.broken} of {seen} records, the last with "
                    f"{intake.refused[-1].reason!r}; the run ends."
                )
            add_to_run(context.run, intake.counts)
            if cut is part:
                locked.counts += intake.counts
                locked.pages, locked.checkpoint_at = number, timezone.now()
                locked.save()
        return intake.counts

    context.counts += retrying_deadlocks(work, interruption=context.interruption)
    context.reporter.page(context.counts)
    if cut is part:
        file.pages = number
    else:
        context.check()


def _in_words(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "There is no such file."
    if isinstance(error, PermissionError):
        return "This file may not be read by the user who runs the harvest."
    if isinstance(error, OSError) and error.strerror:
        return f"The file cannot be read: {error.strerror}."
    return f"The file cannot be read to its end ({type(error).__name__}: {error})."
