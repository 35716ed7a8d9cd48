"""What a reader types, as a question to the search engine.

Words, ``"exact phrases"``, ``-exclude``, ``OR``, and fields before a word or phrase: ``author:``, ``title:``,
``abstract:``, ``cat:``, ``inst:``, ``year:2019`` and ``year:2019..2021``.

Nothing that is typed is an error: what has no meaning as an operator is taken as words, and the page says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from haystack.inputs import Clean, Exact
from haystack.query import SQ

from wovepaper.lib.markup import plain
from wovepaper.lib.tex import to_unicode
from wovepaper.search.inputs import BestMatch

MOST_TERMS = 60
MOST_CHARACTERS = 1_000
PASSAGE = 15
"""Words from which on a text is a passage that somebody pasted: a minus in it is a minus, and OR a word."""

FIELDS = {
    "author": "authors", "title": "title", "abstract": "abstract", "cat": "categories_exact", "inst": "institutions",
    "year": "year",
}  # fmt: skip
"""Fields by the names that readers type, and what the index calls them."""

NONE = "0"
"""The number of no institution."""
_TOKEN = re.compile(r'(?P<minus>(?<!\S)-)?(?:(?P<field>[a-z]{1,12}):)?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))')
_YEARS = re.compile(r"([0-9]{4})?(\.\.)?([0-9]{4})?", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_SOMETHING = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase that is sought or excluded."""

    text: str
    phrase: bool = False
    excluded: bool = False
    field: str = ""
    """A key of ``FIELDS``, or nothing for the whole text."""
    numbers: tuple[int, ...] = ()
    """The institutions that are called so, once they were looked up: in any language, and the index has no names."""

    def as_condition(self) -> SQ:
        """The condition that a paper meets when it has the term, or has not."""
        if self.field:
            condition = self._in_field()
            return ~condition if self.excluded else condition
        if self.excluded:
            return ~SQ(content=self._input())
        return SQ(content=self._input())

    @property
    def is_plain(self) -> bool:
        """Whether it is a word or phrase to look for anywhere."""
        return not (self.field or self.excluded)

    def _in_field(self) -> SQ:
        if self.field == "year":
            first, last = read_years(self.text) or (0, 0)
            return SQ(year__gte=first) & SQ(year__lte=last)
        if self.field == "inst":
            return SQ(institutions__in=[str(number) for number in self.numbers] or [NONE])
        if self.field == "cat":
            return SQ(categories_exact__exact=self.text)
        return SQ(**{FIELDS[self.field]: self._input()})

    def _input(self) -> Clean | Exact:
        return Exact(self.text, clean=True) if self.phrase else Clean(self.text)


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """Groups of alternatives, all of which must be met, and sentences on what was not understood."""

    groups: tuple[tuple[Term, ...], ...]
    remarks: tuple[str, ...] = field(default=())

    @property
    def words(self) -> str:
        """The words sought, without operators: what spelling is checked on."""
        return " ".join(term.text for group in self.groups for term in group if not term.excluded and not term.field)

    def with_institutions(self, find: Callable[[str], Sequence[int]]) -> ParsedQuery:
        """With the numbers of the institutions that ``inst:`` names; ``find`` is asked once for each name."""
        if not any(term.field == "inst" for group in self.groups for term in group):
            return self
        names = {term.text for group in self.groups for term in group if term.field == "inst"}
        numbers = {name: tuple(find(name)) for name in sorted(names)}
        groups = tuple(
            tuple(replace(term, numbers=numbers[term.text]) if term.field == "inst" else term for term in group)
            for group in self.groups
        )
        unknown = [f"No institution here is called “{name}”." for name in sorted(names) if not numbers[name]]
        return ParsedQuery(groups, (*self.remarks, *unknown))

    @property
    def ranked_words(self) -> str:
        """The words to look for anywhere that have no alternative: what hits are ranked by."""
        return " ".join(group[0].text for group in self.groups if len(group) == 1 and group[0].is_plain)

    def without_words(self) -> ParsedQuery:
        """The rest: fields, phrases, alternatives and what to leave out."""
        rest = tuple(group for group in self.groups if len(group) > 1 or not group[0].is_plain)
        return replace(self, groups=rest)

    def as_condition(self) -> SQ | None:
        """One condition for the engine; ``None`` where nothing is sought."""
        words = self.ranked_words
        phrases = [group[0].text for group in self.groups if len(group) == 1 and group[0].is_plain and group[0].phrase]
        condition: SQ | None = SQ(content=BestMatch(words, title="title", phrases=phrases)) if words else None
        for group in self.groups:
            if len(group) == 1 and group[0].is_plain:
                continue
            either: SQ | None = None
            for term in group:
                one = term.as_condition()
                either = one if either is None else either | one
            if either is not None:
                condition = either if condition is None else condition & either
        return condition


def read_years(text: str) -> tuple[int, int] | None:
    """First and last year of ``2019``, ``2019..2021``, ``2019..`` or ``..2021``; ``None`` for anything else."""
    match = _YEARS.fullmatch(text)
    if match is None or not (match[1] or match[3]) or (match[1] and match[3] and not match[2]):
        return None
    first = int(match[1] or 0)
    return first, int(match[3] or (9999 if match[2] else first))


def tidy(text: str) -> str:
    """What was typed, without what no one types: control characters, halves of characters, and more than fits."""
    return " ".join(_CONTROL.sub(" ", text)[:MOST_CHARACTERS].split())


def parse_query(text: str) -> ParsedQuery:
    """Read a query. Never raises; takes time linear in its length."""
    remarks = []
    if "\\" in text or "$" in text:
        text = plain(to_unicode(text))  # a title copied from its source: Schr\"odinger
    if text.count('"') % 2:
        remarks.append("A quotation mark has no partner, so it was left out.")
        last = text.rindex('"')
        text = f"{text[:last]} {text[last + 1 :]}"

    is_passage = len(text.split()) >= PASSAGE
    groups: list[list[Term]] = []
    either = False
    stray = False
    total = 0
    for match in _TOKEN.finditer(text):
        word = match["word"]
        if word == "OR" and not is_passage:
            stray = stray or not groups or either
            either = bool(groups)
            continue
        name = match["field"] or ""
        excluded = bool(match["minus"]) and not is_passage
        if word is not None and word.startswith("//"):  # an address
            name, word = "", f"{name}:{word}"
        if name and (name not in FIELDS or not _fits(name, match["phrase"] if word is None else word)):
            if (remark := _not_a_field(name)) not in remarks:
                remarks.append(remark)
            if word is not None and name not in FIELDS:
                word = f"{name}:{word}"
            name = ""
        if is_passage and word is not None:
            word = word.lstrip("-")
        term = _read_term(match["phrase"], word, excluded=excluded, name=name)
        if term is None:
            continue
        total += 1
        if total > MOST_TERMS:
            remarks.append(f"Only the first {MOST_TERMS} words were looked for.")
            break
        if either:
            groups[-1].append(term)
        else:
            groups.append([term])
        either = False
    if stray or either:
        remarks.append("An OR stands without something on both sides, so it was left out.")
    if text.strip() and not groups:
        remarks.append("There is no word in this to look for: these are all papers, newest first.")
    if groups and all(term.excluded for group in groups for term in group):
        remarks.append("Only words to leave out were given: these are all papers without them.")
    return ParsedQuery(tuple(map(tuple, groups)), tuple(remarks))


def _fits(name: str, text: str) -> bool:
    return read_years(text) is not None if name == "year" else bool(_SOMETHING.search(text))


def _not_a_field(name: str) -> str:
    if name == "year":
        return "A year is written year:2021 or year:2019..2021; this was looked for as words."
    if name in FIELDS:
        return f"Nothing to look for stands behind {name}:."
    known = ", ".join(f"{known}:" for known in FIELDS)
    return f"“{name}:” is no field here and was looked for as a word; fields are {known}."


def _read_term(phrase: str | None, word: str | None, *, excluded: bool, name: str) -> Term | None:
    text = phrase if phrase is not None else word or ""
    if phrase is None and text.startswith("-") and _SOMETHING.search(text):
        text, excluded = text.lstrip("-"), True
    text = " ".join(text.split())
    if not _SOMETHING.search(text):
        return None
    return Term(text, phrase=phrase is not None and " " in text, excluded=excluded, field=name)
