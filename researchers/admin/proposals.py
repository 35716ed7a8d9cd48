"""Merges that wait for a second curator."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from researchers.admin.last_act import remember
from researchers.admin.merging import preview_merge
from researchers.admin.screens import WRITE, CurationAdmin, banner
from researchers.merging import ADAPTER
from researchers.models import Candidate, MergeProposal
from researchers.services.merging import confirm_merge, reject_merge
from wovepaper.curation import sent
from wovepaper.curation.services import Action, CurationError, LeaseLost, wake
from wovepaper.lib.read_only_admin import moment


class OpenFilter(admin.SimpleListFilter):
    """Those that wait, by default."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Waiting has no value."""
        return [("confirmed", "confirmed"), ("rejected", "rejected")]

    def choices(self, changelist: Any) -> Any:
        """With the default under its own name."""
        for value, label in ((None, "waiting"), *self.lookup_choices):
            new, remove = ({self.parameter_name: value}, []) if value else ({}, [self.parameter_name])
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string(new, remove),
                "display": label,
            }

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Of the chosen state."""
        return queryset.filter(state=self.value() or "open")


@admin.register(MergeProposal)
class MergeProposalAdmin(CurationAdmin):
    """Confirmed or rejected by a curator other than the one who proposed; withdrawn by that one."""

    change_list_template = "admin/researchers/journal_list.html"
    list_display = ("what", moment("created_at", "Proposed"), "by", "reason", "state")
    list_filter = (OpenFilter,)
    list_select_related = ("actor",)
    ordering = ("-pk",)

    def get_urls(self) -> list[URLPattern]:
        """Adds the page of one proposal, and the two answers."""
        answer = self.screen(self.answer_view, methods=WRITE, needs=Action.MERGE)
        return [
            path("<int:number>/change/", self.screen(self.proposal_view), name="researchers_mergeproposal_change"),
            path("<int:number>/answer/", answer, name="researchers_mergeproposal_answer"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under the banner."""
        return super().changelist_view(request, {"title": "Proposals", **banner(request), **(extra_context or {})})

    @admin.display(description="By")
    def by(self, proposal: MergeProposal) -> str:
        """Who proposed it."""
        return str(proposal.actor or "—")

    @admin.display(description="What")
    def what(self, proposal: MergeProposal) -> str:
        """In one line, by numbers."""
        return f"Merge {proposal.loser_id} into {proposal.survivor_id}"

    def proposal_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """What was proposed and why, with the preview as it is now."""
        proposal = MergeProposal.objects.select_related("actor", "decided_by").filter(pk=number).first()
        if proposal is None:
            raise Http404
        preview, refusal = None, ""
        if proposal.state == "open":
            try:
                preview = preview_merge(survivor=proposal.survivor_id, losers=[proposal.loser_id])
            except CurationError as error:
                refusal = str(error)
        pair = sorted((proposal.loser_id, proposal.survivor_id))
        context = {
            "title": self.what(proposal),
            "proposal": proposal,
            "preview": preview,
            "refusal": refusal,
            "own": proposal.actor_id == request.user.pk,
            "item": Candidate.objects.filter(members=pair).first(),
        }
        return self.page(request, "mergeproposal/proposal.html", context)

    def answer_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Confirm or reject."""
        if sent.one_of(request, "answer", "confirm", "reject") == "confirm":
            outcome = confirm_merge(
                proposal=number,
                actor=request.user,  # type: ignore[arg-type]
                versions=sent.versions(request),
                answer=sent.reason(request),
            )
            if outcome.event is not None:
                text = f"Merged {outcome.event.loser_id} into {outcome.event.survivor_id}, as the second curator."
                remember(request, "events", [outcome.event.pk], candidate=None, text=text)
        else:
            reject_merge(proposal=number, actor=request.user, answer=sent.reason(request))  # type: ignore[arg-type]
            self._put_back(request, number)
            messages.success(request, "The proposal is turned down; its item is in the queue again.")
        return HttpResponseRedirect(reverse("admin:researchers_mergeproposal_changelist"))

    @staticmethod
    def _put_back(request: HttpRequest, number: int) -> None:
        """The item that waited for the answer needs another one now."""
        proposal = MergeProposal.objects.get(pk=number)
        pair = sorted((proposal.loser_id, proposal.survivor_id))
        for item in Candidate.objects.filter(members=pair, state="snoozed"):
            with suppress(LeaseLost):  # somebody looks at it already
                wake(ADAPTER, candidate=item.pk, actor=request.user)  # type: ignore[arg-type]
