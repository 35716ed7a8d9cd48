"""Why a reader was told: what they follow, in words, as it is called today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from accounts.models import Notification, PaperEvent, SavedSearch
from institutions.models import Institution
from papers.models import Category, Paper
from researchers.models import Researcher

WHAT = {
    PaperEvent.Kind.NEW: "New paper",
    PaperEvent.Kind.CROSS_LIST: "Cross-listed",
    PaperEvent.Kind.REVISION: "New version",
    PaperEvent.Kind.WITHDRAWN: "Withdrawn",
    PaperEvent.Kind.PUBLISHED: "Published",
    PaperEvent.Kind.RETRACTED: "Retracted",
}
_LEADS = {
    "researcher": "You follow the researcher",
    "institution": "You follow the institution",
    "category": "You follow the category",
    "cross_list": "It is also listed in a category that you follow:",
    "paper": "You follow this paper",
    "saved_search": "You follow the search",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that a reader follows."""

    code: str
    """As it is kept: ``researcher:12``."""
    lead: str
    name: str
    """What it is called; empty for the paper itself and for what is gone."""
    url: str

    @property
    def sentence(self) -> str:
        """``You follow the category Computation and Language``."""
        return f"{self.lead} {self.name}".strip()


def what_happened(event: PaperEvent) -> str:
    """``New version 3``, ``Retracted``."""
    said = WHAT[PaperEvent.Kind(event.kind)]
    return f"{said} {event.detail}" if event.kind == PaperEvent.Kind.REVISION else said


def explain(notifications: Iterable[Notification]) -> Mapping[str, Reason]:
    """Every reason of these in words: a query for each kind of what is followed, however many there are.

    Names are looked up now, so that what was merged, renamed or hidden since is called as everybody else sees it.
    """
    keys: dict[str, set[str]] = {}
    for notification in notifications:
        for code in notification.reasons:
            kind, _, key = code.partition(":")
            keys.setdefault("category" if kind == "cross_list" else kind, set()).add(key)
    known: dict[str, tuple[str, str]] = {}
    if wanted := keys.get("researcher"):
        for one in Researcher.objects.filter(pk__in=wanted, root__erased_at=None).select_related("root"):
            person = cast("Researcher", one.root)
            known[f"researcher:{one.pk}"] = person.display_name, person.get_absolute_url()
    if wanted := keys.get("institution"):
        for base in Institution.objects.filter(pk__in=wanted).select_related("root"):
            place = cast("Institution", base.root)
            known[f"institution:{base.pk}"] = place.display_name, place.get_absolute_url()
    if wanted := keys.get("category"):
        for category in Category.objects.filter(pk__in=wanted):
            said = f"{category.name} ({category.code})", category.get_absolute_url()
            known[f"category:{category.pk}"] = known[f"cross_list:{category.pk}"] = said
    if wanted := keys.get("saved_search"):
        for search in SavedSearch.objects.filter(pk__in=wanted):
            known[f"saved_search:{search.pk}"] = search.name, search.get_absolute_url()
    if wanted := keys.get("paper"):
        for paper in Paper.objects.filter(pk__in=wanted):
            known[f"paper:{paper.pk}"] = "", paper.get_absolute_url()
    codes = {code for notification in notifications for code in notification.reasons}
    return {code: _reason(code, known.get(code)) for code in codes}


def _reason(code: str, known: tuple[str, str] | None) -> Reason:
    kind = code.partition(":")[0]
    if known is None:
        return Reason(code, "You followed something that is not here any more", "", "")
    return Reason(code, _LEADS[kind], *known)
