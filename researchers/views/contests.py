"""Readers object to an attribution."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from papers.models import Paper
from papers.views.links import moved
from papers.views.paper_address import find_or_404, parse_or_404
from researchers.models import Researcher
from researchers.services.authors import AuthorReport, read_author
from researchers.services.contests import LONGEST_REASON, SHORTEST_REASON, open_contest
from researchers.services.errors import ContestRefused, ContestStale, TooMany
from researchers.services.finding import find_named
from researchers.views.refusal import too_many
from researchers.views.why import author_url, crumbs_of
from wovepaper.lib.markup import plain
from wovepaper.lib.page_head import PageHead, shorten

NOT_THEM = "not_them"
SOMEBODY = "somebody"


class ContestForm(forms.Form):
    """What a reader objects, and why."""

    said = forms.ChoiceField(choices=[(NOT_THEM, "This is not them"), (SOMEBODY, "This is researcher …")])
    researcher = forms.CharField(required=False, max_length=300)
    reason = forms.CharField(max_length=LONGEST_REASON, min_length=SHORTEST_REASON, widget=forms.Textarea)
    seen = forms.IntegerField(required=False, min_value=1)

    def clean(self) -> dict[str, object]:
        """The researcher named, as ``claimed``."""
        cleaned = super().clean() or {}
        cleaned["claimed"] = None
        named = str(cleaned.get("researcher", ""))
        if named or cleaned.get("said") == SOMEBODY:
            cleaned["claimed"] = self._find(named)
        return cleaned

    def _find(self, named: str) -> Researcher | None:
        found = find_named(named) if named else None
        if found is None:
            self.add_error(
                "researcher",
                "Nobody here has this number, address or ORCID iD."
                if named
                else "Say who it is: the number or address of their page here, or their ORCID iD.",
            )
        return found


@require_http_methods(["GET", "HEAD", "POST"])
def contest(request: HttpRequest, address: str, authorship: int) -> HttpResponse:
    """``/papers/<reference>/authors/<number>/contest``: a form for one author, for readers who are signed in."""
    found = find_or_404(parse_or_404(address))
    url = reverse("researchers:contest", args=[found.reference, authorship])
    if request.path != url:
        return moved(url)
    if not request.user.is_authenticated:
        return redirect_to_login(url)
    author = read_author(found, authorship, reader=request.user.pk)
    if author is None or author.is_collaboration:
        raise Http404("This paper has no such author. Their list may have changed; look at the paper once more.")
    shown = author.researcher.pk if author.researcher else None
    if request.method != "POST":
        form = ContestForm(initial={"said": NOT_THEM if shown else SOMEBODY, "seen": shown})
        return _show(request, found, author, form)
    form = ContestForm(request.POST)
    if not form.is_valid():
        return _show(request, found, author, form, status=400)
    try:
        open_contest(
            reader=request.user,
            authorship=authorship,
            seen=form.cleaned_data["seen"],
            reason=form.cleaned_data["reason"],
            claimed=form.cleaned_data["claimed"],
        )
    except ContestStale as error:
        form = ContestForm({**request.POST.dict(), "seen": shown or ""})
        return _show(request, found, author, form, status=409, problem=str(error))
    except ContestRefused as error:
        return _show(request, found, author, form, status=400, problem=str(error))
    except TooMany as error:
        return too_many(request, str(error))
    messages.success(request, "Thank you. A curator will read this; nothing changes before.")
    return HttpResponseRedirect(author_url(found, author.position, author.authorship))


def _show(
    request: HttpRequest, found: Paper, author: AuthorReport, form: ContestForm, *, status: int = 200, problem: str = ""
) -> HttpResponse:
    title = plain(found.title)
    problems = [problem] if problem else []
    if form.is_bound:
        problems += [str(error) for errors in form.errors.values() for error in errors]
    context = {
        "head": PageHead(
            title=shorten(f"Contest an author: {title}", 160),
            description="Say that a paper is attributed to the wrong researcher.",
            path=reverse("researchers:contest", args=[found.reference, author.authorship]),
            index=False,
        ),
        "paper": found,
        "author": author,
        "form": form,
        "said": form["said"].value(),
        "problems": problems,
        "longest_reason": LONGEST_REASON,
        "shortest_reason": SHORTEST_REASON,
        "crumbs": crumbs_of(found, title),
        "back_url": author_url(found, author.position, author.authorship),
    }
    return render(request, "researchers/contest.html", context, status=status)
