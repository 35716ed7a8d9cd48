"""The syntax of raw queries: what Haystack passes on unparsed (``raw_search``, ``narrow`` and query facets as text).

The common part of what Lucene and Whoosh read: words, ``"phrases"``, ``field:word``, ``field:(…)``, ``AND OR NOT``,
``+ - !``, ``*`` at either end of a word, ``~`` for near words, ``[a TO b]`` and ``{a TO b}``, ``^`` boosts, ``\\`` to
take the next character as it is, ``*`` or ``*:*`` for everything. Words side by side must all match.

The parser reads once from left to right and refuses nothing: what makes no sense is taken as words or passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wovepaper.search.conditions import (
    Affix,
    Between,
    Boosted,
    Condition,
    Every,
    Fuzzy,
    MatchAll,
    MatchNone,
    Negated,
    Phrase,
    Some,
    Words,
)

MOST_PARTS = 1024
"""Words, phrases and brackets that are read of one query."""
_DEEPEST = 40
_LONGEST_RANGE = 500  # characters between brackets
_WORD = re.compile(r"(?:\\.|[^\s()\"\[\]{}^~:\\])+", re.DOTALL)
_PHRASE = re.compile(r"\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_RANGE = re.compile(
    r"[\[{]\s*+(?:\"(?P<quoted_lower>(?:[^\"\\]|\\.)*+)\"|(?!TO\b)(?P<lower>[^\s\[\]{}\"]++))?\s*+"
    r"\bTO\b\s*+(?:\"(?P<quoted_upper>(?:[^\"\\]|\\.)*+)\"|(?P<upper>[^\s\[\]{}\"]++))?\s*+[\]}]",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_FIELD = re.compile(r"[^\W\d]\w*")


def _plain(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


@dataclass(slots=True)
class _Group:
    """An open bracket: alternatives, each a list of what must match together."""

    where: str | None
    negated: bool = False
    alternatives: list[list[Condition]] = field(default_factory=lambda: [[]])

    def condition(self) -> Condition | None:
        choices = [_joined(parts) for parts in self.alternatives if parts]
        if not choices:
            return None
        whole = choices[0] if len(choices) == 1 else Some(tuple(choices))
        return Negated(whole) if self.negated else whole


def _joined(parts: list[Condition]) -> Condition:
    return parts[0] if len(parts) == 1 else Every(tuple(parts))


class _Parser:
    def __init__(self, text: str, default_field: str | None) -> None:
        self._text = text
        self._at = 0
        self._groups = [_Group(default_field)]
        self._too_deep = 0
        self._negated = False
        self._field: str | None = None
        self._has_field = False
        self._leaves = 0
        self._last_quote = text.rfind('"')

    def parse(self) -> Condition:
        while self._at < len(self._text) and self._leaves < MOST_PARTS:
            self._step()
        while len(self._groups) > 1:
            self._close()
        return self._groups[0].condition() or MatchNone()

    def _step(self) -> None:
        character = self._text[self._at]
        match character:
            case "(":
                self._open()
            case ")":
                self._at += 1
                if self._too_deep:
                    self._too_deep -= 1
                elif len(self._groups) > 1:
                    self._close()
            case '"' if self._at < self._last_quote and (found := _PHRASE.match(self._text, self._at)):
                self._at = found.end()
                if found[1].strip():
                    self._add(Phrase(self._where(), _plain(found[1])))
                else:
                    self._forget()
            case "[" | "{" if found := _RANGE.match(self._text, self._at, self._at + _LONGEST_RANGE):
                self._range(found)
            case "+" | "-" | "!" if self._begins_word():
                self._negated ^= character != "+"
                self._at += 1
            case _ if found := _WORD.match(self._text, self._at):
                self._word(found)
            case _:
                self._at += 1

    def _begins_word(self) -> bool:
        before = self._text[self._at - 1] if self._at else " "
        after = self._text[self._at + 1] if self._at + 1 < len(self._text) else " "
        return (before.isspace() or before in "(:+-!") and not after.isspace()

    def _open(self) -> None:
        self._at += 1
        if len(self._groups) >= _DEEPEST or self._too_deep:
            self._too_deep += 1
            return
        self._groups.append(_Group(self._where(), self._negated))
        self._forget()

    def _close(self) -> None:
        group = self._groups.pop()
        condition = group.condition()
        if condition is not None:
            self._negated = False
            self._add(condition)
        self._forget()

    def _where(self) -> str | None:
        return self._field if self._has_field else self._groups[-1].where

    def _forget(self) -> None:
        self._negated, self._field, self._has_field = False, None, False

    def _add(self, condition: Condition) -> None:
        self._leaves += 1
        condition = self._with_boost(condition)
        self._groups[-1].alternatives[-1].append(Negated(condition) if self._negated else condition)
        self._forget()

    def _with_boost(self, condition: Condition) -> Condition:
        if not self._text.startswith("^", self._at):
            return condition
        found = _NUMBER.match(self._text, self._at + 1)
        if found is None:
            return condition
        self._at = found.end()
        return Boosted(condition, min(float(found[0][:9]), 1e6))

    def _range(self, found: re.Match[str]) -> None:
        self._at = found.end()
        bounds = []
        for name in ("lower", "upper"):
            quoted, bare = found[f"quoted_{name}"], found[name]
            bounds.append(_plain(quoted) if quoted is not None else None if bare in {None, "*"} else _plain(bare))
        self._add(Between(self._where(), bounds[0], bounds[1], found[0][0] == "[", found[0][-1] == "]"))

    def _word(self, found: re.Match[str]) -> None:
        word = found[0]
        self._at = found.end()
        following = self._text[self._at : self._at + 1]
        if following == ":" and not self._has_field:
            self._at += 1
            if word == "*":
                if self._text.startswith("*", self._at):
                    self._at += 1
                self._add(MatchAll())
            elif _FIELD.fullmatch(word):
                self._field, self._has_field = (None if word == "content" else word), True
            else:
                self._add(Words(self._where(), _plain(word)))
            return
        if not self._has_field and self._operator(word):
            return
        if following == "~":
            number = _NUMBER.match(self._text, self._at + 1)
            self._at = number.end() if number else self._at + 1
            self._add(Fuzzy(self._where(), _plain(word)))
            return
        if any(map(str.isalnum, word)) or word.strip("*") == "":
            self._add(self._wildcard(word))
        else:
            self._forget()  # only punctuation

    def _operator(self, word: str) -> bool:
        match word:
            case "AND" | "&&":
                return True
            case "OR" | "||":
                if self._groups[-1].alternatives[-1]:
                    self._groups[-1].alternatives.append([])
                return True
            case "NOT":
                self._negated = not self._negated
                return True
        return False

    def _wildcard(self, word: str) -> Condition:
        if word.strip("*") == "":
            return MatchAll()
        open_left = word.startswith("*")
        open_right = word.endswith("*") and not word.endswith("\\*")
        text = word.strip("*") if open_right else word.lstrip("*")
        if open_left or open_right:
            return Affix(self._where(), _plain(text), open_left, open_right)
        return Words(self._where(), _plain(word))


def parse(text: str, default_field: str | None = None) -> Condition:
    """The condition a raw query stands for; nothing for a text without any word.

    An operator with nothing to operate on is passed over, brackets need not match, and nesting beyond forty is
    flattened. Only the first ``MOST_PARTS`` parts are read. Linear in the text.
    """
    return _Parser(text, default_field).parse()
