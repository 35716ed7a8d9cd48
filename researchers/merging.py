"""What the curation engine must know about researchers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from papers.institutions import counting
from papers.models import Affiliation
from researchers import moving
from researchers.counts import recount_papers
from researchers.former_names import PRINTED_NAME, former_names_of, misshown, name_key, show_on_papers
from researchers.models import (
    Assertion,
    Attribution,
    Candidate,
    Decision,
    MergeEvent,
    MergeProposal,
    OldSlug,
    Researcher,
    ResearcherIdentifier,
    ResearcherName,
)
from researchers.models.researcher import slug_of, sort_name_of
from wovepaper.curation.models import MergeEventModel
from wovepaper.curation.services import Action, Actor, Adapter, Ids, Obstacle, Returned, RootColumn, keep_slug
from wovepaper.pipeline.services import enqueue

KIND = "researcher"
ALONE_UP_TO = 200
"""Papers that one curator may move by a merge alone."""
MOST_NAMED = 20
"""So many papers are named in a message."""


class ResearcherAdapter(Adapter):
    """Researchers merge, split and are told apart; their attributions are the rows."""

    kind = KIND
    objects = Researcher
    events = MergeEvent
    assertions = Assertion
    candidates = Candidate
    proposals = MergeProposal
    addresses = OldSlug
    rows = RootColumn(Attribution)
    permissions = {
        Action.REVIEW: "researchers.review_candidate",
        Action.MERGE: "researchers.merge_researcher",
        Action.UNDO_OWN: "researchers.undo_own_event",
        Action.UNDO_ANY: "researchers.undo_any_event",
        Action.SPLIT: "researchers.split_researcher",
        Action.OVERRIDE: "researchers.override_difference",
    }

    def label(self, subject: int) -> str:
        """The public id: names may be hidden one day, log entries stay."""
        return f"researcher {subject}"

    # --- merging ---------------------------------------------------------------------------------------------

    def obstacles(self, losers: Ids, survivors: Ids) -> list[Obstacle]:
        """Erased people, papers that list both, and "is not" decisions across the two."""
        found = [
            Obstacle("erased", f"{self.label(pk)} was erased.", references=(pk,))
            for pk in Researcher.objects.filter(pk__in=losers | survivors, erased_at__isnull=False)
            .order_by("pk")
            .values_list("pk", flat=True)
        ]
        both = papers_of_both(losers, survivors)
        if both:
            named = ", ".join(map(str, both[:MOST_NAMED]))
            more = f" and {len(both) - MOST_NAMED} more" if len(both) > MOST_NAMED else ""
            found.append(
                Obstacle(
                    "both-on-paper",
                    f"Papers that list both, and nobody is twice on a paper: {named}{more}. Split those first.",
                    references=tuple(both),
                )
            )
        found.extend(
            Obstacle(
                "decision",
                f"It was decided on {decision.created_at:%Y-%m-%d} that author {decision.authorship_id} of paper"
                f" {decision.paper_id} is not {self.label(decision.researcher_id)}: {decision.reason}",
                overridable=True,
                references=(decision.pk,),
            )
            for decision in _decisions_across(losers, survivors)
        )
        return found

    def lift(self, losers: Ids, survivors: Ids, *, event: MergeEventModel, actor: Actor) -> None:
        """The "is not" decisions across the two are revoked while the merge is in force."""
        across = [decision.pk for decision in _decisions_across(losers, survivors)]
        Decision.objects.filter(pk__in=across).update(
            revoked=True, revoked_by=actor.pk, revoked_at=timezone.now(), revoked_by_event=event
        )

    def reinstate(self, members: Ids) -> None:
        """Decisions revoked by an event that is undone stand again, unless they would be broken at once."""
        lifted = Decision.objects.filter(revoked=True, revoked_by_event__live=False).filter(
            Q(researcher__in=members)
            | Q(authorship__attribution__base__in=members)
            | Q(authorship__attribution__isnull=True)
        )
        rows = lifted.select_related("authorship__attribution", "researcher").order_by("pk")
        for decision in rows:
            attribution = getattr(decision.authorship, "attribution", None)
            if decision.verdict == Decision.Verdict.IS:
                fits = attribution is not None and attribution.base_id == decision.researcher_id
            else:
                fits = attribution is None or attribution.root_id != decision.researcher.root_id
            standing = Decision.objects.filter(authorship=decision.authorship_id, revoked=False)
            clash = standing.filter(researcher=decision.researcher_id)
            if decision.verdict == Decision.Verdict.IS:
                clash |= standing.filter(verdict="is")
            if fits and not (decision.authorship_id and clash.exists()):
                Decision.objects.filter(pk=decision.pk).update(
                    revoked=False, revoked_by=None, revoked_at=None, revoked_by_event=None
                )

    def second_curator_causes(self, losers: Ids, survivors: Ids) -> list[str]:
        """Many papers move, the two have two trusted ORCIDs, or somebody proved to be one of them."""
        causes = []
        moving_papers = Attribution.objects.filter(base__in=losers).count()
        if moving_papers > ALONE_UP_TO:
            causes.append(f"{moving_papers} papers move, more than {ALONE_UP_TO}.")
        orcids = {value for value in self.trusted_ids(losers | survivors) if value.startswith("orcid:")}
        if len(orcids) > 1:
            causes.append("They have different trusted ORCIDs: " + ", ".join(sorted(orcids)) + ".")
        claimed = Researcher.objects.filter(pk__in=losers | survivors, claimed_at__isnull=False).order_by("pk")
        causes.extend(f"{self.label(pk)} is claimed by the person." for pk in claimed.values_list("pk", flat=True))
        return causes

    def snapshot(self, losers: Ids, survivors: Ids) -> dict[str, Any]:
        """Members, papers and identifiers of each side; no names, since any of them may be hidden one day."""
        return {
            side: {
                "members": sorted(ids),
                "papers": Attribution.objects.filter(base__in=ids).count(),
                "trusted_ids": sorted(self.trusted_ids(ids)),
            }
            for side, ids in (("loser", losers), ("survivor", survivors))
        } | {"papers_of_both": papers_of_both(losers, survivors)[:MOST_NAMED]}

    def trusted_ids(self, members: Ids) -> set[str]:
        """As ``scheme:value``."""
        rows = ResearcherIdentifier.objects.filter(researcher__in=members, state="trusted")
        return {f"{scheme}:{value}" for scheme, value in rows.values_list("scheme", "value")}

    # --- fields ----------------------------------------------------------------------------------------------

    def read_fields(self, subject: int) -> dict[str, Any]:
        """The display name."""
        return {"display_name": Researcher.objects.values_list("display_name", flat=True).get(pk=subject)}

    def write_fields(self, subject: int, values: Mapping[str, Any]) -> None:
        """The display name, and the slug and the sort name that follow from it."""
        researcher = Researcher.objects.get(pk=subject)
        name = values["display_name"]
        slug = slug_of(name)
        if slug != researcher.slug:
            keep_slug(self, subject=subject, slug=researcher.slug)
        Researcher.objects.filter(pk=subject).update(
            display_name=name, slug=slug, sort_name=sort_name_of(name), updated_at=timezone.now()
        )

    def choices(self, losers: Ids, survivors: Ids) -> dict[str, list[Any]]:
        """Every public name of either side, those shown now first."""
        members = losers | survivors
        shown = Researcher.objects.filter(pk__in=members, merged_into=None).order_by("pk")
        names = ResearcherName.objects.filter(researcher__in=members)
        hidden = set(names.filter(visibility="hidden").values_list("value", flat=True))
        keys = set(map(name_key, hidden))
        public = names.filter(visibility="public").order_by("pk").values_list("value", flat=True)
        # Another spelling of a hidden name is hidden too, unless it is the very name shown.
        now = [value for value in shown.values_list("display_name", flat=True) if value not in hidden]
        others = [value for value in public if name_key(value) not in keys]
        return {"display_name": list(dict.fromkeys([*now, *others]))}

    def may_show(self, subject: int, field: str, value: Any, *, leaving: Ids = frozenset()) -> bool:
        """A name that was hidden since does not come back."""
        together = Researcher.objects.together_with(subject).exclude(pk__in=leaving)
        names = ResearcherName.objects.filter(researcher__in=together, visibility=ResearcherName.Visibility.HIDDEN)
        shown = Researcher.objects.values_list("root__display_name", flat=True).get(pk=subject)
        return not any(
            value == hidden or (value != shown and name_key(value) == name_key(hidden))
            for hidden in names.values_list("value", flat=True)
        )

    # --- rows ------------------------------------------------------------------------------------------------

    def after_move(self, *, bases: Ids, roots: Iterable[int], reason: str) -> None:
        """Count the roots' papers; papers and researchers wait for the search index, and for nothing before it.

        Author lists show other names than sources print where one of the person's is hidden, and only there.
        """
        roots = sorted(set(roots))
        recount_papers(roots)
        papers = Attribution.objects.filter(base__in=bases).values_list("paper_id", flat=True)
        enqueue(kind="paper", ids=papers, stage="index", reason=reason)
        enqueue(kind=KIND, ids={*roots, *bases}, stage="index", reason=reason)
        # At institutions they may be one researcher more or fewer now.
        theirs = Affiliation.objects.filter(authorship__attribution__root__in=roots, institution__isnull=False)
        institutions = theirs.order_by().values_list("institution__root", flat=True).distinct()
        enqueue(kind=counting.KIND, ids=institutions, stage=counting.STAGE, reason=reason)
        show_on_papers(roots=roots)

    def rescore(self, rows: Sequence[int]) -> None:
        """The papers of attributions that arrived during a merge are attributed anew."""
        papers = Attribution.objects.filter(pk__in=rows).values_list("paper_id", flat=True)
        enqueue(kind="paper", ids=papers, stage="attribute", reason="undo")

    def plan_moves(
        self, rows: Sequence[int], *, source: Ids, target: Ids
    ) -> tuple[list[dict[str, Any]], list[Obstacle]]:
        """``rows`` are attributions."""
        return moving.plan_moves(rows, source=source, target=target)

    def create_for(self, rows: Sequence[int], *, source: int) -> int:
        """A researcher named as these attributions' authors are printed most often."""
        printed = Attribution.objects.filter(pk__in=rows).order_by("authorship_id")
        names = Counter(printed.values_list(PRINTED_NAME, flat=True))
        together = Researcher.objects.together_with(source)
        known = ResearcherName.objects.filter(researcher__in=together, value__in=names)
        kept = {name.value: name for name in known}
        former = former_names_of(source)
        hidden = {value for value in names if former.hide(value)}
        public = [value for value, _ in names.most_common() if value not in hidden]
        # A former name shows nowhere, so where all were printed under it the source's name stands in.
        shown = public[0] if public else Researcher.objects.values_list("display_name", flat=True).get(pk=source)
        created = Researcher.objects.create(display_name=shown)
        ResearcherName.objects.bulk_create(
            ResearcherName(
                researcher=created,
                value=value,
                visibility="hidden" if value in hidden else "public",
                source=kept[value].source if value in kept else "",
                script=kept[value].script if value in kept else "",
                match_keys=kept[value].match_keys if value in kept else [],
            )
            for value in names
        )
        return created.pk

    def apply_moves(self, event: MergeEventModel, *, target_root: int, source_root: int, actor: Actor) -> None:
        """See ``researchers.moving``."""
        moving.apply_moves(event, target_root=target_root, source_root=source_root, actor=actor)

    def return_moves(self, event: MergeEventModel, *, actor: Actor) -> Returned:
        """See ``researchers.moving``."""
        return moving.return_moves(event, actor=actor)

    # --- proof -----------------------------------------------------------------------------------------------

    def audit(self) -> list[str]:
        """Attributions against standing decisions, those whose paper is not their authorship's, and former names shown
        in author lists, or replaced there without a cause.
        """
        standing = Decision.objects.filter(revoked=False, authorship__attribution__isnull=False)
        broken = [
            *standing.filter(verdict="is").exclude(authorship__attribution__base=F("researcher")),
            *standing.filter(verdict="is_not", authorship__attribution__root=F("researcher__root")),
        ]
        strays = Attribution.objects.exclude(paper=F("authorship__paper")).values_list("pk", flat=True)
        return [
            *(f"decision {decision.pk}: {decision}" for decision in broken),
            *(f"attribution {pk} names another paper than its authorship" for pk in strays),
            *(f"authorship {pk} shows another name than the person asked for" for pk in misshown()),
        ]


ADAPTER = ResearcherAdapter()


def papers_of_both(losers: Ids, survivors: Ids) -> list[int]:
    """Papers on whose author lists both sides stand, rising."""
    theirs = Attribution.objects.filter(base__in=survivors).values("paper")
    papers = Attribution.objects.filter(base__in=losers, paper__in=theirs)
    return list(papers.order_by("paper_id").values_list("paper_id", flat=True))


def _decisions_across(ones: Ids, others: Ids) -> list[Decision]:
    standing = Decision.objects.filter(verdict="is_not", revoked=False)
    across = Q(researcher__in=ones, authorship__attribution__base__in=others) | Q(
        researcher__in=others, authorship__attribution__base__in=ones
    )
    return list(standing.filter(across).order_by("pk"))
