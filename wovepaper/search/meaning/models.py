"""Encoding by a model of sentence-transformers, which an installation adds itself: it is large."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from wovepaper.search.meaning.encoders import EncoderUnavailable
from wovepaper.search.meaning.vectors import Vectors, normalised


class SentenceTransformerEncoder:
    """``ENCODER=sentence-transformers:<name or folder of a model>``; models with ONNX files by ``…?backend=onnx``."""

    is_trained = True

    def __init__(self, model: str) -> None:
        name, _, backend = model.partition("?backend=")
        try:
            package: Any = import_module("sentence_transformers")
            self._model = package.SentenceTransformer(name, backend=backend or "torch")
        except ImportError as error:
            raise EncoderUnavailable(
                "ENCODER asks for sentence-transformers, which is not installed: "
                "run `uv pip install sentence-transformers`, or set ENCODER=table."
            ) from error
        except (OSError, ValueError) as error:
            raise EncoderUnavailable(f"The model {name} cannot be loaded: {error}") from error
        self._name = name

    @property
    def version(self) -> str:
        """The model's name."""
        return f"st:{self._name}"[-64:]

    @property
    def dimensions(self) -> int:
        """What the model gives."""
        return int(self._model.get_sentence_embedding_dimension())

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The texts as vectors."""
        return normalised(np.asarray(self._model.encode(list(texts)), dtype=np.float32))
