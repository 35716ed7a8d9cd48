"""What sources have in common whose records come as files only, and how their records become pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wovepaper.harvest.contracts import DamagedRecord, Page, PageRefused, PageRequest, RawRecord, Window


class FileSource:
    """The network half of a source that has none: every request is refused with ``where_from``."""

    streams: tuple[str, ...] = ()
    """None: nothing is asked of the network."""
    host_interval = 1.0
    where_from: str
    """A sentence for whoever asks for the network: what to name with ``--file``."""

    def first_request(self, window: Window) -> PageRequest:
        """Raises ``PageRefused``."""
        raise PageRefused(self.where_from, retry=False)

    def next_request(self, window: Window, token: str) -> PageRequest:
        """Raises ``PageRefused``."""
        raise PageRefused(self.where_from, retry=False)


def pages_of(pieces: Iterable[RawRecord | DamagedRecord], *, size: int) -> Iterator[Page]:
    """Pages of up to ``size`` records, damaged ones among them, in the order in which they come."""
    records: list[RawRecord] = []
    damaged: list[DamagedRecord] = []
    for piece in pieces:
        if isinstance(piece, RawRecord):
            records.append(piece)
        else:
            damaged.append(piece)
        if len(records) + len(damaged) >= size:
            yield Page(tuple(records), tuple(damaged))
            records, damaged = [], []
    if records or damaged:
        yield Page(tuple(records), tuple(damaged))
