"""Institutions side by side, as their records have them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from institutions.models import Institution, InstitutionIdentifier, InstitutionName, InstitutionRelation

MOST_COLUMNS = 4


@dataclass(slots=True)
class Column:
    """One institution: the root and whatever is merged into it."""

    institution: Institution
    letter: str
    members: tuple[int, ...] = ()
    names: list[InstitutionName] = field(default_factory=list)
    identifiers: list[InstitutionIdentifier] = field(default_factory=list)
    relations: list[InstitutionRelation] = field(default_factory=list)


def compare(roots: Sequence[int]) -> list[Column]:
    """In four queries, however many names they have."""
    members: dict[int, list[int]] = defaultdict(list)
    known: dict[int, Institution] = {}
    for row in Institution.objects.filter(root__in=roots).order_by("pk"):
        members[row.root_id].append(row.pk)
        if row.pk == row.root_id:
            known[row.pk] = row
    columns = {
        root: Column(known[root], chr(ord("A") + place), tuple(members[root]))
        for place, root in enumerate(sorted(known)[:MOST_COLUMNS])
    }
    root_of = {member: root for root, theirs in members.items() for member in theirs if root in columns}
    for name in InstitutionName.objects.filter(institution__in=root_of).order_by("pk"):
        columns[root_of[name.institution_id]].names.append(name)
    for one in InstitutionIdentifier.objects.filter(institution__in=root_of).order_by("scheme", "pk"):
        columns[root_of[one.institution_id]].identifiers.append(one)
    for relation in InstitutionRelation.objects.filter(institution__in=root_of).order_by("kind", "label"):
        columns[root_of[relation.institution_id]].relations.append(relation)
    return list(columns.values())


def roots_of(members: Sequence[int]) -> list[int]:
    """What the members of an item are shown under now, rising, each once."""
    return sorted(set(Institution.objects.filter(pk__in=members).values_list("root", flat=True)))
