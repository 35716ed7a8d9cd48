"""What follows from profiles for researchers: figures of each source, and ids that are in conflict.

A profile is a base's if the papers here say so: at least nine tenths of all authorships that carry its id are shown
under one researcher, and of the base's authorships that carry any id of the source at least half carry this one. So an
id that the source gives to several people is nobody's, and of several ids of one person the one that most papers carry
counts. A profile whose ORCID is another than the researcher's trusted one is of somebody else, or of several people:
its id is in conflict, and its figures are nobody's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.db import connection, transaction

from researchers.models import Researcher, ResearcherIdentifier, ResearcherMetric, SourceAuthor
from researchers.services.attribution import filing
from researchers.services.attribution.identifiers import SCHEMES, sync_source_ids

SHARE_OF_ID = 0.9
"""Of the authorships that carry an id, to be shown under one researcher."""
SHARE_OF_BASE = 0.5
"""Of a base's authorships that carry ids of the source, to carry one id."""
WHY_CONFLICT = "{source} knows another ORCID of it, {orcid}."

_SOURCES = {scheme: source for source, scheme in SCHEMES.items()}
Key = tuple[str, str]
"""Source and author id."""

_CARRIED = """
    SELECT carried.base_id, person.root_id, carried.source, carried.author_id, count(*)
    FROM (
        SELECT DISTINCT row.base_id, row.authorship_id, record.source,
            CASE WHEN known.merged_into <> '' THEN known.merged_into ELSE printed.source_author_id END AS author_id
        FROM researchers_attribution AS row
        JOIN papers_sourceauthorship AS printed ON printed.authorship_id = row.authorship_id
        JOIN papers_sourcerecord AS record ON record.id = printed.source_record_id
        LEFT JOIN researchers_sourceauthor AS known
            ON known.source = record.source AND known.author_id = printed.source_author_id
        WHERE row.base_id = ANY(%s) AND printed.source_author_id <> '' AND record.source = ANY(%s)
            AND known.gone IS NOT TRUE
    ) AS carried
    JOIN researchers_researcher AS person ON person.id = carried.base_id
    GROUP BY 1, 2, 3, 4
"""


@dataclass(slots=True)
class _Carried:
    """Which ids the authorships of bases carry, and how many each."""

    by_root: dict[Key, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    by_base: dict[tuple[int, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    root_of: dict[int, int] = field(default_factory=dict)


@transaction.atomic
def settle_profiles(researchers: Collection[int], *, moved: Collection[int] = ()) -> None:
    """Work out figures and conflicts of these researchers, their members, and all who hold one of their ids.

    Ids that were merged or taken away since are followed first, and those of ``moved``, who may carry others than they
    hold. Writes only what differs.
    """
    bases = set(Researcher.objects.filter(root__members__in=researchers).values_list("pk", flat=True))
    bases |= set(researchers)
    if moved:
        members = Researcher.objects.filter(root__members__in=moved)
        sync_source_ids({*moved, *members.values_list("pk", flat=True)})
    _follow_ids(bases)
    concerned = _concerned(bases)
    if not concerned:
        return
    carried = _carried(concerned)
    profiles = _profiles(carried.by_root)
    orcids = _trusted_orcids(set(carried.root_of.values()))
    conflicts = {
        (base, key)
        for (base, source), ids in carried.by_base.items()
        for author_id in ids
        if (key := (source, author_id)) in profiles
        and profiles[key].orcid
        and (trusted := orcids.get(carried.root_of[base]))
        and profiles[key].orcid not in trusted
    }
    _write_conflicts(concerned, conflicts, profiles)
    _write_metrics(concerned, _figures(carried, profiles, conflicts))


def _follow_ids(bases: Collection[int]) -> None:
    """Where a source gave up an id, its heir takes its place, and the other way round where the id came back.

    People who come to share an id are listed for curators.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT held.researcher_id FROM researchers_researcheridentifier AS held"
            " JOIN unnest(%s::text[], %s::text[]) AS pair(scheme, source) USING (scheme)"
            " JOIN researchers_sourceauthor AS known ON known.source = pair.source AND known.author_id = held.value"
            " WHERE held.researcher_id = ANY(%s) AND known.changed_on IS NOT NULL"
            " AND (held.state = 'deprecated') <> (known.gone OR known.merged_into <> '')",
            [list(_SOURCES), list(_SOURCES.values()), sorted(bases)],
        )
        holding = [row[0] for row in cursor.fetchall()]
    if holding:
        filing.file_drafts(filing.shared_id_drafts(sync_source_ids(holding)))


def _concerned(bases: Collection[int]) -> list[int]:
    """Bases whose figures may be others now; empty where no source has said anything of any of their ids."""
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH given AS (SELECT DISTINCT held.scheme, held.value FROM researchers_researcheridentifier AS held"
            "  JOIN unnest(%(schemes)s::text[], %(sources)s::text[]) AS pair(scheme, source) USING (scheme)"
            "  JOIN researchers_sourceauthor AS known ON known.source = pair.source AND known.author_id = held.value"
            "  WHERE held.researcher_id = ANY(%(bases)s))"
            " SELECT held.researcher_id FROM given JOIN researchers_researcheridentifier AS held USING (scheme, value)"
            " UNION SELECT researcher_id FROM researchers_researchermetric"
            " WHERE researcher_id = ANY(%(bases)s) AND source = ANY(%(sources)s) ORDER BY 1",
            {"schemes": list(_SOURCES), "sources": list(_SOURCES.values()), "bases": sorted(bases)},
        )
        return [row[0] for row in cursor.fetchall()]


def _carried(bases: Collection[int]) -> _Carried:
    found = _Carried()
    with connection.cursor() as cursor:
        cursor.execute(_CARRIED, [list(bases), list(SCHEMES)])
        for base, root, source, author_id, count in cursor.fetchall():
            found.by_root[source, author_id][root] += count
            found.by_base[base, source][author_id] += count
            found.root_of[base] = root
    return found


def _profiles(keys: Collection[Key]) -> dict[Key, SourceAuthor]:
    found: dict[Key, SourceAuthor] = {}
    for source in SCHEMES:
        ids = [author_id for known, author_id in keys if known == source]
        rows = SourceAuthor.objects.filter(source=source, author_id__in=ids) if ids else ()
        found |= {(source, row.author_id): row for row in rows}
    return found


def _trusted_orcids(roots: Collection[int]) -> dict[int, set[str]]:
    found: defaultdict[int, set[str]] = defaultdict(set)
    rows = ResearcherIdentifier.objects.filter(researcher__root__in=roots, scheme="orcid", state="trusted")
    for root, value in rows.values_list("researcher__root_id", "value"):
        found[root].add(value)
    return found


def _figures(
    carried: _Carried, profiles: Mapping[Key, SourceAuthor], conflicts: Collection[tuple[int, Key]]
) -> dict[tuple[int, str], SourceAuthor]:
    """By base and source the profile whose figures are theirs."""
    found: dict[tuple[int, str], SourceAuthor] = {}
    for (base, source), ids in carried.by_base.items():
        best = min(ids, key=lambda author_id: (-ids[author_id], author_id))
        key = (source, best)
        holders = carried.by_root[key]
        if ids[best] < SHARE_OF_BASE * ids.total() or key not in profiles or (base, key) in conflicts:
            continue
        if holders[carried.root_of[base]] < SHARE_OF_ID * holders.total():
            continue
        profile = profiles[key]
        if any(figure is not None for figure in (profile.h_index, profile.cited_by_count, profile.works_count)):
            found[base, source] = profile
    return found


def _write_conflicts(
    bases: Collection[int], conflicts: Collection[tuple[int, Key]], profiles: Mapping[Key, SourceAuthor]
) -> None:
    """Only of ids that sources gave; what people said of an id stays."""
    rows = ResearcherIdentifier.objects.filter(
        researcher__in=bases, scheme__in=_SOURCES, provenance__from="sources", state__in=("claimed", "conflict")
    )
    changed = []
    for row in rows:
        key = (_SOURCES[row.scheme], row.value)
        provenance: dict[str, object] = {"from": "sources"}
        state = ResearcherIdentifier.State.CLAIMED
        if (row.researcher_id, key) in conflicts:
            state = ResearcherIdentifier.State.CONFLICT
            label = ResearcherIdentifier.Scheme(row.scheme).label
            provenance["why"] = WHY_CONFLICT.format(source=label, orcid=profiles[key].orcid)
        if (row.state, row.provenance) != (state, provenance):
            row.state, row.provenance = state, provenance
            changed.append(row)
    ResearcherIdentifier.objects.bulk_update(changed, ["state", "provenance"])


def _write_metrics(bases: Collection[int], figures: Mapping[tuple[int, str], SourceAuthor]) -> None:
    known = {
        (row.researcher_id, row.source): row
        for row in ResearcherMetric.objects.filter(researcher__in=bases, source__in=list(SCHEMES))
    }
    wanted = {}
    for (base, source), profile in figures.items():
        assert profile.as_of is not None  # written together with the figures
        wanted[base, source] = ResearcherMetric(
            researcher_id=base,
            source=source,
            h_index=profile.h_index,
            cited_by_count=profile.cited_by_count,
            works_count=profile.works_count,
            as_of=profile.as_of,
        )
    columns = ("h_index", "cited_by_count", "works_count", "as_of")
    written = [
        row
        for key, row in wanted.items()
        if key not in known or any(getattr(row, name) != getattr(known[key], name) for name in columns)
    ]
    ResearcherMetric.objects.filter(pk__in=[row.pk for key, row in known.items() if key not in wanted]).delete()
    ResearcherMetric.objects.bulk_create(
        written, update_conflicts=True, unique_fields=["researcher", "source"], update_fields=list(columns)
    )
