"""Readers say whether two researchers are one person."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST

from researchers.models import SamePersonVote
from researchers.services.errors import TooMany, VoteRefused
from researchers.services.votes import cast_vote
from researchers.views.refusal import refusal, too_many, way_back
from wovepaper.curation.services import Busy

_THANKS = {
    SamePersonVote.Verdict.SAME: "Noted: the same person, you say. A curator will look; nothing is merged before.",
    SamePersonVote.Verdict.DIFFERENT: "Noted: different people, you say. A curator will look.",
}


@require_POST
def vote(request: HttpRequest) -> HttpResponse:
    """``POST /researchers/votes`` with ``one``, ``other``, ``verdict``, ``next``; who is not signed in is led there."""
    back = way_back(request)
    if not request.user.is_authenticated:
        return redirect_to_login(back)
    verdict = request.POST.get("verdict", "")
    try:
        one, other = _number(request, "one"), _number(request, "other")
        cast_vote(voter=request.user, one=one, other=other, verdict=verdict)
    except VoteRefused as error:
        return refusal(request, 400, title="This vote can’t be taken", sentence=str(error))
    except TooMany as error:
        return too_many(request, str(error))
    except Busy as error:
        return refusal(request, 503, title="Try again in a moment", sentence=str(error), headers={"Retry-After": "5"})
    messages.success(request, _THANKS[SamePersonVote.Verdict(verdict)])
    return HttpResponseRedirect(back)


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise VoteRefused("A vote names two researchers by their numbers.")
    return int(text)
