"""When a request is tried again, and after how long."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import TypeVar

import tenacity
from django.utils import timezone

from wovepaper.harvest.contracts import PageRefused
from wovepaper.harvest.errors import SourcePostponed, UpstreamFailed
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.options import HarvestOptions

T = TypeVar("T")


def with_retries(
    work: Callable[[], T],
    *,
    options: HarvestOptions,
    interruption: Interruption,
    on_wait: Callable[[float, str], None] = lambda _seconds, _reason: None,
) -> T:
    """Do ``work`` until it succeeds, its failure is final, or the attempts are used up; then its error is raised.

    The wait is what ``Retry-After`` says, else it doubles each time, with jitter. Raises ``SourcePostponed`` where the
    source asks for a longer wait than ``options.longest_wait``.
    """
    back_off = tenacity.wait_combine(
        tenacity.wait_exponential(multiplier=options.wait_initial, max=options.wait_max),
        tenacity.wait_random(0, options.wait_jitter),
    )

    def wait(state: tenacity.RetryCallState) -> float:
        error = _error_of(state)
        asked = error.retry_after if isinstance(error, UpstreamFailed) else None
        return back_off(state) if asked is None else asked

    def again(error: BaseException) -> bool:
        return isinstance(error, PageRefused) and error.retry

    def before_sleep(state: tenacity.RetryCallState) -> None:
        on_wait(state.next_action.sleep if state.next_action else 0.0, str(_error_of(state)))

    def attempt() -> T:
        try:
            return work()
        except UpstreamFailed as error:
            if error.retry_after is not None and error.retry_after > options.longest_wait:
                raise _postponed(error) from error
            raise

    retrying = tenacity.Retrying(
        stop=tenacity.stop_after_attempt(options.attempts),
        wait=wait,
        retry=tenacity.retry_if_exception(again),
        sleep=interruption.sleep,
        before_sleep=before_sleep,
        reraise=True,
    )
    return retrying(attempt)


def _error_of(state: tenacity.RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None


def _postponed(error: UpstreamFailed) -> SourcePostponed:
    until = timezone.now() + dt.timedelta(seconds=error.retry_after or 0)
    return SourcePostponed(
        f"{error} It asks for a pause until {until:%Y-%m-%d %H:%M} UTC: the run stops here and goes on then.", until
    )
