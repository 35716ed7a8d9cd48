"""Why a decision about an authorship or a name was not taken."""

from __future__ import annotations

from wovepaper.curation.services import CurationError


class DecisionRefused(CurationError):
    """An earlier decision, or the paper's author list, says otherwise. The text says what to revoke or move first."""


class NameRefused(CurationError):
    """The name cannot be hidden or shown so."""


class IdentifierRefused(CurationError):
    """There is no such identifier."""


class VoteRefused(CurationError):
    """The vote makes no sense as things are. The text is for the reader."""


class ContestRefused(CurationError):
    """The objection cannot be taken as it is. The text is for the reader."""


class ContestStale(ContestRefused):
    """Somebody else is shown by now than the reader objected to."""


class TooMany(CurationError):
    """One reader said more in a while than anybody can look at."""
