"""Several items of the queue at once: only what is safe to say of many."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from researchers.admin.comparison import roots_of
from researchers.admin.last_act import remember
from researchers.admin.reasons import DIFFERENT_PHRASES, MERGE_PHRASES
from researchers.admin.screens import CurationAdmin
from researchers.models import Candidate, Researcher, ResearcherIdentifier
from researchers.services.merging import ActKind, declare_all_different, merge_several
from wovepaper.curation import sent
from wovepaper.curation.services import CurationError

MOST = 100
"""Items of one bulk act."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """An item with the two it is about now. ``refusal`` says why it is left out, or is empty."""

    candidate: Candidate
    people: tuple[Researcher, ...]
    refusal: str = ""

    @property
    def numbers(self) -> list[int]:
        """Of the two, rising."""
        return sorted(one.pk for one in self.people)


def tell_apart(admin: CurationAdmin, request: HttpRequest, queryset: QuerySet[Candidate]) -> HttpResponse | None:
    """Ask for a reason first, then say of each pair that they are two people."""
    chosen = _choose(request, queryset)

    def act(one: Chosen, reason: str, seen: dict[int, int], key: str) -> list[int]:
        made = declare_all_different(
            researchers=one.numbers, actor=request.user, reason=reason, versions=seen  # type: ignore[arg-type]
        )  # fmt: skip
        if made:  # the engine has raised both by one
            seen.update({number: seen[number] + 1 for number in one.numbers if number in seen})
        return [row.pk for row in made]

    if "confirmed" not in request.POST:
        return _ask(admin, request, chosen, "tell_apart", "Different people?", DIFFERENT_PHRASES)
    _carry_out(request, chosen, act, "assertions", "told apart")
    return None


def merge_same_orcid(admin: CurationAdmin, request: HttpRequest, queryset: QuerySet[Candidate]) -> HttpResponse | None:
    """Ask first, then merge each pair that shares a trusted ORCID, the younger into the older."""
    chosen = _choose(request, queryset, refuse=_refusals_of_merging)

    def act(one: Chosen, reason: str, seen: dict[int, int], key: str) -> list[int]:
        survivor, loser = one.numbers
        events, proposals = merge_several(
            survivor=survivor, losers=[loser], actor=request.user, reason=reason, versions=seen,  # type: ignore[arg-type]
            key=key,
        )  # fmt: skip
        for event in events:
            seen.update({int(number): version for number, version in event.versions_after.items()})
        if proposals:
            messages.info(request, f"Merging {loser} into {survivor} waits for a second curator.")
        return [event.pk for event in events]

    if "confirmed" not in request.POST:
        return _ask(admin, request, chosen, "merge_same_orcid", "Merge these pairs?", MERGE_PHRASES)
    _carry_out(request, chosen, act, "events", "merged")
    return None


Refusals = Callable[[Sequence[Chosen]], dict[int, str]]


def _choose(request: HttpRequest, queryset: QuerySet[Candidate], refuse: Refusals | None = None) -> list[Chosen]:
    candidates = list(queryset.defer(None).order_by("-score", "pk")[:MOST])
    shown = roots_of({member for row in candidates for member in row.members})
    people = Researcher.objects.in_bulk(set(shown.values()))
    found = []
    for row in candidates:
        roots = sorted({shown[member] for member in row.members if member in shown})
        refusal = ""
        if len(roots) != 2:
            refusal = "not a pair"
        elif row.state not in ("open", "snoozed"):
            refusal = "handled already"
        elif row.leased_to_id not in (None, request.user.pk) and row.leased_until and row.leased_until > timezone.now():
            refusal = "somebody else works on it"
        found.append(Chosen(row, tuple(people[root] for root in roots), refusal))
    reasons = refuse([one for one in found if not one.refusal]) if refuse else {}
    return [Chosen(one.candidate, one.people, one.refusal or reasons.get(one.candidate.pk, "")) for one in found]


def _refusals_of_merging(chosen: Sequence[Chosen]) -> dict[int, str]:
    """Pairs of which neither holds a trusted ORCID that stands, without conflict, on the other as well."""
    roots = {number for one in chosen for number in one.numbers}
    rows = ResearcherIdentifier.objects.filter(researcher__root__in=roots, scheme="orcid")
    states: dict[int, dict[str, set[str]]] = {}
    for root, value, state in rows.annotate(root=F("researcher__root_id")).values_list("root", "value", "state"):
        states.setdefault(root, {}).setdefault(state, set()).add(value)
    refused = {}
    for one in chosen:
        first, second = (states.get(number, {}) for number in one.numbers)
        trusted = first.get("trusted", set()) | second.get("trusted", set())
        said = [found.get("trusted", set()) | found.get("claimed", set()) for found in (first, second)]
        if one.candidate.has_conflict or first.get("conflict") or second.get("conflict"):
            refused[one.candidate.pk] = "an ORCID is in conflict"
        elif not trusted & said[0] & said[1]:
            refused[one.candidate.pk] = "no trusted ORCID in common"
        elif len(trusted) > 1:
            refused[one.candidate.pk] = "different trusted ORCIDs"
    return refused


def _ask(
    admin: CurationAdmin, request: HttpRequest, chosen: list[Chosen], action: str, title: str, phrases: Iterable[str]
) -> HttpResponse:
    going = [one for one in chosen if not one.refusal]
    versions = {person.pk: person.version for one in going for person in one.people}
    context = {
        "title": title,
        "going": going,
        "refused": [one for one in chosen if one.refusal],
        "most": MOST,
        "action": action,
        "checkbox": ACTION_CHECKBOX_NAME,
        "versions": versions,
        "phrases": phrases,
        "suggested": "The same ORCID" if action == "merge_same_orcid" else "",
        "key": uuid.uuid4().hex,
    }
    return admin.page(request, "candidate/bulk.html", context)


def _carry_out(
    request: HttpRequest,
    chosen: list[Chosen],
    act: Callable[[Chosen, str, dict[int, int], str], list[int]],
    kind: ActKind,
    done: str,
) -> None:
    """Each pair in a transaction of its own; what is refused is told and does not hold up the others."""
    reason, seen, key = sent.reason(request), sent.versions(request), sent.key(request)
    numbers: list[int] = []
    count = 0
    for one in chosen:
        if one.refusal:
            messages.warning(request, f"Item {one.candidate.pk} is left out: {one.refusal}.")
            continue
        try:
            made = act(one, reason, seen, key)
        except CurationError as error:
            messages.error(request, f"Item {one.candidate.pk}: {error}")
            continue
        count += 1 if made else 0
        numbers.extend(made)
    if numbers:
        text = f"{count} pair{'' if count == 1 else 's'} {done}."
        remember(request, kind, numbers, candidate=None, text=text)
        messages.success(request, text)
