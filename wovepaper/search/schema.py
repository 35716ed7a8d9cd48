"""The fields of an index: made from the SearchIndexes, kept beside the index, told to the engine.

An index keeps the schema it was built with. When the SearchIndexes change, it goes on serving with its own schema
until ``manage.py reindex`` builds another.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256

import tantivy
from haystack.constants import DJANGO_CT, DJANGO_ID, ID
from haystack.exceptions import SearchBackendError
from haystack.fields import DecimalField, SearchField

from wovepaper.search import analysis

SOURCE = "source__"
"""The stored fields of a document, as JSON: what hits are made of."""
BOOST = "boost__"
"""The document's boost; documents without one count once."""
NUMBER = "number__"
"""The primary key of a document's object where it is a number, as a column that is quick to read."""
FORMAT = 2
"""Raised when this module changes what it tells the engine. Format 1 had no column of numbers."""

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)
LONGEST_KEY = 255
"""Text longer than this (in characters) is not kept as a key to sort and facet by."""


class Kind(StrEnum):
    """What a field holds."""

    TEXT = "text"
    EXACT_TEXT = "exact_text"
    EDGE_NGRAM = "edge_ngram"
    NGRAM = "ngram"
    KEYWORD = "keyword"
    INTEGER = "integer"
    FLOAT = "float"
    DECIMAL = "decimal"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"
    OPAQUE = "opaque"

    @property
    def is_text(self) -> bool:
        """Whether the field is cut into words."""
        return self in _TEXTS

    @property
    def is_number(self) -> bool:
        """Whether the engine keeps the field as a number."""
        return self in _NUMBERS


_TEXTS = frozenset({Kind.TEXT, Kind.EXACT_TEXT, Kind.EDGE_NGRAM, Kind.NGRAM})
_NUMBERS = frozenset({Kind.INTEGER, Kind.FLOAT, Kind.DECIMAL, Kind.BOOLEAN, Kind.DATE, Kind.DATETIME})
_KIND_OF_TYPE = {
    "string": Kind.TEXT,
    "text": Kind.TEXT,
    "ngram": Kind.NGRAM,
    "edge_ngram": Kind.EDGE_NGRAM,
    "integer": Kind.INTEGER,
    "long": Kind.INTEGER,
    "float": Kind.FLOAT,
    "boolean": Kind.BOOLEAN,
    "date": Kind.DATE,
    "datetime": Kind.DATETIME,
}


def microseconds(value: dt.date) -> int:
    """A date or moment as microseconds since 1970; a naive one is taken as UTC."""
    if not isinstance(value, dt.datetime):
        value = dt.datetime(value.year, value.month, value.day, tzinfo=dt.UTC)
    elif value.tzinfo is None:
        value = value.replace(tzinfo=dt.UTC)
    return (value - _EPOCH) // _MICROSECOND


def moment(value: float) -> dt.datetime:
    """The naive UTC moment of a number of microseconds since 1970."""
    return (_EPOCH + dt.timedelta(microseconds=int(value))).replace(tzinfo=None)


@dataclass(frozen=True, slots=True)
class Field:
    """One field. ``key`` names the column to sort and facet by, empty where there is none."""

    name: str
    kind: Kind
    stored: bool = True
    indexed: bool = True
    multivalued: bool = False
    boost: float = 1.0
    document: bool = False
    key: str = ""

    @property
    def exact(self) -> str:
        """The name of the unstemmed form, for text."""
        return f"{self.name}__exact" if self.kind is Kind.TEXT else self.name

    @property
    def owns_key(self) -> bool:
        """Whether the key is a column of this field's own, beside its words."""
        return self.key == f"{self.name}__key"


def _kind(field: SearchField) -> Kind:
    if isinstance(field, DecimalField):
        return Kind.DECIMAL
    kind = _KIND_OF_TYPE.get(field.field_type or "string", Kind.OPAQUE)
    if kind is not Kind.TEXT:
        return kind
    if hasattr(field, "facet_for"):
        return Kind.KEYWORD
    return Kind.EXACT_TEXT if field.analyzer == "exact" else Kind.TEXT


def _key(field: SearchField, kind: Kind, facet_names: Mapping[str, str]) -> str:
    if not field.indexed:
        return ""
    if kind is Kind.KEYWORD or kind.is_number:
        return str(field.index_fieldname)
    if kind not in {Kind.TEXT, Kind.EXACT_TEXT} or field.document:
        return ""
    return facet_names.get(field.instance_name or "") or f"{field.index_fieldname}__key"


@dataclass(frozen=True)
class IndexSchema:
    """All fields of an index, by name."""

    fields: Mapping[str, Field]
    document: str
    format: int = FORMAT

    @classmethod
    def from_search_fields(cls, search_fields: Mapping[str, SearchField]) -> IndexSchema:
        """The schema of Haystack's unified index. Raises ``SearchBackendError`` where there is no document field."""
        facet_names = {
            field.facet_for: str(field.index_fieldname)
            for field in search_fields.values()
            if getattr(field, "facet_for", None)
        }
        fields = {name: Field(name, Kind.KEYWORD, key=name) for name in (ID, DJANGO_CT, DJANGO_ID)}
        document = ""
        for search_field in search_fields.values():
            name = str(search_field.index_fieldname)
            if name in fields and name in {ID, DJANGO_CT, DJANGO_ID}:
                continue
            kind = _kind(search_field)
            fields[name] = Field(
                name=name,
                kind=kind,
                stored=bool(search_field.stored),
                indexed=bool(search_field.indexed) and kind is not Kind.OPAQUE,
                multivalued=bool(search_field.is_multivalued),
                boost=float(search_field.boost or 1.0),
                document=bool(search_field.document),
                key=_key(search_field, kind, facet_names),
            )
            if search_field.document:
                document = name
        if not document:
            raise SearchBackendError("No document field was found in any SearchIndex: add one with document=True.")
        return cls(fields, document)

    def get(self, name: str | None) -> Field | None:
        """A field by name, the document for ``None``; ``None`` for a field this index does not have."""
        return self.fields.get(self.document if name is None else name)

    @cached_property
    def sortable(self) -> dict[str, Field]:
        """The fields with a column to sort and facet by."""
        return {name: field for name, field in self.fields.items() if field.key}

    def key_field(self, name: str) -> Field | None:
        """The field whose column sorts and facets ``name``."""
        field = self.fields.get(name)
        return self.fields.get(field.key, field) if field and field.key else None

    def to_json(self) -> str:
        """The schema as it is kept beside the index."""
        fields = [asdict(field) for field in self.fields.values()]
        return json.dumps({"format": self.format, "document": self.document, "fields": fields}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> IndexSchema:
        """The schema of an index. Raises ``SearchBackendError`` where another release of this module wrote it."""
        kept = json.loads(text)
        if kept.get("format") not in (1, FORMAT):
            raise SearchBackendError("The search index is of another format: run manage.py reindex.")
        fields = {item["name"]: Field(**(item | {"kind": Kind(item["kind"])})) for item in kept["fields"]}
        return cls(fields, kept["document"], kept["format"])

    @property
    def has_numbers(self) -> bool:
        """Whether there is a column of primary keys."""
        return self.format > 1

    @cached_property
    def fingerprint(self) -> str:
        """Equal for equal schemas."""
        return sha256(self.to_json().encode()).hexdigest()

    @cached_property
    def engine_schema(self) -> tantivy.Schema:
        """The same for the engine."""
        builder = tantivy.SchemaBuilder()
        for field in self.fields.values():
            _add(builder, field)
        builder.add_float_field(BOOST, fast=True)
        if self.has_numbers:
            builder.add_integer_field(NUMBER, fast=True)
        builder.add_bytes_field(SOURCE, stored=True)
        return builder.build()


def _add(builder: tantivy.SchemaBuilder, field: Field) -> None:
    if not field.indexed:
        return
    match field.kind:
        case Kind.TEXT:
            builder.add_text_field(field.name, tokenizer_name=analysis.STEMMED)
            builder.add_text_field(field.exact, tokenizer_name=analysis.EXACT)
        case Kind.EXACT_TEXT | Kind.EDGE_NGRAM | Kind.NGRAM:
            builder.add_text_field(field.name, tokenizer_name=analysis.EXACT)
        case Kind.KEYWORD:
            builder.add_text_field(field.name, tokenizer_name=analysis.KEYWORD, fast=True, index_option="basic")
        case Kind.INTEGER | Kind.DATE | Kind.DATETIME:
            builder.add_integer_field(field.name, indexed=True, fast=True)
        case Kind.FLOAT | Kind.DECIMAL:
            builder.add_float_field(field.name, indexed=True, fast=True)
        case Kind.BOOLEAN:
            builder.add_boolean_field(field.name, indexed=True, fast=True)
        case Kind.OPAQUE:
            pass
    if field.owns_key:
        builder.add_text_field(field.key, tokenizer_name=analysis.KEYWORD, fast=True, index_option="basic")
