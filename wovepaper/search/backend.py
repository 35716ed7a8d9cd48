"""Haystack's backend over the engine."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.models import Model
from haystack import connections
from haystack.backends import BaseEngine, BaseSearchBackend, log_query
from haystack.constants import ID
from haystack.exceptions import SearchBackendError, SkipDocument
from haystack.fields import SearchField
from haystack.indexes import SearchIndex
from haystack.models import SearchResult
from haystack.utils import get_identifier, get_model_ct

from wovepaper.search import search, spelling
from wovepaper.search.conditions import Condition, Every, MatchAll, Negated, OneOf, searched_text
from wovepaper.search.facets import Wanted
from wovepaper.search.journal import Journal
from wovepaper.search.queries import QueryBuilder
from wovepaper.search.query import BuiltQuery, TantivySearchQuery
from wovepaper.search.ranking import Nearness
from wovepaper.search.schema import IndexSchema
from wovepaper.search.similar import similar_query
from wovepaper.search.store import IndexStore, Snapshot, Writing, store_at
from wovepaper.search.syntax import parse
from wovepaper.search.values import as_text

_EMPTY: dict[str, Any] = {"results": [], "hits": 0}


READ_BATCH = 500
"""Objects read from the database at a time."""


@dataclass(frozen=True, slots=True)
class Updated:
    """How many documents were indexed, and how many objects have none (any more)."""

    indexed: int = 0
    removed: int = 0


def read_objects(index: SearchIndex, using: str, keys: Sequence[Any]) -> Iterator[tuple[list[Model], list[Any]]]:
    """The objects with these primary keys that the index wants, and the keys of the others, batch by batch."""
    queryset = index.index_queryset(using=using)
    for start in range(0, len(keys), READ_BATCH):
        batch = keys[start : start + READ_BATCH]
        objects = list(queryset.filter(pk__in=batch))
        found = {str(instance.pk) for instance in objects}
        yield objects, [key for key in batch if str(key) not in found]


def condition_of(query: str) -> Condition:
    """The condition of a query that ``TantivySearchQuery`` built, or that someone wrote."""
    return query.condition if isinstance(query, BuiltQuery) else parse(query)


class TantivySearchBackend(BaseSearchBackend):
    """Searches and writes one index.

    Options: ``PATH`` (required), ``MAX_HITS``, ``INCLUDE_SPELLING``, ``SILENTLY_FAIL``.
    """

    def __init__(self, connection_alias: str, **connection_options: Any) -> None:
        super().__init__(connection_alias, **connection_options)
        if not connection_options.get("PATH"):
            raise ImproperlyConfigured(f"The search connection {connection_alias!r} needs a PATH, a folder.")
        self.path = Path(connection_options["PATH"])
        self.max_hits = int(connection_options.get("MAX_HITS", search.MAX_HITS))
        self.log = logging.getLogger("haystack")

    # --- the index -------------------------------------------------------------------------------------------

    @property
    def store(self) -> IndexStore:
        """The folder of the index."""
        return store_at(self.path)

    def build_schema(self, fields: Mapping[str, SearchField]) -> tuple[str, IndexSchema]:
        """The name of the document field and the schema for Haystack's fields."""
        schema = IndexSchema.from_search_fields(fields)
        return schema.document, schema

    def current_schema(self) -> IndexSchema:
        """The schema that the SearchIndexes ask for now; the index may still have the one it was built with."""
        return self.build_schema(connections[self.connection_alias].get_unified_index().all_searchfields())[1]

    def setup(self) -> None:
        """Make the index where there is none."""
        self._snapshot()

    def needs_rebuild(self) -> bool:
        """Whether the SearchIndexes have changed since the index was built."""
        return self._snapshot().schema.fingerprint != self.current_schema().fingerprint

    def _snapshot(self) -> Snapshot:
        snapshot = self.store.snapshot()
        if snapshot is None or snapshot.searcher.num_docs == 0:
            snapshot = self.store.ensure(self.current_schema())
        return snapshot

    @contextmanager
    def _forgiving(self, what: str, *, silently: bool | None = None) -> Iterator[None]:
        """Raise the errors of the index as ``SearchBackendError``, or log them where the connection fails silently."""
        silently = self.silently_fail if silently is None else silently
        try:
            yield
        except BaseException as error:
            # A panic of the engine is no Exception in Python and would end the web server's worker.
            is_panic = type(error).__module__ == "pyo3_runtime"
            if not (is_panic or isinstance(error, SearchBackendError | OSError | ValueError)):
                raise
            if silently:
                self.log.exception("%s failed", what)
            elif isinstance(error, SearchBackendError):
                raise
            else:
                raise SearchBackendError(f"{what} failed: {error}") from error

    # --- writing ---------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Be the only writer for one batch of changes, committed together at the end."""
        self._snapshot()
        with self.store.lease():
            generation = self.store.current_generation()
            if generation is None:
                raise SearchBackendError(f"The search index in {self.path} vanished: run manage.py reindex.")
            with self.store.writing(generation) as writing:
                yield writing

    def prepare(self, index: SearchIndex, objects: Iterable[Model]) -> Iterator[dict[str, Any]]:
        """What the index's documents of these objects hold; without those it skips."""
        for instance in objects:
            document = self._prepared(index, instance)
            if document is not None:
                yield document

    def _prepared(self, index: SearchIndex, instance: Model) -> dict[str, Any] | None:
        try:
            document: dict[str, Any] = index.full_prepare(instance)
        except SkipDocument:
            self.log.debug("Indexing for object `%s` skipped", instance)
            return None
        return document

    def update(self, index: SearchIndex, iterable: Iterable[Model], commit: bool = True) -> None:
        """Index objects, in place of what was indexed of them, with one commit."""
        model = get_model_ct(index.get_model())
        with self._forgiving("Indexing"), self.writing() as writing:
            journal = Journal(self.store.root)
            for prepared in self.prepare(index, iterable):
                journal.changed(model, str(prepared["django_id"]))
                writing.put(prepared)
            journal.flush()

    def update_keys(self, index: SearchIndex, keys: Sequence[Any]) -> Updated:
        """Index the objects with these primary keys that the index wants and remove the others, with one commit.

        Raises ``SearchBackendError``, also where the connection fails silently: the caller must know what is not done.
        """
        model = get_model_ct(index.get_model())
        indexed = removed = 0
        with self._forgiving("Indexing", silently=False), self.writing() as writing:
            journal = Journal(self.store.root)
            for key in keys:
                journal.changed(model, str(key))
            journal.flush()
            for objects, missing in read_objects(index, self.connection_alias, keys):
                for instance in objects:
                    document = self._prepared(index, instance)
                    if document is None:
                        missing.append(instance.pk)
                    else:
                        writing.put(document)
                        indexed += 1
                for key in missing:
                    writing.delete(f"{model}.{key}")
                removed += len(missing)
        return Updated(indexed, removed)

    def remove(self, obj_or_string: Model | str, commit: bool = True) -> None:
        """Remove the document of an object, or of an identifier ``app.model.pk``."""
        identifier = get_identifier(obj_or_string)
        with self._forgiving("Removing"), self.writing() as writing:
            journal = Journal(self.store.root)
            journal.removed(identifier)
            journal.flush()
            writing.delete(identifier)

    def clear(self, models: Sequence[type[Model]] | None = None, commit: bool = True) -> None:
        """Remove all documents, or those of some models. The schema of an emptied index is made anew."""
        if models is not None and not isinstance(models, list | tuple):
            raise TypeError("The models to clear must be a list or a tuple.")
        with self._forgiving("Clearing"):
            self._snapshot()
            with self.store.lease():
                journal = Journal(self.store.root)
                if models is None:
                    journal.cleared()
                    journal.flush()
                    self.store.switch_to(self.store.make_generation(self.current_schema()))
                    return
                names = [get_model_ct(model) for model in models]
                for name in names:
                    journal.cleared(name)
                journal.flush()
                with self.store.writing(self.store.current_generation() or "") as writing:
                    for name in names:
                        writing.delete_model(name)

    def delete_index(self) -> None:
        """Start again with an empty index."""
        self.clear()

    # --- searching -------------------------------------------------------------------------------------------

    @log_query
    def search(self, query_string: str, **kwargs: Any) -> dict[str, Any]:
        """Haystack's search; see ``search.run`` for the answer. ``""`` finds nothing, ``*`` and ``*:*`` everything."""
        if not query_string:
            return dict(_EMPTY)
        with self._forgiving("Searching"):
            answer = search.run(self._snapshot(), self.build_search_kwargs(query_string, **kwargs)["request"])
            if kwargs.get("with_spelling", self.include_spelling):
                text = kwargs.get("spelling_query") or searched_text(condition_of(query_string))
                answer["spelling_suggestion"] = self.suggest(as_text(text))
            return answer
        return dict(_EMPTY)

    def suggest(self, text: str) -> str | None:
        """What may have been meant by a text with unknown words; ``None`` where nothing is to be mended."""
        with self._forgiving("Suggesting"):
            return spelling.suggestion(self._snapshot(), text)
        return None

    def build_search_kwargs(
        self,
        query_string: str,
        sort_by: Sequence[Any] | None = None,
        start_offset: int = 0,
        end_offset: int | None = None,
        fields: Any = "",
        highlight: object = False,
        facets: Any = None,
        date_facets: Mapping[str, Any] | None = None,
        query_facets: Any = None,
        narrow_queries: Iterable[str] | None = None,
        spelling_query: str | None = None,
        within: Any = None,
        dwithin: Any = None,
        distance_point: Any = None,
        models: Iterable[type[Model]] | None = None,
        limit_to_registered_models: bool | None = None,
        result_class: type[Any] | None = None,
        stats: Mapping[str, Any] | None = None,
        nearness: Nearness | None = None,
        **extra_kwargs: Any,
    ) -> dict[str, Any]:
        """The request for Haystack's parameters. Raises ``SearchBackendError`` for spatial ones."""
        if within or dwithin or distance_point:
            raise SearchBackendError("This search engine knows no distances; leave the spatial filters out.")
        wanted = Wanted(
            fields=facets if isinstance(facets, Mapping) else {name: {} for name in facets or ()},
            dates=date_facets or {},
            queries=tuple(query_facets.items() if isinstance(query_facets, Mapping) else query_facets or ()),
            stats={name: _flat(by) for name, by in (stats or {}).items()},
        )
        request = search.Request(
            condition=condition_of(query_string),
            narrowed=[condition_of(query) for query in sorted(narrow_queries or ())],
            models=self._model_names(models, limit_to_registered_models),
            start=start_offset or 0,
            end=end_offset,
            sort_by=sort_by or (),
            wanted=wanted,
            highlight=highlight,
            result_class=result_class or SearchResult,
            max_hits=self.max_hits,
            nearness=nearness,
        )
        return {"request": request}

    def _model_names(self, models: Iterable[type[Model]] | None, limit: bool | None) -> frozenset[str] | None:
        if models:
            return frozenset(get_model_ct(model) for model in models)
        if limit is None:
            limit = getattr(settings, "HAYSTACK_LIMIT_TO_REGISTERED_MODELS", True)
        return frozenset(self.build_models_list()) if limit else None

    def more_like_this(
        self,
        model_instance: Model,
        additional_query_string: str | None = None,
        start_offset: int = 0,
        end_offset: int | None = None,
        models: Iterable[type[Model]] | None = None,
        limit_to_registered_models: bool | None = None,
        result_class: type[Any] | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Documents that share the telling words of this one, best first; nothing for an object not indexed."""
        with self._forgiving("More like this"):
            snapshot = self._snapshot()
            identifier = get_identifier(model_instance)
            text = self._document_text(snapshot, model_instance, identifier)
            if not text:
                return dict(_EMPTY)
            wish = condition_of(additional_query_string) if additional_query_string else MatchAll()
            request = search.Request(
                condition=Every((wish, Negated(OneOf(ID, (identifier,))))),
                models=self._model_names(models, limit_to_registered_models),
                start=start_offset or 0,
                end=end_offset,
                result_class=result_class or SearchResult,
                max_hits=self.max_hits,
            )
            builder = QueryBuilder(snapshot.schema, snapshot.index, snapshot.searcher)
            filters = search.narrowed_query(snapshot, builder, request)
            query = builder.filtered(similar_query(snapshot, text), [filters])
            return search.fetch(snapshot, query, builder, request)
        return dict(_EMPTY)

    def _document_text(self, snapshot: Snapshot, model_instance: Model, identifier: str) -> str:
        document = search.find_document(snapshot, identifier)
        if document is None:
            return ""
        name = snapshot.schema.document
        if name not in document:
            index = (
                connections[self.connection_alias].get_unified_index().get_index(model_instance._meta.concrete_model)
            )
            document = index.full_prepare(model_instance)
        return as_text(document.get(name) or "")


def _flat(names: Any) -> tuple[str, ...]:
    """Haystack wraps the fields of statistics in one more list."""
    flat: list[str] = []
    for name in names or ():
        flat.extend([name] if isinstance(name, str) else name)
    return tuple(flat)


class TantivyEngine(BaseEngine):
    """The engine named in ``HAYSTACK_CONNECTIONS``."""

    backend: Callable[..., TantivySearchBackend] = TantivySearchBackend
    query = TantivySearchQuery
