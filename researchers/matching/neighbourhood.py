"""Who wrote with whom, by name: so that co-authors who differ but write together count as evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from researchers.matching.evidence import AuthorshipEvidence, PaperEvidence

_MOST_AUTHORS = 50
"""Papers of more authors tie nobody to anybody."""
_MOST_PAPERS = 300
_MOST_NEIGHBOURS = 400
"""A name that stands beside more names than these is several people's, or everybody's."""


class Neighbourhood:
    """The names beside each name, on the papers that were given. Bounded for papers and names of thousands."""

    def __init__(self, authorships: Iterable[AuthorshipEvidence]) -> None:
        self._papers: defaultdict[str, list[PaperEvidence]] = defaultdict(list)
        self._found: dict[str, frozenset[str]] = {}
        seen: set[int] = set()
        for authorship in authorships:
            paper = authorship.paper
            if paper.id in seen:
                continue
            seen.add(paper.id)
            if 1 < len(paper.authors) <= _MOST_AUTHORS:
                for key in {name.key for name in paper.authors}:
                    self._papers[key].append(paper)

    def of(self, key: str) -> frozenset[str]:
        """The keys of names beside this one; nothing for a name that stands beside too many."""
        found = self._found.get(key)
        if found is None:
            papers = self._papers.get(key, ())
            if len(papers) <= _MOST_PAPERS:
                names = {name.key for paper in papers for name in paper.authors} - {key}
            else:
                names = set()
            found = self._found[key] = frozenset(names if len(names) <= _MOST_NEIGHBOURS else ())
        return found
