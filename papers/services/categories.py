"""The shipped taxonomy, in the database. Codes that only a source uses are added by ingest."""

from __future__ import annotations

from typing import Any

from django.db import connections, transaction

from papers.models import Category
from papers.sources.arxiv import taxonomy

_FIELDS = ("name", "archive", "archive_name", "group", "group_name", "is_active", "canonical_id")


def load_categories(*, using: str = "default") -> int:
    """Bring the table to the state of the shipped taxonomy; returns how many rows were new or changed.

    Idempotent: a second call writes nothing. Codes that are not in the taxonomy are left as they are.
    """
    facts = taxonomy.load().values()
    wanted = [
        Category(
            code=fact.code,
            name=fact.name,
            archive=fact.archive,
            archive_name=fact.archive_name,
            group=fact.group,
            group_name=fact.group_name,
            is_active=fact.active,
            canonical_id=fact.canonical or None,
        )
        for fact in facts
    ]
    with transaction.atomic(using=using):
        known = {row["code"]: row for row in Category.objects.using(using).values("code", *_FIELDS)}
        different = [category for category in wanted if known.get(category.code) != _row(category)]
        # The foreign key is checked at the end of the transaction, so an alias may come before what it stands for.
        Category.objects.using(using).bulk_create(
            different,
            update_conflicts=True,
            unique_fields=["code"],
            update_fields=[f.removesuffix("_id") for f in _FIELDS],
        )
    return len(different)


def load_categories_after_migration(*, using: str, **_: Any) -> None:
    """Receiver of ``post_migrate``: every database with the table has the taxonomy."""
    with connections[using].cursor() as cursor:
        if Category._meta.db_table in connections[using].introspection.table_names(cursor):
            load_categories(using=using)


def _row(category: Category) -> dict[str, Any]:
    return {"code": category.code, **{field: getattr(category, field) for field in _FIELDS}}
