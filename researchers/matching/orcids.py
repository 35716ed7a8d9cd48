"""Rules that ask no model: what people decided, and what ORCIDs say."""

from __future__ import annotations

from collections import Counter, defaultdict

from researchers.matching.clusters import Cluster
from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.names import share_a_word
from researchers.matching.outcomes import ConflictKind, DecidedBy
from researchers.matching.workings import Workings


def place_known(workings: Workings) -> list[AuthorshipEvidence]:
    """A cluster for each known researcher, with the authorships that people gave her; returns the others."""
    by_id: dict[int, Cluster] = {}
    for researcher in workings.known:
        cluster = workings.cluster([], known=researcher.id)
        for authorship in researcher.authorships:
            cluster.add(authorship, new=False)
        cluster.names.update(researcher.names)
        cluster.orcids.update(researcher.orcids)
        by_id[researcher.id] = cluster
    waiting = []
    for authorship in workings.new:
        researcher_id = workings.decisions.is_of.get(authorship.id)
        if researcher_id is None:
            waiting.append(authorship)
            continue
        workings.decided[authorship.id] = DecidedBy.HUMAN
        if researcher_id in by_id:
            by_id[researcher_id].add(authorship, new=True)
        else:
            workings.elsewhere[authorship.id] = researcher_id
    return waiting


def follow_orcids(workings: Workings, waiting: list[AuthorshipEvidence]) -> list[AuthorshipEvidence]:
    """Attach by ORCID where nothing objects, and keep the conflicts; returns those who still wait."""
    on_paper = Counter((one.paper.id, one.orcid) for one in workings.everybody() if one.orcid)
    holders: dict[str, Cluster] = {}
    for cluster in workings.clusters.values():
        for orcid in cluster.orcids:
            holders.setdefault(orcid, cluster)
    left, by_orcid = [], defaultdict(list)
    for authorship in waiting:
        if not authorship.orcid:
            left.append(authorship)
        elif on_paper[authorship.paper.id, authorship.orcid] > 1:
            workings.conflicts.append((ConflictKind.REPEATED, authorship, None))
            left.append(authorship)
        else:
            by_orcid[authorship.orcid].append(authorship)
    for orcid, authorships in sorted(by_orcid.items()):
        holder = holders.get(orcid)
        if holder is None:
            holder, authorships = _found_by_orcid(workings, orcid, authorships)
        for authorship in authorships:
            kind = _objection(workings, authorship, holder)
            if kind is None:
                workings.add(authorship, holder)
                workings.decided[authorship.id] = DecidedBy.ORCID
            else:
                workings.conflicts.append((kind, authorship, holder.number))
                left.append(authorship)
    return sorted(left, key=lambda one: one.id)


def _found_by_orcid(
    workings: Workings, orcid: str, authorships: list[AuthorshipEvidence]
) -> tuple[Cluster, list[AuthorshipEvidence]]:
    """A cluster for an ORCID nobody holds: of the name that most of its authorships share, the first if equal."""
    alike = [sum(share_a_word(one.name, other.name) for other in authorships) for one in authorships]
    first = authorships[alike.index(max(alike))]
    cluster = workings.cluster([first])
    cluster.orcids.add(orcid)
    return cluster, [one for one in authorships if one is not first]


def _objection(workings: Workings, authorship: AuthorshipEvidence, holder: Cluster) -> ConflictKind | None:
    if not any(share_a_word(authorship.name, name) for name in holder.names):
        return ConflictKind.OTHER_NAME
    barred = (authorship.id, holder.known) in workings.decisions.is_not
    return ConflictKind.HELD_APART if barred or authorship.paper.id in holder.papers else None
