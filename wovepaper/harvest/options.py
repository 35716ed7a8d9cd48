"""How careful the harvest is. The defaults suit arXiv; ``settings.HARVEST`` changes them for an installation."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


@dataclass(frozen=True, slots=True)
class HarvestOptions:
    """All times in seconds, sizes in bytes, unless the name says otherwise."""

    attempts: int = 5
    """Requests for one page before its window is stopped."""
    wait_initial: float = 2.0
    wait_max: float = 120.0
    wait_jitter: float = 2.0
    longest_wait: float = 300.0
    """A ``Retry-After`` beyond this is not slept out: the run is postponed."""
    connect_timeout: float = 15.0
    read_timeout: float = 60.0
    """Silence between two pieces of an answer."""
    answer_timeout: float = 300.0
    """From the request to the end of the answer."""
    max_packed: int = 32 * 2**20
    max_unpacked: int = 64 * 2**20
    max_redirects: int = 5
    overlap_days: int = 2
    """Days that are harvested again although they were done, counted back from the day of the run."""
    max_token_restarts: int = 2
    """How often one run begins a window again after its token expired."""
    checkpoint_hours: float = 20.0
    """An older token is not used again: what it points to has shifted by then."""
    max_empty_pages: int = 5
    """Pages without a record one after another, before a window is stopped."""
    max_pages: int = 20_000
    """Pages of one window."""
    max_stopped_windows: int = 3
    """Windows that stop one after another before the run gives up."""
    max_single_records: int = 3_000
    """Records that are asked for one by one when the source cannot serve a page of them; 0 never does."""
    max_single_failures: int = 5
    """Single records that fail one after another before their window is stopped."""
    brake_records: int = 20
    """The volume brake judges no fewer records than these."""
    brake_share: float = 0.5
    """Share of refused records above which a window is stopped."""
    brake_filled: float = 0.9
    """A field filled at least this often before, and now nowhere, stops the window."""
    brake_history: int = 50
    """Records that must be known before a field is judged."""
    stale_days: int = 5
    """Days without anything new before the feed is called stale."""
    file_page_records: int = 1000
    """Records of a file that are taken in as one transaction."""
    refresh_days: int = 30
    """Days after which something that was looked up by identifier is looked up again."""
    unknown_days: int = 3
    """Days after which something that a source did not know is asked for again; doubled each time."""
    unknown_days_max: int = 180
    background_lookups: int = 20_000
    """Subjects that one run in the background asks about, so that other runs of the source get their turn."""
    raw_days: int = 90
    """Days for which raw pages are kept; 0 keeps them for ever."""

    @classmethod
    def from_settings(cls) -> HarvestOptions:
        """Defaults with ``settings.HARVEST`` on top. Raises ``ImproperlyConfigured`` for an unknown name."""
        given: dict[str, Any] = getattr(settings, "HARVEST", {})
        unknown = set(given) - {field.name for field in fields(cls)}
        if unknown:
            raise ImproperlyConfigured(f"HARVEST has no option {', '.join(sorted(unknown))}.")
        return replace(cls(), **given)
