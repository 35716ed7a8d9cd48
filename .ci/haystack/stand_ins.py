"""Modules under the names of the two client libraries, as far as the test files import and use them.

The files import ``whoosh`` and ``elasticsearch`` to look into the index behind Haystack's back; these look into ours.
"""

from __future__ import annotations

import datetime as dt
import sys
from types import ModuleType
from typing import Any


class TransportError(Exception):
    """Raised by the Elasticsearch client; never by ours."""


class Part:
    """A piece of a Whoosh analyzer; our backend knows none of them and takes its own."""

    def __init__(self, *arguments: object) -> None:
        pass

    def __or__(self, other: object) -> Part:
        return self


class QueryParser:
    """Whoosh parses before it searches; ours takes the text."""

    def __init__(self, field: str, schema: object = None) -> None:
        pass

    def parse(self, text: str) -> str:
        """The text."""
        return text


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, dt.date) else value


class _Indices:
    def delete(self, index: str, **options: object) -> None:
        _backend().clear()

    def refresh(self, **options: object) -> None:
        return None

    def get_mapping(self, index: str) -> str:
        return _backend()._snapshot().schema.to_json()


class Elasticsearch:
    """The client, over the connection of that name."""

    def __init__(self, url: str, **options: object) -> None:
        self.indices = _Indices()

    def info(self) -> dict[str, str]:
        """It is there."""
        return {}

    def search(self, q: str, index: str) -> dict[str, Any]:
        """The hits of a raw query."""
        documents = _backend().index.search(q, 1000)
        sources = [{name: _plain(value) for name, value in document.fields().items()} for document in documents]
        return {"hits": {"total": {"value": len(sources)}, "hits": [{"_source": source} for source in sources]}}


def _backend() -> Any:
    from haystack import connections

    return connections["elasticsearch"].get_backend()


def _module(name: str, **contents: object) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(contents)
    sys.modules[name] = module
    return module


def install() -> None:
    """Put the modules in place."""
    _module("whoosh", __version__=(2, 7, 4))
    _module("whoosh.analysis", SpaceSeparatedTokenizer=Part, SubstitutionFilter=Part)
    _module("whoosh.fields", **dict.fromkeys(("BOOLEAN", "DATETIME", "KEYWORD", "NUMERIC", "TEXT"), Part))
    _module("whoosh.qparser", QueryParser=QueryParser)
    errors = {"TransportError": TransportError, "NotFoundError": TransportError, "ConnectionError": TransportError}
    exceptions = _module("elasticsearch.exceptions", **errors)
    _module("elasticsearch", __version__=(7, 17, 0), Elasticsearch=Elasticsearch, exceptions=exceptions, **errors)
