"""Who truly wrote what in a demo catalogue, told by whoever invented it. Asks no database.

Persons are numbered from 1 in the order in which the catalogue names them, so that a larger catalogue agrees with the
smaller one it begins with.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO

from wovepaper.demo.papers import DemoAuthor, generate
from wovepaper.demo.publications import articles, publication_of
from wovepaper.demo.recipe import Recipe
from wovepaper.lib.text import strip_accents

TIERS = ("human", "orcid", "hard")
"""All authorships; those beside which their own ORCID is printed; those whose family name and initial several people
of the catalogue share."""
COLUMNS = ("doi", "position", "tier", "person")


@dataclass(frozen=True, slots=True)
class TrueAuthorship:
    """One place in the shown author list of a paper. A collaboration is no person and has none."""

    arxiv_id: str
    doi: str
    position: int
    """From 1."""
    person: int
    printed: str
    name: str
    """The person's full name."""
    tiers: tuple[str, ...] = TIERS[:1]
    plot: str = ""
    """What happens to this person, where the paper is part of a scene about them (``cast.Plot``)."""
    cycle: int = -1
    """Which of the scenes with that plot it is, from 0; -1 outside of scenes."""

    @property
    def paper(self) -> str:
        """The paper's external id: that of arXiv, or the DOI of a work that only a publisher has."""
        return self.arxiv_id or self.doi


def true_authorships(recipe: Recipe) -> Iterator[TrueAuthorship]:
    """Every one of a catalogue, papers first, then the articles that no preprint server has.

    Goes through the catalogue twice, for a name is hard by who else bears it.
    """
    bearers: defaultdict[str, set[int]] = defaultdict(set)
    for row in _rows(recipe):
        bearers[_block(row.printed)].add(row.person)
    shared = {block for block, people in bearers.items() if len(people) > 1}
    del bearers
    for row in _rows(recipe):
        yield replace(row, tiers=(*row.tiers, "hard")) if _block(row.printed) in shared else row


def true_people(recipe: Recipe) -> dict[tuple[str, int], int]:
    """The number of the person at (a paper's external id, position)."""
    return {(row.paper, row.position): row.person for row in _rows(recipe)}


def scene_authorships(recipe: Recipe) -> Iterator[TrueAuthorship]:
    """Only those whom scenes are about; their tiers are not worked out."""
    return (row for row in _rows(recipe) if row.plot)


def write_truth(recipe: Recipe, path: Path) -> int:
    """Write the truth into a file and return the number of authorships. Raises ``OSError``.

    Lines of JSON with one authorship each; with the ending ``.tsv``, or ``.tsv.gz``, the columns ``doi position tier
    person`` for tools that score by DOI, which then leave out what has none.
    """
    name = path.name.lower().removesuffix(".gz")
    opening: Callable[..., IO[str]] = gzip.open if path.name.lower().endswith(".gz") else open
    count = 0
    with opening(path, "wt", encoding="utf-8") as lines:
        tabular = name.endswith(".tsv")
        if tabular:
            lines.write("\t".join(COLUMNS) + "\n")
        for row in true_authorships(recipe):
            count += 1
            if not tabular:
                lines.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
            elif row.doi:
                for tier in row.tiers:
                    lines.write(f"{row.doi}\t{row.position}\t{tier}\t{row.person}\n")
    return count


def _rows(recipe: Recipe) -> Iterator[TrueAuthorship]:
    numbers: dict[str, int] = {}
    for paper in generate(recipe.papers, seed=recipe.seed, until=recipe.until):
        work = publication_of(paper, seed=recipe.seed, until=recipe.until)
        orcids = {id(each.author): each.orcid for each in work.authors} if work else {}
        dois = paper.doi.split() or ([work.doi] if work else [""])
        # arXiv names a collaboration before all authors.
        for position, author in enumerate(paper.authors, start=2 if paper.collaboration else 1):
            row = _row(author, numbers, orcids.get(id(author), ""))
            plot = paper.scene.plot.name.lower() if paper.scene and author.fixed else ""
            cycle = paper.scene.cycle if paper.scene and author.fixed else -1
            yield replace(row, arxiv_id=paper.arxiv_id, doi=dois[0], position=position, plot=plot, cycle=cycle)
    for work in articles(recipe.papers, seed=recipe.seed, until=recipe.until):
        for position, each in enumerate(work.authors, start=1):
            row = _row(each.author, numbers, each.orcid)
            yield replace(row, doi=work.doi, position=position, printed=each.printed.text)


def _row(author: DemoAuthor, numbers: dict[str, int], orcid: str) -> TrueAuthorship:
    someone = author.person
    number = numbers.setdefault(someone.key, len(numbers) + 1)
    own = bool(orcid) and orcid == someone.orcid
    return TrueAuthorship("", "", 0, number, author.printed.text, someone.name, TIERS[: 1 + own])


def _block(printed: str) -> str:
    """Family name and first initial."""
    words = strip_accents(printed).casefold().replace(".", ". ").split()
    words = [word for word in words if word not in ("jr.", "sr.", "ii", "iii", "jr", "sr")]
    return f"{words[-1]} {words[0][:1]}"
