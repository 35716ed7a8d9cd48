"""What was written while a rebuild runs, so that the rebuild can do it again on the new generation.

Writers append under the lease and before their commit; only while some process holds the rebuild's lock.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wovepaper.embedded.locks import FileLock


@dataclass(frozen=True, slots=True)
class Entry:
    """One change: the primary keys of a model's objects to read again, an identifier gone, or a model cleared."""

    model: str = ""
    keys: tuple[str, ...] = ()
    identifier: str = ""
    clear: bool = False


class Journal:
    """The journal of an index folder. Not kept open between batches."""

    def __init__(self, root: Path) -> None:
        self._path = root / "journal.jsonl"
        self._lock = root / "rebuild.lock"
        self._lines: list[str] = []
        self._keys: dict[str, list[str]] = {}

    def changed(self, model: str, key: str) -> None:
        """An object was indexed."""
        self._keys.setdefault(model, []).append(key)

    def removed(self, identifier: str) -> None:
        """A document was removed."""
        self._lines.append(json.dumps({"identifier": identifier}))

    def cleared(self, model: str = "") -> None:
        """A model's documents were removed, or all."""
        self._lines.append(json.dumps({"model": model, "clear": True}))

    def flush(self) -> None:
        """Write the entries where a rebuild needs them."""
        lines = [json.dumps({"model": model, "keys": keys}) for model, keys in self._keys.items()] + self._lines
        self._lines, self._keys = [], {}
        if lines and self._rebuild_runs():
            with self._path.open("a") as journal:
                journal.write("".join(f"{line}\n" for line in lines))

    def _rebuild_runs(self) -> bool:
        if not self._lock.exists():
            return False
        lock = FileLock(self._lock)
        free = lock.acquire(shared=True)
        lock.release()
        return not free

    def start(self) -> None:
        """Begin with an empty journal. The rebuild calls this, holding the lease and its lock."""
        self._path.write_text("")

    def entries(self, start: int = 0) -> Iterator[Entry]:
        """The entries from the ``start``-th line on; a line cut short by a crash is passed over."""
        with self._path.open() as journal:
            for number, line in enumerate(journal):
                if number >= start and line.endswith("\n"):
                    entry = json.loads(line)
                    yield Entry(
                        model=entry.get("model", ""),
                        keys=tuple(entry.get("keys", ())),
                        identifier=entry.get("identifier", ""),
                        clear=bool(entry.get("clear")),
                    )

    def finish(self) -> None:
        """The rebuild is over."""
        self._path.unlink(missing_ok=True)
