"""The two forms that change a paper: fix a field, let it go. Both ask for a reason, both are kept in the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from papers.admin.forms import PinForm, ReasonForm
from papers.disagreement import label_of, said_by, shown_text
from papers.models import Paper, SourceRecord
from papers.services.ingest.pinned import PINNABLE_FIELDS, PinRefused
from papers.services.pins import pin_field, unpin_field

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    _Base = ModelAdmin[Paper]
else:
    _Base = object


class PinningViews(_Base):
    """Part of ``PaperAdmin``. GET shows a form and changes nothing; POST needs the permission to pin."""

    def pin_urls(self) -> list[URLPattern]:
        """``…/<paper>/pin/<field>/`` and ``…/<paper>/unpin/<field>/``."""
        view = self.admin_site.admin_view
        return [
            path("<path:object_id>/pin/<slug:field>/", view(self.pin_view), name="papers_paper_pin"),
            path("<path:object_id>/unpin/<slug:field>/", view(self.unpin_view), name="papers_paper_unpin"),
        ]

    def pin_view(self, request: HttpRequest, object_id: str, field: str) -> HttpResponse:
        """Fix a field. ``?record=`` proposes what that source record says."""
        paper = self._to_pin(request, object_id, field)
        if isinstance(paper, HttpResponse):
            return paper
        if request.method == "POST":
            form = PinForm(request.POST, field=field)
            if form.is_valid() and self._pin(request, paper, field, form):
                return self._back(paper)
        else:
            form = PinForm(field=field, initial={"value": self._proposal(request, paper, field)})
        return self._form(request, paper, field, form, action="Pin")

    def unpin_view(self, request: HttpRequest, object_id: str, field: str) -> HttpResponse:
        """Let a field follow the sources again."""
        paper = self._to_pin(request, object_id, field)
        if isinstance(paper, HttpResponse):
            return paper
        form = ReasonForm(request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid() and self._unpin(request, paper, field, form):
            return self._back(paper)
        return self._form(request, paper, field, form, action="Unpin")

    def _to_pin(self, request: HttpRequest, object_id: str, field: str) -> Paper | HttpResponse:
        if request.method not in {"GET", "HEAD", "POST"}:
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        if not request.user.has_perm("papers.pin_paper"):
            raise PermissionDenied
        paper: Paper | None = self.viewed(request, object_id)  # type: ignore[attr-defined]
        if paper is None or field not in PINNABLE_FIELDS:
            raise Http404
        return paper

    def _pin(self, request: HttpRequest, paper: Paper, field: str, form: PinForm) -> bool:
        value, reason = form.cleaned_data["value"], form.cleaned_data["reason"]
        try:
            pin_field(paper_id=paper.pk, field=field, value=value, by=request.user.pk, reason=reason)
        except PinRefused as error:
            form.add_error("value", str(error))
            return False
        self.log_change(request, paper, f"Pinned {label_of(field).lower()}: {reason}")
        messages.success(request, f"{label_of(field)} is pinned: this value is shown whatever the sources say.")
        return True

    def _unpin(self, request: HttpRequest, paper: Paper, field: str, form: forms.Form) -> bool:
        reason = form.cleaned_data["reason"]
        try:
            unpin_field(paper_id=paper.pk, field=field)
        except PinRefused as error:
            form.add_error(None, str(error))
            return False
        self.log_change(request, paper, f"Unpinned {label_of(field).lower()}: {reason}")
        messages.success(request, f"{label_of(field)} follows the sources again.")
        return True

    def _proposal(self, request: HttpRequest, paper: Paper, field: str) -> str:
        number = request.GET.get("record", "")
        if number.isascii() and number.isdecimal() and len(number) <= 18:
            record = SourceRecord.objects.filter(pk=int(number), paper=paper).first()
            if record is not None:
                return said_by(record, field)
        return shown_text(paper, field)

    def _back(self, paper: Paper) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:papers_paper_change", args=[paper.pk]))

    def _form(
        self, request: HttpRequest, paper: Paper, field: str, form: forms.Form, *, action: str
    ) -> TemplateResponse:
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{action} {label_of(field).lower()}",
            "subtitle": paper.reference,
            "paper": paper,
            "form": form,
            "action": action,
            "field_label": label_of(field),
            "shown": shown_text(paper, field),
            "pin": paper.pinned.get(field),
            "back_url": reverse("admin:papers_paper_change", args=[paper.pk]),
        }
        return TemplateResponse(request, "admin/papers/paper/pin.html", context)
