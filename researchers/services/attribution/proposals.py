"""How a researcher might be split, worked out anew from what is in the catalogue: for the page where a curator does."""

from __future__ import annotations

import uuid

from django.db import connection

from researchers.matching.population import Population
from researchers.matching.splits import SplitProposal, propose_split
from researchers.models import PopulationPart
from researchers.services.attribution.known import load_surroundings
from researchers.services.weights import current_weights

_read: dict[str, tuple[tuple[uuid.UUID, ...], Population]] = {}
"""The population as it was last read, by database: only read here, never added to."""


def proposed_split(*, researcher: int) -> SplitProposal | None:
    """Which authorships of this root would be whose; ``None`` if they look like one person's, or there are none.

    Writes nothing. Of somebody with very many papers, some hundreds are looked at.
    """
    known = load_surroundings([], standing=(), roots=[researcher]).known.get(researcher)
    if known is None or not known.authorships:
        return None
    return propose_split(known, current_weights(), _population())


def _population() -> Population:
    name = str(connection.settings_dict["NAME"])
    tokens = tuple(PopulationPart.objects.order_by("pk").values_list("token", flat=True))
    kept = _read.get(name)
    if kept is None or kept[0] != tokens:
        population = Population()
        for counts in PopulationPart.objects.order_by("pk").values_list("counts", flat=True):
            population.include(Population.from_bytes(bytes(counts)))
        kept = _read[name] = (tokens, population)
    return kept[1]
