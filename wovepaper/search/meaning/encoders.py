"""What turns texts into vectors, and which one an installation uses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from wovepaper.search.meaning.tables import TableFolder
from wovepaper.search.meaning.vectors import Vectors


class EncoderUnavailable(Exception):
    """The encoder does not answer or is not installed; the message says what to do."""


class Encoder(Protocol):
    """Turns texts into vectors whose inner product says how near they are in meaning."""

    @property
    def version(self) -> str:
        """Differs between encoders whose vectors cannot be compared; at most 64 characters."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def is_trained(self) -> bool:
        """Whether its nearness is good enough to order hits unasked."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text. Raises ``EncoderUnavailable``."""
        ...


_KINDS = {
    "sentence-transformers": "wovepaper.search.meaning.models.SentenceTransformerEncoder",
    "endpoint": "wovepaper.search.meaning.endpoint.EndpointEncoder",
}


def current_encoder() -> Encoder:
    """The encoder of this installation as it is now: a table that was trained meanwhile is taken up at once.

    Raises ``EncoderUnavailable`` where it is not installed, ``ImproperlyConfigured`` where there is no such encoder.
    """
    kind, _, rest = settings.ENCODER.partition(":")
    return table_folder().current() if kind == "table" else _made(kind, rest)


def table_folder() -> TableFolder:
    """Where the trained tables of this installation are."""
    return _folder(Path(settings.ENCODER_FOLDER))


@lru_cache(maxsize=4)
def _folder(path: Path) -> TableFolder:
    return TableFolder(path)


@lru_cache(maxsize=2)
def _made(kind: str, name: str) -> Encoder:
    if kind not in _KINDS:
        raise ImproperlyConfigured(f"ENCODER must begin with {', '.join(['table', *_KINDS])}, not {kind!r}.")
    made: Encoder = import_string(_KINDS[kind])(name)
    return made
