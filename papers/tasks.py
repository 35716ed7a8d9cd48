"""What beat asks for."""

from __future__ import annotations

import logging

from celery import shared_task

from papers.services.embedding import embed_missing
from wovepaper.search.meaning.encoders import EncoderUnavailable

logger = logging.getLogger(__name__)

AT_ONCE = 50_000
"""Papers that one run encodes; the next goes on."""


@shared_task(name="wovepaper.papers.embed")
def embed() -> int:
    """Hourly: encode papers that have no vector by the encoder in use. Returns how many there were."""
    try:
        return embed_missing(limit=AT_ONCE)
    except EncoderUnavailable as error:
        logger.warning("No paper was encoded: %s", error)
        return 0
