"""What people say about single authorships: "this is them", "this is not them", and taking that back."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from papers.models import Authorship
from researchers.counts import recount_papers
from researchers.former_names import show_on_papers
from researchers.merging import ADAPTER, KIND
from researchers.models import Attribution, Decision, Researcher
from researchers.services.errors import DecisionRefused
from wovepaper.curation.services import (
    Action,
    Actor,
    NotPermitted,
    in_one_transaction,
    lock_components,
    lock_components_of,
    may,
    raise_versions,
    require,
    require_reason,
    write_log,
)
from wovepaper.pipeline.services import enqueue


def decide_is(*, authorship: int, researcher: int, actor: Actor, reason: str, claim: bool = False) -> Decision:
    """Say that an author is this researcher: the attribution moves there and no model moves it again.

    ``claim`` says that the researcher proved it themselves; then ``actor`` is the reader and needs no permission. A
    claim never goes against what anybody else said. A decision of one's own that says otherwise is revoked with the
    permission to split, anybody else's only with the one to override. Raises ``NotPermitted``, which names the decision
    in the way, ``ReasonMissing``, ``DecisionRefused`` (an "is not" stands against it, or they are on the paper
    already), ``Authorship.DoesNotExist``, ``NotMergeable`` for an unknown researcher.
    """
    return in_one_transaction(lambda: _decide_is(authorship, researcher, actor, reason, claim))


def decide_is_not(
    *, authorship: int, researcher: int, actor: Actor, reason: str, claim: bool = False
) -> list[Decision]:
    """Say that an author is not this researcher, nor anybody who is one with them now.

    Where they are shown there, the attribution goes and the paper is attributed anew. Raises as ``decide_is``.
    """
    return in_one_transaction(lambda: _decide_is_not(authorship, researcher, actor, reason, claim))


def revoke_decision(*, decision: int, actor: Actor, reason: str) -> Decision:
    """Take a decision back for good; the paper is attributed anew.

    One's own needs the permission to split, anybody else's the one to override. Raises ``NotPermitted``,
    ``ReasonMissing``, ``Decision.DoesNotExist``.
    """
    return in_one_transaction(lambda: _revoke_decision(decision, actor, reason))


def may_revoke_decision(*, decision: Decision, actor: Actor) -> bool:
    """Whether the account may take it back, or decide otherwise: its own, or with the permission to override."""
    own = decision.by_id == actor.pk and may(ADAPTER, actor, Action.SPLIT)
    return own or may(ADAPTER, actor, Action.OVERRIDE)


def decisions_in_the_way(*, authorship: int, actor: Actor) -> list[Decision]:
    """What stands about an author that the account may not go against, the oldest first."""
    standing = Decision.objects.filter(authorship=authorship, revoked=False).order_by("pk")
    return [row for row in standing if not may_revoke_decision(decision=row, actor=actor)]


@transaction.atomic
def adopt_returned_authorships(*, papers: Iterable[int]) -> int:
    """Give decisions whose author had left the paper to the author of that name who came back; returns how many.

    A source may drop an author and bring them again, as another row; a paper may be merged into another, whose authors
    the decisions then are about, until the merge is undone. Only where one author of the paper is printed so, or has
    exactly that name in a record. An "is" is carried out at once. Called before the papers are attributed.
    """
    here = set(papers)
    here |= _let_go_of_strays(here)
    lost = (
        Decision.objects.filter(Q(paper__in=here) | Q(paper__redirect_to__in=here), authorship=None, revoked=False)
        .select_related("paper")
        .order_by("pk")
    )
    found = [(decision, place) for decision in lost if (place := _only_namesake(decision)) is not None]
    concerned = [_concerned(place.pk, decision.researcher_id) for decision, place in found]
    components = lock_components(ADAPTER, set().union(*concerned))
    touched: set[int] = set()
    count = 0
    for decision, place in found:
        standing = Decision.objects.filter(authorship=place, revoked=False)
        if standing.filter(researcher=decision.researcher_id).exists():
            continue
        root = components[decision.researcher_id].root
        if decision.verdict == Decision.Verdict.IS:
            taken = Attribution.objects.filter(paper=place.paper_id, root=root).exclude(authorship=place)
            against = standing.filter(Q(verdict="is") | Q(verdict="is_not", researcher__root=root))
            if against.exists() or taken.exists():
                continue
            decided_by = "claim" if decision.by_claim else "human"
            touched |= {root, _attribute(place, decision.researcher_id, root, decided_by)} - {0}
        else:
            if standing.filter(verdict="is", researcher__root=root).exists():
                continue
            _detach(place, root)
            touched.add(root)
        Decision.objects.filter(pk=decision.pk, authorship=None).update(authorship=place)
        count += 1
    recount_papers(touched)
    return count


def _let_go_of_strays(papers: Collection[int]) -> set[int]:
    """Decisions about authors of a paper that was one with these, and is not any more, are their own paper's again.

    Returns those papers.
    """
    parted = set()
    strays = (
        Decision.objects.filter(authorship__paper__in=papers)
        .annotate(own_paper=Coalesce("paper__redirect_to", "paper"))
        .exclude(own_paper=F("authorship__paper"))
    )
    for decision in strays.order_by("pk"):
        if decision.verdict == Decision.Verdict.IS and not decision.revoked:
            Attribution.objects.filter(authorship=decision.authorship_id, base=decision.researcher_id).update(
                decided_by="model"
            )
        Decision.objects.filter(pk=decision.pk).update(authorship=None)
        parted.add(decision.paper_id)
    return parted


def _only_namesake(decision: Decision) -> Authorship | None:
    paper = decision.paper.redirect_to_id or decision.paper_id
    places = Authorship.objects.alias(printed=Coalesce("replaced_name", "name")).filter(paper=paper)
    for found in (
        places.filter(printed=decision.printed_name),
        places.filter(source_authorships__name=decision.printed_name).distinct(),
    ):
        namesakes = list(found[:2])
        if namesakes:
            return namesakes[0] if len(namesakes) == 1 else None
    return None


def _decide_is(authorship: int, researcher: int, actor: Actor, reason: str, claim: bool) -> Decision:
    reason = require_reason(reason)
    if not claim:
        require(ADAPTER, actor, Action.SPLIT)
    place = Authorship.objects.get(pk=authorship)
    components = lock_components_of(ADAPTER, lambda: _concerned(authorship, researcher))
    root, members = components[researcher].root, components[researcher].ids
    standing = Decision.objects.filter(authorship=authorship, revoked=False)
    same = standing.filter(researcher=researcher, verdict="is").first()
    if same is not None:
        return same
    against = standing.filter(verdict="is_not", researcher__in=members)
    contrary = list((standing.filter(verdict="is") | against).order_by("pk"))
    if claim:
        _require_no_other(contrary, actor)
    if other := against.exclude(researcher=researcher).first():
        raise DecisionRefused(
            f"It was decided that this is not researcher {other.researcher_id}, who is one with them: {other.reason}"
            f" Revoke decision {other.pk} first."
        )
    if Attribution.objects.filter(paper=place.paper_id, root=root).exclude(authorship=authorship).exists():
        raise DecisionRefused("They stand on this paper already, and nobody is twice on a paper. Move that one first.")
    _revoke_rows(contrary, actor, claim)
    touched = {root, _attribute(place, researcher, root, "claim" if claim else "human")} - {0}
    decision = _record(place, researcher, "is", actor, reason, claim)
    _finish(touched, actor, f"Author {authorship} of paper {place.paper_id} is researcher {researcher}", reason, place)
    return decision


def _decide_is_not(authorship: int, researcher: int, actor: Actor, reason: str, claim: bool) -> list[Decision]:
    reason = require_reason(reason)
    if not claim:
        require(ADAPTER, actor, Action.SPLIT)
    place = Authorship.objects.get(pk=authorship)
    components = lock_components_of(ADAPTER, lambda: _concerned(authorship, researcher))
    root, members = components[researcher].root, components[researcher].ids
    standing = Decision.objects.filter(authorship=authorship, revoked=False)
    contrary = list(standing.filter(verdict="is", researcher__in=members).order_by("pk"))
    if claim:
        _require_no_other(contrary, actor)
    _revoke_rows(contrary, actor, claim)
    base = _detach(place, root)
    # Their base too: cut off from this root one day, it must not get the author back.
    against = sorted({researcher, root, base or root})
    known = {row.researcher_id: row for row in standing.filter(verdict="is_not", researcher__in=against)}
    decisions = [known.get(one) or _record(place, one, "is_not", actor, reason, claim) for one in against]
    if len(known) < len(against) or base is not None:
        text = f"Author {authorship} of paper {place.paper_id} is not researcher {researcher}"
        _finish({root}, actor, text, reason, place)
    return decisions


def _revoke_decision(decision: int, actor: Actor, reason: str) -> Decision:
    reason = require_reason(reason)
    row = Decision.objects.select_related("authorship").get(pk=decision)
    _require_may_revoke(row, actor)
    components = lock_components(ADAPTER, (row.researcher_id,))
    Decision.objects.filter(pk=decision).filter(revoked=False).update(
        revoked=True, revoked_by=actor.pk, revoked_at=timezone.now()
    )
    # One that a merge had overridden is given up too.
    Decision.objects.filter(pk=decision).update(revoked_by_event=None)
    place = row.authorship
    if place is not None and row.verdict == Decision.Verdict.IS:
        Attribution.objects.filter(authorship=place, base=row.researcher_id).update(decided_by="model")
    _finish({components[row.researcher_id].root}, actor, f"Revoked: {row}", reason, place)
    row.refresh_from_db()
    return row


def _concerned(authorship: int, researcher: int) -> set[int]:
    bases = Attribution.objects.filter(authorship=authorship).values_list("base_id", flat=True)
    return {researcher, *bases}


def _attribute(place: Authorship, researcher: int, root: int, decided_by: str) -> int:
    """Set the attribution; returns the root that had it before, or 0."""
    before = Attribution.objects.filter(authorship=place).values_list("root_id", flat=True).first()
    values = {
        "paper_id": place.paper_id, "base_id": researcher, "root_id": root, "decided_by": decided_by, "score": None,
        "evidence": [], "model_version": "", "decided_at": timezone.now(),
    }  # fmt: skip
    try:
        with transaction.atomic():
            Attribution.objects.update_or_create(authorship=place, defaults=values)
    except IntegrityError as error:
        raise DecisionRefused("They stand on this paper already, and nobody is twice on a paper.") from error
    return before or 0


def _detach(place: Authorship, root: int) -> int | None:
    """Remove the attribution if it is shown under this root; returns the base it had."""
    row = Attribution.objects.select_for_update().filter(authorship=place, root=root).first()
    if row is None:
        return None
    row.delete()
    return row.base_id


def _record(place: Authorship, researcher: int, verdict: str, actor: Actor, reason: str, claim: bool) -> Decision:
    return Decision.objects.create(
        authorship=place, paper_id=place.paper_id, printed_name=place.printed_name, researcher_id=researcher,
        verdict=verdict, by_claim=claim, by_id=actor.pk, reason=reason,
    )  # fmt: skip


def _require_no_other(contrary: Iterable[Decision], actor: Actor) -> None:
    """A claim takes back one's own claims only."""
    for row in contrary:
        if not row.by_claim:
            raise DecisionRefused("A curator decided otherwise. Write to the curators.")
        if row.by_id != actor.pk:
            raise DecisionRefused("Somebody else claimed otherwise. Write to the curators.")


def _require_may_revoke(row: Decision, actor: Actor) -> None:
    if may_revoke_decision(decision=row, actor=actor):
        return
    author = f"author {row.authorship_id}" if row.authorship_id else "an author who left"
    # By numbers: any printed name may be hidden one day.
    said = f"{author} of paper {row.paper_id} {row.get_verdict_display()} researcher {row.researcher_id}"
    if row.by_id == actor.pk:
        raise NotPermitted(
            f"Your account may not take back decision {row.pk} ({said}), although it is your own: it needs"
            f" {ADAPTER.permissions[Action.SPLIT]}."
        )
    whose = "claimed by the person" if row.by_claim else "taken by somebody else"
    raise NotPermitted(
        f"Your account may not go against decision {row.pk} ({said}), {whose}: it needs"
        f" {ADAPTER.permissions[Action.OVERRIDE]}."
    )


def _revoke_rows(rows: Collection[Decision], actor: Actor, claim: bool) -> None:
    if not claim:
        for row in rows:
            _require_may_revoke(row, actor)
    pks = [row.pk for row in rows]
    Decision.objects.filter(pk__in=pks).update(revoked=True, revoked_by=actor.pk, revoked_at=timezone.now())


def _finish(roots: set[int], actor: Actor, text: str, reason: str, place: Authorship | None) -> None:
    ADAPTER.after_move(bases=frozenset(), roots=roots, reason="decision")
    if place is not None:
        enqueue(kind="paper", ids=[place.paper_id], stage="attribute", reason="decision")
        enqueue(kind="paper", ids=[place.paper_id], stage="index", reason="decision")
        show_on_papers(authorships=[place.pk])  # whose it was, it may not be any more
    raise_versions(ADAPTER, roots)
    write_log(ADAPTER, actor, dict.fromkeys(roots, f"{text}: {reason}"))


def mark_claimed(*, researcher: int) -> None:
    """Note that the person proved to be this researcher: merges of the profile need a second curator from now on."""
    if Researcher.objects.filter(pk=researcher, claimed_at=None).update(claimed_at=timezone.now()):
        enqueue(kind=KIND, ids=[researcher], stage="index", reason="claim")
