"""Setting edges, and the root beside every base."""

from __future__ import annotations

from django.db.models import F, Max

from wovepaper.curation.adapter import Adapter, Ids


def set_edge(adapter: Adapter, top: int, *, into: int | None, root: int, members: Ids) -> None:
    """Merge ``top`` into another object, or cut it off; ``members``, ``top`` among them, get a new root.

    A statement per table, whatever the number of rows.
    """
    objects = adapter.objects._default_manager
    objects.filter(pk=top).update(merged_into=into, root=root)
    objects.filter(pk__in=members - {top}).update(root=root)
    for column in adapter.all_rows:
        column.model._default_manager.filter(**{f"{column.base}__in": members}).update(**{column.root: root})


def newest_row(adapter: Adapter, members: Ids) -> int:
    """The largest number among the rows of these bases, or 0."""
    rows = adapter.rows
    theirs = rows.model._default_manager.filter(**{f"{rows.base}__in": members})
    # Of the number itself the planner would read the whole table's index backwards until it meets one of theirs.
    newest: int | None = theirs.aggregate(newest=Max(F("pk") + 0))["newest"]
    return newest or 0


def rows_since(adapter: Adapter, members: Ids, last_row: int) -> list[int]:
    """Rows given to these bases later than ``last_row``, in order."""
    rows = adapter.rows
    found = rows.model._default_manager.filter(**{f"{rows.base}__in": members}, pk__gt=last_row)
    return list(found.order_by("pk").values_list("pk", flat=True))
