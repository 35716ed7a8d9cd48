"""Who wants to know that papers have come to show something else. They register here, and papers know no one."""

from __future__ import annotations

from collections.abc import Callable, Collection

Listener = Callable[[Collection[int]], None]
"""Called with the numbers of the papers, inside the transaction that changed them."""

_listeners: list[Listener] = []


def on_papers_changed(listener: Listener) -> Listener:
    """Call ``listener`` whenever papers that were there before have changed. Usable as a decorator.

    It is part of the change: what it raises undoes that, so it should do no more than note what waits.
    """
    if listener not in _listeners:
        _listeners.append(listener)
    return listener


def announce_changes(papers: Collection[int]) -> None:
    """Tell all. For services that change what papers show: dates, categories, authors, citation counts, redirects."""
    if papers:
        for listener in _listeners:
            listener(papers)
