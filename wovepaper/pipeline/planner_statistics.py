"""What the database knows of its tables when it plans queries, brought up to date after a bulk load.

The database does so by itself, but minutes later; until then it takes the tables for empty, and plans accordingly.
"""

from __future__ import annotations

from django.apps import apps
from django.db import connection

BULK = 1_000
"""Rows changed at once from which on it does not wait for the database's own round."""


def refresh_statistics(*, app: str, changed: int) -> list[str]:
    """Analyse the tables of an app if more than ``BULK`` rows of it changed; returns which were, in order.

    Takes seconds, however large the tables are: the database takes samples. May be called inside a transaction.
    """
    if changed <= BULK:
        return []
    tables = sorted(model._meta.db_table for model in apps.get_app_config(app).get_models(include_auto_created=True))
    with connection.cursor() as cursor:
        names = ", ".join(map(connection.ops.quote_name, tables))
        cursor.execute(f"ANALYZE {names}")
    return tables
