"""The stage ``affiliate``: from the affiliations printed on papers to institutions."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import F

from institutions.matching.folding import fold
from institutions.matching.matcher import Matcher
from institutions.matching.rules import Rule, first_fitting
from institutions.models import AffiliationRule, Institution
from institutions.services.matching import load_matcher
from papers.asserted_affiliations import read_asserted
from papers.changes import announce_changes
from papers.institutions import counting
from papers.models import Affiliation, PaperInstitution
from wovepaper.harvest.hooks import FinishedRun
from wovepaper.harvest.rows import copy_rows, delete_rows, update_rows
from wovepaper.pipeline.services import enqueue

KIND = "paper"
STAGE = "affiliate"
BATCH = 1_000
_TEXTS_AT_ONCE = 2_000
_PAPERS_AT_ONCE = 10_000
_MOST_REMEMBERED = 200_000
_COLUMNS = {"institution_id": "bigint", "how": "varchar", "others": "bigint[]"}


@dataclass(frozen=True, slots=True)
class Found:
    """What a printed affiliation names: institutions as they are shown, the first one first, and how that is known."""

    how: str = ""
    institutions: tuple[int, ...] = ()

    @property
    def first(self) -> int | None:
        """The institution that is named first."""
        return self.institutions[0] if self.institutions else None

    @property
    def others(self) -> list[int] | None:
        """The rest, or nothing."""
        return list(self.institutions[1:]) or None


@dataclass(slots=True)
class Affiliator:
    """Says what texts name: a curator's rule first, then the sources, then the matcher. Remembers what it said."""

    matcher: Matcher
    rules: Sequence[Rule]
    roots: Mapping[int, int]
    """Institutions that rules name, to what they became."""
    _said: dict[str, Found] = field(default_factory=dict)

    def find(self, text: str, asserted: Sequence[int] = ()) -> Found:
        """What the text names, if the sources assert these institutions for it."""
        said = self._said.get(text)
        if said is None:
            if len(self._said) >= _MOST_REMEMBERED:
                self._said.clear()
            said = self._said[text] = self._by_rule(text) or self._by_name(text)
        if asserted and said.how != Affiliation.How.RULE:
            return Found(Affiliation.How.SOURCE, tuple(dict.fromkeys(asserted)))
        return said

    def _by_rule(self, text: str) -> Found | None:
        rule = first_fitting(self.rules, text) if self.rules else None
        if rule is None:
            return None
        named = () if rule.institution is None else (self.roots.get(rule.institution, rule.institution),)
        return Found(Affiliation.How.RULE, named)

    def _by_name(self, text: str) -> Found:
        matches = self.matcher.match(text)
        return Found(matches[0].how, tuple(match.institution for match in matches)) if matches else Found()


_remembered: list[tuple[Matcher, tuple[tuple[object, ...], ...], Affiliator]] = []


def load_affiliator() -> Affiliator | None:
    """The affiliator for the registry and the rules as they are now; ``None`` where there are no institutions."""
    matcher = load_matcher()
    if matcher is None:
        return None
    said = tuple(
        AffiliationRule.objects.order_by("id").values_list("pattern", "institution_id", "institution__root_id")
    )
    if _remembered and _remembered[0][0] is matcher and _remembered[0][1] == said:
        return _remembered[0][2]
    rules = [Rule.of(pattern, institution) for pattern, institution, _ in said]
    roots = {institution: root for _, institution, root in said if institution is not None}
    affiliator = Affiliator(matcher, rules, roots)
    _remembered[:] = [(matcher, said, affiliator)]
    return affiliator


def affiliate_papers(ids: Sequence[int]) -> None:
    """Find the institutions of these papers, and bring their lists and counts up to date. Writes what differs."""
    affiliator = load_affiliator()
    if affiliator is None:
        return
    with transaction.atomic(), connection.cursor() as cursor:
        rows = _read_affiliations(cursor, ids)
        asserted = _read_asserted(cursor, ids) if rows else {}
        named: dict[int, dict[int, None]] = defaultdict(dict)
        changes = []
        moved: set[int] = set()
        for number, paper, text, *kept in rows:
            theirs = asserted.get(paper)
            found = affiliator.find(text, theirs.get(fold(text), ()) if theirs else ())
            named[paper].update(dict.fromkeys(found.institutions))
            if kept != [found.first, found.how, found.others]:
                changes.append({"id": number, "institution_id": found.first, "how": found.how, "others": found.others})
                moved.add(paper)
        update_rows(cursor, "papers_affiliation", _COLUMNS, changes)
        _list_papers(cursor, ids, named)
        announce_changes(moved)


def _read_affiliations(
    cursor: CursorWrapper, ids: Sequence[int]
) -> list[tuple[int, int, str, int | None, str, list[int] | None]]:
    cursor.execute(
        "SELECT affiliation.id, authorship.paper_id, affiliation.text, affiliation.institution_id, affiliation.how,"
        " affiliation.others FROM papers_affiliation AS affiliation"
        " JOIN papers_authorship AS authorship ON authorship.id = affiliation.authorship_id"
        " WHERE authorship.paper_id = ANY(%s) ORDER BY authorship.paper_id, authorship.position, affiliation.id",
        [list(ids)],
    )
    return cursor.fetchall()


def _read_asserted(cursor: CursorWrapper, ids: Sequence[int]) -> dict[int, dict[str, list[int]]]:
    """Paper to folded text to the institutions that its records assert for it."""
    cursor.execute(
        "SELECT paper_id, payload FROM papers_sourcerecord"
        " WHERE paper_id = ANY(%s) AND position('ror.org'::bytea IN payload) > 0",
        [list(ids)],
    )
    said = [(paper, read_asserted(bytes(payload))) for paper, payload in cursor.fetchall()]
    wanted = {ror_id for _, texts in said for ror_ids in texts.values() for ror_id in ror_ids}
    if not wanted:
        return {}
    roots = dict(Institution.objects.filter(ror_id__in=wanted).values_list("ror_id", "root_id"))
    found: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for paper, texts in said:
        for text, ror_ids in texts.items():
            found[paper][text] += [roots[ror_id] for ror_id in ror_ids if ror_id in roots]
    return found


def _list_papers(cursor: CursorWrapper, ids: Sequence[int], named: Mapping[int, Iterable[int]]) -> None:
    """Keep ``PaperInstitution`` and the institutions' counts as the affiliations have it."""
    cursor.execute("SELECT id, sort_date FROM papers_paper WHERE id = ANY(%s) AND redirect_to_id IS NULL", [list(ids)])
    dates: dict[int, dt.date] = dict(cursor.fetchall())
    cursor.execute(
        "SELECT paper_id, institution_id, id, sort_date FROM papers_paperinstitution WHERE paper_id = ANY(%s)",
        [list(ids)],
    )
    kept = {(paper, institution): (number, day) for paper, institution, number, day in cursor.fetchall()}
    wanted = {(paper, institution): day for paper, day in dates.items() for institution in named.get(paper, ())}
    gone = [key for key in kept if key not in wanted]
    new = [key for key in wanted if key not in kept]
    delete_rows(cursor, "papers_paperinstitution", [kept[key][0] for key in gone])
    copy_rows(
        cursor,
        "papers_paperinstitution",
        ("paper_id", "institution_id", "sort_date"),
        [(*key, wanted[key]) for key in new],
    )
    moved = [
        {"id": kept[key][0], "sort_date": day} for key, day in wanted.items() if key in kept and kept[key][1] != day
    ]
    update_rows(cursor, "papers_paperinstitution", {"sort_date": "date"}, moved)
    _count_papers(cursor, Counter(key[1] for key in new), Counter(key[1] for key in gone))
    # Their researchers are counted at a later stage, when the authors of these papers are told apart.
    enqueue(kind=counting.KIND, ids={key[1] for key in (*new, *gone)}, reason="papers")


def _count_papers(cursor: CursorWrapper, more: Counter[int], fewer: Counter[int]) -> None:
    change = {number: more[number] - fewer[number] for number in more.keys() | fewer.keys()}
    change = {number: by for number, by in sorted(change.items()) if by}
    if not change:
        return
    # In the order of their numbers, so that two batches never wait for each other.
    cursor.execute("SELECT id FROM institutions_institution WHERE id = ANY(%s) ORDER BY id FOR UPDATE", [list(change)])
    cursor.execute(
        "UPDATE institutions_institution AS institution SET paper_count = greatest(0, paper_count + changed.change)"
        " FROM unnest(%s::bigint[], %s::bigint[]) AS changed(id, change) WHERE institution.id = changed.id",
        [list(change), list(change.values())],
    )


def rematch(*, rules_only: bool = False) -> int:
    """Let papers wait again whose printed affiliations mean something else now: the registry or a rule has changed.

    Each distinct text is looked at once; with ``rules_only`` only those that a rule fits or fitted. Returns the number
    of papers. Not one transaction.
    """
    affiliator = load_affiliator()
    if affiliator is None:
        return 0
    total = 0
    for batch in _texts():
        differing = [
            text
            for text, institution, how, others in batch
            if (not rules_only or how == Affiliation.How.RULE or first_fitting(affiliator.rules, text))
            and (found := affiliator.find(text)) != Found(how, _named(institution, others))
            and (how != Affiliation.How.SOURCE or found.how == Affiliation.How.RULE)
        ]
        if differing:
            total += _enqueue_papers_with(differing)
    return total + _enqueue_papers_of_merged()


def rematch_after_import(finished: FinishedRun) -> None:
    """A run of the registry that brought anything may change what affiliations mean."""
    if finished.source == "ror" and (finished.counts.new or finished.counts.changed):
        rematch()


# --- by the pipeline -----------------------------------------------------------------------------------------

RULES = "affiliation-rules"
MOVES = "institution-move"
"""Kinds of work for this stage besides papers: curators' acts, which concern any number of them."""


def rematch_rules_later() -> None:
    """A curator added, changed or removed a rule: the pipeline looks for the papers that it concerns."""
    enqueue(kind=RULES, ids=[1], stage=STAGE, reason="institutions")


def rematch_moved_later(institutions: Collection[int]) -> None:
    """Institutions became others or themselves again: the pipeline looks for the papers that this concerns."""
    enqueue(kind=MOVES, ids=set(institutions), stage=STAGE, reason="institutions")


def rematch_rules(ids: Sequence[int]) -> None:
    """Handler: whatever rule it was, texts that rules fit or fitted are looked at, batch by batch."""
    rematch(rules_only=True)


def rematch_moved(ids: Sequence[int]) -> None:
    """Handler: the papers of these institutions wait again, and those with texts that mean something else now."""
    last = 0
    while True:
        rows = PaperInstitution.objects.filter(institution__in=ids, paper__gt=last).order_by("paper")
        papers = list(rows.values_list("paper", flat=True).distinct()[:_PAPERS_AT_ONCE])
        if not papers:
            break
        last = papers[-1]
        enqueue(kind=KIND, ids=papers, stage=STAGE, reason="institutions")
    rematch()


def _named(institution: int | None, others: Sequence[int] | None) -> tuple[int, ...]:
    return () if institution is None else (institution, *(others or ()))


def _texts() -> Iterator[list[tuple[str, int | None, str, list[int] | None]]]:
    rows = Affiliation.objects.order_by().values_list("text", "institution_id", "how", "others").distinct()
    batch: list[tuple[str, int | None, str, list[int] | None]] = []
    for row in rows.iterator(_TEXTS_AT_ONCE):
        batch.append(row)
        if len(batch) == _TEXTS_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


@transaction.atomic
def _enqueue_papers_of_merged() -> int:
    """What sources asserted of an institution that is another one now."""
    papers = PaperInstitution.objects.exclude(institution__root=F("institution")).values_list("paper", flat=True)
    return enqueue(kind=KIND, ids=set(papers), stage=STAGE, reason="institutions")


@transaction.atomic
def _enqueue_papers_with(texts: Sequence[str]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT authorship.paper_id FROM papers_affiliation AS affiliation"
            " JOIN papers_authorship AS authorship ON authorship.id = affiliation.authorship_id"
            " WHERE md5(affiliation.text) IN (SELECT md5(text) FROM unnest(%s::text[]) AS text)",
            [list(texts)],
        )
        return enqueue(kind=KIND, ids=[row[0] for row in cursor.fetchall()], stage=STAGE, reason="institutions")
