"""What a source says of an author, in one shape for all sources. Values only: nothing here is saved."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AuthorProfile:
    """The profile that a source keeps of an author under an id of its own. ``None`` and empty: it does not say.

    Profiles are split, merged and renumbered by their sources: an id is evidence of who somebody is, never a key.
    """

    source: str
    author_id: str
    stamp: str = ""
    """The source's own date of change, as text that sorts by time; empty where it has none."""
    name: str = ""
    orcid: str = ""
    h_index: int | None = None
    cited_by_count: int | None = None
    works_count: int | None = None
    as_of: dt.date | None = None
    """The day of the figures, where the source tells."""


@dataclass(frozen=True, slots=True)
class MergedAuthor:
    """A source has made one profile out of two: what it called ``author_id`` is part of ``into`` now.

    ``into`` is empty where the profile is gone without an heir.
    """

    source: str
    author_id: str
    into: str
    on: dt.date | None = None
