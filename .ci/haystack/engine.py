"""Our backend with the handles by which the tests look past Haystack into the index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings

from wovepaper.search import search
from wovepaper.search.backend import TantivyEngine, TantivySearchBackend
from wovepaper.search.conditions import MatchAll


class IndexView:
    """What Whoosh calls the index, its reader and its searcher, in one."""

    def __init__(self, backend: AdaptedBackend) -> None:
        self._backend = backend

    def refresh(self) -> IndexView:
        """The view is always fresh."""
        return self

    def searcher(self) -> IndexView:
        """The view searches too."""
        return self

    def __enter__(self) -> IndexView:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def doc_count(self) -> int:
        """How many documents there are."""
        return self._backend._snapshot().searcher.num_docs

    def documents(self) -> Iterator[dict[str, Any]]:
        """The stored fields of every document."""
        snapshot = self._backend._snapshot()
        answer = search.run(snapshot, search.Request(MatchAll(), result_class=StoredDocument))
        return (document.fields() for document in answer["results"])

    def search(self, query: str, limit: int) -> list[StoredDocument]:
        """The documents that a raw query finds."""
        answer = self._backend.search(
            query, end_offset=limit, result_class=StoredDocument, limit_to_registered_models=False
        )
        return list(answer["results"])


class StoredDocument:
    """A hit as Whoosh shows it."""

    def __init__(self, app_label: str, model_name: str, pk: str, score: float, **fields: Any) -> None:
        self._fields = {"django_ct": f"{app_label}.{model_name}", "django_id": pk, **fields}

    def fields(self) -> dict[str, Any]:
        """Its stored fields."""
        return self._fields


class AdaptedBackend(TantivySearchBackend):
    """Ours, with the attributes the test cases set and read."""

    def __init__(self, connection_alias: str, **options: Any) -> None:
        # Cases that make a backend of their own give Elasticsearch's options; an address that is none is no folder.
        if "PATH" not in options and "URL" in options:
            known = settings.HAYSTACK_CONNECTIONS["elasticsearch"]
            options["PATH"] = known["PATH"] if options["URL"] == known["URL"] else "/dev/null/index"
        super().__init__(connection_alias, **options)

    def setup(self) -> None:
        """Whoosh's and Elasticsearch's backends know these once they are set up."""
        super().setup()
        schema = self.current_schema()
        self.content_field_name = schema.document
        self.schema = schema
        self.index_name = "test_default"

    @property
    def index(self) -> IndexView:
        """The view on the index."""
        return IndexView(self)


class AdaptedEngine(TantivyEngine):
    """The engine of every connection in the tests."""

    backend = AdaptedBackend
