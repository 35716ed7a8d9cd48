"""Former names: they match what sources print for ever, and are shown nowhere."""

from __future__ import annotations

from collections.abc import Collection

from researchers.former_names import NAME_SHOWN_INSTEAD, name_key, show_on_papers
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

__all__ = ["NAME_SHOWN_INSTEAD", "hide_former_name", "presentable", "show_name_again"]

LONGEST_NAME = 300
"""Characters of a name that somebody asks to be shown."""


def hide_former_name(
    *, researcher: int, name: str, actor: Actor, reason: str, show_instead: str = "", on_own_demand: bool = False
) -> None:
    """Hide a name of everybody who is one with this researcher, in whatever case and with whatever accents it is
    printed; their addresses go on leading here, and author lists show the name shown in its place.

    Where it is the name shown, ``show_instead`` takes its place, by default their first public name. ``on_own_demand``:
    the person asked, signed in, and needs no permission. The log says only that a name was hidden. Raises
    ``NotPermitted``, ``ReasonMissing``, ``NameRefused`` (not their name, or no other to show).
    """

    def work() -> None:
        why = require_reason(reason)
        if not on_own_demand:
            require(ADAPTER, actor, Action.SPLIT)
        if show_instead and (len(show_instead) > LONGEST_NAME or not any(map(str.isalpha, show_instead))):
            raise NameRefused(f"A name to show has letters, and at most {LONGEST_NAME} characters.")
        component = lock_components(ADAPTER, (researcher,))[researcher]
        members, key = component.ids, name_key(name)
        kept = dict(Researcher.objects.filter(pk__in=members).order_by("pk").values_list("pk", "display_name"))
        rows = list(ResearcherName.objects.filter(researcher__in=members))
        values = {value for value in (*kept.values(), *(row.value for row in rows)) if name_key(value) == key}
        if not values:
            raise NameRefused("This is none of their names.")
        if any(value.casefold() in why.casefold() for value in (name, *values)):
            raise NameRefused("Leave the name itself out of the reason: others will read it.")
        # Who wants another spelling of the same name keeps that one.
        staying = {show_instead} if show_instead else {kept[component.root]} - {name}
        hidden = (values | {name}) - staying
        ResearcherName.objects.filter(pk__in=[row.pk for row in rows if row.value in hidden]).update(
            visibility=ResearcherName.Visibility.HIDDEN
        )
        if name not in {*kept.values(), *(row.value for row in rows)}:
            ResearcherName.objects.create(
                researcher_id=component.root, value=name, source="curator", visibility=ResearcherName.Visibility.HIDDEN
            )
        for pk in [pk for pk, shown in kept.items() if shown in hidden]:
            _show_another(pk, hidden, show_instead, component.root)
            ResearcherName.objects.update_or_create(
                researcher_id=pk, value=kept[pk], defaults={"visibility": ResearcherName.Visibility.HIDDEN}
            )
        _finish(members, component.root, actor, "A former name was hidden.")

    in_one_transaction(work)


def show_name_again(*, researcher: int, name: str, actor: Actor, reason: str, on_own_demand: bool = False) -> None:
    """Show a hidden name again, as sources print it and among the other names; the name shown stays what it is.

    Raises ``NotPermitted``, ``ReasonMissing``, ``NameRefused`` (it is not hidden).
    """

    def work() -> None:
        require_reason(reason)
        if not on_own_demand:
            require(ADAPTER, actor, Action.SPLIT)
        component = lock_components(ADAPTER, (researcher,))[researcher]
        hidden = ResearcherName.objects.filter(
            researcher__in=component.ids, visibility=ResearcherName.Visibility.HIDDEN
        )
        rows = [row.pk for row in hidden if name_key(row.value) == name_key(name)]
        if not rows:
            raise NameRefused("This is no hidden name of theirs.")
        hidden.filter(pk__in=rows).update(visibility=ResearcherName.Visibility.PUBLIC)
        _finish(component.ids, component.root, actor, "A former name is shown again.")

    in_one_transaction(work)


def _finish(members: Collection[int], root: int, actor: Actor, text: str) -> None:
    raise_versions(ADAPTER, [root])
    write_log(ADAPTER, actor, {root: text})
    show_on_papers(roots=[root])
    papers = Attribution.objects.filter(base__in=members).values_list("paper_id", flat=True)
    enqueue(kind="paper", ids=papers, stage="index", reason="name")
    enqueue(kind=KIND, ids=members, stage="index", reason="name")


def _show_another(researcher: int, hidden: Collection[str], show_instead: str, root: int) -> None:
    together = Researcher.objects.together_with(root)
    public = ResearcherName.objects.filter(researcher__in=together, visibility=ResearcherName.Visibility.PUBLIC)
    values = list(public.exclude(value__in=hidden).order_by("pk").values_list("value", flat=True))
    name = show_instead or (values[0] if values else "")
    if not name or name in hidden:
        raise NameRefused("There is no other name to show: give one.")
    ADAPTER.write_fields(researcher, {"display_name": name})
    if name not in values:
        ResearcherName.objects.get_or_create(researcher_id=researcher, value=name, defaults={"source": "curator"})


def presentable(*, researcher: int, name: str) -> str:
    """A name from an event's field changes as a history may show it: hidden names are replaced."""
    return name if ADAPTER.may_show(researcher, "display_name", name) else NAME_SHOWN_INSTEAD
