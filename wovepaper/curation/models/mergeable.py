"""An object that can turn out to be the same as another."""

from __future__ import annotations

from typing import Any

from django.db import connection, models
from django.db.models import F, Q


class MergeableModel(models.Model):
    """A node of a forest: ``merged_into`` is the only fact, ``root`` follows from it.

    Rows elsewhere refer to the object they were given to, their base, and never move when it is merged. What is shown
    is the root of the base. Only ``wovepaper.curation`` writes these three fields.
    """

    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="merged_here"
    )
    root = models.ForeignKey(
        "self", models.PROTECT, editable=False, related_name="members", help_text="Itself, unless it is merged."
    )
    version = models.PositiveIntegerField(
        default=1, editable=False, help_text="Rises with every human change; arrivals leave it."
    )

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(merged_into=None, root=F("id")) | (Q(merged_into__isnull=False) & ~Q(root=F("id"))),
                name="%(app_label)s_%(class)s_root",
            ),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A new object is its own root. Rows made in bulk bring both numbers themselves (``take_ids``)."""
        if self._state.adding and self.root_id is None:  # type: ignore[has-type]
            if self.pk is None:
                (self.pk,) = take_ids(type(self), 1)
            self.root_id = self.pk
        super().save(*args, **kwargs)

    @property
    def is_root(self) -> bool:
        """Whether this object is shown under its own address."""
        return self.merged_into_id is None  # type: ignore[attr-defined]


def take_ids(model: type[models.Model], count: int) -> list[int]:
    """Numbers for new rows of a table, from its own sequence: none is ever given twice."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return [row[0] for row in cursor.fetchall()]
