"""The ids that sources give to authors: evidence with a capped vote, never keys.

Sources give one id to several people and several ids to one, and renumber them. So an id in common speaks for one
person no more than so much, different ones against it a little, and neither decides: what is joined must be likely
enough to be listed without them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from researchers.matching.evidence import AuthorshipEvidence

PAIR_WEIGHTS = {"source_id": 1.5, "source_id_differs": -0.5}
"""Log-odds for two authorships, set by hand: no labelled data has such ids."""
GROUP_WEIGHTS = {"source_id": 2.0, "source_id_differs": -1.0}
"""The same for two groups, of which each id is a reading of many papers."""
FEATURES = tuple(GROUP_WEIGHTS)


def count_ids(members: Iterable[AuthorshipEvidence]) -> Counter[str]:
    """How often each id stands beside these authorships."""
    return Counter(one for member in members for one in member.source_ids)


def compare_ids(ours: Mapping[str, int], theirs: Mapping[str, int]) -> list[float]:
    """Of two groups: the cosine of their ids, from 0 to 1, and whether one source gives them only different ones."""
    if not ours or not theirs:
        return [0.0, 0.0]
    few, many = sorted((ours, theirs), key=len)
    shared = sum(count * many[one] for one, count in few.items() if one in many)
    if shared:
        return [shared / (_norm(ours) * _norm(theirs)), 0.0]
    return [0.0, 1.0 if share_a_source(ours, theirs) else 0.0]


def share_a_source(ours: Iterable[str], theirs: Iterable[str]) -> bool:
    """Whether one source gave an id to both."""
    return not {one.partition(":")[0] for one in ours}.isdisjoint(one.partition(":")[0] for one in theirs)


def _norm(ids: Mapping[str, int]) -> float:
    return math.sqrt(sum(count * count for count in ids.values()))
