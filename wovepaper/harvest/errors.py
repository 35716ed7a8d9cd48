"""Everything that can stop a harvest. Each message is one sentence for the person who runs it."""

from __future__ import annotations

import datetime as dt

from wovepaper.harvest.contracts import PageRefused


class HarvestError(Exception):
    """The harvest cannot start or cannot go on."""


class BadRange(HarvestError):
    """The days asked for make no sense."""


class BadSet(HarvestError):
    """The set asked for is none of the source's, or one has to be named."""


class SourceBusy(HarvestError):
    """Another run of the same source is under way."""


class SourcePaused(HarvestError):
    """A person paused the source."""


class SourcePostponed(HarvestError):
    """The source asked not to be asked before a certain time."""

    def __init__(self, message: str, until: dt.datetime) -> None:
        super().__init__(message)
        self.until = until


class HostNotAllowed(HarvestError):
    """A request or redirect leads to a host that is not the source's."""


class HarvestInterrupted(HarvestError):
    """A person or the system asked to stop; everything up to the last page is kept."""


class LimitReached(HarvestError):
    """As many records were seen as were asked for."""


class FileRefused(HarvestError):
    """A file cannot be read; the others go on."""


class WindowStopped(HarvestError):
    """A window cannot be finished now. ``from_start`` says whether its checkpoint is of no more use."""

    def __init__(self, reason: str, *, from_start: bool = False) -> None:
        super().__init__(reason)
        self.from_start = from_start


class UpstreamFailed(PageRefused):
    """An answer with an error status, or none at all. ``retry_after`` in seconds where the source said it."""

    def __init__(
        self, reason: str, *, retry: bool, retry_after: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(reason, retry=retry)
        self.retry_after = retry_after
        self.status = status


class UpstreamUnavailable(UpstreamFailed):
    """The host cannot be reached or serves nobody now: there is no point in trying other windows."""


class AnswerTooLarge(PageRefused):
    """An answer exceeds the cap on its size, packed or unpacked."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, retry=False)
