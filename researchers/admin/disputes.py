"""The place in an author list that an item in conflict is about, and what each source prints there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from papers.models import Authorship, SourceAuthorship
from researchers.former_names import as_curators_see
from researchers.models import Attribution, Candidate
from wovepaper.lib.markup import plain

_KEY = re.compile(r"conflict:(?P<orcid>[^:]*):(?P<authorship>\d{1,18})")


@dataclass(frozen=True, slots=True)
class Print:
    """An author of the paper with an ORCID, as a source prints them."""

    source: str
    position: int
    orcid: str
    here: bool
    """Whether it is the author in question."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """The author in question, and all ORCIDs that sources print on the paper."""

    authorship: int
    paper: int
    title: str
    position: int
    printed: str
    root: int | None
    prints: tuple[Print, ...]


def dispute_of(candidate: Candidate) -> Dispute | None:
    """What the item is about; ``None`` where it names no author, or the author left the paper."""
    found = _KEY.fullmatch(candidate.key) if candidate.kind == Candidate.Kind.CONFLICT else None
    if found is None:
        return None
    place = Authorship.objects.select_related("paper").filter(pk=int(found["authorship"])).first()
    if place is None:
        return None
    root = Attribution.objects.filter(authorship=place).values_list("root_id", flat=True).first()
    rows = SourceAuthorship.objects.filter(authorship__paper=place.paper_id).exclude(orcid="")
    prints = rows.order_by("authorship__position", "source_record__source", "pk").values_list(
        "source_record__source", "authorship__position", "orcid", "authorship_id"
    )
    return Dispute(
        authorship=place.pk,
        paper=place.paper_id,
        title=plain(place.paper.title),
        position=place.position,
        printed=as_curators_see(place),
        root=root,
        prints=tuple(Print(source, position, orcid, pk == place.pk) for source, position, orcid, pk in prints[:50]),
    )
