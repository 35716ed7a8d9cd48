"""Building the index anew from the database, aside, while the site is up.

1. The rebuild takes its lock (one rebuild at a time), removes what an earlier one left behind, and starts the journal
   under the writer's lease: whatever is indexed from now on is also noted there, before it is committed.
2. It reads every indexed model in the order of its key, batch after batch, into a new generation.
3. Under the lease, it does again what the journal notes: it reads those objects once more, and puts the new
   generation in use. No update is lost: one before the journal began was in the database when the rebuild read it, one
   after is in the journal, and one after the switch goes to the new generation.

A rebuild that dies leaves the index in use as it was; the next one cleans up.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Model
from haystack import connections
from haystack.exceptions import NotHandled
from haystack.indexes import SearchIndex
from haystack.utils import get_model_ct
from haystack.utils.app_loading import haystack_get_model

from wovepaper.search.backend import TantivySearchBackend, read_objects
from wovepaper.search.journal import Entry, Journal
from wovepaper.search.store import Writing, held_lock

HEAP_PER_THREAD = 96_000_000
"""Bytes the engine gathers per thread before it writes a segment."""
_MOST_THREADS = 4

Progress = Callable[[str, int], None]
"""Told the model's label and how many of its documents are done, after each batch."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild did: documents, changes done again from the journal, seconds."""

    documents: int
    replayed: int
    seconds: float


def rebuild(backend: TantivySearchBackend, *, batch_size: int = 1000, progress: Progress | None = None) -> Rebuilt:
    """Build a new generation from the database and put it in use.

    ``batch_size`` is how many objects are read at a time; memory depends on it and not on the size of the catalogue.
    Raises ``SearchBackendError`` where another rebuild runs or the folder cannot be written.
    """
    started = time.monotonic()
    backend.setup()
    store = backend.store
    journal = Journal(store.root)
    with held_lock(store.root / "rebuild.lock", timeout=1.0):
        for leftover in store.leftovers():
            store.remove_generation(leftover)
        with store.lease():
            journal.start()
        generation = store.make_generation(backend.current_schema())
        threads = max(1, min(_MOST_THREADS, os.cpu_count() or 1))
        try:
            with store.writing(generation, heap=HEAP_PER_THREAD * threads, threads=threads) as writing:
                documents = _write_all(backend, writing, batch_size, progress)
            # Most of the journal is done again while others write; what came meanwhile, while they wait.
            replayed = _replay(backend, generation, journal, 0)
            with store.lease():
                replayed += _replay(backend, generation, journal, replayed)
                store.switch_to(generation)
        except BaseException:
            store.remove_generation(generation)
            raise
        finally:
            journal.finish()
    return Rebuilt(documents, replayed, time.monotonic() - started)


def indexed_models(backend: TantivySearchBackend) -> list[tuple[str, SearchIndex]]:
    """The label and index of each model, in the order of the labels."""
    indexes = connections[backend.connection_alias].get_unified_index().get_indexes()
    return sorted(((get_model_ct(model), index) for model, index in indexes.items()), key=lambda pair: pair[0])


def _write_all(backend: TantivySearchBackend, writing: Writing, batch_size: int, progress: Progress | None) -> int:
    written = 0
    for label, index in indexed_models(backend):
        done = 0
        for objects in in_key_order(index, backend.connection_alias, batch_size):
            for prepared in backend.prepare(index, objects):
                writing.add(prepared)
                written += 1
            done += len(objects)
            if progress is not None:
                progress(label, done)
    return written


def in_key_order(index: SearchIndex, using: str, batch_size: int) -> Iterator[list[Model]]:
    """All objects of an index in the order of their key; each batch begins where the last one ended."""
    queryset = index.index_queryset(using=using).order_by("pk")
    last: Any = None
    while True:
        batch = list((queryset if last is None else queryset.filter(pk__gt=last))[:batch_size])
        if batch:
            last = batch[-1].pk
            yield batch
        if len(batch) < batch_size:
            return


def _replay(backend: TantivySearchBackend, generation: str, journal: Journal, start: int) -> int:
    """Do the journal's entries from ``start`` on again; their number."""
    entries = list(journal.entries(start))
    if entries:
        with backend.store.writing(generation) as writing:
            for entry in entries:
                _redo(backend, writing, entry)
    return len(entries)


def _redo(backend: TantivySearchBackend, writing: Writing, entry: Entry) -> None:
    if entry.clear:
        if entry.model:
            writing.delete_model(entry.model)
        else:
            writing.delete_everything()
    elif entry.identifier:
        writing.delete(entry.identifier)
    else:
        app_label, model_name = entry.model.split(".")
        model = haystack_get_model(app_label, model_name)
        try:
            index = connections[backend.connection_alias].get_unified_index().get_index(model)
        except NotHandled:
            return
        for objects, missing in read_objects(index, backend.connection_alias, entry.keys):
            for instance in objects:
                # An object that is skipped now may have been there before.
                writing.delete(f"{entry.model}.{instance.pk}")
            for prepared in backend.prepare(index, objects):
                writing.put(prepared)
            for key in missing:
                writing.delete(f"{entry.model}.{key}")
