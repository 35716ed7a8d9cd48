"""Where a reader is signed in."""

from __future__ import annotations

from typing import Any

from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.views.generic.edit import FormView


class Sessions(ListUserSessionsView):
    """Allauth's, but for opening the page: there it also clears up, which here only the nightly task does."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Those that are still good, the one that asks first, in two queries."""
        context = FormView.get_context_data(self, **kwargs)
        mine = UserSession.objects.filter(user_id=self.request.user.pk).order_by("-created_at")
        good = Session.objects.filter(expire_date__gt=timezone.now())
        sessions = list(mine.filter(session_key__in=good.values("session_key")))
        here = self.request.session.session_key
        context["sessions"] = sorted(sessions, key=lambda one: one.session_key != here)
        context["others"] = sum(one.session_key != here for one in sessions)
        return context


list_sessions = Sessions.as_view()
