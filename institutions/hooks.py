"""Who wants to know that curators changed what affiliations mean: they register here, and institutions know no one."""

from __future__ import annotations

from collections.abc import Callable

_callbacks: list[Callable[[], object]] = []


def on_rules_changed(callback: Callable[[], object]) -> None:
    """Call ``callback`` once a rule was added, changed or taken away, and that was committed."""
    if callback not in _callbacks:
        _callbacks.append(callback)


def announce_changed_rules() -> None:
    """Tell all who want to know."""
    for callback in _callbacks:
        callback()
