"""The tables a command needs, where it is the first that is ever run on a database."""

from __future__ import annotations

import sys

import django
from django.core.management import call_command, get_commands
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.migration import Migration

WITHOUT_TABLES = frozenset({"up"})
"""Commands of ours that look after the tables themselves."""


def prepare_tables(argv: list[str], *, embedded: bool) -> None:
    """Bring a database up to date before one of the portal's own commands works on it.

    Only the embedded database is changed without being asked: it belongs to this folder alone. For any other the
    process ends with one sentence, since several hosts may share it and somebody decides when it is migrated. Commands
    of Django and of packages are left alone.
    """
    command = argv[1] if len(argv) > 1 else "help"
    if command in WITHOUT_TABLES or {"--help", "-h"} & set(argv):
        return
    django.setup()
    if not _is_ours(get_commands().get(command, "")):
        return
    if embedded:
        if apply_migrations():
            sys.stderr.write("Brought the tables of the database up to date.\n")
        return
    if missing := len(_plan()):
        sys.exit(
            f"The database lacks {missing} migration{'' if missing == 1 else 's'}: run `manage.py migrate` first, while"
            " no other host works on it."
        )


def apply_migrations() -> int:
    """Bring the database up to date. Returns how many migrations were applied."""
    plan = _plan()
    if plan:
        call_command("migrate", interactive=False, verbosity=0)
    return len(plan)


def _plan() -> list[tuple[Migration, bool]]:
    executor = MigrationExecutor(connection)
    return executor.migration_plan(executor.loader.graph.leaf_nodes())


def _is_ours(app: object) -> bool:
    name = app if isinstance(app, str) else type(app).__module__
    return name.split(".")[0] in {"wovepaper", "papers", "researchers", "institutions", "accounts"}
