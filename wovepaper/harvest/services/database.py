"""Transactions that fail because of others are tried again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import OperationalError

from wovepaper.harvest.interruption import Interruption

T = TypeVar("T")

_ATTEMPTS = 4


def retrying_deadlocks(work: Callable[[], T], *, interruption: Interruption) -> T:
    """Do ``work``, which is one transaction, again after a deadlock or serialization failure (SQLSTATE class 40)."""
    for attempt in range(1, _ATTEMPTS):
        try:
            return work()
        except OperationalError as error:
            if not str(getattr(error.__cause__, "sqlstate", None) or "").startswith("40"):
                raise
            interruption.sleep(0.05 * 2**attempt)
    return work()
