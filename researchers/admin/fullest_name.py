"""Which of the names on offer a merge proposes to show."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Count

from researchers.former_names import PRINTED_NAME, name_key
from researchers.matching.names import NameForm, form_of
from researchers.models import Attribution, ResearcherName


def fullest_first(names: Iterable[str], *, people: Collection[int]) -> tuple[str, ...]:
    """The names with the one to propose in front: of the first name and those that spell it out (``Reisic``, ``N.
    Reisic``, ``Nils Reisic``) the one with the most given names, then the most of them written in full, then the one
    that most of the papers of ``people`` (roots) print; between equals the first. A spelling of a name that one of
    the people had hidden is not proposed instead of another. The others keep their order. At most two queries, and none
    where no name spells out the first.
    """
    offered = list(names)
    first = form_of(offered[0]) if offered else None
    if first is None or not any(_spells_out(form_of(name), first) for name in offered[1:]):
        return tuple(offered)
    hidden = ResearcherName.objects.filter(
        researcher__root__in=people, visibility=ResearcherName.Visibility.HIDDEN
    ).values_list("value", flat=True)
    former = set(map(name_key, hidden))
    printed = Attribution.objects.filter(root__in=people).order_by().values_list(PRINTED_NAME)
    times = dict(printed.annotate(times=Count("pk")))

    def fullness(name: str) -> tuple[int, int, int]:
        given = form_of(name).given
        return len(given), sum(len(word) > 1 for word in given), times.get(name, 0)

    # The first may itself be a spelling of a hidden name: that one is meant to be shown.
    fuller = [name for name in offered[1:] if name_key(name) not in former and _spells_out(form_of(name), first)]
    best = max([offered[0], *fuller], key=fullness)
    return (best, *(name for name in offered if name != best))


def _spells_out(fuller: NameForm, name: NameForm) -> bool:
    """Whether the family is the same, and each given name stands in the other in order, in full or by its initial."""
    if fuller.family != name.family or name.suffix not in ("", fuller.suffix):
        return False
    words = iter(fuller.given)
    return all(
        any(word == wanted or (len(wanted) == 1 and word.startswith(wanted)) for word in words) for wanted in name.given
    )
