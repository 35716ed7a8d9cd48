"""From what a SearchIndex prepared to a document of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import tantivy
from haystack.constants import DJANGO_CT, DJANGO_ID, ID

from wovepaper.search import analysis
from wovepaper.search.schema import BOOST, LONGEST_KEY, NUMBER, SOURCE, Field, IndexSchema, Kind
from wovepaper.search.values import as_text, column_value, encode_source, stored_value, values_of

_LARGEST_BOOST = 100.0
_MOST_DIGITS = 18
_Adder = Callable[[tantivy.Document, object], None]


def _text_adder(field: Field) -> _Adder:
    names = (field.name, field.exact) if field.kind is Kind.TEXT else (field.name,)
    key = field.key if field.owns_key else ""

    def add(document: tantivy.Document, value: object) -> None:
        text = value if isinstance(value, str) else as_text(value)
        folded = analysis.folded(text)
        joined = analysis.joined_compounds(folded)
        for name in names:
            document.add_text(name, folded)
            if joined:
                document.add_text(name, joined)
        if key and len(text) <= LONGEST_KEY:
            document.add_text(key, analysis.well_formed(text))

    return add


def _column_adder(field: Field) -> _Adder:
    name = field.name

    def add(document: tantivy.Document, value: object) -> None:
        kept = column_value(field, value)
        if kept is None:
            return
        if isinstance(kept, str):
            document.add_text(name, kept)
        elif isinstance(kept, bool):
            document.add_boolean(name, kept)
        elif isinstance(kept, float):
            document.add_float(name, kept)
        else:
            document.add_integer(name, kept)

    return add


class DocumentBuilder:
    """Builds documents of one schema."""

    def __init__(self, schema: IndexSchema) -> None:
        self._schema = schema
        self._adders: dict[str, _Adder] = {
            field.name: _text_adder(field) if field.kind.is_text else _column_adder(field)
            for field in schema.fields.values()
            if field.indexed
        }
        self._hidden = frozenset(name for name, field in schema.fields.items() if not field.stored)

    def build(self, prepared: Mapping[str, object]) -> tantivy.Document:
        """The engine's document for the data of ``SearchIndex.full_prepare``.

        A field this schema does not know is stored and not indexed; ``boost`` that is no field is the
        document's: a factor from 1 to 100, and others are passed over.
        """
        document = tantivy.Document()
        source: dict[str, object] = {}
        fields = self._schema.fields
        for name, value in prepared.items():
            field = fields.get(name)
            if name == "boost" and field is None:
                self._add_boost(document, value)
                continue
            if value is None:
                continue
            add = self._adders.get(name)
            if isinstance(value, str):  # by far the most common
                if name not in self._hidden:
                    source[name] = analysis.well_formed(value)
                if add is not None:
                    add(document, value)
                continue
            values = values_of(value)
            if name not in self._hidden:
                # An iterable was used up by reading it.
                is_list = hasattr(value, "__iter__") and not isinstance(value, Mapping)
                source[name] = stored_value(field, values if is_list else value)
            if add is not None:
                for item in values:
                    add(document, item)
        document.add_bytes(SOURCE, encode_source(source))
        key = str(prepared.get(DJANGO_ID, ""))
        if self._schema.has_numbers and key.isascii() and key.isdigit() and len(key) <= _MOST_DIGITS:
            document.add_integer(NUMBER, int(key))
        return document

    @staticmethod
    def _add_boost(document: tantivy.Document, value: object) -> None:
        try:
            boost = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return
        if 1.0 < boost <= _LARGEST_BOOST:
            # The engine multiplies the score by log2(2 + column), and takes a negative column for 0.
            document.add_float(BOOST, 2**boost - 2)


IDENTITY = (ID, DJANGO_CT, DJANGO_ID)
"""The fields every document has."""
