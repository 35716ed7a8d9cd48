"""Researchers, papers and curators for the tests of merging, and what a reader would see of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from django.contrib.auth.models import Permission

from accounts.models import User
from papers.models import Authorship, Paper
from researchers.merging import ADAPTER
from researchers.models import Attribution, Researcher, ResearcherIdentifier, ResearcherName
from researchers.services import merging
from researchers.services.attributions import AttributionDraft, WriteReport, write_attributions
from wovepaper.curation.services import MergeOutcome, UndoOutcome, audit

CODENAMES = (
    "review_candidate",
    "merge_researcher",
    "undo_own_event",
    "undo_any_event",
    "split_researcher",
    "override_difference",
)
_numbers = itertools.count(1)


def curator(name: str = "curator", permissions: Iterable[str] = CODENAMES) -> User:
    user = User.objects.create(email=f"{name}{next(_numbers)}@example.org", password="!", is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(content_type__app_label="researchers", codename__in=list(permissions))
    )
    return user


def researcher(name: str = "Ada Weaver", **fields: object) -> Researcher:
    person = Researcher.objects.create(display_name=name, **fields)
    ResearcherName.objects.create(researcher=person, value=name)
    return person


def orcid(person: Researcher, value: str, state: str = "trusted") -> None:
    ResearcherIdentifier.objects.create(researcher=person, scheme="orcid", value=value, state=state)


def paper(*names: str) -> Paper:
    """A paper with these authors."""
    made = Paper.objects.create(title=f"Knot {next(_numbers)}", author_count=len(names))
    for position, name in enumerate(names, start=1):
        Authorship.objects.create(paper=made, position=position, name=name)
    return made


def place(of: Paper, position: int = 1) -> Authorship:
    return Authorship.objects.get(paper=of, position=position)


def arrive(person: Researcher, at: Authorship | None = None, decided_by: str = "model") -> Authorship:
    """A paper of this researcher comes in, or an author of one that is there turns out to be them."""
    at = at or place(paper("A. Weaver", "B. Spindle"))
    report = give(at, person, decided_by)
    assert report.refused == {}
    return at


def give(at: Authorship, person: Researcher, decided_by: str = "model") -> WriteReport:
    return write_attributions(
        [AttributionDraft(authorship=at.pk, paper=at.paper_id, base=person.pk, decided_by=decided_by, score=0.9)]
    )


def key() -> str:
    return f"key-{next(_numbers)}"


def versions(*people: Researcher) -> dict[int, int]:
    return dict(Researcher.objects.filter(pk__in=[one.pk for one in people]).values_list("pk", "version"))


def merge(loser: Researcher, survivor: Researcher, actor: User, **options: object) -> MergeOutcome:
    options = {"reason": "the same face", "key": key(), "versions": versions(loser, survivor)} | options
    return merging.merge_researchers(loser=loser.pk, survivor=survivor.pk, actor=actor, **options)


def undo(event: object, actor: User, **options: object) -> UndoOutcome:
    options = {"reason": "a mistake", "key": key()} | options
    return merging.undo_event(event=event.pk, actor=actor, **options)


def different(one: Researcher, other: Researcher, actor: User):
    return merging.declare_different(
        a=one.pk, b=other.pk, actor=actor, reason="two faces", versions=versions(one, other)
    )


def split(
    source: Researcher,
    places: Iterable[Authorship],
    actor: User,
    target: Researcher | None = None,
    *,
    override: bool = False,
):
    rows = Attribution.objects.filter(authorship__in=[at.pk for at in places])
    known = (source,) if target is None else (source, target)
    return merging.split_researcher(
        source=source.pk,
        attributions=list(rows.values_list("pk", flat=True)),
        actor=actor,
        reason="another field",
        versions=versions(*known),
        key=key(),
        target=None if target is None else target.pk,
        override=override,
    ).event


def shown(at: Authorship) -> int | None:
    """Whom the paper page names."""
    return Attribution.objects.filter(authorship=at.pk).values_list("root_id", flat=True).first()


def papers_of(person: Researcher) -> set[int]:
    return set(Attribution.objects.of(person.pk).values_list("paper_id", flat=True))


def faults() -> list[object]:
    """What ``check_identity`` finds, and counts that are not those of the rows."""
    wrong = [
        (row.pk, row.paper_count)
        for row in Researcher.objects.filter(merged_into=None)
        if row.paper_count != Attribution.objects.filter(root=row, paper__redirect_to=None).count()
    ]
    return [*audit(ADAPTER), *wrong]
