"""Two papers that exist and are one work: found by ingest, merged where it is certain, else left to curators.

Whatever came in first, the outcome is the same: what would have joined a paper as a record joins it as a paper.
"""

from __future__ import annotations

import logging
import uuid
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import Q

from papers.merging import ADAPTER, are_parted, ensure_curated
from papers.models import CuratedPaper, IdentifierClash, Paper, PaperIdentifier, SourceRecord
from papers.sameness import Judgement, Verdict, Work, judge
from papers.services.ingest.alignment import initials_key
from papers.services.ingest.identity import SHORTEST_TITLE, years_of
from papers.services.ingest.lock import lock_writers
from papers.services.ingest.state import parse_stored
from papers.services.ingest.ties import Pair, Ties, namesakes_of
from wovepaper.curation.services import CandidateDraft, CurationError, Merge, MergeRequest, file_candidates

logger = logging.getLogger(__name__)

MOST_AUTHORS_COMPARED = 5_000


class Ingest:
    """Who merges where no account does. It may merge; what people decided, the engine holds against it."""

    pk: Any = None

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """To merge, and nothing beyond it."""
        return perm == "papers.merge_paper"


INGEST = Ingest()


def fuse_tied(ties: Ties) -> None:
    """Merge the pairs that are certain, and file the doubtful ones for curators.

    Called by ingest in its transaction, with the writers of papers locked out. What cannot be merged is logged, and
    the records stay with the papers they have.
    """
    doubts: dict[Pair, Judgement] = {}
    seen: set[Pair] = set()
    waiting = sorted(_ordered(ties.identifiers))
    while waiting:
        pair = _roots(waiting.pop(0))
        if pair is None or pair in seen:
            continue
        seen.add(pair)
        judgement = _judge([pair], tied=True)[pair]
        doubts.pop(pair, None)
        if judgement.verdict is Verdict.SAME and not _are_parted(pair):
            survivor = _merge(pair, judgement)
            if survivor:
                # Together they may be tied to a third.
                waiting.extend(sorted(_clashes_of(survivor)))
        elif judgement.verdict is Verdict.DOUBTFUL:
            doubts[pair] = judgement
    doubts |= _fuse_namesakes(ties.titles, seen)
    _file(doubts)


def _fuse_namesakes(titles: Iterable[Pair], seen: Collection[Pair]) -> dict[Pair, Judgement]:
    """By title, authors and year; where several would fit, none does, and curators choose."""
    pairs = {pair for given in _ordered(titles) if (pair := _roots(given)) is not None} - set(seen)
    judged = {
        pair: said for pair, said in _judge(sorted(pairs), tied=False).items() if said.verdict != Verdict.DIFFERENT
    }
    fits = Counter(one for pair, said in judged.items() if said.verdict is Verdict.SAME for one in pair)
    doubts = {}
    for pair, said in sorted(judged.items()):
        if said.verdict is Verdict.SAME and max(fits[one] for one in pair) == 1:
            if not _are_parted(pair):
                _merge(pair, said)
        else:
            doubts[pair] = said.as_one_of_several() if said.verdict is Verdict.SAME else said
    return doubts


def _ordered(pairs: Iterable[Pair]) -> set[Pair]:
    return {(min(pair), max(pair)) for pair in pairs}


def _roots(pair: Pair) -> Pair | None:
    """The papers that the two are shown as now; ``None`` where that is one."""
    leads = dict(Paper.objects.filter(pk__in=pair).values_list("pk", "redirect_to"))
    one, other = sorted(leads.get(number) or number for number in pair)
    return (one, other) if one != other else None


def _clashes_of(paper: int) -> set[Pair]:
    """Pairs of a paper with those that claim what it owns, or own what it claims."""
    found = set()
    for clash in IdentifierClash.objects.filter(
        Q(paper=paper) | Q(scheme__in=_schemes(paper), value__in=_values(paper))
    ).order_by("pk"):
        owner = PaperIdentifier.objects.filter(scheme=clash.scheme, value=clash.value).first()
        if owner is not None and paper in (owner.paper_id, clash.paper_id) and owner.paper_id != clash.paper_id:
            found.add((owner.paper_id, clash.paper_id))
    return _ordered(found)


def _schemes(paper: int) -> Any:
    return PaperIdentifier.objects.filter(paper=paper).values("scheme")


def _values(paper: int) -> Any:
    return PaperIdentifier.objects.filter(paper=paper).values("value")


def _are_parted(pair: Pair) -> bool:
    sides = [frozenset(CuratedPaper.objects.filter(root=one).values_list("pk", flat=True)) or {one} for one in pair]
    return are_parted(frozenset(sides[0]), frozenset(sides[1]))


def _judge(pairs: Collection[Pair], *, tied: bool) -> dict[Pair, Judgement]:
    works = _works({paper for pair in pairs for paper in pair})
    return {pair: judge(works[pair[0]], works[pair[1]], tied=tied) for pair in pairs}


def _works(papers: Collection[int]) -> dict[int, Work]:
    """What is compared, of a few papers: what they show, and the years that their records give."""
    years: dict[int, set[int]] = {paper: set() for paper in papers}
    records: Counter[int] = Counter()
    for row in SourceRecord.objects.filter(paper__in=papers).order_by("pk"):
        records[row.paper_id] += 1
        record = parse_stored(
            source=row.source,
            format=row.format,
            external_id=row.external_id,
            stamp=row.stamp,
            payload=bytes(row.payload),
        )
        if record is not None:
            years[row.paper_id] |= years_of(record)
    found = {}
    for paper in Paper.objects.filter(pk__in=papers).prefetch_related("identifiers"):
        names = paper.authorships.order_by("position")[:MOST_AUTHORS_COMPARED]
        found[paper.pk] = Work(
            paper=paper.pk,
            title=paper.title,
            title_key=paper.title_key if len(paper.title_key) >= SHORTEST_TITLE else "",
            kind=paper.kind,
            arxiv_id=paper.arxiv_id,
            doi=paper.doi,
            identifiers=frozenset((one.scheme, one.value) for one in paper.identifiers.all()),
            authors=frozenset(initials_key(place.printed_name) for place in names),
            years=frozenset(years[paper.pk] | ({paper.published_on.year} if paper.published_on else set())),
            records=records[paper.pk],
        )
    return found


def _merge(pair: Pair, judgement: Judgement) -> int:
    """Merge the two; returns the survivor, or 0 where something forbids it.

    The arXiv paper survives, whose address is known best; else the older number.
    """
    ranked = Paper.objects.filter(pk__in=pair).values_list("pk", "arxiv_id", "pinned")
    (survivor, _, kept), (loser, _, given) = sorted(ranked, key=lambda row: (not row[1], row[0]))
    try:
        with transaction.atomic():
            ensure_curated(pair)
            versions = dict(CuratedPaper.objects.filter(pk__in=pair).values_list("pk", "version"))
            request = MergeRequest(
                loser=loser,
                survivor=survivor,
                reason=judgement.in_words,
                versions=versions,
                key=uuid.uuid4().hex,
                choices={field: pin for field, pin in given.items() if field not in kept},
            )
            Merge(ADAPTER, request).apply(actor=INGEST)
    except CurationError as error:
        logger.info("Papers %s and %s were not merged: %s", *pair, error)
        return 0
    except (OperationalError, InterfaceError):
        raise
    except DatabaseError:
        logger.exception("Papers %s and %s could not be merged.", *pair)
        return 0
    logger.info("Paper %s was merged into %s: %s", loser, survivor, judgement.in_words)
    return survivor


def _file(doubts: dict[Pair, Judgement]) -> None:
    """Pairs that people parted are left alone."""
    pairs = {pair: said for pair, said in doubts.items() if _roots(pair) == pair and not _are_parted(pair)}
    if not pairs:
        return
    ensure_curated({paper for pair in pairs for paper in pair})
    file_candidates(
        ADAPTER,
        (
            CandidateDraft(
                members=pair,
                score=said.score,
                reasons=list(said.reasons),
                has_conflict=said.is_contradictory,
                rows_affected=said.records,
            )
            for pair, said in sorted(pairs.items())
        ),
    )


def find_duplicates(*, after: int = 0, limit: int = 10_000) -> tuple[int, int]:
    """Look through papers by title, from the number ``after`` on: merge and file as ingest does.

    For a catalogue that grew before papers were compared so. Returns the last number looked at, 0 at the end, and how
    many pairs were found.
    """
    with transaction.atomic():
        lock_writers()
        numbers = list(
            Paper.objects.filter(pk__gt=after, redirect_to=None).order_by("pk").values_list("pk", flat=True)[:limit]
        )
        if not numbers:
            return 0, 0
        with connection.cursor() as cursor:
            pairs = namesakes_of(cursor, numbers)
        clashes = IdentifierClash.objects.filter(paper__in=numbers)
        owners = {
            (one.scheme, one.value): one.paper_id
            for one in PaperIdentifier.objects.filter(value__in=clashes.values("value"))
        }
        tied = {
            (clash.paper_id, owners[clash.scheme, clash.value])
            for clash in clashes
            if (clash.scheme, clash.value) in owners
        }
        fuse_tied(Ties(frozenset(tied), pairs))
        return numbers[-1], len(pairs) + len(tied)
