"""The names of those compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from researchers.former_names import FormerNames
from researchers.models import Researcher, ResearcherName


def shown_names(roots: Sequence[Researcher]) -> dict[int, list[str]]:
    """Each one's different names and those of everybody merged into them, without the hidden ones, oldest first."""
    rows = ResearcherName.objects.filter(researcher__root__in=[one.pk for one in roots]).order_by("pk")
    known: defaultdict[int, dict[str, None]] = defaultdict(dict)
    hidden: defaultdict[int, list[str]] = defaultdict(list)
    for root, value, visibility in rows.values_list("researcher__root_id", "value", "visibility"):
        if visibility == ResearcherName.Visibility.HIDDEN:
            hidden[root].append(value)
        known[root][value] = None
    former = {one.pk: FormerNames.of(hidden[one.pk], shown=one.display_name) for one in roots}
    return {root: [name for name in known[root] if not former[root].hide(name)] for root in former}
