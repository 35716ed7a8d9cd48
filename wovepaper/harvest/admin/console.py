"""Sources at a glance, with what a person can do about them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from wovepaper.harvest import registry
from wovepaper.harvest.models import HarvestRun, HarvestWindow, HostLease, SourceState
from wovepaper.harvest.services import forget_field_profile, pause_source, resume_source, source_overview
from wovepaper.lib.read_only_admin import ReadOnlyAdmin

LATEST = 10
LONGEST_REASON = 500


@admin.register(SourceState)
class SourceStateAdmin(ReadOnlyAdmin):
    """The console stands in the place of the list. Pausing and resuming need the permission to change sources."""

    def get_urls(self) -> list[URLPattern]:
        """Adds what can be done to a source, by POST."""
        actions = {"pause": self.pause_view, "resume": self.resume_view, "forget-profile": self.forget_profile_view}
        added = [
            path(
                f"<str:name>/{action}/",
                self.admin_site.admin_view(view),
                name=f"harvest_sourcestate_{action.replace('-', '_')}",
            )
            for action, view in actions.items()
        ]
        return [*added, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """All sources, the windows that need a person, the latest runs, and when each host may be asked again."""
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        if not self.has_view_permission(request):
            raise PermissionDenied
        now = timezone.now()
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Harvest console",
            "now": now,
            "sources": source_overview(),
            "stopped": HarvestWindow.objects.stopped().order_by("-checkpoint_at", "-pk")[:LATEST],
            "runs": HarvestRun.objects.order_by("-started_at", "-pk")[:LATEST],
            "hosts": HostLease.objects.order_by("host"),
            "may_change": self.may_change(request),
            "longest_reason": LONGEST_REASON,
        }
        return TemplateResponse(request, "admin/harvest/sourcestate/console.html", context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The console says all there is."""
        return HttpResponseRedirect(reverse("admin:harvest_sourcestate_changelist"))

    def pause_view(self, request: HttpRequest, name: str) -> HttpResponse:
        """Take nothing in from a source until it is resumed."""
        refusal = self._refusal(request, name)
        if refusal is not None:
            return refusal
        reason = " ".join(request.POST.get("reason", "").split())[:LONGEST_REASON]
        if not reason:
            messages.error(request, f"The source {name} was not paused: say why, for those who come later.")
            return self._back()
        pause_source(name=name, reason=reason)
        self._log(request, name, f"Paused: {reason}")
        messages.success(request, f"The source {name} is paused. A run under way ends at its next page.")
        return self._back()

    def resume_view(self, request: HttpRequest, name: str) -> HttpResponse:
        """Undo a pause."""
        refusal = self._refusal(request, name)
        if refusal is not None:
            return refusal
        resume_source(name=name)
        self._log(request, name, "Resumed.")
        messages.success(request, f"The source {name} is resumed: its next run asks it again.")
        return self._back()

    def forget_profile_view(self, request: HttpRequest, name: str) -> HttpResponse:
        """Let the volume brake learn anew what the records of a source contain."""
        refusal = self._refusal(request, name)
        if refusal is not None:
            return refusal
        forget_field_profile(name=name)
        self._log(request, name, "Forgot how often its fields were filled.")
        messages.success(request, f"What is usual for {name} will be learnt anew from its next pages.")
        return self._back()

    def _refusal(self, request: HttpRequest, name: str) -> HttpResponse | None:
        """The answer to who may not do this, or does it the wrong way. Raises ``PermissionDenied``, ``Http404``."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.may_change(request):
            raise PermissionDenied
        if name not in registry.names() and not SourceState.objects.filter(pk=name).exists():
            raise Http404
        return None

    def _log(self, request: HttpRequest, name: str, message: str) -> None:
        state, _ = SourceState.objects.get_or_create(name=name)
        self.log_change(request, state, message)

    @staticmethod
    def _back() -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:harvest_sourcestate_changelist"))
