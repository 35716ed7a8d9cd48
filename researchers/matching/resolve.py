"""Who wrote what: decides a batch of authorships against the researchers there are, or from nothing.

The rules, in this order: what people decided stands; nobody is twice on a paper; an equal ORCID attaches if a word of
the names is shared; different ORCIDs, and different full given names, keep apart. What remains is scored: first among
authorships of one name, then between groups whose names are variants. Two researchers that exist are never joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from researchers.matching.clusters import Cluster
from researchers.matching.evidence import AuthorshipEvidence, Decisions, KnownResearcher
from researchers.matching.listing import list_people
from researchers.matching.namesakes import Namesakes
from researchers.matching.orcids import follow_orcids, place_known
from researchers.matching.outcomes import Attribution, Conflict, DecidedBy, Person, Resolution
from researchers.matching.population import Population
from researchers.matching.variants import join_variants
from researchers.matching.weights import Weights
from researchers.matching.workings import Workings


def resolve(
    *,
    known: Iterable[KnownResearcher],
    new: Iterable[AuthorshipEvidence],
    population: Population,
    weights: Weights,
    decisions: Decisions | None = None,
    advance: Callable[[int], None] | None = None,
) -> Resolution:
    """Decide whose the ``new`` authorships are.

    ``known`` are the researchers with a name among the ``partner_keys`` of the new names, or with an ORCID of theirs;
    each authorship is either new or a known researcher's. The population already counts the new ones. The outcome
    does not depend on the order of either. ``advance`` is called with numbers of authorships that are done.
    """
    workings = Workings(known, new, population, weights, decisions, advance)
    compared = _group_all(workings) + _join_variants(workings)
    return _outcome(workings, compared)


def group_namesakes(
    authorships: Iterable[AuthorshipEvidence], population: Population, weights: Weights
) -> dict[int, Cluster]:
    """Only the first half of the work, from nothing: clusters of one name each. What variants are learnt from."""
    workings = Workings((), authorships, population, weights)
    _group_all(workings)
    return workings.clusters


def _group_all(workings: Workings) -> int:
    """Everything but variants of names; returns the number of pairs compared."""
    namesakes = Namesakes(workings)
    namesakes.group(follow_orcids(workings, place_known(workings)))
    return namesakes.compared


def _join_variants(workings: Workings) -> int:
    links, compared = join_variants(
        workings.clusters, workings.root, lambda group: workings.merge(group), workings.population, workings.weights
    )
    for link, moved in links:
        if moved:
            for authorship in moved:
                if workings.decided.get(authorship.id) is None:
                    workings.scores[authorship.id] = (link.score, link.probability, link.reasons)
        else:
            workings.listed.append(link)
    return compared


def _outcome(workings: Workings, compared: int) -> Resolution:
    fresh = [cluster for cluster in workings.clusters.values() if cluster.known is None]
    fresh.sort(key=lambda cluster: min(one.id for one in cluster.new))
    people = {cluster.number: Person(newcomer=index) for index, cluster in enumerate(fresh)}
    people |= {c.number: Person(known=c.known) for c in workings.clusters.values() if c.known is not None}
    attributions = [
        Attribution(one, Person(known=researcher), DecidedBy.HUMAN) for one, researcher in workings.elsewhere.items()
    ]
    for cluster in workings.clusters.values():
        founder = min((one.id for one in cluster.new), default=None) if cluster.known is None else None
        for authorship in cluster.new:
            decided = workings.decided.get(authorship.id)
            if decided is None:
                decided = DecidedBy.NEW if authorship.id == founder else DecidedBy.MODEL
            scored = workings.scores.get(authorship.id) if decided in (DecidedBy.MODEL, DecidedBy.NEW) else None
            person = people[cluster.number]
            attributions.append(Attribution(authorship.id, person, decided, *(scored or ())))
    attributions.sort(key=lambda attribution: attribution.authorship)
    refused = {authorship.id for _, authorship, _ in workings.conflicts}
    candidates, crowds = list_people(
        workings.listed, workings.clusters, workings.root, workings.crowded, people, workings.decisions
    )
    return Resolution(
        attributions=tuple(attributions),
        newcomers=tuple(tuple(sorted(one.id for one in cluster.new)) for cluster in fresh),
        trusted_orcids={one.id: one.orcid for one in workings.new if one.orcid and one.id not in refused},
        conflicts=tuple(
            Conflict(kind, one.id, one.orcid, None if holder is None else people[workings.root(holder)])
            for kind, one, holder in sorted(workings.conflicts, key=lambda conflict: conflict[1].id)
        ),
        candidates=candidates,
        crowds=crowds,
        compared=compared,
    )
