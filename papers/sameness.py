"""Whether two papers are one work. Pure: what is known of both in, a verdict with its reasons out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from rapidfuzz import fuzz

from papers.services.ingest.identity import LIKE_AUTHORS, YEARS_APART, Identifier, Names, names_of
from wovepaper.lib.numerals import numerals_differ

LIKE_TITLES = 85.0
"""From 0 to 100 (``rapidfuzz.fuzz.token_sort_ratio``): so alike are a preprint's title and its article's."""
YEARS_OF_ONE_WORK = 5
"""A preprint and its article are at most so many years apart, where nothing but the title says that they are one."""


class Verdict(Enum):
    """What is to be done with two papers."""

    SAME = "same"
    DOUBTFUL = "doubtful"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Work:
    """What is compared. ``title_key`` is empty for a title too short to prove anything; authors by name and initial."""

    paper: int
    title: str
    title_key: str
    kind: str
    arxiv_id: str
    doi: str
    """The DOI it shows."""
    identifiers: frozenset[Identifier]
    authors: frozenset[tuple[str, str]]
    years: frozenset[int]
    records: int = 1


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, how likely it is that they are one, and why, in words."""

    verdict: Verdict
    score: float
    reasons: tuple[str, ...]
    is_contradictory: bool = False
    records: int = 0

    @property
    def in_words(self) -> str:
        """All reasons in one line."""
        return " ".join(self.reasons)

    def as_one_of_several(self) -> Judgement:
        """The same of a paper that fits several others as well."""
        return replace(
            self, verdict=Verdict.DOUBTFUL, score=0.5, reasons=(*self.reasons, "Another paper fits as well.")
        )


def judge(one: Work, other: Work, *, tied: bool) -> Judgement:
    """``tied`` says that records of both claim one identifier; without, both have one title.

    Two arXiv ids, two DOIs of one kind and different numerals in the titles speak against it, whatever else agrees.
    """
    records = one.records + other.records
    arxiv_ids = {paper.arxiv_id for paper in (one, other)} - {""}
    if len(arxiv_ids) > 1:
        return Judgement(Verdict.DIFFERENT, 0.0, ("arXiv has them as two papers.",), records=records)
    same_title = bool(one.title_key) and one.title_key == other.title_key
    title_likeness = 100.0 if same_title else fuzz.token_sort_ratio(one.title.casefold(), other.title.casefold())
    shared = one.authors & other.authors
    shorter = min(len(one.authors), len(other.authors))
    authors_agree = bool(shorter) and len(shared) / shorter >= LIKE_AUTHORS
    reasons = [
        "Records of both claim one identifier." if tied else "Their titles are the same.",
        *(["Their titles are the same."] if tied and same_title else []),
        _authors_in_words(len(shared), shorter),
    ]
    agree = same_title or title_likeness >= LIKE_TITLES or authors_agree
    if numerals_differ(one.title, other.title):
        if not (tied and agree):
            return Judgement(Verdict.DIFFERENT, 0.0, ("Numerals tell their titles apart.",), records=records)
        reasons.append("But numerals tell their titles apart.")
        return Judgement(Verdict.DOUBTFUL, 0.3, tuple(reasons), is_contradictory=True, records=records)
    if _names(one).contradict(_names(other)):
        # Journals republish; titles like "Editorial" do too.
        if not (tied and same_title and authors_agree):
            return Judgement(Verdict.DIFFERENT, 0.0, ("They have two DOIs of one kind.",), records=records)
        reasons.append("But they have two DOIs of one kind.")
        return Judgement(Verdict.DOUBTFUL, 0.5, tuple(reasons), is_contradictory=True, records=records)
    if tied:
        return _judge_tied(one, other, agree, reasons, records)
    return _judge_namesakes(one, other, authors_agree, bool(shared), reasons, records)


def _judge_tied(one: Work, other: Work, agree: bool, reasons: list[str], records: int) -> Judgement:
    if agree:
        return Judgement(Verdict.SAME, 0.99, tuple(reasons), records=records)
    if not (one.authors and other.authors):
        reasons.append("One of them names no author, and their titles differ.")
    else:
        reasons.append("But neither title nor authors agree.")
    return Judgement(Verdict.DOUBTFUL, 0.4, tuple(reasons), is_contradictory=True, records=records)


def _judge_namesakes(
    one: Work, other: Work, authors_agree: bool, any_shared: bool, reasons: list[str], records: int
) -> Judgement:
    apart = min((abs(a - b) for a in one.years for b in other.years), default=None)
    if authors_agree and apart is not None and apart <= YEARS_APART:
        return Judgement(Verdict.SAME, 0.97, (*reasons, "Their years agree."), records=records)
    unknown = not (one.authors and other.authors)
    if not (any_shared or unknown) or (apart is not None and apart > YEARS_OF_ONE_WORK):
        return Judgement(Verdict.DIFFERENT, 0.0, tuple(reasons), records=records)
    reasons.append("One of them has no year." if apart is None else f"Their years are {apart} apart.")
    score = 0.8 if authors_agree else 0.6 if any_shared else 0.5
    return Judgement(Verdict.DOUBTFUL, score, tuple(reasons), records=records)


def _authors_in_words(shared: int, shorter: int) -> str:
    if not shorter:
        return "One of them names no author."
    return f"{shared} of {shorter} authors are the same by family name and initial."


def _names(work: Work) -> Names:
    return names_of(work.identifiers, work.kind, work.doi)
