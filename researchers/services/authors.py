"""Why each author of a paper is taken for the researcher they are taken for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from papers.models import Affiliation, Authorship, Paper, SourceAuthorship
from papers.querysets import is_likely
from researchers.former_names import NAME_SHOWN_INSTEAD, NONE, FormerNames
from researchers.matching.wording import Phrase
from researchers.models import Attribution, Contest, Researcher, ResearcherName
from researchers.services.attribution.reasons import in_words_of_kept
from wovepaper.lib import orcid

PAGE_SIZE = 50
MOST_PRINTED = 10
"""Names that sources print for one author."""

WHO_DECIDED = {
    Attribution.DecidedBy.HUMAN: "A curator decided so.",
    Attribution.DecidedBy.CLAIM: "The person said so themselves, with proof.",
    Attribution.DecidedBy.ORCID: "A source prints this researcher’s ORCID iD beside the name.",
    Attribution.DecidedBy.MODEL: "Taken for this researcher by likeness with their other papers.",
    Attribution.DecidedBy.NEW: "Nobody known was like them, so that a new researcher began here.",
}


@dataclass(frozen=True, slots=True)
class PrintedName:
    """What one source prints at this place."""

    source: str
    name: str
    orcid: str = ""


@dataclass(frozen=True, slots=True)
class AuthorReport:
    """One place in the author list with the conclusion about it and what led there.

    ``percent`` is the probability of an attribution by likeness; ``researcher`` is ``None`` where there is none.
    """

    authorship: int
    position: int
    name: str
    is_collaboration: bool
    researcher: Researcher | None = None
    decided_by: str = ""
    percent: int | None = None
    is_likely: bool = False
    reasons: tuple[Phrase, ...] = ()
    affiliations: tuple[str, ...] = ()
    printed: tuple[PrintedName, ...] = field(default=())
    contested_by_reader: bool = False

    @property
    def who_decided(self) -> str:
        """A sentence."""
        return WHO_DECIDED[Attribution.DecidedBy(self.decided_by)] if self.decided_by else ""


def read_authors(paper: Paper, *, page: int, reader: int | None = None) -> list[AuthorReport]:
    """The authors on ``page``, from 1, in order; six queries at most, however many there are.

    Names that somebody had hidden are replaced. Erased people stand nowhere.
    """
    first = (page - 1) * PAGE_SIZE
    return _read(Authorship.objects.filter(paper=paper, position__gt=first, position__lte=first + PAGE_SIZE), reader)


def read_author(paper: Paper, authorship: int, *, reader: int | None = None) -> AuthorReport | None:
    """One author of the paper, or ``None`` if it has no such author."""
    return next(iter(_read(Authorship.objects.filter(paper=paper, pk=authorship), reader)), None)


def reasons_in_words(evidence: Iterable[Any]) -> tuple[Phrase, ...]:
    """What an attribution keeps of its evidence, in words. What an older matching compared and no one knows is left."""
    known = []
    for one in evidence:
        try:
            in_words_of_kept([one])
        except (KeyError, ValueError, TypeError):
            continue
        known.append(one)
    return in_words_of_kept(known)


def _read(authorships: Any, reader: int | None) -> list[AuthorReport]:
    places = list(authorships.order_by("position").select_related("attribution__root"))
    shown = {place.pk: found for place in places if (found := _attribution(place)) is not None}
    ids = [place.pk for place in places]
    affiliations: dict[int, list[str]] = {}
    for number, text in Affiliation.objects.filter(authorship__in=ids).order_by("pk").values_list("authorship", "text"):
        affiliations.setdefault(number, []).append(text)
    former = _former_names({found.root_id: found.root for found in shown.values()})
    contested = _contested(ids, reader)
    printed = _printed(ids, {number: former.get(found.root_id, NONE) for number, found in shown.items()})
    reports = []
    for place in places:
        found = shown.get(place.pk)
        report = AuthorReport(
            authorship=place.pk, position=place.position, name=place.name, is_collaboration=place.is_collaboration,
            affiliations=tuple(affiliations.get(place.pk, ())), printed=tuple(printed.get(place.pk, ())),
            contested_by_reader=place.pk in contested,
            **(_conclusion(found) if found is not None else {}),
        )  # fmt: skip
        reports.append(report)
    return reports


def _attribution(place: Authorship) -> Attribution | None:
    found: Attribution | None = getattr(place, "attribution", None)
    return found if found is not None and not place.is_collaboration and found.root.erased_at is None else None


def _conclusion(found: Attribution) -> dict[str, Any]:
    by_likeness = found.decided_by == Attribution.DecidedBy.MODEL
    return {
        "researcher": found.root,
        "decided_by": found.decided_by,
        "percent": _percent(found.score) if by_likeness and found.score is not None else None,
        "is_likely": is_likely(found.decided_by, found.score),
        "reasons": reasons_in_words(found.evidence),
    }


def _percent(probability: float) -> int:
    """Never 100: likeness is no proof."""
    return min(99, round(100 * probability))


def _former_names(roots: dict[int, Researcher]) -> dict[int, FormerNames]:
    """In one query."""
    hidden: dict[int, list[str]] = {}
    names = ResearcherName.objects.filter(researcher__root__in=roots, visibility=ResearcherName.Visibility.HIDDEN)
    for root, value in names.values_list("researcher__root", "value") if roots else ():
        hidden.setdefault(root, []).append(value)
    return {root: FormerNames.of(values, shown=roots[root].display_name) for root, values in hidden.items()}


def _contested(ids: Sequence[int], reader: int | None) -> set[int]:
    if reader is None:
        return set()
    own = Contest.objects.filter(user=reader, authorship__in=ids, state=Contest.State.OPEN)
    return set(own.values_list("authorship", flat=True))


def _printed(ids: Sequence[int], former: dict[int, FormerNames]) -> dict[int, list[PrintedName]]:
    found: dict[int, list[PrintedName]] = {}
    rows = SourceAuthorship.objects.filter(authorship__in=ids).filter(~Q(name="")).order_by("source_record", "position")
    for number, source, name, printed_orcid in rows.values_list("authorship", "source_record__source", "name", "orcid"):
        own = found.setdefault(number, [])
        shown = NAME_SHOWN_INSTEAD if former.get(number, NONE).hide(name) else name
        one = PrintedName(source, shown, orcid.normalise(printed_orcid) or "")
        if one not in own and len(own) < MOST_PRINTED:
            own.append(one)
    return found
