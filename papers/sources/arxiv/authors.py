"""Author lists as arXiv prints them: structured (keyname, forenames, suffix) or one string with affiliations.

The rules of the string are those of https://info.arxiv.org/help/prep.html#author: authors are separated by commas or
``and``; affiliations follow in parentheses, in words or as numbers that a legend at the end explains. As in arXiv's
own structured lists, an affiliation in words also counts for the authors before it that have none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from papers.sources.records import AuthorRecord
from wovepaper.lib import names, tex, text

LONGEST_SUFFIX = 64
"""Characters; what is longer is part of the name."""

_BREAK = re.compile(r"[(),;:&]|(?<![\w-])and(?![\w-])")
_SEPARATOR = re.compile("[,;]")
_MARKER = r"(?:[0-9]{1,3}|[a-z]|[*†‡§¶#]{1,3})"
_MARKERS = re.compile(rf"\s*{_MARKER}(?:\s*(?:,|;|&|-|–|\band\b|\s)\s*{_MARKER})*\s*[.,]?\s*")
_MARKER_OR_RANGE = re.compile(r"([0-9]{1,3})\s*[-–]\s*([0-9]{1,3})|([0-9]{1,3}|(?<![a-z])[a-z](?![a-z])|[*†‡§¶#]{1,3})")
_NESTED_LEGEND = re.compile(rf"\s*\(\s*({_MARKER})\s*\)")
_NESTED_LEGEND_AT = re.compile(rf"\(\s*\(\s*{_MARKER}\s*\)")
_LEGEND_MARKER = re.compile(rf"\(\s*({_MARKER})\s*\)")
_FLAT_LEGEND = re.compile(r"\s*1\s*[.:)=-]?\s*(?=[^\W\d_])")
_FLAT_MARKER = re.compile(r"(?:(?<=^)|(?<=[\s,;.]))([0-9]{1,3})\s*[.:)=-]?\s*(?=[^\W\d_])")
_ET_AL = re.compile(r"(?:^|(?<=\s))et(?:\.\s*|\s+)al\b\.?|^(?:and )?others$|^al\.$", re.IGNORECASE)
_SPEAKING_FOR = re.compile(r"(?:^|\s)(?:(?:for|representing)\s|on\s+behalf\s+of\s)", re.IGNORECASE)
_SUPERSCRIPT = re.compile(r"\$\s*\^\s*\{?\s*([0-9a-z,\s*†‡§]{1,40})\}?\s*\$")
_NICKNAME = re.compile(r"[^\W\d_][\w.'’-]*")
_LETTER = re.compile(r"[^\W\d_]")


def read_structured(
    keyname: str, forenames: str = "", suffix: str = "", affiliations: Sequence[str] = ()
) -> list[AuthorRecord]:
    """One entry of a structured list: an author, a collaboration, both, or none at all (``et al``, a lone colon)."""
    family, given = _plain(keyname), names.join_initials(_plain(forenames))
    printed = f"{given} {family}" if given and family else given or family
    suffix = _plain(suffix)
    if len(suffix) > LONGEST_SUFFIX:
        printed, suffix = f"{printed} {suffix}", ""
    known = tuple(dict.fromkeys(a for a in map(_plain, affiliations) if a and _MARKERS.fullmatch(a) is None))
    if names.is_collaboration(printed) or _ET_AL.search(printed) or _LETTER.search(printed) is None:
        return _people(printed, known)
    shown = f"{printed} {suffix}" if suffix else printed
    return [AuthorRecord(shown, given, family, suffix, affiliations=known)]


def read_string(authors: str) -> tuple[AuthorRecord, ...]:
    """The authors of a printed list, in order, each with its affiliations. Takes linear time. Never raises."""
    plain = _plain(authors)
    if "$" in plain:
        plain = _SUPERSCRIPT.sub(r"(\1)", plain)
    return tuple(_Splitter(plain).authors())


@dataclass(slots=True)
class _Entry:
    """A stretch of the list between two separators."""

    name: str = ""
    markers: list[str] = field(default_factory=list)
    affiliations: list[str] = field(default_factory=list)
    joined_by_and: bool = False


class _Splitter:
    """Takes a list apart in one pass."""

    def __init__(self, authors: str) -> None:
        self.text = authors
        self.partners = _partners(authors)
        self.entries: list[_Entry] = []
        self.entry = _Entry()
        self.legend: dict[str, str] = {}
        # Authors before this place are not told by an affiliation behind it: they precede "X Collaboration:".
        self.own_from = 0

    def authors(self) -> list[AuthorRecord]:
        """The outcome."""
        position = 0
        while position < len(self.text):
            position = self._step(position)
        self._finish()
        self._resolve_markers()
        self._carry_back()
        return [
            author for entry in self.entries for author in _people(entry.name, tuple(dict.fromkeys(entry.affiliations)))
        ]

    def _step(self, position: int) -> int:
        """Take in the text up to the next sign and the sign; returns where to go on."""
        match = _BREAK.search(self.text, position)
        if match is None:
            self._words(self.text[position:])
            return len(self.text)
        self._words(self.text[position : match.start()])
        sign, start = match.group(), match.start()
        if sign == "(":
            return self._parenthesis(start)
        if sign == ")":  # without partner
            return match.end()
        if sign == ":":
            if names.is_collaboration(self.entry.name):
                self._finish()
                self.own_from = len(self.entries)
            elif self.entry.name:
                self.entry.name += ":"
            return match.end()
        self._finish()
        self.entry.joined_by_and = sign in ("and", "&")
        return match.end()

    def _words(self, words: str) -> None:
        words = words.strip()
        if not words:
            return
        if self.entry.markers or self.entry.affiliations:
            if _LETTER.search(words) is None:
                return  # the full stop of "(4). ((1) …"
            last = self.entry.affiliations[-1] if self.entry.affiliations else ""
            is_nickname = last and not self.entry.markers and self.entry.name and _NICKNAME.fullmatch(last)
            if is_nickname and not names.is_collaboration(words):
                self.entry.affiliations.pop()
                self.entry.name += f" ({last}) {words}"
                return
            self._finish()
        self.entry.name = f"{self.entry.name} {words}" if self.entry.name else words

    def _parenthesis(self, start: int) -> int:
        end = self.partners.get(start)
        if end is None:
            if _NESTED_LEGEND_AT.match(self.text, start):
                self._read_legend(self.text[start + 1 :])
                return len(self.text)
            cut = _SEPARATOR.search(self.text, start)
            end = cut.start() if cut else len(self.text)
            self._affiliation(self.text[start + 1 : end])
            return end
        inside = self.text[start + 1 : end]
        if _NESTED_LEGEND.match(inside):
            self._read_legend(inside)
        elif _MARKERS.fullmatch(inside):
            if self._opens_legend(inside, end):
                self._read_legend(self.text[start:])
                return len(self.text)
            self.entry.markers += _markers(inside)
        elif self._has_markers() and _FLAT_LEGEND.match(inside):
            self._read_legend(inside)
        else:
            self._affiliation(inside)
        return end + 1

    def _opens_legend(self, inside: str, end: int) -> bool:
        """Whether a marker begins a legend that has no parentheses of its own: ``…, Z (2), (1) Univ X, (2) Univ Y``."""
        if inside.strip() not in ("1", "a", "*") or not self._has_markers():
            return False
        follows = self.text[end + 1 : end + 4].lstrip()
        return (not self.entry.name or bool(self.entry.markers)) and _LETTER.match(follows) is not None

    def _has_markers(self) -> bool:
        return bool(self.entry.markers) or any(entry.markers for entry in self.entries[-50:])

    def _affiliation(self, inside: str) -> None:
        inside = inside.strip(" ,;")
        if not inside:
            return
        if self.entry.name or not self.entries:
            self.entry.affiliations.append(inside)
        else:  # "A. Author, (Somewhere)"
            self.entries[-1].affiliations.append(inside)

    def _read_legend(self, legend: str) -> None:
        if _LEGEND_MARKER.search(legend):
            places = list(_LEGEND_MARKER.finditer(legend))
        else:
            places, expected = [], 1
            for place in _FLAT_MARKER.finditer(legend):
                if place[1] == str(expected):
                    places.append(place)
                    expected += 1
        for place, following in zip(places, [*places[1:], None], strict=True):
            words = legend[place.end() : following.start() if following else len(legend)]
            words = words.lstrip(" .").strip(" ,;:)(" if words.count("(") != words.count(")") else " ,;:")
            words = words.removesuffix(" and").rstrip(" ,;")
            if words:
                self.legend.setdefault(place[1], words)

    def _finish(self) -> None:
        entry, self.entry = self.entry, _Entry()
        entry.name = _ET_AL.sub("", entry.name).strip(" .,:-") if _ET_AL.search(entry.name) else entry.name
        previous = self.entries[-1] if self.entries else None
        if _LETTER.search(entry.name) is None:
            if previous is not None:
                previous.markers += entry.markers
                previous.affiliations += entry.affiliations
        elif previous is not None and names.is_suffix(entry.name):
            previous.name += f", {entry.name}"
            previous.markers += entry.markers
            previous.affiliations += entry.affiliations
        elif (
            previous is not None
            and entry.joined_by_and
            and entry.name.lower().endswith("collaborations")
            and (" " not in previous.name or previous.name.lower().startswith("the "))
        ):  # The A and B Collaborations
            previous.name += f" and {entry.name}"
            previous.affiliations += entry.affiliations
        else:
            self.entries.append(entry)

    def _resolve_markers(self) -> None:
        for entry in self.entries:
            entry.affiliations += [self.legend[marker] for marker in entry.markers if marker in self.legend]

    def _carry_back(self) -> None:
        if any(entry.markers for entry in self.entries):
            return
        last: list[str] = []
        for entry in reversed(self.entries[self.own_from :]):
            if entry.affiliations:
                last = [words for words in entry.affiliations if not names.is_collaboration(words)]
            elif last and not names.is_collaboration(entry.name):
                entry.affiliations += last


def _people(printed: str, affiliations: tuple[str, ...]) -> list[AuthorRecord]:
    """A printed name as a person, a collaboration, or the one for the other (``A. Author for the X Collaboration``)."""
    printed = _ET_AL.sub("", printed).strip(" ,;:")
    if _LETTER.search(printed) is None:
        return []
    if names.is_collaboration(printed):
        place = _SPEAKING_FOR.search(printed)
        if place is not None and place.start() > 0 and not names.is_collaboration(printed[: place.start()]):
            person = _people(printed[: place.start()], affiliations)
            return [*person, AuthorRecord(printed[place.start() :].strip(), is_collaboration=True)]
        return [AuthorRecord(printed, affiliations=affiliations, is_collaboration=True)]
    parts = names.split_name(printed)
    if parts.suffix:
        printed = f"{parts.given} {parts.family} {parts.suffix}".strip()
    return [
        AuthorRecord(names.join_initials(printed), parts.given, parts.family, parts.suffix, affiliations=affiliations)
    ]


def _plain(words: str) -> str:
    return text.fold_space(tex.to_unicode(text.clean(words))) if words else ""


def _markers(inside: str) -> list[str]:
    found: list[str] = []
    for first, last, single in _MARKER_OR_RANGE.findall(inside.replace("and", " ")):
        if single:
            found.append(single)
        elif int(first) <= int(last) <= int(first) + 50:
            found += [str(number) for number in range(int(first), int(last) + 1)]
        else:
            found += [first, last]
    return found


def _partners(authors: str) -> dict[int, int]:
    """The place of every opening parenthesis that is closed, with the place where it is."""
    partners: dict[int, int] = {}
    open_places: list[int] = []
    for match in re.finditer(r"[()]", authors):
        if match.group() == "(":
            open_places.append(match.start())
        elif open_places:
            partners[open_places.pop()] = match.start()
    return partners
