"""How common names and words are in the catalogue: what the rarity of evidence is measured by."""

from __future__ import annotations

import json
import math
import zlib
from collections import Counter
from collections.abc import Iterable

from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.names import NameForm


class Population:
    """Counts of distinct full names by family name and by given name, and in how many documents each word is.

    Add a batch before it is resolved. Adding an authorship twice counts its words twice: add each once.
    """

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._families: Counter[str] = Counter()
        self._given: Counter[str] = Counter()
        self._initials: Counter[str] = Counter()
        self._title_words: Counter[str] = Counter()
        self._affiliation_words: Counter[str] = Counter()
        self._titles = 0
        self._affiliations = 0
        self._namesakes: dict[NameForm, float] = {}

    def add(self, authorships: Iterable[AuthorshipEvidence]) -> None:
        """Count authorships, and each of their papers once."""
        self._namesakes.clear()
        papers: set[int] = set()
        for authorship in authorships:
            self._add_name(authorship.name)
            if authorship.affiliation:
                self._affiliations += 1
                self._affiliation_words.update(authorship.affiliation)
            if authorship.paper.id not in papers:
                papers.add(authorship.paper.id)
                self._titles += 1
                self._title_words.update(set(authorship.paper.title))

    def add_names(self, forms: Iterable[NameForm]) -> None:
        """Count names alone: of authorships that are counted, and print another name by now."""
        self._namesakes.clear()
        for form in forms:
            self._add_name(form)

    def include(self, other: Population) -> None:
        """Count everything that another population counts; no authorship is in both."""
        self._namesakes.clear()
        for name in other._names - self._names:
            self._count_name(name, *name.split("|"))
        self._title_words.update(other._title_words)
        self._affiliation_words.update(other._affiliation_words)
        self._titles += other._titles
        self._affiliations += other._affiliations

    def namesakes(self, form: NameForm) -> float:
        """Expected bearers of this name: names with the family times names with the given name, by all names.

        An initial counts every given name it may stand for.
        """
        found = self._namesakes.get(form)
        if found is None:
            family = max(1, self._families["".join(form.family)])
            head = form.given[0] if form.given else ""
            given = self._given[head] if len(head) > 1 else self._initials[head] if head else len(self._names)
            found = family * max(1, given) / max(1, len(self._names))
            self._namesakes[form] = found
        return found

    def rarity(self, form: NameForm) -> float:
        """Decades of ``namesakes`` below one, within 0 and 4."""
        return min(4.0, max(0.0, -math.log10(self.namesakes(form))))

    def title_weight(self, word: str) -> float:
        """Inverse document frequency of a title's word, in nats."""
        return math.log(max(1, self._titles) / max(1, self._title_words[word]))

    def affiliation_weight(self, word: str) -> float:
        """Inverse document frequency of an affiliation's word, in nats."""
        return math.log(max(1, self._affiliations) / max(1, self._affiliation_words[word]))

    def to_bytes(self) -> bytes:
        """Compact, for keeping: the same counts give the same bytes."""
        content = {
            "names": " ".join(sorted(self._names)),
            "title_words": dict(sorted(self._title_words.items())),
            "affiliation_words": dict(sorted(self._affiliation_words.items())),
            "titles": self._titles,
            "affiliations": self._affiliations,
        }
        return zlib.compress(json.dumps(content, separators=(",", ":")).encode(), level=6)

    @classmethod
    def from_bytes(cls, data: bytes) -> Population:
        """What ``to_bytes`` wrote. Raises ``ValueError`` for anything else."""
        try:
            content = json.loads(zlib.decompress(data))
            found = cls()
            for name in content["names"].split():
                given, family = name.split("|")
                found._count_name(name, given, family)
            found._title_words.update(content["title_words"])
            found._affiliation_words.update(content["affiliation_words"])
            found._titles, found._affiliations = content["titles"], content["affiliations"]
        except (zlib.error, KeyError, TypeError, AttributeError, ValueError) as error:
            raise ValueError("This is no saved population; make it anew from the catalogue.") from error
        return found

    def _add_name(self, form: NameForm) -> None:
        if form.is_full:
            given, family = form.given[0], "".join(form.family)
            name = f"{given}|{family}"
            if name not in self._names:
                self._count_name(name, given, family)

    def _count_name(self, name: str, given: str, family: str) -> None:
        self._names.add(name)
        self._families[family] += 1
        self._given[given] += 1
        self._initials[given[0]] += 1
