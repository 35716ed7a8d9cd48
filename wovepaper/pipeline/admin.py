"""Work that waits, and work that failed too often and waits for a person."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.defaultfilters import truncatechars
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from wovepaper.lib.read_only_admin import ReadOnlyAdmin, moment
from wovepaper.pipeline import registry
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import parked, retry_parked

_SUMMED_UP = 20


class ParkedFilter(admin.SimpleListFilter):
    """Parked items by default: they are the ones that need somebody."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Parked is the default and has no value."""
        return [("waiting", "waiting")]

    def choices(self, changelist: Any) -> Any:
        """With the default under its own name."""
        for value, label in ((None, "parked"), *self.lookup_choices):
            new, remove = ({self.parameter_name: value}, []) if value else ({}, [self.parameter_name])
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string(new, remove),
                "display": label,
            }

    def queryset(self, request: HttpRequest, queryset: QuerySet[WorkItem]) -> QuerySet[WorkItem]:
        """Parked ones by time, waiting ones by number: both follow an index."""
        if self.value() == "waiting":
            return queryset.filter(parked_at=None).order_by("pk")
        return queryset.filter(parked_at__isnull=False).order_by("-parked_at", "-pk")


class StageFilter(admin.SimpleListFilter):
    """By a stage of this installation."""

    title = "stage"
    parameter_name = "stage"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """In the order of the line; asked of the registry, since the table may be long."""
        return [(name, name) for name in dict.fromkeys(stage.name for stage in registry.all_stages())]

    def queryset(self, request: HttpRequest, queryset: QuerySet[WorkItem]) -> QuerySet[WorkItem]:
        """Items before the chosen one."""
        return queryset.filter(stage=self.value()) if self.value() else queryset


@admin.register(WorkItem)
class WorkItemAdmin(ReadOnlyAdmin):
    """Trying again needs the permission to change work items."""

    list_display = (
        "item",
        "stage",
        "attempts",
        "short_error",
        moment("enqueued_at", "Enqueued"),
        moment("available_at", "Not before"),
        moment("parked_at", "Parked"),
    )
    list_filter = (ParkedFilter, StageFilter)
    actions = ("try_again",)
    change_form_template = "admin/pipeline/workitem/change_form.html"
    change_list_template = "admin/pipeline/workitem/change_list.html"
    fields = (
        "kind",
        "object_id",
        "stage",
        "reason",
        "attempts",
        "enqueued_at",
        "available_at",
        "parked_at",
        "shown_error",
    )

    def get_urls(self) -> list[URLPattern]:
        """Adds the buttons, by POST."""
        view = self.admin_site.admin_view
        return [
            path("retry-all/", view(self.retry_all_view), name="pipeline_workitem_retry_all"),
            path("<int:item_id>/retry/", view(self.retry_view), name="pipeline_workitem_retry"),
            *super().get_urls(),
        ]

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """For the action of the list."""
        return self.may_change(request)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under the numbers of parked items by stage."""
        by_stage = parked().order_by().values("stage", "kind").annotate(items=Count("pk")).order_by("stage", "kind")
        context = {"by_stage": by_stage[:_SUMMED_UP], "may_retry": self.may_change(request)}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The item, with its error."""
        context = {"may_retry": self.may_change(request), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    @admin.display(description="Object")
    def item(self, item: WorkItem) -> str:
        """What waits."""
        return f"{item.kind} {item.object_id}"

    @admin.display(description="Error")
    def short_error(self, item: WorkItem) -> str:
        """The beginning of what went wrong."""
        return truncatechars(" ".join(item.error.split()), 160) or "—"

    @admin.display(description="Error")
    def shown_error(self, item: WorkItem) -> str:
        """All of what went wrong."""
        return format_html('<pre class="payload" tabindex="0">{}</pre>', item.error) if item.error else "—"

    @admin.action(description="Try again", permissions=["retry"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[WorkItem]) -> None:
        """Give the chosen parked items a fresh start."""
        self._tell(request, retry_parked(list(queryset.order_by().values_list("pk", flat=True))))

    def retry_all_view(self, request: HttpRequest) -> HttpResponse:
        """Give every parked item a fresh start."""
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        self._tell(request, retry_parked())
        return HttpResponseRedirect(reverse("admin:pipeline_workitem_changelist"))

    def retry_view(self, request: HttpRequest, item_id: int) -> HttpResponse:
        """Give one parked item a fresh start."""
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        if not WorkItem.objects.filter(pk=item_id).exists():
            raise Http404
        self._tell(request, retry_parked([item_id]))
        return HttpResponseRedirect(reverse("admin:pipeline_workitem_changelist"))

    def _refusal(self, request: HttpRequest) -> HttpResponse | None:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.may_change(request):
            raise PermissionDenied
        return None

    @staticmethod
    def _tell(request: HttpRequest, count: int) -> None:
        if count:
            messages.success(request, f"{count} item{'' if count == 1 else 's'} will be tried again.")
        else:
            messages.info(request, "Nothing is parked among them: there is nothing to try again.")
