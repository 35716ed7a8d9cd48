"""Encoding by a service with the interface of OpenAI's ``/v1/embeddings``, for example one on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import httpx2
import numpy as np
from django.conf import settings

from wovepaper.search.meaning.encoders import EncoderUnavailable
from wovepaper.search.meaning.vectors import Vectors, normalised

_BATCH = 64
_TIMEOUT = 30.0


class EndpointEncoder:
    """``ENCODER=endpoint:<model>``, at ``ENCODER_URL``, with ``ENCODER_KEY`` where it wants one."""

    is_trained = True

    def __init__(self, model: str) -> None:
        self._model = model

    @property
    def version(self) -> str:
        """The model's name."""
        return f"endpoint:{self._model}"[:64]

    @cached_property
    def dimensions(self) -> int:
        """What the service gives."""
        return int(self.encode(["dimensions"]).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The texts as vectors, some at a time. Raises ``EncoderUnavailable``."""
        rows: list[list[float]] = []
        key = settings.ENCODER_KEY
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        try:
            with httpx2.Client(timeout=_TIMEOUT, headers=headers) as client:
                for start in range(0, len(texts), _BATCH):
                    # A text without a character is refused by such services.
                    asked = [text.strip() or "." for text in texts[start : start + _BATCH]]
                    answer = client.post(settings.ENCODER_URL, json={"model": self._model, "input": asked})
                    answer.raise_for_status()
                    given = sorted(answer.json()["data"], key=lambda item: item["index"])
                    rows += [item["embedding"] for item in given]
        except (httpx2.HTTPError, KeyError, TypeError, ValueError) as error:
            raise EncoderUnavailable(f"The encoder at ENCODER_URL does not answer as it should: {error}") from error
        if len(rows) != len(texts):
            raise EncoderUnavailable(f"The encoder at ENCODER_URL gave {len(rows)} vectors for {len(texts)} texts.")
        return normalised(np.asarray(rows, dtype=np.float32))
