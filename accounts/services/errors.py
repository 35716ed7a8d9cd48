"""Why something that a reader wanted was not done. The texts are for the reader."""

from __future__ import annotations


class AccountError(Exception):
    """Nothing was changed. The text says what to do."""


class NothingToFollow(AccountError):
    """There is no such researcher, institution, category, paper or saved search of this reader."""


class TooManyFollows(AccountError):
    """The reader follows as much as one account may."""


class SearchRefused(AccountError):
    """The search asks nothing, or the reader keeps too many."""
