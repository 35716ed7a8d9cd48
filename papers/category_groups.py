"""The taxonomy as a menu: groups with their categories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from papers.models import Category


@dataclass(frozen=True, slots=True)
class CategoryGroup:
    """A group of the taxonomy with its categories."""

    code: str
    name: str
    categories: list[Category]


def group_categories(categories: Iterable[Category]) -> list[CategoryGroup]:
    """Categories under their groups, by name; aliases are left out."""
    groups: dict[str, CategoryGroup] = {}
    for one in categories:
        if one.canonical_id is None:
            groups.setdefault(one.group, CategoryGroup(one.group, one.group_name, [])).categories.append(one)
    return sorted(groups.values(), key=lambda group: group.name)
