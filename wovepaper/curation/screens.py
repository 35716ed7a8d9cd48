"""What all curators' screens share: who may see them, which methods they take, and how they say no."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse

from wovepaper.curation.services import (
    Action,
    Adapter,
    Blocked,
    ChoiceRefused,
    Conflict,
    CurationError,
    LeaseLost,
    NotPermitted,
    ReasonMissing,
    may,
)
from wovepaper.lib.read_only_admin import ReadOnlyAdmin

READ = ("GET", "HEAD")
WRITE = ("POST",)

_TITLES: tuple[tuple[type[CurationError], int, str], ...] = (
    (NotPermitted, 403, "Your account may not do this"),
    (Conflict, 409, "Somebody was faster"),
    (LeaseLost, 409, "Somebody else works on this"),
    (Blocked, 422, "Something stands in the way"),
    (ReasonMissing, 400, "A reason is missing"),
    (ChoiceRefused, 400, "This cannot be chosen"),
    (CurationError, 409, "This cannot be done"),
)
"""Status and heading of each refusal; the first that fits."""


class CurationScreens(ReadOnlyAdmin):
    """Seen by whoever may review duplicates of this kind. Nothing is edited or deleted row by row."""

    adapter: ClassVar[Adapter]
    templates: ClassVar[str]
    """The folder of the pages, with ``refused.html`` among them."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may review."""
        return may(self.adapter, request.user, Action.REVIEW)  # type: ignore[arg-type]

    def has_module_permission(self, request: HttpRequest) -> bool:
        """The same."""
        return self.has_view_permission(request)

    def screen(
        self, view: Callable[..., HttpResponse], *, methods: tuple[str, ...] = READ, needs: Action = Action.REVIEW
    ) -> Callable[..., HttpResponse]:
        """A view of this screen: for accounts that may, by these methods, refusals of the engine told on a page."""

        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            allowed = may(self.adapter, request.user, Action.REVIEW) and may(self.adapter, request.user, needs)  # type: ignore[arg-type]
            if not allowed:
                raise PermissionDenied
            try:
                return view(request, *args, **kwargs)
            except CurationError as error:
                return self.refused(request, error)

        return self.admin_site.admin_view(guarded)  # type: ignore[no-any-return]

    def page(
        self, request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200
    ) -> TemplateResponse:
        """A page of the admin with the banner of what the curator did last."""
        common = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            **self.banner_of(request),
            "rights": self.rights_of(request),
        }
        return TemplateResponse(request, f"{self.templates}/{template}", common | context, status=status)

    def refused(self, request: HttpRequest, error: CurationError) -> HttpResponse:
        """Why nothing was changed, and what changed meanwhile or stands in the way."""
        status, title = next((status, title) for kind, status, title in _TITLES if isinstance(error, kind))
        number = request.POST.get("candidate", "")
        context = {
            "title": title,
            "error": error,
            "changes": getattr(error, "changes", ()),
            "obstacles": getattr(error, "obstacles", ()),
            "lease_lost": isinstance(error, LeaseLost),
            "candidate": {"pk": number} if number.isascii() and number.isdecimal() else None,
            "filters": self.filters_of(request).items(),
        }
        return self.page(request, "refused.html", context, status=status)

    def banner_of(self, request: HttpRequest) -> dict[str, Any]:
        """What the banner with Undo needs: ``last_act`` and ``last_act_key``."""
        raise NotImplementedError

    def filters_of(self, request: HttpRequest) -> dict[str, str]:
        """The filter of the queue that this curator works through."""
        raise NotImplementedError

    def rights_of(self, request: HttpRequest) -> dict[str, bool]:
        """What the account may do, by name, for templates."""
        return {action.name.lower(): may(self.adapter, request.user, action) for action in Action}  # type: ignore[arg-type]
