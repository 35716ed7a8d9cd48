"""Another process that works on an index: ``python -m tests.wovepaper.search.worker WHAT FOLDER …``.

It needs the settings and no database; it prints what it has done line by line.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from wovepaper.search.schema import Field, IndexSchema, Kind
from wovepaper.search.store import IndexStore, store_at

BATCH = 50
SCHEMA = IndexSchema(
    fields={
        "id": Field("id", Kind.KEYWORD, key="id"),
        "django_ct": Field("django_ct", Kind.KEYWORD, key="django_ct"),
        "django_id": Field("django_id", Kind.KEYWORD, key="django_id"),
        "text": Field("text", Kind.TEXT, document=True),
        "batch": Field("batch", Kind.INTEGER, key="batch"),
    },
    document="text",
)


def tell(*words: object) -> None:
    """One line to the test, at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def document(number: int, batch: int = 0) -> dict[str, object]:
    return {
        "id": f"papers.paper.{number}",
        "django_ct": "papers.paper",
        "django_id": str(number),
        "text": "word " * 50,
        "batch": batch,
    }


def write_batch(store: IndexStore, batch: int, first: int) -> None:
    """One batch, as the backend writes it."""
    with store.lease():
        generation = store.current_generation()
        assert generation is not None
        with store.writing(generation) as writing:
            for number in range(first, first + BATCH):
                writing.put(document(number, batch))


def write(folder: str, first: str, batches: str) -> None:
    """Write batches one after the other; each is told of once it is committed."""
    store = store_at(folder)
    for batch in range(int(batches)):
        write_batch(store, batch, int(first) + batch * BATCH)
        tell(batch)


def hold(folder: str) -> None:
    """Take the lease, begin to write, and never end."""
    store = store_at(folder)
    with store.lease(), store.writing(store.current_generation() or "") as writing:
        writing.add(document(1_000_000))
        tell("held")
        time.sleep(600)


def watch(folder: str, seconds: str) -> None:
    """Tell each number of documents that a search sees, with the generation."""
    store = store_at(folder)
    seen = None
    deadline = time.monotonic() + float(seconds)
    while time.monotonic() < deadline:
        snapshot = store.snapshot()
        now = (snapshot.searcher.num_docs, snapshot.generation) if snapshot else (-1, "none")
        if now != seen:
            tell(*now)
            seen = now
        time.sleep(0.01)


if __name__ == "__main__":
    Path(sys.argv[2]).mkdir(exist_ok=True)
    {"write": write, "hold": hold, "watch": watch}[sys.argv[1]](*sys.argv[2:])
