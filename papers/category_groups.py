"""The taxonomy as a menu: groups with their categories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from django.db import connections, router

from papers.models import Category


class Choice(NamedTuple):
    """What a choice of categories needs of one. A tuple, since there are some 170 of them on every list of papers."""

    code: str
    name: str
    group: str
    group_name: str
    canonical: str | None


class Choices(tuple[Choice, ...]):
    """Every category, by code. The same object as long as they are the same, so that what is made of them can be kept
    by identity: to compare 170 categories costs more than to use them.
    """

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def read_choices() -> Choices:
    """Every category, by code, in one query."""
    global _latest
    with connections[router.db_for_read(Category)].cursor() as cursor:
        cursor.execute(_choices_statement())
        rows = cursor.fetchall()
    known = _latest
    if known is None or known[0] != rows:
        _latest = known = (rows, Choices(map(Choice._make, rows)))
    return known[1]


_latest: tuple[list[tuple[object, ...]], Choices] | None = None


@lru_cache(maxsize=1)
def _choices_statement() -> str:
    """The query, put together by the ORM once: every list of papers asks it, and the ORM takes longer than it does."""
    fields = ("code", "name", "group", "group_name", "canonical_id")
    statement, parameters = Category.objects.order_by("code").values_list(*fields).query.sql_with_params()
    assert not parameters
    return statement


@dataclass(frozen=True, slots=True)
class CategoryGroup:
    """A group of the taxonomy with its categories."""

    code: str
    name: str
    categories: list[Category]

    @property
    def archives(self) -> list[tuple[str, str]]:
        """Codes and names of the archives that have several categories, each with what is new in all of them."""
        names = {one.archive: one.archive_name for one in self.categories}
        single = {one.code for one in self.categories}
        return sorted((code, name) for code, name in names.items() if code not in single)


def group_categories(categories: Iterable[Category]) -> list[CategoryGroup]:
    """Categories under their groups, by name; aliases are left out."""
    groups: dict[str, CategoryGroup] = {}
    for one in categories:
        if one.canonical_id is None:
            groups.setdefault(one.group, CategoryGroup(one.group, one.group_name, [])).categories.append(one)
    return sorted(groups.values(), key=lambda group: group.name)
