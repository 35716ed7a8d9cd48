"""Numbered pages over a long table, for people who look something up: the list ends where nobody would turn pages."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.core.paginator import Paginator

LONGEST_LIST = 2_000


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts, and shows, at most ``LONGEST_LIST`` rows, so that neither the count nor the last page can grow dear."""

    @cached_property
    def counted(self) -> int:
        """The number of rows, or one more than are shown."""
        rows: Any = self.object_list  # a queryset
        return int(rows.order_by()[: LONGEST_LIST + 1].count())

    @property
    def count(self) -> int:  # type: ignore[override]
        """The number of rows that can be reached."""
        return min(self.counted, LONGEST_LIST)

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows than are shown."""
        return self.counted > LONGEST_LIST
