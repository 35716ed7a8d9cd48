"""Snippets that are safe to put on a page: the text is cut and escaped piece by piece, then marked.

Nothing of the text reaches the page unescaped, and no marking is done on escaped text, so neither can break the other.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import tantivy
from django.utils.safestring import SafeString, mark_safe

from wovepaper.search import analysis
from wovepaper.search.conditions import Affix, Condition, Equals, Fuzzy, OneOf, Phrase, Ranked, Words, positive_leaves
from wovepaper.search.schema import IndexSchema, Kind
from wovepaper.search.values import as_text, values_of

_TAG = re.compile(r"[a-z]{1,16}")
_TELLING = 3  # letters of a word that is marked beside others
_LONGEST_TEXT = 200_000  # characters looked at for marks


class Highlights(dict[Any, list[SafeString]]):
    """Snippets by field; an index number asks the document field, as Elasticsearch's list does."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self._document = document

    def __missing__(self, key: object) -> Any:
        if isinstance(key, int | slice):
            return self.get(self._document, [])[key]
        raise KeyError(key)


@dataclass(slots=True)
class _Terms:
    """What to mark in one field."""

    stemmed: set[str] = field(default_factory=set)
    exact: set[str] = field(default_factory=set)
    beginnings: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    middles: tuple[str, ...] = ()

    def match(self, stem: str, word: str) -> bool:
        return (
            stem in self.stemmed
            or word in self.exact
            or (bool(self.beginnings) and word.startswith(self.beginnings))
            or (bool(self.endings) and word.endswith(self.endings))
            or any(middle in word for middle in self.middles)
        )


@dataclass(frozen=True, slots=True)
class _Options:
    fields: tuple[str, ...]
    tag: str = "em"
    max_length: int = 200


def _read_options(document: str, given: object) -> _Options:
    options = given if isinstance(given, Mapping) else {}
    fields = options.get("fields") or (document,)
    tag = str(options.get("tag", "em"))
    if not _TAG.fullmatch(tag):
        raise ValueError(f"The tag of highlights must be the name of an element, not {tag!r}.")
    length = int(options.get("max_length", 200))
    return _Options(tuple([fields] if isinstance(fields, str) else fields), tag, max(20, length))


class Highlighter:
    """Marks what a condition matched. ``options``: ``fields``, ``tag`` (``em``), ``max_length`` (200 characters)."""

    def __init__(self, schema: IndexSchema, condition: Condition, options: object) -> None:
        self._schema = schema
        self._options = _read_options(schema.document, options)
        self._terms: dict[str, _Terms] = {}
        leaves = list(positive_leaves(condition))
        for name in self._options.fields:
            terms = _Terms()
            for leaf in leaves:
                # What was asked of the document may stand in any of the fields it is put together from.
                if leaf.field in {None, schema.document, name}:
                    _collect(terms, leaf)
            self._terms[name] = terms

    def of(self, source: Mapping[str, Any]) -> Highlights:
        """The snippets of a hit's stored fields; a field without a match has none."""
        found = Highlights(self._schema.document)
        for name in self._options.fields:
            snippets = [self._snippet(name, as_text(value)) for value in values_of(source.get(name))]
            found[name] = [snippet for snippet in snippets if snippet is not None]
        return found

    def _snippet(self, name: str, text: str) -> SafeString | None:
        text = analysis.well_formed(text).strip()
        schema_field = self._schema.fields.get(name)
        whole = schema_field is not None and schema_field.kind is Kind.KEYWORD
        spans = _spans(text[:_LONGEST_TEXT], self._terms[name], whole=whole)
        if not spans:
            return None
        start, end = _window(text, spans, self._options.max_length)
        return _marked(text, spans, start, end, self._options.tag)


def _collect(terms: _Terms, leaf: object) -> None:
    match leaf:
        case Ranked(_, text):
            # Of a sentence the little words are everywhere; marked they would hide what matters.
            telling = [word for word in text.split() if len(word) >= _TELLING]
            _collect(terms, Words(None, " ".join(telling) or text))
        case Words(_, text):
            terms.stemmed.update(analysis.tokens(text, analysis.STEMMED))
            joined = analysis.joined_compounds(analysis.folded(text))
            terms.stemmed.update(analysis.tokens(joined, analysis.STEMMED))
        case Phrase(_, text):
            terms.exact.update(analysis.tokens(text, analysis.EXACT))
        case Fuzzy(_, text):
            terms.stemmed.update(analysis.tokens(text, analysis.STEMMED))
        case Equals(_, value):
            terms.exact.update(analysis.tokens(as_text(value), analysis.EXACT))
        case OneOf(_, values):
            for value in values:
                terms.exact.update(analysis.tokens(as_text(value), analysis.EXACT))
        case Affix(_, text, open_left, open_right):
            words = tuple(analysis.tokens(text, analysis.EXACT))
            if open_left and open_right:
                terms.middles += words
            elif open_left:
                terms.endings += words
            else:
                terms.beginnings += words
        case _:
            pass


def _tokens(text: str, analyzer: str) -> Sequence[tantivy.Token]:
    return analysis.analyzers()[analyzer].pre_tokenize(text).tokens


def _spans(text: str, terms: _Terms, *, whole: bool) -> list[tuple[int, int]]:
    """Where the text is to be marked, in order, without overlap."""
    if whole:
        words = analysis.tokens(text, analysis.EXACT)
        stems = analysis.tokens(text, analysis.STEMMED)
        return [(0, len(text))] if any(map(terms.match, stems, words)) else []
    found: list[tuple[int, int]] = []
    part: tuple[int, int, str, str] | None = None
    for stem_token, word_token in zip(_tokens(text, analysis.STEMMED), _tokens(text, analysis.EXACT), strict=True):
        start, end = word_token.char_offset_from, word_token.char_offset_to
        stem, word = stem_token.text, word_token.text
        if not word.isascii():
            word = "".join(analysis.tokens(word, analysis.EXACT)) or word
            stem = "".join(analysis.tokens(stem, analysis.STEMMED)) or stem
        matched = terms.match(stem, word)
        if part is not None and start - part[1] == 1 and analysis.is_hyphen(text[part[1]]):
            # A compound asked for without its hyphen: "email" in "e-mail".
            joined_stem, joined_word = part[3] + stem, part[3] + word
            if not matched and terms.match(joined_stem, joined_word):
                while found and found[-1][0] >= part[0]:
                    found.pop()
                found.append((part[0], end))
            elif matched:
                found.append((start, end))
            part = (part[0], end, joined_stem, joined_word) if len(joined_word) < analysis.LONGEST_TERM else None
            continue
        if matched:
            found.append((start, end))
        part = (start, end, stem, word)
    return found


def _window(text: str, spans: Sequence[tuple[int, int]], length: int) -> tuple[int, int]:
    """The stretch of about ``length`` characters with most marks, cut between words; the whole of a short text."""
    if len(text) <= length:
        return 0, len(text)
    best, best_count, first = 0, 0, 0
    for last in range(len(spans)):
        while spans[last][1] - spans[first][0] > length and first < last:
            first += 1
        if last - first + 1 > best_count:
            best, best_count = first, last - first + 1
    covered = spans[best + best_count - 1][1] - spans[best][0]
    start = max(0, spans[best][0] - max(0, length - covered) // 2)
    end = min(len(text), start + max(length, covered))
    start = max(0, min(start, end - length))
    return _word_start(text, start, spans[best][0]), _word_end(text, end, spans[best + best_count - 1][1])


def _word_start(text: str, start: int, limit: int) -> int:
    if start == 0 or text[start - 1].isspace():
        return start
    space = re.compile(r"\s").search(text, start, limit)
    return space.end() if space else limit if limit - start < 40 else start


def _word_end(text: str, end: int, limit: int) -> int:
    if end >= len(text) or text[end].isspace():
        return end
    space = max(text.rfind(blank, limit, end) for blank in " \n\t")
    return space if space >= limit else end


def _marked(text: str, spans: Iterable[tuple[int, int]], start: int, end: int, tag: str) -> SafeString:
    spans = list(spans)
    pieces = ["…"] if start > 0 else []
    at = start
    for span_start, span_end in spans[bisect_left(spans, (start, 0)) :]:
        if span_end > end:
            break
        pieces += [html.escape(text[at:span_start]), f"<{tag}>", html.escape(text[span_start:span_end]), f"</{tag}>"]
        at = span_end
    pieces.append(html.escape(text[at:end]))
    if end < len(text):
        pieces.append("…")
    return mark_safe("".join(pieces).strip())  # noqa: S308 - every piece of text was escaped above
