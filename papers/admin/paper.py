"""The list of papers, and one paper with all that is known of it. Nothing but pins can be changed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.defaultfilters import truncatechars
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from papers.admin.filters import CategoryFilter
from papers.admin.finding import find_papers
from papers.admin.pinning import PinningViews
from papers.disagreement import compare, shown_text
from papers.models import Authorship, Paper, SourceAuthorship, SourceRecord
from papers.querysets import hidden_names, hidden_names_here
from papers.services.ingest.alignment import name_key
from papers.services.shown_names import FORMER_NAME
from wovepaper.lib.markup import plain
from wovepaper.lib.read_only_admin import ReadOnlyAdmin

AUTHORS_SHOWN = 100


class _VisiblePapers(ChangeList):
    """The list leaves out papers that lead elsewhere; their own pages can still be looked at."""

    def get_queryset(self, request: HttpRequest, *args: Any, **kwargs: Any) -> QuerySet[Paper]:
        return super().get_queryset(request, *args, **kwargs).filter(redirect_to=None)


@admin.register(Paper)
class PaperAdmin(PinningViews, ReadOnlyAdmin):
    """Papers. Fast with a million of them: lists follow an index, and words are sought by the search engine."""

    list_display = ("reference", "short_title", "kind", "status", "category", "published", "pins")
    list_filter = ("status", "kind", CategoryFilter)
    ordering = ("-sort_date", "-id")
    search_fields = ("title",)  # switches the box on; find_papers does the work
    search_help_text = 'An arXiv id, a DOI, the number of a paper, or words and "exact phrases"'

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Visible papers only."""
        return _VisiblePapers

    def get_queryset(self, request: HttpRequest) -> QuerySet[Paper]:
        """Without the long fields, which no list shows."""
        rows = super().get_queryset(request)
        return rows.defer("abstract", "comments", "licence", "journal_reference", "report_number", "publisher")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Paper], search_term: str
    ) -> tuple[QuerySet[Paper], bool]:
        """Papers that ``find_papers`` finds, among those of the other filters."""
        if not search_term.strip():
            return queryset, False
        finding = find_papers(search_term)
        if finding.remark:
            messages.warning(request, finding.remark)
        return queryset.filter(pk__in=finding.ids), False

    @admin.display(description="Paper")
    def reference(self, paper: Paper) -> str:
        """The arXiv id, or the number."""
        return paper.reference

    @admin.display(description="Title")
    def short_title(self, paper: Paper) -> str:
        """The title without markup."""
        return truncatechars(plain(paper.title), 110)

    @admin.display(description="Category")
    def category(self, paper: Paper) -> str:
        """The primary one."""
        return paper.primary_category_id or "—"

    @admin.display(description="Published")
    def published(self, paper: Paper) -> str:
        """As much of the date as is known."""
        return shown_text(paper, "published_on") or "—"

    @admin.display(description="Pinned")
    def pins(self, paper: Paper) -> str:
        """The fields that a curator fixed."""
        return ", ".join(sorted(paper.pinned)) or "—"

    def get_urls(self) -> list[URLPattern]:
        """Adds the raw records, and the addresses of pinning."""
        payload = path(
            "<path:object_id>/records/<int:record_id>/",
            self.admin_site.admin_view(self.payload_view),
            name="papers_paper_record",
        )
        return [payload, *self.pin_urls(), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The paper, beside its sources."""
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        paper = self.viewed(request, object_id)
        if paper is None:
            messages.warning(request, f"There is no paper with the number {unquote(object_id)[:40]}.")
            return HttpResponseRedirect(reverse("admin:papers_paper_changelist"))
        return TemplateResponse(request, "admin/papers/paper/detail.html", self._detail(request, paper))

    def viewed(self, request: HttpRequest, object_id: str) -> Paper | None:
        """The paper, for whoever may view papers. Raises ``PermissionDenied``."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        key = unquote(object_id)
        if not (key.isascii() and key.isdecimal() and len(key) <= 18):
            return None
        return Paper.objects.select_related("redirect_to").filter(pk=int(key)).first()

    def payload_view(self, request: HttpRequest, object_id: str, record_id: int) -> HttpResponse:
        """A raw record exactly as it was sent, as a file.

        Where it may hold a name that somebody does not want to be shown, only for those who may also correct papers.
        """
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        if self.viewed(request, object_id) is None:
            raise Http404
        record = SourceRecord.objects.filter(pk=record_id, paper=int(unquote(object_id))).first()
        if record is None:
            raise Http404
        if hidden_names(record.paper_id) and not request.user.has_perm("papers.pin_paper"):
            raise PermissionDenied
        response = HttpResponse(bytes(record.payload), content_type="text/plain; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="record-{record.pk}.txt"'
        return response

    def _detail(self, request: HttpRequest, paper: Paper) -> dict[str, Any]:
        all_authors = request.GET.get("authors") == "all"
        authorships = list(paper.authorships.order_by("position").annotate(hidden_names=hidden_names_here()))
        shown = authorships if all_authors else authorships[:AUTHORS_SHOWN]
        hidden = {name for place in authorships for name in place.hidden_names}
        self._with_sources(shown, hidden)
        versions = list(paper.versions.order_by("number"))
        records = list(paper.source_records.order_by("source", "format", "external_id"))
        comparison = compare(
            paper,
            records,
            authorships=authorships,
            versions=versions,
            users=self._names_of_pinners(paper),
            hidden=hidden,
        )
        opts = self.opts
        return {
            **self.admin_site.each_context(request),
            "opts": opts,
            "title": "Paper",
            "subtitle": paper.reference,
            "paper": paper,
            "plain_title": plain(paper.title),
            "comparison": comparison,
            "authorships": shown,
            "author_total": len(authorships),
            "hidden_authors": len(authorships) - len(shown),
            "versions": versions,
            "identifiers": list(paper.identifiers.order_by("scheme", "value")),
            "may_pin": request.user.has_perm("papers.pin_paper"),
            "history_url": reverse("admin:papers_paper_history", args=[paper.pk]),
            "redirect_url": self._redirect_url(paper),
            "may_review": request.user.has_perm("papers.review_papercandidate"),
            "may_split": paper.redirect_to_id is None
            and all(map(request.user.has_perm, ("papers.review_papercandidate", "papers.split_paper"))),
            "clashes": list(paper.identifier_clashes.order_by("scheme", "value")),
        }

    @staticmethod
    def _with_sources(authorships: Sequence[Authorship], hidden: set[str]) -> None:
        keys = set(map(name_key, hidden))
        names = SourceAuthorship.objects.select_related("source_record").defer("source_record__payload")
        prefetch_related_objects(
            authorships,
            Prefetch("source_authorships", names.order_by("source_record__source", "source_record__format")),
            "affiliations",
        )
        for printed in (one for place in authorships for one in place.source_authorships.all()):
            if name_key(printed.name) in keys:
                printed.name = FORMER_NAME

    @staticmethod
    def _names_of_pinners(paper: Paper) -> dict[int, str]:
        numbers = {pin["by"] for pin in paper.pinned.values() if isinstance(pin.get("by"), int)}
        if not numbers:
            return {}
        return {user.pk: str(user) for user in get_user_model().objects.filter(pk__in=numbers)}

    @staticmethod
    def _redirect_url(paper: Paper) -> str:
        return reverse("admin:papers_paper_change", args=[paper.redirect_to_id]) if paper.redirect_to_id else ""
