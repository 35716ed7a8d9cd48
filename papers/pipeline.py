"""The stages a paper passes: wired here, in one place."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from haystack.exceptions import SearchBackendError

from institutions.hooks import on_institutions_moved, on_rules_changed
from papers import affiliating
from papers.fusing import fuse_tied
from papers.institutions import counting
from papers.models import Paper
from papers.services.embedding import BATCH, embed_papers
from papers.services.ingest.ties import on_ties
from papers.services.linking import link_references
from wovepaper.harvest.hooks import FinishedRun, on_run_finished
from wovepaper.pipeline import registry
from wovepaper.pipeline.handover import broker_is_configured, hand_over
from wovepaper.pipeline.planner_statistics import refresh_statistics
from wovepaper.pipeline.registry import Stage, StageUnavailable
from wovepaper.pipeline.services import drain_with_progress
from wovepaper.search.meaning.encoders import EncoderUnavailable
from wovepaper.search.services import update_documents

logger = logging.getLogger(__name__)

KIND = "paper"
LINK_BATCH = 500


def index_papers(ids: Sequence[int]) -> None:
    """Bring the search documents of these papers up to date; papers that are gone or redirect lose theirs.

    An index that cannot be written at all raises ``StageUnavailable``: no paper is to blame.
    """
    try:
        update_documents(model=Paper, ids=ids)
    except (SearchBackendError, OSError) as error:
        raise StageUnavailable(str(error)) from error


def link_papers(ids: Sequence[int]) -> None:
    """Let the references of these papers, and those to them, find the papers that they mean."""
    link_references(ids)


def embed_or_leave(ids: Sequence[int]) -> None:
    """Encode these papers. Where the encoder does not answer they go on without; beat takes them up."""
    try:
        embed_papers(ids)
    except EncoderUnavailable as error:
        logger.warning("%s papers were not encoded: %s", len(ids), error)


def pass_on_after_harvest(finished: FinishedRun) -> None:
    """Work off what a harvest enqueued: by the workers, or here where there are none.

    A harvest that somebody broke off ends at once; what it enqueued waits for the next drain.
    """
    if broker_is_configured():
        hand_over()
        return
    if not finished.was_interrupted:
        drain_with_progress()


def analyse_after_bulk(finished: FinishedRun) -> None:
    """Let the database know of many new papers before the stages look for them."""
    refresh_statistics(app="papers", changed=finished.counts.new + finished.counts.changed)


def register_stages() -> None:
    """Called once all apps are loaded."""
    registry.register(Stage(affiliating.STAGE, KIND, affiliating.affiliate_papers, batch_size=affiliating.BATCH))
    registry.register(Stage(counting.STAGE, counting.KIND, counting.count_researchers, batch_size=counting.BATCH))
    registry.register(Stage("link", KIND, link_papers, batch_size=LINK_BATCH))
    registry.register(Stage("embed", KIND, embed_or_leave, batch_size=BATCH))
    registry.register(Stage("index", KIND, index_papers, batch_size=1_000))
    on_ties(fuse_tied)
    registry.register(Stage(affiliating.STAGE, affiliating.RULES, affiliating.rematch_rules))
    registry.register(Stage(affiliating.STAGE, affiliating.MOVES, affiliating.rematch_moved))
    on_rules_changed(affiliating.rematch_rules_later)
    on_institutions_moved(affiliating.rematch_moved_later)
    on_run_finished(analyse_after_bulk)
    on_run_finished(affiliating.rematch_after_import)  # before what lets waiting papers pass on
    on_run_finished(pass_on_after_harvest)
