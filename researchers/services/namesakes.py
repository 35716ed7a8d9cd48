"""The other researchers of a name: who may be confused with whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import CharField, Q, Value

from researchers.former_names import FormerNames
from researchers.matching.names import NameForm, Relation, form_of, relation
from researchers.models import Researcher, ResearcherName
from researchers.models.researcher import sort_name_of
from researchers.services.votes import verdict_with

MOST_SHOWN = 24
MOST_COMPARED = 400
"""Names that begin alike and are looked at; a commoner name has its list cut there."""
MOST_NAMES = 20
"""Of the researcher's own names, by which others are looked for."""
COMPATIBLE = frozenset(
    (Relation.JOINED, Relation.MIDDLE, Relation.MIDDLE_AGREES, Relation.INITIAL, Relation.INITIAL_AGREES)
)
"""How names may differ and still be called the same: spacing, accents, middle names, initials."""
_FACTS = ("slug", "paper_count", "first_year", "last_year", "categories", "h_index", "affiliation")
WHY_APART = (
    "Researchers here are kept apart when nothing but the name joins them: no ORCID, and too little in common in"
    " co-authors, affiliations and subjects. When in doubt, two stay two."
)


@dataclass(frozen=True, slots=True)
class Namesake:
    """Another researcher of the name. ``my_vote`` is what the reader said of them: same, different, or nothing."""

    id: int
    name: str
    url: str
    papers: int
    first_year: int | None
    last_year: int | None
    fields: tuple[str, ...]
    h_index: int | None
    affiliation: str = ""
    my_vote: str = ""

    @property
    def years(self) -> str:
        """``2019–2023``, ``2019``, or nothing."""
        return years_in_words(self.first_year, self.last_year)


@dataclass(frozen=True, slots=True)
class Namesakes:
    """The others of a name, who bears it in full first, then by papers; ``more`` counts those not shown."""

    of: int
    name: str
    rows: tuple[Namesake, ...] = field(default=())
    more: int = 0
    more_exact: bool = True
    why_apart: str = WHY_APART

    @property
    def compare_ids(self) -> str:
        """What the address of the comparison of all the first of them takes."""
        return ",".join(str(number) for number in [self.of, *(row.id for row in self.rows[:3])])

    @property
    def total(self) -> int:
        """How many there are, as far as it was counted."""
        return len(self.rows) + self.more


def namesakes_of(researcher: Researcher, *, names: Sequence[str] | None = None, reader: int | None = None) -> Namesakes:
    """Those that are shown under the same name as this root, or one that initials make compatible.

    ``names`` are the public ones besides the name shown, if they are known; else they are asked for. Hidden names lead
    nowhere: neither the researcher's own nor theirs. With ``reader`` each comes with what that reader said of them.
    """
    known = _names_of(researcher) if names is None else [researcher.display_name, *names][:MOST_NAMES]
    forms = {value: form for value in known if (form := form_of(value)).key}
    if any(form.is_full for form in forms.values()):
        # Yu Chen, printed as Y. Chen too, is no Ying Chen.
        forms = {value: form for value, form in forms.items() if form.is_full}
    places = reduce(or_, map(_begins_like, forms), Q())
    if not places:
        return Namesakes(researcher.pk, researcher.display_name)
    others = Researcher.objects.visible().filter(places).exclude(pk=researcher.pk).order_by("-paper_count", "-pk")
    # Plain values: most of those that are looked at are not shown.
    vote = Value(None, CharField()) if reader is None else verdict_with(voter=reader, root=researcher.pk)
    seen = list(others.values_list("pk", "display_name", *_FACTS, vote)[: MOST_COMPARED + 1])
    alike = [row for row in seen[:MOST_COMPARED] if _is_alike(form_of(row[1]), forms.values())]
    keys = {form.key for form in forms.values()}
    alike.sort(key=lambda row: form_of(row[1]).key not in keys)
    shown = alike[:MOST_SHOWN]
    rows = tuple(
        Namesake(
            id=number, name=name, url=Researcher(pk=number, slug=slug).get_absolute_url(), papers=papers,
            first_year=first_year, last_year=last_year, fields=tuple(categories[:3]), h_index=h_index,
            affiliation=affiliation,
            my_vote=verdict or "",
        )
        for number, name, slug, papers, first_year, last_year, categories, h_index, affiliation, verdict in shown
    )  # fmt: skip
    return Namesakes(
        researcher.pk, researcher.display_name, rows, len(alike) - len(shown), more_exact=len(seen) <= MOST_COMPARED
    )


def _names_of(researcher: Researcher) -> list[str]:
    """The name shown and other public ones. Hidden on one of those that were merged, a name is hidden on all."""
    rows = ResearcherName.objects.filter(researcher__root=researcher.pk).order_by("pk")
    values = list(rows.values_list("value", "visibility"))
    hidden = [value for value, visibility in values if visibility == ResearcherName.Visibility.HIDDEN]
    former = FormerNames.of(hidden, shown=researcher.display_name)
    names = dict.fromkeys([researcher.display_name, *(value for value, _ in values)])
    return [name for name in names if not former.hide(name)][:MOST_NAMES]


def years_in_words(first: int | None, last: int | None) -> str:
    """``2019–2023``, ``2019``, or nothing."""
    if first is None or last is None:
        return ""
    return str(first) if first == last else f"{first}–{last}"


def _is_alike(form: NameForm, forms: Iterable[NameForm]) -> bool:
    return any(form.key == one.key or relation(form, one) in COMPATIBLE for one in forms)


def _begins_like(name: str) -> Q:
    """Where the names that may be alike stand in the order of names: the same name, longer ones, and initials."""
    sort_name = sort_name_of(name)
    family, _, given = sort_name.partition(" ")
    if not family:
        return Q()
    first = given.split(" ", 1)[0]
    if not first:
        return Q(sort_name=family)
    if len(first) == 1:
        return _starts(f"{family} {first}")
    whole = f"{family} {first}"
    initial = f"{family} {first[0]}"
    return Q(sort_name__in=[whole, initial]) | _starts(f"{whole} ") | _starts(f"{initial} ")


def _starts(prefix: str) -> Q:
    """Names with this beginning, as a range that the index of names serves: none has a character beyond ``z``."""
    return Q(sort_name__gte=prefix, sort_name__lt=f"{prefix}\x7f")
