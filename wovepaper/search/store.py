"""The index on disk: generations, the one in use, the one writer, and the reader that follows.

Layout of the folder::

    current -> generation-…    a symbolic link, replaced in one step
    generation-…/              an index of the engine, with its schema.json
    writer.lock                held (flock) by the one process that writes; the kernel drops it when that process dies
    rebuild.lock               held by a running rebuild
    journal.jsonl              what was written while a rebuild runs, to be done again on the new generation

A reader looks at the state file of the current generation before each search, one ``stat``, and opens anew what has
changed: commits of any process are seen by the next search, and so is a new generation.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import tantivy
from haystack.constants import DJANGO_CT, ID
from haystack.exceptions import SearchBackendError

from wovepaper.embedded.locks import FileLock
from wovepaper.search import analysis
from wovepaper.search.documents import DocumentBuilder
from wovepaper.search.schema import BOOST, SOURCE, IndexSchema
from wovepaper.search.values import decode_source

_STATE = "meta.json"  # the engine replaces this file at every commit
_SCHEMA = "schema.json"
_PREFIX = "generation-"
WRITER_TIMEOUT = 120.0
"""Seconds to wait for the writer's place before giving up."""

_Signature = tuple[int, int, int, int]


def open_engine_index(folder: Path, schema: IndexSchema) -> tantivy.Index:
    """Open the engine's index in a folder, or make it there, with our analyzers."""
    index = tantivy.Index(schema.engine_schema, path=str(folder))
    for name, analyzer in analysis.analyzers().items():
        index.register_tokenizer(name, analyzer)
    index.config_reader("manual")
    return index


@contextlib.contextmanager
def held_lock(path: Path, timeout: float) -> Iterator[None]:
    """Hold a lock between processes. Raises ``SearchBackendError`` when another holds it for ``timeout`` seconds."""
    lock = FileLock(path)
    if not lock.acquire(timeout=timeout):
        what = "rebuilds the search index" if path.name == "rebuild.lock" else "writes to the search index"
        raise SearchBackendError(
            f"Another process {what}: wait for it to end. ({path} has been held for over {timeout:g} seconds.)"
        )
    try:
        yield
    finally:
        lock.release()


@dataclass(frozen=True)
class Snapshot:
    """One committed state of the index, to search in."""

    generation: str
    schema: IndexSchema
    index: tantivy.Index
    searcher: tantivy.Searcher

    @cached_property
    def has_boosts(self) -> bool:
        """Whether any document has a boost of its own."""
        return self.searcher.search(tantivy.Query.exists_query(BOOST), 1, count=False).hits != []

    @cached_property
    def models(self) -> frozenset[str]:
        """The models (``app.model``) of which there are documents."""

        return frozenset(term for term, _ in self.searcher.terms_with_prefix(DJANGO_CT, ""))

    def source(self, address: tantivy.DocAddress) -> dict[str, Any]:
        """The stored fields of a document."""
        encoded: Any = self.searcher.doc(address).get_first(SOURCE)
        return decode_source(self.schema, encoded)


class IndexStore:
    """The folder of one index. One per folder and process: ``store_at``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._mutex = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._signature: _Signature | None = None

    # --- reading ---------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot | None:
        """The latest committed state, or ``None`` where there is no index yet."""
        signature = self._read_signature()
        if signature is None:
            return None
        held = self._snapshot
        if held is not None and signature == self._signature:
            return held
        with self._mutex:
            return self._refresh()

    def _read_signature(self) -> _Signature | None:
        try:
            state = (self.root / "current" / _STATE).stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size

    def _refresh(self) -> Snapshot:
        # A generation may be replaced between two of these steps; the next attempt opens its successor.
        error: Exception | None = None
        for _ in range(5):
            signature = self._read_signature()
            held = self._snapshot
            if held is not None and signature == self._signature:
                return held
            try:
                generation = self.current_generation()
                if generation is None:
                    break
                if held is not None and held.generation == generation:
                    schema, index = held.schema, held.index
                    index.reload()
                else:
                    schema = self.schema_of(generation)
                    index = open_engine_index(self.root / generation, schema)
                    index.reload()
                snapshot = Snapshot(generation, schema, index, index.searcher())
            except (OSError, ValueError) as failure:
                error = failure
                self._snapshot = None
                continue
            self._snapshot, self._signature = snapshot, signature
            return snapshot
        raise SearchBackendError(f"The search index in {self.root} cannot be read: run manage.py reindex.") from error

    def current_generation(self) -> str | None:
        """The name of the generation in use."""
        try:
            return (self.root / "current").readlink().name
        except FileNotFoundError:
            return None

    def schema_of(self, generation: str) -> IndexSchema:
        """The schema a generation was built with."""
        return IndexSchema.from_json((self.root / generation / _SCHEMA).read_text())

    # --- writing ---------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def lease(self, timeout: float = WRITER_TIMEOUT) -> Iterator[None]:
        """Be the only writer, across processes. Raises ``SearchBackendError`` after ``timeout`` seconds."""
        self._make_root()
        with held_lock(self.root / "writer.lock", timeout):
            yield

    def _make_root(self) -> None:
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SearchBackendError(f"The folder of the search index, {self.root}, cannot be made: {error}") from error
        if not os.access(self.root, os.W_OK):
            raise SearchBackendError(f"The folder of the search index, {self.root}, is not writable.")

    def make_generation(self, schema: IndexSchema) -> str:
        """A new, empty generation, not yet in use. Its name sorts by age."""
        self._make_root()
        generation = f"{_PREFIX}{time.time_ns():020d}-{uuid4().hex[:6]}"
        folder = self.root / generation
        folder.mkdir()
        (folder / _SCHEMA).write_text(schema.to_json())
        open_engine_index(folder, schema)
        return generation

    def switch_to(self, generation: str) -> None:
        """Put a generation in use, in one step, and remove the one before. The caller holds the lease."""
        before = self.current_generation()
        link = self.root / f"current-{uuid4().hex[:6]}"
        link.symlink_to(generation)
        link.replace(self.root / "current")
        if before is not None and before != generation:
            self.remove_generation(before)

    def remove_generation(self, generation: str) -> None:
        """Delete a generation's files; searches under way keep theirs open."""
        shutil.rmtree(self.root / generation, ignore_errors=True)

    def leftovers(self) -> list[str]:
        """Generations that are not in use: of rebuilds that did not end, or under way."""
        current = self.current_generation()
        return sorted(path.name for path in self.root.glob(f"{_PREFIX}*") if path.name != current)

    def ensure(self, schema: IndexSchema) -> Snapshot:
        """The latest state; makes the index where there is none, and makes an empty one anew for a changed schema."""
        snapshot = self.snapshot()
        if snapshot is None or self._is_stale_and_empty(snapshot, schema):
            with self.lease():
                snapshot = self.snapshot()
                if snapshot is None or self._is_stale_and_empty(snapshot, schema):
                    self.switch_to(self.make_generation(schema))
                    snapshot = self.snapshot()
        if snapshot is None:
            raise SearchBackendError(f"The search index in {self.root} vanished while it was being made.")
        return snapshot

    @staticmethod
    def _is_stale_and_empty(snapshot: Snapshot, schema: IndexSchema) -> bool:
        return snapshot.schema.fingerprint != schema.fingerprint and snapshot.searcher.num_docs == 0

    @contextlib.contextmanager
    def writing(self, generation: str, *, heap: int = 32_000_000, threads: int = 1) -> Iterator[Writing]:
        """One batch of changes to a generation, committed together at the end; nothing is changed on an error.

        The caller holds the lease, unless the generation is not in use. ``heap`` is in bytes, for all threads.
        """
        schema = self.schema_of(generation)
        index = open_engine_index(self.root / generation, schema)
        writer = index.writer(heap, threads)
        try:
            yield Writing(schema, writer)
        except BaseException:
            writer.rollback()
            raise
        else:
            writer.commit()
        finally:
            # Merges run on threads of the writer and would be lost with it: without them segments pile up.
            writer.wait_merging_threads()


class Writing:
    """The changes of one batch."""

    def __init__(self, schema: IndexSchema, writer: tantivy.IndexWriter) -> None:
        self._builder = DocumentBuilder(schema)
        self._writer = writer
        self.schema = schema

    def add(self, prepared: dict[str, object]) -> None:
        """Add a document that is not in the index yet."""
        self._writer.add_document(self._builder.build(prepared))

    def put(self, prepared: dict[str, object]) -> None:
        """Add a document in place of the one with its identifier."""

        document = self._builder.build(prepared)
        self._writer.delete_documents_by_term(ID, str(prepared[ID]))
        self._writer.add_document(document)

    def delete(self, identifier: str) -> None:
        """Remove the document with this identifier, if there is one."""

        self._writer.delete_documents_by_term(ID, identifier)

    def delete_model(self, model: str) -> None:
        """Remove all documents of a model (``app.model``)."""

        self._writer.delete_documents_by_term(DJANGO_CT, model)

    def delete_everything(self) -> None:
        """Remove all documents."""
        self._writer.delete_all_documents()

    def commit(self) -> None:
        """Commit what came so far, in the middle of a long batch."""
        self._writer.commit()


_stores: dict[Path, IndexStore] = {}
_stores_mutex = threading.Lock()


def store_at(path: str | Path) -> IndexStore:
    """The store of a folder, one for all threads of this process."""
    root = Path(path).resolve()
    with _stores_mutex:
        store = _stores.get(root)
        if store is None:
            store = _stores[root] = IndexStore(root)
        return store


def _forget_stores() -> None:
    # A child of fork has none of its parent's threads; it opens the index itself.
    global _stores_mutex
    _stores_mutex = threading.Lock()
    _stores.clear()


os.register_at_fork(after_in_child=_forget_stores)
