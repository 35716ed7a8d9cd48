"""What the columns of the catalogue hold, as their models say."""

from __future__ import annotations

from typing import Any

from django.db.models import Model


def width(model: type[Model], column: str) -> int:
    """How many characters a column holds."""
    field: Any = model._meta.get_field(column)
    return int(field.max_length)
