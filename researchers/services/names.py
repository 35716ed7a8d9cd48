"""Former names: they match what sources print for ever, and are shown nowhere."""

from __future__ import annotations

from researchers.merging import ADAPTER, KIND
from researchers.models import Attribution, Researcher, ResearcherName
from researchers.services.errors import NameRefused
from wovepaper.curation.services import (
    Action,
    Actor,
    in_one_transaction,
    lock_components,
    raise_versions,
    require,
    require_reason,
    write_log,
)
from wovepaper.pipeline.services import enqueue

NAME_SHOWN_INSTEAD = "(former name)"


def hide_former_name(
    *, researcher: int, name: str, actor: Actor, reason: str, show_instead: str = "", on_own_demand: bool = False
) -> None:
    """Hide a name of everybody who is one with this researcher; their addresses go on leading here.

    Where it is the name shown, ``show_instead`` takes its place, by default their first public name. ``on_own_demand``:
    the person asked, signed in, and needs no permission. The log says only that a name was hidden. Raises
    ``NotPermitted``, ``ReasonMissing``, ``NameRefused`` (not their name, or no other to show).
    """

    def work() -> None:
        why = require_reason(reason)
        if not on_own_demand:
            require(ADAPTER, actor, Action.SPLIT)
        component = lock_components(ADAPTER, (researcher,))[researcher]
        members = component.ids
        shown = Researcher.objects.filter(pk__in=members, display_name=name)
        rows = ResearcherName.objects.filter(researcher__in=members, value=name)
        if not rows.exists() and not shown.exists():
            raise NameRefused("This is none of their names.")
        if name in why:
            raise NameRefused("Leave the name itself out of the reason: others will read it.")
        rows.update(visibility=ResearcherName.Visibility.HIDDEN)
        for pk in list(shown.order_by("pk").values_list("pk", flat=True)):
            _show_another(pk, name, show_instead, component.root)
            ResearcherName.objects.update_or_create(
                researcher_id=pk, value=name, defaults={"visibility": ResearcherName.Visibility.HIDDEN}
            )
        raise_versions(ADAPTER, [component.root])
        write_log(ADAPTER, actor, {component.root: "A former name was hidden."})
        papers = Attribution.objects.filter(base__in=members).values_list("paper_id", flat=True)
        enqueue(kind="paper", ids=papers, stage="index", reason="name")
        enqueue(kind=KIND, ids=members, stage="index", reason="name")

    in_one_transaction(work)


def _show_another(researcher: int, hidden: str, show_instead: str, root: int) -> None:
    together = Researcher.objects.together_with(root)
    public = ResearcherName.objects.filter(researcher__in=together, visibility=ResearcherName.Visibility.PUBLIC)
    values = list(public.exclude(value=hidden).order_by("pk").values_list("value", flat=True))
    name = show_instead or (values[0] if values else "")
    if not name or name == hidden:
        raise NameRefused("There is no other name to show: give one.")
    ADAPTER.write_fields(researcher, {"display_name": name})
    if name not in values:
        ResearcherName.objects.get_or_create(researcher_id=researcher, value=name, defaults={"source": "curator"})


def presentable(*, researcher: int, name: str) -> str:
    """A name from an event's field changes as a history may show it: hidden names are replaced."""
    return name if ADAPTER.may_show(researcher, "display_name", name) else NAME_SHOWN_INSTEAD
