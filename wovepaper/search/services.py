"""What other parts of the portal call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Model
from haystack import connection_router, connections
from haystack.exceptions import NotHandled
from haystack.indexes import SearchIndex
from haystack.query import SearchQuerySet
from haystack.utils import get_model_ct

from wovepaper.search.backend import TantivySearchBackend, Updated, read_objects


def update_documents(*, model: type[Model], ids: Sequence[Any]) -> Updated:
    """Bring the documents of these objects up to date, with one commit for all.

    Those in the model's index queryset are indexed; the documents of the others are removed. A model without a
    SearchIndex has no documents, and nothing is done. The objects are read while no one else writes, so that of two
    concurrent calls the later one never leaves the older values. Raises ``SearchBackendError``.
    """
    distinct = list(dict.fromkeys(ids))
    total = Updated()
    for using in connection_router.for_write(models=[model]):
        try:
            index = connections[using].get_unified_index().get_index(model)
        except NotHandled:
            continue
        if not distinct:
            continue
        backend = connections[using].get_backend()
        if isinstance(backend, TantivySearchBackend):
            total = backend.update_keys(index, distinct)
        else:
            total = _update_elsewhere(backend, index, using, distinct)
    return total


def _update_elsewhere(backend: Any, index: SearchIndex, using: str, keys: list[Any]) -> Updated:
    """The same through the interface that every backend of Haystack has."""
    label = get_model_ct(index.get_model())
    indexed = removed = 0
    for objects, missing in read_objects(index, using, keys):
        if objects:
            backend.update(index, objects)
        for key in missing:
            backend.remove(f"{label}.{key}")
        indexed += len(objects)
        removed += len(missing)
    return Updated(indexed, removed)


def total_hits(results: SearchQuerySet) -> int:
    """All hits of a query, exactly; ``count()`` gives at most as many as can be paged through."""
    query = results.query
    return int(query.get_total_count() if hasattr(query, "get_total_count") else query.get_count())
