"""What people said of two researchers, and of single papers; each can be taken back."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from researchers.admin.screens import WRITE, CurationAdmin, banner
from researchers.merging import ADAPTER
from researchers.models import Assertion, Decision, Researcher
from researchers.services.decisions import may_revoke_decision, revoke_decision
from researchers.services.finding import find_named
from researchers.services.merging import revoke_assertion
from wovepaper.curation import sent
from wovepaper.curation.services import Action, NotMergeable, may
from wovepaper.lib.read_only_admin import moment


class StandingFilter(admin.SimpleListFilter):
    """Those that stand, by default."""

    title = "state"
    parameter_name = "revoked"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Standing has no value."""
        return [("yes", "revoked")]

    def choices(self, changelist: Any) -> Any:
        """With the default under its own name."""
        for value, label in ((None, "standing"), *self.lookup_choices):
            new, remove = ({self.parameter_name: value}, []) if value else ({}, [self.parameter_name])
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string(new, remove),
                "display": label,
            }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Of the chosen state."""
        return queryset.filter(revoked=self.value() == "yes")


class _SaidAdmin(CurationAdmin):
    """A list of what was said, and a page of one with the button that takes it back."""

    change_list_template = "admin/researchers/journal_list.html"
    ordering = ("-pk",)
    search_fields = ("pk",)  # switches the box on
    search_help_text = "Number, address or ORCID iD of a researcher"
    title = ""

    def get_urls(self) -> list[URLPattern]:
        """Adds the page of one, and its revocation."""
        name = f"researchers_{self.opts.model_name}"
        return [
            path("<int:number>/change/", self.screen(self.said_view), name=f"{name}_change"),
            path("<int:number>/revoke/", self.screen(self.revoke_view, methods=WRITE), name=f"{name}_revoke"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under the banner."""
        return super().changelist_view(request, {"title": self.title, **banner(request), **(extra_context or {})})

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """What was said of everybody who is one with the researcher that is named."""
        if not search_term.strip():
            return queryset, False
        named = find_named(search_term)
        members = list(Researcher.objects.filter(root=named.pk).values_list("pk", flat=True)) if named else []
        return queryset.filter(self.about(members)), False

    def said_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """One, with who said it and why."""
        row = self.get_queryset(request).filter(pk=number).first()
        if row is None:
            raise Http404
        context = {
            "title": self.sentence(row),
            "row": row,
            "may_revoke": self.may_revoke(request, row),
            "revoke_url": reverse(f"admin:researchers_{self.opts.model_name}_revoke", args=[row.pk]),
            "people": Researcher.objects.filter(pk__in=self.people(row)).select_related("root").order_by("pk"),
        }
        return self.page(request, "said.html", context)

    def revoke_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Take it back."""
        self.take_back(request, number)
        messages.success(request, "It is taken back.")
        return HttpResponseRedirect(reverse(f"admin:researchers_{self.opts.model_name}_change", args=[number]))

    @admin.display(description="State")
    def stands(self, row: Any) -> SafeString:
        """In words."""
        if row.revoked:
            return format_html('<span class="state">{}</span>', "revoked")
        return format_html('<span class="state state--ready">{}</span>', "stands")

    # What the two kinds differ in.

    def about(self, members: list[int]) -> Q:
        """Rows about any of these."""
        raise NotImplementedError

    def sentence(self, row: Any) -> str:
        """What was said, by numbers."""
        raise NotImplementedError

    def people(self, row: Any) -> list[int]:
        """Of whom."""
        raise NotImplementedError

    def may_revoke(self, request: HttpRequest, row: Any) -> bool:
        """Whether the account may take it back."""
        return may(ADAPTER, request.user, Action.OVERRIDE)  # type: ignore[arg-type]

    def take_back(self, request: HttpRequest, number: int) -> None:
        """Call the service."""
        raise NotImplementedError


@admin.register(Assertion)
class AssertionAdmin(_SaidAdmin):
    """The same, or different people."""

    title = "Same or different"
    list_display = ("sentence", moment("created_at", "When"), "by", "reason", "stands")
    list_filter = ("kind", StandingFilter)
    list_select_related = ("by",)

    @admin.display(description="What")
    def sentence(self, row: Assertion) -> str:
        """In one line."""
        return f"{row.a_id} and {row.b_id} are {'different people' if row.kind == 'different' else 'the same person'}"

    def about(self, members: list[int]) -> Q:
        """With one of these on either side."""
        return Q(a__in=members) | Q(b__in=members)

    def people(self, row: Assertion) -> list[int]:
        """The two."""
        return [row.a_id, row.b_id]

    def may_revoke(self, request: HttpRequest, row: Assertion) -> bool:
        """One's own with the permission to undo one's own."""
        own = row.by_id == request.user.pk and may(ADAPTER, request.user, Action.UNDO_OWN)  # type: ignore[arg-type]
        return own or super().may_revoke(request, row)

    def take_back(self, request: HttpRequest, number: int) -> None:
        """The engine checks whose it is."""
        revoke_assertion(assertion=number, actor=request.user, reason=sent.reason(request))  # type: ignore[arg-type]


@admin.register(Decision)
class DecisionAdmin(_SaidAdmin):
    """An author of a paper is, or is not, somebody."""

    title = "Single papers"
    list_display = ("sentence", moment("created_at", "When"), "by", "by_claim", "reason", "stands")
    list_filter = ("verdict", "by_claim", StandingFilter)
    list_select_related = ("by",)

    @admin.display(description="What")
    def sentence(self, row: Decision) -> str:
        """In one line. Not the printed name: it may be hidden by now."""
        author = f"Author {row.authorship_id}" if row.authorship_id else "An author who left"
        return f"{author} of paper {row.paper_id} {row.get_verdict_display()} researcher {row.researcher_id}"

    def about(self, members: list[int]) -> Q:
        """About one of these."""
        return Q(researcher__in=members)

    def people(self, row: Decision) -> list[int]:
        """The one."""
        return [row.researcher_id]

    def may_revoke(self, request: HttpRequest, row: Decision) -> bool:
        """One's own with the permission to split."""
        return may_revoke_decision(decision=row, actor=request.user)  # type: ignore[arg-type]

    def take_back(self, request: HttpRequest, number: int) -> None:
        """The service checks whose it is."""
        if not Decision.objects.filter(pk=number).exists():
            raise NotMergeable(f"There is no decision {number}.")
        revoke_decision(decision=number, actor=request.user, reason=sent.reason(request))  # type: ignore[arg-type]
