"""Why a decision about an authorship or a name was not taken."""

from __future__ import annotations

from wovepaper.curation.services import CurationError


class DecisionRefused(CurationError):
    """An earlier decision, or the paper's author list, says otherwise. The text says what to revoke or move first."""


class NameRefused(CurationError):
    """The name cannot be hidden or shown so."""
