"""Readers' objections to attributions, and the curators' answers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from researchers.admin.proposals import OpenFilter
from researchers.admin.screens import WRITE, CurationAdmin, banner
from researchers.models import Attribution, Contest, Decision
from researchers.services.contest_answers import accept_contest, decline_contest
from researchers.services.decisions import decisions_in_the_way
from wovepaper.curation import sent
from wovepaper.lib.markup import plain
from wovepaper.lib.read_only_admin import moment


class ContestStateFilter(OpenFilter):
    """Those that wait, by default."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Waiting has no value."""
        return [("accepted", "accepted"), ("declined", "declined")]


@admin.register(Contest)
class ContestAdmin(CurationAdmin):
    """Accepting one makes it a curator's decision; declining leaves all as it is."""

    change_list_template = "admin/researchers/journal_list.html"
    list_display = ("what", moment("created_at", "When"), "user", "reason", "state")
    list_filter = (ContestStateFilter,)
    list_select_related = ("user",)
    ordering = ("created_at", "pk")

    def get_urls(self) -> list[URLPattern]:
        """Adds the page of one, and the answers."""
        return [
            path("<int:number>/change/", self.screen(self.contest_view), name="researchers_contest_change"),
            path(
                "<int:number>/answer/", self.screen(self.answer_view, methods=WRITE), name="researchers_contest_answer"
            ),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under the banner."""
        context = {"title": "Readers' objections", **banner(request), **(extra_context or {})}
        return super().changelist_view(request, context)

    @admin.display(description="What")
    def what(self, row: Contest) -> str:
        """In one line. Not the printed name: it may be hidden by now."""
        if row.claimed_id:
            return f"An author of paper {row.paper_id} is researcher {row.claimed_id}"
        return f"An author of paper {row.paper_id} is not researcher {row.attributed_id}"

    def contest_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """What the reader says, and whom the author is attributed to now."""
        row = (
            Contest.objects.select_related("user", "paper", "attributed__root", "claimed__root", "handled_by")
            .defer("paper__abstract")
            .filter(pk=number)
            .first()
        )
        if row is None:
            raise Http404
        now = Attribution.objects.filter(authorship=row.authorship_id).select_related("root", "authorship").first()
        context = {
            "title": self.what(row),
            "row": row,
            "paper_title": plain(row.paper.title),
            "now": now,
            "place": now.authorship.position if now else None,
            "in_the_way": self._in_the_way(request, row),
        }
        return self.page(request, "contest/contest.html", context)

    @staticmethod
    def _in_the_way(request: HttpRequest, row: Contest) -> list[Decision]:
        """Of one that is answered, or whose author left, nothing is in the way."""
        if row.state != Contest.State.OPEN or row.authorship_id is None:
            return []
        return decisions_in_the_way(authorship=row.authorship_id, actor=request.user)  # type: ignore[arg-type]

    def answer_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Accept or decline."""
        answer, user = sent.reason(request), request.user
        if sent.one_of(request, "answer", "accept", "decline") == "accept":
            accept_contest(contest=number, actor=user, answer=answer)  # type: ignore[arg-type]
            messages.success(request, "Accepted: it is decided as the reader says.")
        else:
            decline_contest(contest=number, actor=user, answer=answer)  # type: ignore[arg-type]
            messages.success(request, "Declined: all stays as it is.")
        return HttpResponseRedirect(reverse("admin:researchers_contest_changelist"))
