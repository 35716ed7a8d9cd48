"""Bringing the invented catalogue in: recipe, harvest, pipeline."""

from __future__ import annotations

import datetime as dt
import gzip
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.db.models import Max
from django.utils import timezone

from papers.models import Paper, SourceRecord
from wovepaper.demo.documents import FORMATS, oai_page, snapshot_line
from wovepaper.demo.institutions import registry_lines
from wovepaper.demo.recipe import Recipe
from wovepaper.demo.source import NAME, batches
from wovepaper.demo.works import work_line
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.reporter import Reporter
from wovepaper.harvest.services import RunSummary, harvest_files
from wovepaper.pipeline.services import DrainReport, drain

REGISTRY = "ror"
"""The source that institutions come from, also invented ones."""


class RealPapersPresent(Exception):
    """The catalogue holds papers that are not invented."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of a catalogue: the harvest's figures and the pipeline's."""

    summary: RunSummary
    drained: DrainReport


def last_day(*, today: dt.date | None = None) -> dt.date:
    """The day up to which the next catalogue reaches: that of the one which is already here, else today (UTC).

    The first invented paper of a catalogue changed on its last day, and no other later.
    """
    known = SourceRecord.objects.filter(source=NAME).aggregate(latest=Max("stamp"))["latest"]
    return dt.date.fromisoformat(known) if known else today or timezone.now().date()


def bring_in(
    recipe: Recipe,
    *,
    force: bool = False,
    reporter: Reporter | None = None,
    interruption: Interruption | None = None,
    on_drain: Callable[[str, int], None] | None = None,
) -> Brought:
    """Harvest the catalogue like any other file, then drain the pipeline. Not one transaction but one for each page.

    Raises ``RealPapersPresent`` unless ``force``, and what ``harvest_files`` raises.
    """
    if not force and Paper.objects.filter(is_demo=False).exists():
        raise RealPapersPresent(
            "This catalogue holds real papers, and invented ones would stand among them: "
            "use an empty database, or say --force."
        )
    with tempfile.TemporaryDirectory(prefix="wovepaper-demo-") as folder:
        registry = Path(folder, "institutions.jsonl")
        registry.write_bytes(b"".join(registry_lines()))
        harvest_files(name=REGISTRY, paths=[registry], interruption=interruption)
        summary = harvest_files(
            name=NAME, paths=[recipe.write(Path(folder))], reporter=reporter, interruption=interruption
        )
    # Whoever interrupts does not want to wait for the pipeline either: what is queued stays queued.
    return Brought(summary, drain(on_progress=on_drain) if summary.ok else DrainReport())


def write_files(recipe: Recipe, folder: Path, *, papers_a_file: int = 1_000) -> Iterator[Path]:
    """Write the catalogue as files instead: OAI-PMH pages in both formats, the compressed snapshot, and the works.

    Streamed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    snapshot, works = folder / "snapshot.jsonl.gz", folder / "works.jsonl.gz"
    with _compressed(snapshot) as lines, _compressed(works) as work_lines:
        for number, (batch, published) in enumerate(batches(recipe, papers_a_file), start=1):
            for form in FORMATS:
                path = folder / f"oai-{form}-{number:04d}.xml"
                path.write_bytes(oai_page(batch, form=form, until=recipe.until))
                yield path
            lines.writelines(map(snapshot_line, batch))
            work_lines.writelines(map(work_line, published))
    yield snapshot
    yield works


@contextmanager
def _compressed(path: Path) -> Iterator[gzip.GzipFile]:
    """No name and no time in the header, so that the bytes depend on the recipe alone."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as lines:
        yield lines
