"""Papers by the names that programs give them: numbers, arXiv ids, ``doi:…``, ``openalex:…``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from papers.models import Paper, PaperIdentifier
from wovepaper.lib import arxiv_id, doi

_NUMBER = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)
_OPENALEX = re.compile(r"(?:https?://openalex\.org/)?(W[1-9][0-9]{0,17})", re.ASCII | re.IGNORECASE)
FORMS = "a number, an arXiv id such as 2311.01234 or math/0301001, doi:10.1234/example, or openalex:W1234567890"


@dataclass(frozen=True, slots=True)
class Name:
    """What a text names a paper by: a ``scheme`` of identifiers, or ``number``."""

    scheme: str
    value: str


def read_name(text: str) -> Name | None:
    """The name that ``text`` is, in its normal form; ``None`` where it can be none."""
    text = text.strip()
    if _NUMBER.fullmatch(text):
        return Name("number", text)
    scheme, colon, rest = text.partition(":")
    match scheme.lower() if colon else "":
        case "doi":
            if preprint := arxiv_id.normalise(rest):  # arXiv's own DOIs
                return Name("arxiv", preprint.value)
            normal = doi.normalise(rest)
            return Name("doi", normal) if normal and "\0" not in normal else None
        case "openalex":
            known = _OPENALEX.fullmatch(rest)
            return Name("openalex", known[1].upper()) if known else None
    identifier = arxiv_id.normalise(text)
    return Name("arxiv", identifier.value) if identifier else None


@dataclass(frozen=True, slots=True)
class Named:
    """A paper as it is shown today, and whether it was merged since the name was given to it."""

    paper: Paper
    moved: bool


def find_named(names: Iterable[Name]) -> Mapping[Name, Named]:
    """The papers with these names, in three queries at most; those of which there is nothing are left out."""
    wanted = set(names)
    direct = {int(name.value) for name in wanted if name.scheme == "number"}
    by_scheme: dict[str, list[str]] = {}
    for name in wanted:
        if name.scheme != "number":
            by_scheme.setdefault(name.scheme, []).append(name.value)
    owners: dict[Name, int] = {Name("number", str(number)): number for number in direct}
    if by_scheme:
        rows = PaperIdentifier.objects.filter(
            scheme__in=list(by_scheme), value__in=[value for values in by_scheme.values() for value in values]
        )
        for scheme, value, paper in rows.values_list("scheme", "value", "paper_id"):
            owners[Name(scheme, value)] = paper
    papers = Paper.objects.in_bulk(set(owners.values())) if owners else {}
    shown = dict(papers)
    # A merge leads to the root at once; a chain is only there while one is being followed up.
    while beyond := {one.redirect_to_id for one in shown.values() if one.redirect_to_id} - shown.keys():
        shown |= Paper.objects.in_bulk(beyond)
    found = {}
    for name, number in owners.items():
        if name in wanted and number in shown:
            paper = shown[number]
            while paper.redirect_to_id:
                paper = shown[paper.redirect_to_id]
            found[name] = Named(paper, moved=paper.pk != number)
    return found


def in_order(names: Sequence[Name | None], found: Mapping[Name, Named]) -> list[Paper]:
    """The papers, each once, in the order in which they were first named."""
    papers = {found[name].paper.pk: found[name].paper for name in names if name is not None and name in found}
    return list(papers.values())
