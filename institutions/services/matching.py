"""The matcher over all institutions of the database, kept in memory until the registry changes."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection

from institutions.matching.index import NameIndex
from institutions.matching.known import KnownInstitution
from institutions.matching.matcher import Matcher
from institutions.models import Institution, InstitutionName, InstitutionRelation

_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class _Loaded:
    state: tuple[object, ...]
    matcher: Matcher


_loaded: dict[str, _Loaded] = {}
_lock = threading.Lock()


def load_matcher() -> Matcher | None:
    """The matcher for the institutions as they are now; ``None`` where there are none.

    Built once in a process, about 0.1 ms for each institution, and again when an import has written any.
    """
    state = _state()
    if not state[0]:
        return None
    key = str(connection.settings_dict["NAME"])
    with _lock:
        loaded = _loaded.get(key)
        if loaded is None or loaded.state != state:
            loaded = _loaded[key] = _Loaded(state, Matcher(NameIndex.build(known_institutions())))
    return loaded.matcher


def _state() -> tuple[object, ...]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), max(updated_at), sum(root_id),"
            " (SELECT max(id) FROM institutions_institutionname) FROM institutions_institution"
        )
        return tuple(cursor.fetchone())


def known_institutions() -> Iterator[KnownInstitution]:
    """All institutions as the matcher wants them, by number."""
    parents: dict[int, set[int]] = defaultdict(set)
    relatives: dict[int, set[int]] = defaultdict(set)
    relations = InstitutionRelation.objects.filter(kind__in=["parent", "child", "related"], target__isnull=False)
    for number, kind, target in relations.values_list("institution", "kind", "target").iterator(_BATCH):
        relatives[number].add(target)
        if kind == "parent":
            parents[number].add(target)
    names = InstitutionName.objects.order_by("institution_id", "id").values_list("institution", "value", "kind")
    following = _grouped(names.iterator(_BATCH))
    theirs = next(following, None)
    rows = Institution.objects.order_by("pk").values_list("pk", "root_id", "status", "places")
    for number, root, status, places in rows.iterator(_BATCH):
        found: tuple[tuple[str, str], ...] = ()
        if theirs is not None and theirs[0] == number:
            found, theirs = theirs[1], next(following, None)
        yield KnownInstitution(
            number,
            found,
            cities=tuple(place["city"] for place in places if place["city"]),
            subdivisions=tuple(place["subdivision"] for place in places if place["subdivision"]),
            countries=tuple(place["country"] for place in places if place["country"]),
            status=status,
            leads_to=root if root != number else 0,
            parents=frozenset(parents.get(number, ())),
            relatives=frozenset(relatives.get(number, ())),
        )


def _grouped(rows: Iterator[tuple[int, str, str]]) -> Iterator[tuple[int, tuple[tuple[str, str], ...]]]:
    current: int | None = None
    names: list[tuple[str, str]] = []
    for number, value, kind in rows:
        if number != current:
            if current is not None:
                yield current, tuple(names)
            current, names = number, []
        names.append((value, kind))
    if current is not None:
        yield current, tuple(names)
