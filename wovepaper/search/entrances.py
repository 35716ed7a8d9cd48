"""What the apps give to the search page: identifiers that lead straight to a page, and a tab for each kind of thing.

An app registers both when it is ready; the pages ask here, so that none of them needs to know the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a pasted identifier leads: an address of this site, or the sentence that says that nothing has it."""

    url: str = ""
    remark: str = ""


Jump = Callable[[str], Landing | None]
"""Takes what was typed; ``None`` where it is no identifier of this kind."""


@dataclass(frozen=True, slots=True)
class Tab:
    """One kind of thing that can be searched for.

    ``address`` gives the page of results for a text, ``count`` how many there are. ``count`` may raise: then the tab
    stands there without a number.
    """

    name: str
    label: str
    address: Callable[[str], str]
    count: Callable[[str], int]
    rank: int = 0
    """Tabs stand in rising order of it."""


@dataclass(frozen=True, slots=True)
class ShownTab:
    """A tab on a page of results."""

    label: str
    url: str
    count: int | None
    current: bool


_jumps: dict[str, Jump] = {}
_tabs: dict[str, Tab] = {}


def register_jump(name: str, jump: Jump) -> None:
    """Add a kind of identifiers; registered again under its name, it is replaced."""
    _jumps[name] = jump


def register_tab(tab: Tab) -> None:
    """Add a kind of things; registered again under its name, it is replaced."""
    _tabs[tab.name] = tab


def unregister(name: str) -> None:
    """Take a jump and a tab away again; unknown names are ignored."""
    _jumps.pop(name, None)
    _tabs.pop(name, None)


def find_landing(text: str) -> Landing | None:
    """Where the text leads: the first page that has it as its identifier, else the first sentence that none has."""
    landings = [landing for jump in _jumps.values() if (landing := jump(text)) is not None]
    return next((landing for landing in landings if landing.url), landings[0] if landings else None)


def read_tabs(text: str, *, current: str, count: int | None) -> list[ShownTab]:
    """All tabs for a text. ``count`` is that of the current one, which the page has counted already."""
    return [
        ShownTab(tab.label, tab.address(text), count if tab.name == current else _count(tab, text), tab.name == current)
        for tab in sorted(_tabs.values(), key=lambda tab: tab.rank)
    ]


def _count(tab: Tab, text: str) -> int | None:
    try:
        return tab.count(text)
    except Exception:
        # Engines raise what they like, and a number is not worth a page.
        logger.exception("The hits for the tab %s cannot be counted", tab.name)
        return None
