"""Everything the site has of a reader, as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.contrib.admin.models import LogEntry
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet

from accounts.belongings import BELONGINGS, acts
from accounts.models import User

ROWS_AT_ONCE = 500
NOT_SHOWN = frozenset({"password"})


def export_account(*, user: User) -> Iterator[str]:
    """The document in pieces, read from the database as they are asked for, so that its size does not matter.

    Columns of the account itself, a list for everything in ``BELONGINGS``, and what the reader did as one of the staff.
    Passwords, keys and other secrets are left out. Reads, and changes nothing.
    """
    own = [field.name for field in User._meta.concrete_fields if field.name not in NOT_SHOWN]
    account = User.objects.filter(pk=user.pk).values(*own).get()
    yield '{\n"account": ' + _json(account)
    for name in ("groups", "user_permissions"):
        names = [str(one) for one in getattr(user, name).all()]
        yield f',\n"{name}": {_json(names)}'
    for belonging in BELONGINGS:
        yield from _list(belonging.name, belonging.rows(user.pk).values(*belonging.columns()))
    for act in acts():
        rows = act.model._default_manager.filter(**{act.column: user.pk}).order_by("pk")
        yield from _list(f"{act.label}.{act.column}", rows.values("pk"))
    log = LogEntry.objects.filter(user=user.pk).order_by("pk")
    yield from _list("log", log.values("action_time", "object_repr", "change_message"))
    yield "\n}\n"


def _list(name: str, rows: QuerySet[Any, Any]) -> Iterator[str]:
    yield f",\n{_json(name)}: ["
    separator = "\n"
    for row in rows.iterator(chunk_size=ROWS_AT_ONCE):
        yield separator + _json(row)
        separator = ",\n"
    yield "]"


def _json(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
