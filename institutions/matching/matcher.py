"""From a printed affiliation to institutions, or to nothing: the longest unambiguous names, and where they are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from institutions.matching.index import ACRONYM, ALIAS, CAMPUS, LABEL, TURNED, NameIndex
from institutions.matching.places import SaidPlaces
from institutions.matching.words import Words, read_words


@dataclass(frozen=True, slots=True)
class Match:
    """An institution found, by number.

    ``how`` is one of the values of ``HOW``; ``words`` are those that name it, in one spelling; ``why`` tells what of
    the place agrees.
    """

    institution: int
    how: str
    words: str
    why: str


@dataclass(slots=True)
class _Span:
    start: int
    end: int
    bearers: dict[int, int]
    turned: bool = False


@dataclass(frozen=True, slots=True)
class _Judged:
    number: int
    score: float
    kind: int
    city: bool
    country: bool
    conflict: bool


_HEADS = frozenset(
    "university institute college hospital academy school center polytechnic laboratory 学 院 所".split()
)
_NAMED_BEHIND = frozenset("hospital clinic 院".split())
"""A word that hardly any name has, behind one of these, says which it is: BG Hospital Bergmannstrost."""
_FORMS = frozenset("company corporation ltd limited inc llc gmbh pvt private group ag sa plc umr usr ums".split())
_NOT_MEANT = _Judged(0, 0.0, 0, city=False, country=False, conflict=True)
HOW = {LABEL: "label", CAMPUS: "campus", ALIAS: "alias", ACRONYM: "acronym", TURNED: "turned"}
MARGIN = 0.5
SELDOM = 6
"""Names with a word; fewer make it a proper name."""
_CHINA = frozenset({"CN", "HK", "MO"})
"""Hong Kong and Macau are often printed with China, and have codes of their own."""


class Matcher:
    """Holds an index of names; pure otherwise."""

    def __init__(self, index: NameIndex) -> None:
        self.index = index

    def match(self, text: str) -> tuple[Match, ...]:
        """The institutions that a printed affiliation names, in the order in which it does."""
        words = read_words(text[:2000])
        spans = self._spans(words)
        said = self.index.gazetteer.said(words)
        near = {number for span in spans for number in span.bearers}
        found: dict[int, Match] = {}
        names = Counter(number for span in spans for number in span.bearers)
        twice = {number for number, times in names.items() if times > 1}
        taken: list[tuple[_Span, _Judged | None]] = []
        covered: set[int] = set()
        for span in sorted(spans, key=lambda each: (each.start - each.end, each.start)):
            if covered.isdisjoint(range(span.start, span.end)):
                judged = self._resolve(span, words, said, near, twice)
                if judged is not _NOT_MEANT:
                    taken.append((span, judged))
                    covered.update(range(span.start, span.end))
        for span in self._turned(words, covered):
            judged = self._resolve(span, words, said, near, twice)
            taken.append((span, None if judged is _NOT_MEANT else judged))
        for span, judged in sorted(taken, key=lambda each: each[0].start):
            if judged is None:
                continue
            self._add(found, span, judged, words)
            for inner in spans:
                apart = words.parts[inner.start] != words.parts[inner.start - 1]
                if inner is not span and span.start < inner.start and inner.end == span.end and apart:
                    within = self._resolve(inner, words, said, near, twice)
                    if within is not None and within.number in self.index.entries[judged.number].parents:
                        self._add(found, inner, within, words)
        return tuple(self._without_bystanders(found).values())

    def _without_bystanders(self, found: dict[int, Match]) -> dict[int, Match]:
        """Beside a good match, what may mean anything is left out: ministries whose key laboratory it is, and
        acronyms, single words and names without a telling word of institutions that have nothing to do with the rest.
        """
        if len(found) < 2:
            return found
        kept = {}
        for number, match in found.items():
            entry = self.index.entries.get(number)
            words = match.words.split(" ")
            weak = match.how == "acronym" or len(words) == 1 or not self._is_singular(tuple(words))
            alone = match.how == "acronym" or (entry is not None and entry.relatives.isdisjoint(found))
            if not (weak and alone) and match.how != "turned" and not (entry is not None and entry.is_ministry):
                kept[number] = match
        return kept or found

    def _add(self, found: dict[int, Match], span: _Span, judged: _Judged, words: Words) -> None:
        number = self.index.entries[judged.number].leads_to
        how = "turned" if span.turned else HOW[judged.kind]
        found.setdefault(number, Match(number, how, " ".join(words.words[span.start : span.end]), _why(judged)))

    def _is_region(self, pair: tuple[str, ...]) -> bool:
        """Washington University is not the University of Washington."""
        return any(self.index.gazetteer.is_place((word,)) for word in pair)

    def _turned(self, words: Words, covered: set[int]) -> list[_Span]:
        """Names in another order of words ("University of Kyoto"), in what no name was found in."""
        text, turned = words.words, self.index.turned
        found: list[_Span] = []
        for at, word in enumerate(text):
            if word not in _HEADS or at in covered:
                continue
            best: _Span | None = None
            for start in range(max(0, at - 5), at + 1):
                for end in range(min(len(text), at + 6), max(at, start + 1), -1):
                    if best is not None and end - start <= best.end - best.start:
                        break
                    if words.parts[start] != words.parts[end - 1] or not covered.isdisjoint(range(start, end)):
                        continue
                    numbers = turned.get(" ".join(sorted(text[start:end])))
                    if numbers and not (end - start == 2 and self._is_region(text[start:end])):
                        best = _Span(start, end, dict.fromkeys(numbers, TURNED), turned=True)
                        break
            if best is not None:
                found.append(best)
                covered.update(range(best.start, best.end))
        return found

    def _spans(self, words: Words) -> list[_Span]:
        text, index = words.words, self.index
        spans = []
        for start, word in enumerate(text):
            for length in index.lengths.get(word, ()):
                end = start + length
                if end > len(text):
                    continue
                bearers = index.names.get(" ".join(text[start:end]))
                if bearers is None:
                    continue
                if length == 1 and not words.shouted[start]:
                    bearers = {number: kind for number, kind in bearers.items() if kind > ACRONYM}
                if bearers and self._holds_together(words, start, end):
                    spans.append(_Span(start, end, bearers))
        return spans

    def _goes_on(self, span: _Span, words: Words) -> bool:
        """Whether what follows makes another one of it: Iowa State *College*, Heidelberg University *Hospital*."""
        end = span.end
        if words.adjectival[span.start]:
            return True
        if end == len(words.words) or words.parts[end] != words.parts[end - 1]:
            return False
        following = words.words[end]
        last = words.words[end - 1]
        if following.isdigit() and len(following) < 3 and self._is_numbered(span):
            return True
        if last in _NAMED_BEHIND and self.index.frequency[following] <= SELDOM and not following.isdigit():
            return following not in self.index.place_words
        if last in _HEADS and words.linked[end] and following not in _HEADS and following not in self.index.place_words:
            return True
        return following == "hospital" or (
            following in _HEADS and _HEADS.isdisjoint(words.words[span.start : end]) and end - span.start > 1
        )

    def _is_members(self, best: _Judged, around: tuple[str, ...]) -> bool:
        """Whether it is a university of several, and where one of these is is printed instead of its own city."""
        if best.city:
            return False
        return any(_contains(around, city) for city in self.index.entries[best.number].member_cities)

    def _is_elsewhere(self, span: _Span, words: Words) -> bool:
        """Whether the part behind a name that others may bear is a city: Institute of Metals Research, Saarbrücken."""
        text, parts = words.words, words.parts
        if (
            "university" in text[span.start : span.end]
            or span.end == len(text)
            or parts[span.end] == parts[span.end - 1]
        ):
            return False
        end = span.end
        while end < len(text) and parts[end] == parts[span.end]:
            end += 1
        return text[span.end : end] in self.index.cities

    def _names_city(self, span: _Span, words: Words, best: _Judged) -> bool:
        """Whether the rest of a name turned round is its city: University of Kyoto."""
        rest = tuple(word for word in words.words[span.start : span.end] if word != "university")
        end = span.end
        if end < len(words.words) and words.parts[end] == words.parts[end - 1]:
            return False
        return span.end - span.start == len(rest) + 1 and rest in self.index.entries[best.number].cities

    def _is_numbered(self, span: _Span) -> bool:
        """Whether it is a French university by the name of its city: Lyon 1 and Lyon 2 were two. Behind others a
        number is a footnote's."""
        return span.end - span.start == 2 and any("FR" in self.index.entries[each].countries for each in span.bearers)

    def _is_singular(self, name: tuple[str, ...]) -> bool:
        """Whether a name without any place beside it can mean one institution only: a university, or with a word that
        few names have. There are institutes of experimental medicine everywhere."""
        if "university" in name or "polytechnic" in name or "学" in name:
            return True
        return any(word in self.index.place_words or self.index.frequency[word] <= SELDOM for word in name)

    def _stands_alone(self, span: _Span, words: Words) -> bool:
        """Whether a name without a word for what it is (Sierra, 3M, Bundeswehr) has its part for itself, but for places
        and legal forms: within longer names such words mean something else."""
        text, parts = words.words, words.parts
        if not _HEADS.isdisjoint(text[span.start : span.end]):
            return True
        part = parts[span.start]
        around = [
            text[at]
            for at in (*range(span.start - 1, -1, -1), *range(span.end, len(text)))
            if parts[at] == part
            and not (any(map(str.isdigit, text[at])) or text[at] in _FORMS or text[at] in self.index.place_words)
        ]
        return not around

    def _holds_together(self, words: Words, start: int, end: int) -> bool:
        """Not ``University, New York`` of "Columbia University, New York": a name may go on behind a comma, but it
        begins where its part begins, or with what could be a name by itself."""
        parts = words.parts
        if parts[start] == parts[end - 1]:
            return True
        if _HEADS.isdisjoint(words.words[start:end]):
            return False
        if start == 0 or parts[start - 1] != parts[start]:
            return True
        first = [
            word for word, part in zip(words.words[start:end], parts[start:end], strict=True) if part == parts[start]
        ]
        return len(first) > 1 and not _HEADS.isdisjoint(first)

    def _resolve(self, span: _Span, words: Words, said: SaidPlaces, near: set[int], twice: set[int]) -> _Judged | None:
        """The bearer of the name that is meant; ``None`` where several may be, ``_NOT_MEANT`` where none is."""
        around = (*words.words[: span.start], "", *words.words[span.end :])
        judged = [self._judge(number, kind, around, said, near) for number, kind in span.bearers.items()]
        judged = [each for each in judged if each.kind != CAMPUS or each.city]
        if not judged:
            return _NOT_MEANT
        judged.sort(key=lambda each: -each.score)
        best = judged[0]
        if best.conflict:
            return _NOT_MEANT
        if len(judged) > 1 and best.score - judged[1].score < MARGIN:
            ends = {self.index.entries[each.number].leads_to for each in judged if best.score - each.score < MARGIN}
            if len(ends) > 1:
                return None
        length = span.end - span.start
        telling = sum(not self.index.is_common(word) for word in words.words[span.start : span.end])
        placed = best.city or best.country or best.number in twice
        if best.kind == ACRONYM and not (best.city or best.number in twice):
            return _NOT_MEANT
        if self._is_members(best, around):
            return None
        if self._goes_on(span, words) or not self._stands_alone(span, words):
            return _NOT_MEANT
        if best.kind == CAMPUS and not telling:
            return _NOT_MEANT
        if (
            not telling
            and not best.city
            and best.number not in twice
            and not (best.country and length > 3 and len(judged) == 1 and best.kind == LABEL)
        ):
            return _NOT_MEANT
        if not placed and self._is_elsewhere(span, words):
            return _NOT_MEANT
        if not placed and (length == 1 or (span.turned and not self._names_city(span, words, best))):
            return _NOT_MEANT
        if not self._is_singular(words.words[span.start : span.end]):
            alone = self.index.entries[best.number].relatives.isdisjoint(near)
            if not (best.city or (placed and (length == 1 or length > 3))) or ("university" in around and alone):
                return _NOT_MEANT
        return best

    def _judge(self, number: int, kind: int, around: tuple[str, ...], said: SaidPlaces, near: set[int]) -> _Judged:
        entry = self.index.entries[number]
        city = any(_contains(around, city) for city in entry.cities)
        country = bool(entry.countries & said.countries) or bool(entry.countries & said.states)
        conflict = (not country and bool(said.countries)) or (not country and not city and bool(said.states))
        if entry.countries & _CHINA and said.countries & _CHINA:
            conflict = False
        score = 2.0 * city + 1.5 * country - 3.0 * conflict
        score += {LABEL: 0.6, CAMPUS: 0.3, ALIAS: 0.3, ACRONYM: 0.0, TURNED: 0.0}[kind]
        score += 0.5 * entry.is_active
        score += 0.6 * bool(entry.relatives & near)
        return _Judged(number, score, kind, city, country, conflict)


def _contains(text: tuple[str, ...], key: tuple[str, ...]) -> bool:
    if len(key) == 1:
        return key[0] in text
    return any(text[at : at + len(key)] == key for at in range(len(text) - len(key) + 1))


def _why(judged: _Judged) -> str:
    place = "the city agrees" if judged.city else "the country agrees" if judged.country else "no place is printed"
    return f"{HOW[judged.kind]}; {place}"
