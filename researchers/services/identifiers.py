"""Which identifier belongs to whom, as curators decide it."""

from __future__ import annotations

from researchers.merging import ADAPTER, KIND
from researchers.models import ResearcherIdentifier
from researchers.services.errors import IdentifierRefused
from wovepaper.curation.services import (
    Action,
    Actor,
    in_one_transaction,
    lock_components_of,
    raise_versions,
    require,
    require_reason,
    write_log,
)
from wovepaper.pipeline.services import enqueue

CURATOR = "curator"
"""Who an identifier's state is from once a person decided it; sources change only what is from sources."""


def settle_identifier(*, identifier: int, trusted: bool, actor: Actor, reason: str) -> ResearcherIdentifier:
    """Trust an identifier where it stands, or say that it does not belong there; no source changes that again.

    An ORCID trusted here is not theirs any more wherever else it was trusted. Changes no attribution. Raises
    ``NotPermitted``, ``ReasonMissing``, ``IdentifierRefused``.
    """

    def work() -> ResearcherIdentifier:
        why = require_reason(reason)
        require(ADAPTER, actor, Action.SPLIT)
        row = ResearcherIdentifier.objects.filter(pk=identifier).first()
        if row is None:
            raise IdentifierRefused(f"There is no identifier {identifier}.")
        same = ResearcherIdentifier.objects.filter(scheme=row.scheme, value=row.value)
        # Everybody who has it: whoever trusts it for another of them at the same time waits.
        components = lock_components_of(ADAPTER, lambda: same.values_list("researcher_id", flat=True))
        rows = {one.pk: one for one in same.select_for_update().order_by("pk")}
        row = rows.pop(identifier)
        others = list(rows.values()) if trusted and row.scheme == "orcid" else []
        holders = [other for other in others if other.state == ResearcherIdentifier.State.TRUSTED]
        bases = {row.researcher_id, *(other.researcher_id for other in holders)}
        state = ResearcherIdentifier.State.TRUSTED if trusted else ResearcherIdentifier.State.DEPRECATED
        if row.state == state and row.provenance.get("from") == CURATOR:
            return row
        # The one that is trusted changes first: an ORCID is trusted for one at a time.
        for other in holders:
            _write(other, ResearcherIdentifier.State.DEPRECATED, actor)
        _write(row, state, actor)
        texts = {
            components[row.researcher_id].root: f"{row} {'belongs here' if trusted else 'does not belong here'}: {why}"
        }
        for other in holders:
            texts.setdefault(components[other.researcher_id].root, f"{other} does not belong here: {why}")
        raise_versions(ADAPTER, texts)
        write_log(ADAPTER, actor, texts)
        enqueue(kind=KIND, ids={*bases, *texts}, stage="index", reason="identifier")
        return row

    return in_one_transaction(work)


def _write(row: ResearcherIdentifier, state: str, actor: Actor) -> None:
    sources = row.provenance if row.provenance.get("from") != CURATOR else row.provenance.get("before", {})
    row.state = state
    row.provenance = {"from": CURATOR, "by": actor.pk, "before": sources}
    row.save(update_fields=["state", "provenance"])
