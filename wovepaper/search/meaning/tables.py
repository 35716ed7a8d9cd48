"""Encoding by a table: each token has a vector, a text is the sum of those of its tokens.

The table to begin with is wordllama's (32,000 tokens of 256 numbers, in its package, so that nothing is ever fetched).
``training`` makes a better one from the catalogue. Trained tables are files named by what is in them; a link says which
one is in use, and is replaced in one step.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

import numpy as np

from wovepaper.search.analysis import well_formed
from wovepaper.search.meaning.vectors import Vectors, normalised

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_BASE = "wordllama-256"
_TENSOR = "table"
_CURRENT = "current.safetensors"
_TRIES = 3
LONGEST_TEXT = 20_000
"""Characters of a text that are encoded; what follows says little new of it."""


def _package() -> Path:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:  # pragma: no cover - it is a dependency
        raise RuntimeError("The package wordllama is not installed: run `uv sync`.")
    return Path(spec.origin).parent


@cache
def tokenizer() -> Tokenizer:
    """wordllama's tokenizer, without threads of its own: this process may fork."""
    # Loaded here: most processes that import this never encode a text, and it costs each 10 MB.
    from tokenizers import Tokenizer

    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    made = Tokenizer.from_file(str(_package() / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    made.no_padding()
    made.no_truncation()
    return made


def token_ids(texts: Sequence[str]) -> list[list[int]]:
    """The numbers of the tokens of each text."""
    cut = [well_formed(text[:LONGEST_TEXT]) for text in texts]
    return [encoding.ids for encoding in tokenizer().encode_batch_fast(cut, add_special_tokens=False)]


@dataclass(frozen=True)
class TableEncoder:
    """Sums the rows of a table. ``table`` has a row for each token."""

    version: str
    table: Vectors
    is_trained: bool

    @cached_property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        return int(self.table.shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The texts as vectors: about 5,000 abstracts a second."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        # One sum per text: adding up one long gathered array by pieces is twenty times slower.
        for row, ids in zip(rows, token_ids(texts), strict=True):
            if ids:
                self.table[ids].sum(axis=0, out=row)
        return normalised(rows)


@cache
def base_encoder() -> TableEncoder:
    """The table that comes with wordllama."""
    (table,) = _load(_package() / "weights" / "l2_supercat_256.safetensors").values()
    return TableEncoder(_BASE, table.astype(np.float32), is_trained=False)


def _load(file: Path) -> dict[str, Vectors]:
    from safetensors.numpy import load_file

    return load_file(str(file))


class TableFolder:
    """The trained tables of an installation."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen = 0
        self._encoder: TableEncoder | None = None

    def current(self) -> TableEncoder:
        """The table in use; the one of wordllama before any was trained. Looks whether it was replaced."""
        for _ in range(_TRIES):
            try:
                file = (self.path / _CURRENT).resolve(strict=True)
                seen = file.stat().st_ino
                if self._encoder is None or seen != self._seen:
                    table = _load(file)[_TENSOR].astype(np.float32)
                    self._encoder, self._seen = TableEncoder(file.stem, table, is_trained=True), seen
            except FileNotFoundError:  # none yet, or another took its place just now
                continue
            return self._encoder
        return base_encoder()

    def put_in_use(self, table: Vectors) -> str:
        """Write a table and take it from now on, in every process; returns its version. Earlier ones are removed."""
        from safetensors.numpy import save

        content = save({_TENSOR: table.astype(np.float16)})
        version = f"table-{hashlib.sha256(content).hexdigest()[:12]}"
        self.path.mkdir(parents=True, exist_ok=True)
        file = self.path / f"{version}.safetensors"
        with NamedTemporaryFile(dir=self.path, delete=False) as temporary:
            temporary.write(content)
            temporary.flush()
            os.fsync(temporary.fileno())
        Path(temporary.name).replace(file)
        link = self.path / f".{version}.link"
        link.unlink(missing_ok=True)
        link.symlink_to(file.name)
        link.replace(self.path / _CURRENT)
        for other in self.path.glob("table-*.safetensors"):
            if other != file:
                other.unlink(missing_ok=True)
        return version

    def forget(self) -> None:
        """Go back to the table of wordllama."""
        (self.path / _CURRENT).unlink(missing_ok=True)
