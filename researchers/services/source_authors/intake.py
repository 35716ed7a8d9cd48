"""The sinks of authors' profiles, and of ids that became part of others.

Profiles are kept whoever they are of: papers that carry their ids may come later. What follows for researchers is
worked out when the pipeline comes to those who hold the ids (``settling``).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import connection, transaction
from django.utils import timezone

from papers.sources.profiles import AuthorProfile, MergedAuthor
from researchers.models import ResearcherIdentifier, SourceAuthor
from researchers.services.attribution.identifiers import SCHEMES
from wovepaper.harvest.contracts import IngestCounts, RawRecord, Refusal
from wovepaper.pipeline.services import enqueue

KIND = "researcher"
PROFILES_LOCK = (0x776F7665, 8)
"""Two 32-bit keys of the advisory lock: the project's, and that of whoever writes profiles."""
LARGEST = 2**31 - 1

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Kept:
    """A row of SourceAuthor."""

    source: str
    author_id: str
    stamp: str = ""
    orcid: str = ""
    h_index: int | None = None
    cited_by_count: int | None = None
    works_count: int | None = None
    as_of: dt.date | None = None
    merged_into: str = ""
    gone: bool = False
    changed_on: dt.date | None = None

    @property
    def figures(self) -> tuple[int | None, int | None, int | None]:
        return (self.h_index, self.cited_by_count, self.works_count)

    @property
    def said(self) -> tuple[object, ...]:
        """What a record is changed by; the rest is its envelope."""
        return (self.orcid, *self.figures, self.merged_into, self.gone)


_COLUMNS = tuple(_Kept.__dataclass_fields__)


@transaction.atomic
def take_profiles(records: Sequence[tuple[RawRecord, AuthorProfile]]) -> IngestCounts:
    """Take in profiles. Idempotent.

    Field by field, since answers hold the fields that were asked for: of two values that of the later stamp stands,
    between equal stamps the one that comes in later; what is not said takes nothing away. A profile that is dated after
    its id was merged or taken away brings the id back.
    """
    today = timezone.now().date()
    refused: list[Refusal] = []
    accepted: list[AuthorProfile] = []
    for raw, profile in records:
        reason = _why_not(profile)
        if reason:
            refused.append(Refusal(raw, reason))
        else:
            accepted.append(profile)
    known = _locked({(one.source, one.author_id) for one in accepted})
    rows = dict(known)
    for profile in accepted:
        key = (profile.source, profile.author_id)
        rows[key] = _joined(rows.get(key) or _Kept(*key), profile, today)
    return _write(known, rows, seen=len(records), refused=refused)


@transaction.atomic
def take_merged(records: Sequence[tuple[RawRecord, MergedAuthor]]) -> IngestCounts:
    """Take in what became of ids. Idempotent; chains are followed in whatever order they come, circles are refused.

    What has no date became so today.
    """
    today = timezone.now().date()
    pairs = {(one.source, one.author_id): one for _, one in records}
    known = _locked({*pairs, *((one.source, one.into) for one in pairs.values() if one.into)}, also_into=True)
    rows = dict(known)
    refused: list[Refusal] = []
    for raw, one in records:
        key = (one.source, one.author_id)
        row = rows.get(key) or _Kept(*key)
        into, gone = _heir(rows, one)
        if into == one.author_id:
            refused.append(Refusal(raw, f"{one.author_id} would become part of itself: {one.into} is part of it."))
            continue
        if (row.merged_into, row.gone) == (into, gone) or (row.changed_on and one.on and row.changed_on > one.on):
            continue
        rows[key] = replace(row, merged_into=into, gone=gone, changed_on=one.on or today)
        for other, held in list(rows.items()):
            if held.source == one.source and held.merged_into == one.author_id:
                rows[other] = replace(held, merged_into=into, gone=gone)
    return _write(known, rows, seen=len(records), refused=refused, seen_keys=set(pairs))


def _why_not(profile: AuthorProfile) -> str:
    figures = (profile.h_index, profile.cited_by_count, profile.works_count)
    if any(figure is not None and figure > LARGEST for figure in figures):
        return "No author can have figures as large as these."
    if profile.h_index is not None and profile.works_count is not None and profile.h_index > profile.works_count:
        return f"An h-index of {profile.h_index} cannot come from {profile.works_count} works."
    return ""


def _joined(row: _Kept, profile: AuthorProfile, today: dt.date) -> _Kept:
    older = profile.stamp < row.stamp
    given = {
        name: value
        for name in ("orcid", "h_index", "cited_by_count", "works_count")
        if (value := getattr(profile, name)) not in (None, "") and not (older and getattr(row, name) not in (None, ""))
    }
    joined = replace(row, **given, stamp=max(row.stamp, profile.stamp))
    if any(figure is not None for figure in joined.figures) and not older:
        if profile.as_of is not None:
            joined = replace(joined, as_of=profile.as_of)
        elif row.as_of is None or joined.figures != row.figures:
            joined = replace(joined, as_of=today)
    elif joined.figures != row.figures and joined.as_of is None:
        joined = replace(joined, as_of=profile.as_of or today)
    if (row.merged_into or row.gone) and row.changed_on and profile.as_of and profile.as_of > row.changed_on:
        joined = replace(joined, merged_into="", gone=False, changed_on=profile.as_of)
    return joined


def _heir(rows: Mapping[Key, _Kept], one: MergedAuthor) -> tuple[str, bool]:
    """The id that stands in the end, or that none does."""
    if not one.into:
        return "", True
    heir = rows.get((one.source, one.into))
    if heir is None or not (heir.merged_into or heir.gone):
        return one.into, False
    return heir.merged_into, heir.gone


def _locked(keys: Collection[Key], *, also_into: bool = False) -> dict[Key, _Kept]:
    """The rows of these ids, with ``also_into`` those too that are part of them; other writers wait."""
    if not keys:
        return {}
    columns = ", ".join(f"known.{name}" for name in _COLUMNS)
    matches = "known.source = given.source AND known.author_id = given.author_id"
    if also_into:
        matches = (
            "known.source = given.source AND (known.author_id = given.author_id"
            " OR (known.merged_into <> '' AND known.merged_into = given.author_id))"
        )
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", PROFILES_LOCK)
        cursor.execute(
            f"SELECT DISTINCT {columns} FROM researchers_sourceauthor AS known"  # noqa: S608
            f" JOIN unnest(%s::text[], %s::text[]) AS given(source, author_id) ON {matches}",
            [list(column) for column in zip(*sorted(keys), strict=True)],
        )
        found = [_Kept(*row) for row in cursor.fetchall()]
    return {(row.source, row.author_id): row for row in found}


def _write(
    known: Mapping[Key, _Kept],
    rows: Mapping[Key, _Kept],
    *,
    seen: int,
    refused: Sequence[Refusal],
    seen_keys: Collection[Key] | None = None,
) -> IngestCounts:
    written = {key: row for key, row in rows.items() if row != known.get(key)}
    if written:
        SourceAuthor.objects.bulk_create(
            [SourceAuthor(**{name: getattr(row, name) for name in _COLUMNS}) for row in written.values()],
            update_conflicts=True,
            unique_fields=["source", "author_id"],
            update_fields=[name for name in _COLUMNS if name not in ("source", "author_id")],
        )
    fresh = {key for key in written if key not in known}
    changed = {key for key in written if key in known and written[key].said != known[key].said}
    redated = {key for key in written if key in known and written[key].as_of != known[key].as_of}
    _let_holders_follow(fresh | changed | redated)
    if seen_keys is not None:  # others were only led on to where they lead now
        changed &= set(seen_keys)
    unchanged = seen - len(fresh) - len(changed) - len(refused)
    return IngestCounts(len(fresh), len(changed), unchanged, tuple(refused))


def _let_holders_follow(keys: Collection[Key]) -> None:
    """Those who hold these ids wait for the stage that works out their figures."""
    for source, scheme in SCHEMES.items():
        ids = [author_id for known, author_id in keys if known == source]
        if ids:
            holders = ResearcherIdentifier.objects.filter(scheme=scheme, value__in=ids)
            enqueue(
                kind=KIND,
                ids=holders.order_by().values_list("researcher_id", flat=True).distinct(),
                stage="index",
                reason="profile",
            )
