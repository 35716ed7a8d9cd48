"""Who wants to know that curators changed what affiliations mean: they register here, and institutions know no one."""

from __future__ import annotations

from collections.abc import Callable, Collection

_callbacks: list[Callable[[], object]] = []


def on_rules_changed(callback: Callable[[], object]) -> None:
    """Call ``callback`` when a rule was added, changed or taken away, in the transaction."""
    if callback not in _callbacks:
        _callbacks.append(callback)


def announce_changed_rules() -> None:
    """Tell all who want to know."""
    for callback in _callbacks:
        callback()


_moved_callbacks: list[Callable[[Collection[int]], object]] = []


def on_institutions_moved(callback: Callable[[Collection[int]], object]) -> None:
    """Call ``callback`` with the numbers of institutions that became others or themselves again, in the transaction."""
    if callback not in _moved_callbacks:
        _moved_callbacks.append(callback)


def announce_moved_institutions(numbers: Collection[int]) -> None:
    """Tell all who want to know."""
    for callback in _moved_callbacks:
        callback(numbers)
