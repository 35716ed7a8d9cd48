"""Haystack's SearchQuery: from filters to a condition, with the text of it for people and for logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from haystack import connections
from haystack.backends import BaseSearchQuery, SearchNode
from haystack.constants import DJANGO_ID
from haystack.exceptions import MoreLikeThisError
from haystack.inputs import AltParser, AutoQuery, BaseInput, Clean, Exact, Not, PythonData, Raw

from wovepaper.search.conditions import (
    Affix,
    Between,
    Boosted,
    Condition,
    Equals,
    Every,
    Fuzzy,
    MatchAll,
    MatchNone,
    Negated,
    OneOf,
    Phrase,
    Preferring,
    Ranked,
    Some,
    Words,
    searched_text,
)
from wovepaper.search.inputs import BestMatch
from wovepaper.search.ranking import Nearness
from wovepaper.search.syntax import MOST_PARTS, parse
from wovepaper.search.values import as_text


class BuiltQuery(str):
    """The text of a query that carries its condition, so that nothing is read back from the text."""

    __slots__ = ("condition",)
    condition: Condition

    @classmethod
    def of(cls, text: str, condition: Condition) -> BuiltQuery:
        """The text with its condition."""
        built = cls(text)
        built.condition = condition
        return built

    def __reduce__(self) -> tuple[Any, ...]:
        return BuiltQuery.of, (str(self), self.condition)


class TantivySearchQuery(BaseSearchQuery):
    """Collects what a SearchQuerySet asks for."""

    def __init__(self, using: str = "default") -> None:
        super().__init__(using=using)
        self._total: int | None = None
        self.nearness: Nearness | None = None
        """How near documents are in meaning to what is sought: orders the best hits of a ``BestMatch`` too."""

    # --- the condition ---------------------------------------------------------------------------------------

    def build_query(self) -> BuiltQuery:
        """The query: as text, with its condition."""
        condition = self.build_condition()
        return BuiltQuery.of(super().build_query(), condition)

    def build_condition(self) -> Condition:
        """What all filters and boosts together ask for."""
        condition = self._node(self.query_filter) if self.query_filter else MatchAll()
        if self.boost:
            wishes = tuple(Boosted(Words(None, word), float(factor)) for word, factor in self.boost.items())
            condition = Preferring(condition, wishes)
        return condition

    def _node(self, node: SearchNode) -> Condition:
        parts: list[Condition] = []
        for child in node.children:
            if isinstance(child, tuple):
                expression, value = child
                name, filter_type = node.split_expression(expression)
                parts.append(self._filter(name, filter_type, value))
            elif child:
                parts.append(self._node(child))
        condition: Condition
        if len(parts) == 1:
            condition = parts[0]
        else:
            condition = (Some if node.connector == node.OR and parts else Every)(tuple(parts))
        return Negated(condition) if node.negated else condition

    def _filter(self, name: str, filter_type: str, value: Any) -> Condition:
        field = None if name == "content" else self._index_fieldname(name)
        if isinstance(value, Raw):
            return parse(as_text(value.query_string), field)
        if isinstance(value, AutoQuery):
            return auto_condition(field, as_text(value.query_string))
        if isinstance(value, AltParser):
            value.prepare(self)  # warns
            return Words(field, value.query_string)
        if isinstance(value, Not):
            return Negated(self._filter(name, filter_type, value.query_string))
        if isinstance(value, BestMatch):
            return Ranked(field, as_text(value.query_string), value.title, value.phrases)
        is_phrase = isinstance(value, Exact)
        if isinstance(value, BaseInput):
            value = value.query_string
        if hasattr(value, "values_list") or (isinstance(value, Iterable) and not isinstance(value, str | bytes)):
            value = tuple(value)
        return _condition(field, filter_type, value, is_phrase=is_phrase)

    def _index_fieldname(self, name: str) -> str:
        if name == "pk":
            return str(DJANGO_ID)
        return str(connections[self._using].get_unified_index().get_index_fieldname(name))

    # --- its text --------------------------------------------------------------------------------------------

    def matching_all_fragment(self) -> str:
        """The text for every document."""
        return "*:*"

    def build_query_fragment(self, field: str, filter_type: str, value: Any) -> str:
        """One filter in the syntax of raw queries; ``syntax.parse`` reads it back."""
        where = "" if field == "content" else f"{self._index_fieldname(field)}:"
        text = self._fragment(filter_type, value)
        if text and not isinstance(value, Raw) and not (text.startswith("(") or text.endswith(")")):
            text = f"({text})"
        return where + text

    def _fragment(self, filter_type: str, value: Any) -> str:
        if isinstance(value, AutoQuery):
            return self._auto_text(as_text(value.query_string))
        if isinstance(value, BaseInput) and not value.post_process:
            return as_text(value.prepare(self))
        if isinstance(value, Not):
            return as_text(value.prepare(self))
        if not isinstance(value, BaseInput):
            if hasattr(value, "values_list"):
                value = list(value)
            if isinstance(value, str) and filter_type == "exact":
                return _quoted(value)
            value = Clean(value) if isinstance(value, str) and value != " " else PythonData(value)
        prepared = value.prepare(self)
        if not isinstance(prepared, set | list | tuple):
            prepared = self._literal(prepared)
        match filter_type:
            case "in":
                choices = [_quoted(self._literal(item)) for item in prepared]
                return "({})".format(" OR ".join(choices)) if choices else "(!*:*)"
            case "range":
                bounds = [_quoted(self._literal(bound)) for bound in prepared]
                return f"[{' TO '.join(bounds)}]" if len(bounds) == 2 else "(!*:*)"
            case "gt" | "gte" | "lt" | "lte":
                bound = prepared if isinstance(value, Exact) else self.build_exact_query(prepared)
                shapes = {"gt": "{{{} TO *}}", "gte": "[{} TO *]", "lt": "{{* TO {}}}", "lte": "[* TO {}]"}
                return shapes[filter_type].format(bound)
            case "exact":
                return prepared if isinstance(value, Exact) else self.build_exact_query(prepared)
        if isinstance(value, Exact):
            return as_text(prepared)
        shape = {"contains": "*{}*", "endswith": "*{}", "startswith": "{}*", "fuzzy": "{}~"}.get(filter_type, "{}")
        words = (
            [shape.format(word) for word in prepared.split(" ")]
            if isinstance(prepared, str)
            else [shape.format(prepared)]
        )
        return words[0] if len(words) == 1 else "({})".format(" AND ".join(words))

    def _auto_text(self, text: str) -> str:
        parts = []
        for what, part in islice(_typed(text), MOST_PARTS):
            cleaned = self.clean(part)
            shapes = {"phrase": self.build_exact_query, "exclude": self.build_not_query}
            parts.append(shapes[what](cleaned) if what in shapes else cleaned)
        return " ".join(parts)

    @staticmethod
    def _literal(value: Any) -> str:
        return str(value) if isinstance(value, bool) else as_text(value)

    def clean(self, query_fragment: Any) -> Any:
        """The words of a fragment so that the syntax of raw queries takes them as they are."""
        if not isinstance(query_fragment, str):
            return query_fragment
        return " ".join(_cleaned(word) for word in query_fragment.split())

    # --- running ---------------------------------------------------------------------------------------------

    def build_params(self, spelling_query: str | None = None) -> dict[str, Any]:
        """The keyword arguments of the search."""
        params = super().build_params(spelling_query=spelling_query)
        if self.stats:
            params["stats"] = self.stats
        # Asked for when it is wanted: unknown words take longer than the whole search.
        params["with_spelling"] = False
        if self.nearness is not None:
            params["nearness"] = self.nearness
        return dict(params)

    def run(self, spelling_query: str | None = None, **kwargs: Any) -> None:
        """Search, and keep the answer."""
        self._keep(self.backend.search(self.build_query(), **(self.build_params(spelling_query) | kwargs)))

    def run_raw(self, **kwargs: Any) -> None:
        """Search for the raw query, and keep the answer."""
        params = self.build_params() | self._raw_query_params | kwargs
        self._keep(self.backend.search(self._raw_query, **params))

    def run_mlt(self, **kwargs: Any) -> None:
        """Find similar documents, and keep the answer. Raises ``MoreLikeThisError`` without an instance."""
        if self._more_like_this is False or self._mlt_instance is None:
            raise MoreLikeThisError("No instance was provided to determine 'More Like This' results.")
        params = {
            "start_offset": self.start_offset,
            "end_offset": self.end_offset,
            "models": self.models,
            "result_class": self.result_class,
        }
        self._keep(self.backend.more_like_this(self._mlt_instance, self.build_query(), **(params | kwargs)))

    def _keep(self, answer: dict[str, Any]) -> None:
        self._results = answer.get("results", [])
        self._hit_count = answer.get("hits", 0)
        self._total = answer.get("total", self._hit_count)
        self._facet_counts = self.post_process_facets(answer)
        self._stats = answer.get("stats", {})

    def get_spelling_suggestion(self, preferred_query: str | None = None) -> str | None:
        """What may have been meant; ``None`` where nothing is to be mended, or without ``INCLUDE_SPELLING``."""
        if not self.backend.include_spelling:
            return None
        text = preferred_query or self.spelling_query or searched_text(self.build_condition())
        suggestion: str | None = self.backend.suggest(as_text(text))
        return suggestion

    def get_total_count(self) -> int:
        """All hits, exactly; ``get_count`` gives at most as many as can be paged through."""
        self.get_count()
        return self._total or 0

    def _clone(self, klass: type[BaseSearchQuery] | None = None, using: str | None = None) -> BaseSearchQuery:
        clone = super()._clone(klass=klass, using=using)
        if isinstance(clone, TantivySearchQuery):
            clone.nearness = self.nearness
        return clone

    def _reset(self) -> None:
        super()._reset()
        self._total = None


_SPECIAL = str.maketrans({character: f"\\{character}" for character in '\\+-!(){}[]^"~*?:/'} | {"&": "&", "|": "|"})
_OPERATORS = frozenset({"AND", "NOT", "OR", "TO"})


def _quoted(text: str) -> str:
    return '"{}"'.format(text.replace("\\", "\\\\").replace('"', '\\"'))


def _cleaned(word: str) -> str:
    if word in _OPERATORS:
        return word.lower()
    return word.translate(_SPECIAL).replace("&&", "\\&&").replace("||", "\\||")


def _condition(field: str | None, filter_type: str, value: Any, *, is_phrase: bool) -> Condition:
    match filter_type:
        case "in":
            return OneOf(field, value if isinstance(value, tuple) else (value,))
        case "range":
            if not isinstance(value, tuple) or len(value) != 2:
                return MatchNone()
            return Between(field, *value)
        case "gt":
            return Between(field, lower=value, include_lower=False)
        case "gte":
            return Between(field, lower=value)
        case "lt":
            return Between(field, upper=value, include_upper=False)
        case "lte":
            return Between(field, upper=value)
    if isinstance(value, tuple):
        return OneOf(field, value)
    if not isinstance(value, str):
        return Equals(field, value)
    if is_phrase or filter_type == "exact":
        return Phrase(field, value)
    match filter_type:
        case "startswith":
            return Affix(field, value, open_right=True)
        case "endswith":
            return Affix(field, value, open_left=True)
        case "contains":
            return Affix(field, value, open_left=True, open_right=True)
        case "fuzzy":
            return Fuzzy(field, value)
    return Words(field, value)


def _typed(text: str) -> Iterator[tuple[str, str]]:
    """The parts of what a person typed: ``("phrase" | "exclude" | "word", its text)``."""
    pieces = text.split('"')
    if len(pieces) % 2 == 0:  # the last quotation mark was never closed: it is a character like others
        pieces[-2:] = [f'{pieces[-2]}"{pieces[-1]}']
    for number, piece in enumerate(pieces):
        if number % 2:
            if piece.strip():
                yield "phrase", piece
            continue
        for word in piece.split():
            yield ("exclude", word[1:]) if word.startswith("-") and len(word) > 1 else ("word", word)


def auto_condition(field: str | None, text: str) -> Condition:
    """What a person typed into a box: words, ``"phrases"``, and ``-words`` to leave out. Nothing typed is everything.

    The same reading as Haystack's ``AutoQuery``, which takes time quadratic in the number of quotation marks.
    """
    parts: list[Condition] = []
    for what, part in islice(_typed(text), MOST_PARTS):
        # A lone dash between words asks for nothing.
        if any(map(str.isalnum, part)):
            words = Words(field, part)
            parts.append(Phrase(field, part) if what == "phrase" else Negated(words) if what == "exclude" else words)
    if not parts:
        return MatchNone() if text.strip() else MatchAll()
    return parts[0] if len(parts) == 1 else Every(tuple(parts))
