"""From conditions to the engine's queries: every query is built from fields and terms, never from a string.

Linear in the condition, and it never raises for what a person typed: a value the field cannot hold matches nothing,
and a query keeps its first ``MAX_CLAUSES`` terms and ``MAX_PATTERNS`` patterns.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable
from enum import StrEnum

import tantivy
from tantivy import FieldType, Occur, Query

from wovepaper.search import analysis
from wovepaper.search.conditions import (
    Affix,
    Between,
    Boosted,
    Condition,
    Equals,
    Every,
    Fuzzy,
    Leaf,
    MatchAll,
    MatchNone,
    Negated,
    OneOf,
    Phrase,
    Preferring,
    Ranked,
    Some,
    Words,
)
from wovepaper.search.schema import Field, IndexSchema, Kind
from wovepaper.search.values import ColumnValue, as_text, column_value

MAX_CLAUSES = 1024
"""Terms of one query; those beyond are left out."""
MAX_DEPTH = 64
"""Nesting of one query; what lies deeper matches nothing."""
MAX_PATTERNS = 64
"""Beginnings, ends and parts of words of one query; each looks through the words of the index."""
_MAX_RANGE_TERMS = 100_000
_LONGEST_PATTERN = 100  # characters: the engine's automata for patterns are bounded

_FIELD_TYPES = {
    Kind.INTEGER: FieldType.Integer,
    Kind.DATE: FieldType.Integer,
    Kind.DATETIME: FieldType.Integer,
    Kind.FLOAT: FieldType.Float,
    Kind.DECIMAL: FieldType.Float,
    Kind.BOOLEAN: FieldType.Boolean,
}
_PATTERN_SPECIAL = re.compile(r"[^\w\s]|_")


def _escaped(term: str) -> str:
    return _PATTERN_SPECIAL.sub(lambda match: "\\" + match[0] if match[0].isascii() else match[0], term)


def _shared_beginning(first: str, second: str) -> str:
    for at, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return first[:at]
    return first[: len(second)]


UNSTEMMED = 0.6
"""What a word counts as it is printed, beside its stem: tells "universe" from "university"."""
JOINED = 0.2
"""What a compound counts as one word, beside its parts."""
TITLE = 0.3
"""What a word of a long text counts in a title beside the whole; of a short one it would be the title that is
missing that decides."""
_SHORT, _LONG = 10, 20
"""Different words up to which a text has no bonus for titles, and from which it has all of it."""


class Reading(StrEnum):
    """How the words that a reader typed are taken."""

    ALL = "all"
    """Only what has all of them."""
    SOME = "some"
    """What has any of them; the more, and the rarer they are, the higher."""
    TITLED = "titled"
    """What has them in its title, as they stand; the shorter the title, the higher."""


class QueryBuilder:
    """Builds the queries of one index. Not shared between queries: it counts the terms it has used."""

    def __init__(
        self,
        schema: IndexSchema,
        index: tantivy.Index,
        searcher: tantivy.Searcher,
        reading: Reading = Reading.ALL,
    ) -> None:
        self._reading = reading
        self.schema = schema
        self._index = index
        self._searcher = searcher
        self._engine_schema = schema.engine_schema
        self._clauses = 0
        self._patterns = 0

    # --- conditions ------------------------------------------------------------------------------------------

    def build(self, condition: Condition, depth: int = 0) -> Query:
        """The engine's query for a condition."""
        if depth > MAX_DEPTH:
            return Query.empty_query()
        match condition:
            case MatchAll():
                return Query.all_query()
            case MatchNone():
                return Query.empty_query()
            case Every(parts):
                return self._every(parts, depth)
            case Some(parts):
                return self.any_of(self.build(part, depth + 1) for part in parts)
            case Negated(part):
                return self.excluding([self.build(part, depth + 1)])
            case Boosted(part, factor):
                return Query.boost_query(self.build(part, depth + 1), factor)
            case Preferring(part, preferred):
                wishes = [(Occur.Should, self.build(wish, depth + 1)) for wish in preferred]
                return Query.boolean_query([(Occur.Must, self.build(part, depth + 1)), *wishes])
            case _:
                return self._leaf(condition)

    def _every(self, parts: tuple[Condition, ...], depth: int) -> Query:
        wanted = [self.build(part, depth + 1) for part in parts if not isinstance(part, Negated)]
        unwanted = [self.build(part.part, depth + 1) for part in parts if isinstance(part, Negated)]
        if not unwanted:
            return self.all_of(wanted)
        return self.excluding(unwanted, wanted)

    def _leaf(self, leaf: Leaf) -> Query:
        field = self.schema.get(leaf.field)
        if field is None or not field.indexed:
            return Query.empty_query()
        match leaf:
            case Words(_, text):
                query = self.words(field, text) if field.kind.is_text else self.equals(field, text)
            case Phrase(_, text):
                query = self.phrase(field, text) if field.kind.is_text else self.equals(field, text)
            case Equals(_, value):
                query = self.equals(field, value)
            case OneOf(_, values):
                query = self.one_of(field, values)
            case Affix(_, text, open_left, open_right):
                query = self.affix(field, text, open_left=open_left, open_right=open_right)
            case Fuzzy(_, text):
                query = self.fuzzy(field, text)
            case Between():
                query = self.between(field, leaf)
            case Ranked():
                return self.ranked(field, leaf)
        return query if field.boost == 1.0 else Query.boost_query(query, field.boost)

    # --- combining -------------------------------------------------------------------------------------------

    @staticmethod
    def all_of(queries: list[Query]) -> Query:
        """What every query matches; everything for none."""
        if not queries:
            return Query.all_query()
        return queries[0] if len(queries) == 1 else Query.boolean_query([(Occur.Must, query) for query in queries])

    @staticmethod
    def any_of(queries: Iterable[Query]) -> Query:
        """What some query matches; nothing for none."""
        parts = list(queries)
        if not parts:
            return Query.empty_query()
        return parts[0] if len(parts) == 1 else Query.boolean_query([(Occur.Should, query) for query in parts])

    @staticmethod
    def excluding(unwanted: list[Query], wanted: list[Query] | None = None) -> Query:
        """What every wanted query matches (everything for none) and no unwanted one."""
        clauses = [(Occur.Must, query) for query in wanted or [Query.all_query()]]
        return Query.boolean_query([*clauses, *((Occur.MustNot, query) for query in unwanted)])

    @classmethod
    def filtered(cls, query: Query, filters: list[Query]) -> Query:
        """The query, narrowed by filters that leave the score as it is."""
        return cls.all_of([query, *(Query.const_score_query(part, 0.0) for part in filters)])

    # --- text ------------------------------------------------------------------------------------------------

    def words(self, field: Field, text: str) -> Query:
        """All words of a text. Without any word in it (only punctuation), nothing."""
        analyzer = analysis.STEMMED if field.kind is Kind.TEXT else analysis.EXACT
        if field.kind in {Kind.EDGE_NGRAM, Kind.NGRAM}:
            return self.affix(field, text, open_left=field.kind is Kind.NGRAM, open_right=True)
        return self._each_word(text, lambda word: self._compound(field.name, word, analyzer))

    def ranked(self, field: Field, leaf: Ranked) -> Query:
        """The words as ``reading`` takes them, by BM25 over stems, printed words and, for long texts, the title."""
        if not field.kind.is_text:
            return self.equals(field, leaf.text)
        title = self.schema.get(leaf.title) if leaf.title else None
        if self._reading is Reading.TITLED:
            return self.phrase(title, leaf.text) if title else Query.empty_query()
        count = len(set(analysis.tokens(leaf.text, analysis.EXACT)))
        evidence = [
            (field.name, analysis.STEMMED if field.kind is Kind.TEXT else analysis.EXACT, 1.0),
            *([(field.exact, analysis.EXACT, UNSTEMMED)] if field.kind is Kind.TEXT else []),
        ]
        telling = TITLE * min(1.0, max(0.0, (count - _SHORT) / (_LONG - _SHORT)))
        if title and telling:
            evidence.append((title.name, analysis.STEMMED, telling))
        score = self.any_of(
            Query.boost_query(query, weight) if weight != 1.0 else query
            for name, analyzer, weight in evidence
            if (query := self._some_word(name, leaf.text, analyzer)) is not None
        )
        if self._reading is Reading.SOME:
            return score
        wanted = [self.words(field, leaf.text), *(self.phrase(field, phrase) for phrase in leaf.phrases)]
        everything = Query.const_score_query(self.all_of(wanted), 0.0)
        return Query.boolean_query([(Occur.Must, everything), (Occur.Should, score)])

    def _some_word(self, name: str, text: str, analyzer: str) -> Query | None:
        """Each word by itself, once, the parts of a compound too; the compound as it is indexed joined counts little.

        It is rarer than its parts, and would weigh more than all else that is asked for.
        """
        terms = dict.fromkeys(self._terms(text, analyzer))
        queries = [Query.term_query(self._engine_schema, name, term) for term in terms]
        if analyzer == analysis.STEMMED:
            joined = self._terms(analysis.joined_compounds(analysis.folded(text)), analyzer)
            queries += [
                Query.boost_query(Query.term_query(self._engine_schema, name, term), JOINED)
                for term in dict.fromkeys(joined)
                if term not in terms
            ]
        return self.any_of(queries) if queries else None

    def _each_word(self, text: str, build: Callable[[str], Query | None], at_most: int = MAX_CLAUSES) -> Query:
        queries: list[Query] = []
        for word in analysis.folded(text).split():
            if self._clauses >= MAX_CLAUSES or len(queries) >= at_most:
                break
            query = build(word)
            if query is not None:
                queries.append(query)
        return self.all_of(queries) if queries else Query.empty_query()

    def _compound(self, name: str, word: str, analyzer: str) -> Query | None:
        terms = self._terms(word, analyzer)
        if not terms:
            return None
        query = self._sequence(name, terms)
        joined = analysis.joined_compounds(word) if len(terms) > 1 else ""
        if joined and len(joined_terms := self._terms(joined, analyzer)) == 1:
            return self.any_of([query, self._sequence(name, joined_terms)])
        return query

    def _terms(self, text: str, analyzer: str) -> list[str]:
        terms = analysis.tokens(text, analyzer)[: max(0, MAX_CLAUSES - self._clauses)]
        self._clauses += len(terms)
        return terms

    def _sequence(self, name: str, terms: list[str]) -> Query:
        if len(terms) == 1:
            return Query.term_query(self._engine_schema, name, terms[0])
        return Query.phrase_query(self._engine_schema, name, list(terms))

    def phrase(self, field: Field, text: str) -> Query:
        """The words of a text next to each other, as printed."""
        terms = self._terms(text, analysis.EXACT)
        return self._sequence(field.exact, terms) if terms else Query.empty_query()

    def affix(self, field: Field, text: str, *, open_left: bool, open_right: bool) -> Query:
        """Words that begin with, end with or contain each word of a text; a keyword as a whole."""
        if field.kind.is_number:
            return self.equals(field, text)
        if field.kind is Kind.KEYWORD:
            return self._pattern(field.name, as_text(text), open_left=open_left, open_right=open_right)

        def build(word: str) -> Query | None:
            terms = self._terms(word, analysis.EXACT)
            if not terms:
                return None
            if len(terms) == 1:
                return self._pattern(field.exact, terms[0], open_left=open_left, open_right=open_right)
            # "state-of-the" cut into several terms: only the outer ones are open.
            inner = [Query.term_query(self._engine_schema, field.exact, term) for term in terms[1:-1]]
            first = self._pattern(field.exact, terms[0], open_left=open_left, open_right=False)
            last = self._pattern(field.exact, terms[-1], open_left=False, open_right=open_right)
            return self.all_of([first, *inner, last])

        return self._each_word(text, build, at_most=MAX_PATTERNS)

    def _pattern(self, name: str, term: str, *, open_left: bool, open_right: bool) -> Query:
        term = analysis.well_formed(term)
        if not (open_left or open_right):
            return Query.term_query(self._engine_schema, name, term)
        if not term:
            return Query.empty_query()
        self._patterns += 1
        if len(term) > _LONGEST_PATTERN or self._patterns > MAX_PATTERNS:
            return Query.empty_query()
        pattern = (".*" if open_left else "") + _escaped(term) + (".*" if open_right else "")
        try:
            return Query.regex_query(self._engine_schema, name, pattern)
        except ValueError:  # its automaton is larger than the engine allows
            return Query.empty_query()

    def fuzzy(self, field: Field, text: str) -> Query:
        """Words near each word of a text: two edits for six letters and more, one for three and more."""
        if field.kind.is_number:
            return self.equals(field, text)

        def near(name: str, term: str) -> Query:
            distance = 0 if len(term) < 3 else 1 if len(term) < 6 else 2
            if distance == 0 or len(term) > _LONGEST_PATTERN:
                return Query.term_query(self._engine_schema, name, term)
            return Query.fuzzy_term_query(self._engine_schema, name, term, distance)

        if field.kind is Kind.KEYWORD:
            return near(field.name, analysis.well_formed(as_text(text)))

        def build(word: str) -> Query | None:
            terms = self._terms(word, analysis.EXACT)
            return self.all_of([near(field.exact, term) for term in terms]) if terms else None

        return self._each_word(text, build)

    # --- values ----------------------------------------------------------------------------------------------

    def equals(self, field: Field, value: object) -> Query:
        """The value; on text, its words in order."""
        self._clauses += 1
        if field.kind.is_text:
            return self.phrase(field, as_text(value))
        kept = column_value(field, value)
        if kept is None:
            return Query.empty_query()
        return Query.const_score_query(Query.term_query(self._engine_schema, field.name, kept), 1.0)

    def one_of(self, field: Field, values: Iterable[object]) -> Query:
        """One of the values."""
        if field.kind.is_text:
            return self.any_of(self.phrase(field, as_text(value)) for value in values if self._clauses < MAX_CLAUSES)
        kept = [item for item in (column_value(field, value) for value in values) if item is not None]
        if not kept:
            return Query.empty_query()
        return Query.const_score_query(Query.term_set_query(self._engine_schema, field.name, kept), 1.0)

    def between(self, field: Field, leaf: Between) -> Query:
        """A range of values; text is ranged over by its key, without a key by its words."""
        if leaf.lower is None and leaf.upper is None:
            return Query.all_query()
        if field.kind.is_number:
            return self._number_range(field, leaf)
        lower, upper = (self._text_bound(bound, folded=not field.key) for bound in (leaf.lower, leaf.upper))
        return self._text_range(field.key or field.exact, lower, upper, leaf)

    def _number_range(self, field: Field, leaf: Between) -> Query:
        lower, upper = column_value(field, leaf.lower), column_value(field, leaf.upper)
        if (lower is None) != (leaf.lower is None) or (upper is None) != (leaf.upper is None):
            return Query.empty_query()
        return Query.const_score_query(
            Query.range_query(
                self._engine_schema,
                field.name,
                _FIELD_TYPES[field.kind],
                lower,
                upper,
                include_lower=leaf.include_lower,
                include_upper=leaf.include_upper,
            ),
            1.0,
        )

    @staticmethod
    def _text_bound(bound: object | None, *, folded: bool) -> str | None:
        if bound is None:
            return None
        text = analysis.well_formed(as_text(bound))
        return " ".join(analysis.tokens(text, analysis.EXACT)) if folded else text

    def _text_range(self, name: str, lower: str | None, upper: str | None, leaf: Between) -> Query:
        # The engine ranges over text only in its query language; bounds of plain letters and digits are safe in it.
        if all(bound is None or (bound.isascii() and bound.isalnum()) for bound in (lower, upper)):
            opening, closing = "[" if leaf.include_lower else "{", "]" if leaf.include_upper else "}"
            text = f"{name}:{opening}{lower or '*'} TO {upper or '*'}{closing}"
            with contextlib.suppress(ValueError):  # a bound that is a word of that language, such as TO
                return Query.const_score_query(self._index.parse_query(text, [name]), 1.0)
        prefix = _shared_beginning(lower or "", upper or "")
        terms = [
            term
            for term, _ in self._searcher.terms_with_prefix(name, prefix, limit=_MAX_RANGE_TERMS)
            if (lower is None or term > lower or (leaf.include_lower and term == lower))
            and (upper is None or term < upper or (leaf.include_upper and term == upper))
        ]
        if not terms:
            return Query.empty_query()
        return Query.const_score_query(Query.term_set_query(self._engine_schema, name, terms), 1.0)

    def keyword(self, name: str, values: Iterable[ColumnValue]) -> Query:
        """One of the values of a keyword column, by its name in the engine's schema."""
        wanted = list(values)
        if len(wanted) == 1:  # read as it lies in the index, where a set of terms is looked for first
            return Query.term_query(self._engine_schema, name, wanted[0])
        return Query.term_set_query(self._engine_schema, name, wanted)
