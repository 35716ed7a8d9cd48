"""One researcher as curators see them: names, identifiers, papers, history, and what can be done."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from papers.models import Authorship
from papers.searching import SearchDown
from researchers.admin.comparison import provenance_in_words
from researchers.admin.merging import MergingViews
from researchers.admin.screens import WRITE, banner
from researchers.admin.splitting import SplittingViews
from researchers.former_names import NAME_SHOWN_INSTEAD, FormerNames, as_curators_see
from researchers.models import Attribution, Candidate, Decision, Researcher, ResearcherIdentifier, ResearcherName
from researchers.searching import search_researchers
from researchers.services.decisions import decide_is, decide_is_not, decisions_in_the_way
from researchers.services.finding import find_named
from researchers.services.identifiers import settle_identifier
from researchers.services.merging import events_of
from researchers.services.names import hide_former_name, show_name_again
from wovepaper.curation import sent
from wovepaper.curation.services import Action, NotMergeable
from wovepaper.lib.markup import plain

MOST_LISTED = 50
PAGE = 50


@admin.register(Researcher)
class ResearcherAdmin(MergingViews, SplittingViews):
    """Nothing is edited or deleted here: every button is a decision that is kept and can be taken back."""

    change_list_template = "admin/researchers/journal_list.html"
    list_display = ("name", "number", "status", "paper_count", "first_year", "last_year")
    list_select_related = ("root",)
    ordering = ("-pk",)
    search_fields = ("display_name",)  # switches the box on
    search_help_text = "A name, a number, the address of a page, or an ORCID iD"

    def get_urls(self) -> list[URLPattern]:
        """Adds what can be done."""
        split = Action.SPLIT
        acts = {
            "hide-name": self.screen(self.hide_name_view, methods=WRITE, needs=split),
            "show-name": self.screen(self.show_name_view, methods=WRITE, needs=split),
            "settle": self.screen(self.settle_view, methods=WRITE, needs=split),
        }
        return [
            *self.merging_urls(),
            *self.splitting_urls(),
            path("<int:number>/change/", self.screen(self.detail_view), name="researchers_researcher_change"),
            path("<int:number>/with/", self.screen(self.with_view), name="researchers_researcher_with"),
            path(
                "<int:number>/authorships/<int:authorship>/",
                self.screen(self.authorship_view, methods=("GET", "HEAD", "POST"), needs=split),
                name="researchers_researcher_authorship",
            ),
            *(
                path(f"<int:number>/{act}/", view, name=f"researchers_researcher_{act.replace('-', '_')}")
                for act, view in acts.items()
            ),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under the banner."""
        return super().changelist_view(request, {"title": "Researchers", **banner(request), **(extra_context or {})})

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Researcher], search_term: str
    ) -> tuple[QuerySet[Researcher], bool]:
        """Whoever is named by number, address or ORCID; otherwise by name, as the search engine finds them."""
        text = search_term.strip()
        if not text:
            return queryset, False
        named = find_named(text)
        if named is not None:
            return queryset.filter(pk=named.pk), False
        return queryset.filter(pk__in=self._by_name(request, text)), False

    @staticmethod
    def _by_name(request: HttpRequest, text: str) -> list[int]:
        try:
            found = search_researchers(text, sort="relevance", page=1)
        except SearchDown:
            messages.warning(request, "The search engine does not answer: only exactly this name is looked for.")
            rows = ResearcherName.objects.filter(value=text, visibility=ResearcherName.Visibility.PUBLIC)
            return list(rows.values_list("researcher__root_id", flat=True)[:MOST_LISTED])
        if found.total > len(found.hits):
            messages.info(request, f"The best {len(found.hits)} of {found.total} are listed: give more of the name.")
        return [hit.researcher.pk for hit in found.hits]

    @admin.display(description="Name", ordering="sort_name")
    def name(self, researcher: Researcher) -> str:
        """The name they are shown under. Of whoever is merged that is another's: their own may be hidden."""
        return researcher.root.display_name  # type: ignore[union-attr, attr-defined]

    @admin.display(description="Number")
    def number(self, researcher: Researcher) -> int:
        """The public id."""
        return researcher.pk

    def detail_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """The page. ``?before=`` pages through the papers, the latest attributed first."""
        researcher = _find(number)
        rows = ResearcherName.objects.filter(researcher__root=researcher.root_id).order_by("pk")
        names = list(rows.values_list("value", "visibility"))
        hidden = [value for value, visibility in names if visibility == ResearcherName.Visibility.HIDDEN]
        former = FormerNames.of(hidden, shown=researcher.root.display_name)  # type: ignore[union-attr, attr-defined]
        papers, further = self._papers(request, researcher)
        members = list(Researcher.objects.filter(root=researcher.root_id).exclude(pk=researcher.root_id).order_by("pk"))
        identifiers = ResearcherIdentifier.objects.filter(researcher__root=researcher.root_id)
        context = {
            "title": NAME_SHOWN_INSTEAD if former.hide(researcher.display_name) else researcher.display_name,
            "researcher": researcher,
            "root": researcher.root,
            "members": [
                (one, NAME_SHOWN_INSTEAD if former.hide(one.display_name) else one.display_name)
                for one in members[:MOST_LISTED]
            ],
            "names": [name for name in dict.fromkeys(value for value, _ in names) if not former.hide(name)][
                :MOST_LISTED
            ],
            "hidden_count": len(former.keys),
            "identifiers": [
                (one, provenance_in_words(one.provenance)) for one in identifiers.order_by("scheme", "pk")[:MOST_LISTED]
            ],
            "papers": papers,
            "further": further,
            "events": events_of(researcher.root_id)[:MOST_LISTED],  # type: ignore[index]
            "items": Candidate.objects.filter(
                members__overlap=[researcher.root_id, *(one.pk for one in members)], state__in=("open", "snoozed")
            ).order_by("-score")[:MOST_LISTED],
            "key": uuid.uuid4().hex,
        }
        return self.page(request, "researcher/detail.html", context)

    @staticmethod
    def _papers(request: HttpRequest, researcher: Researcher) -> tuple[list[tuple[Attribution, str, str]], int | None]:
        """A page of what is shown under the root: the attribution, its paper's title, the printed name."""
        rows = Attribution.objects.of(researcher.root_id).select_related("paper", "authorship")
        before = sent.optional_number(request.GET.get("before", ""))
        if before is not None:
            rows = rows.filter(pk__lt=before)
        found = list(rows.defer("paper__abstract", "evidence").order_by("-pk")[: PAGE + 1])
        shown = [
            (
                one,
                plain(one.paper.title),
                as_curators_see(one.authorship),
            )
            for one in found[:PAGE]
        ]
        return shown, found[PAGE - 1].pk if len(found) > PAGE else None

    def with_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """To the preview of a merge with whom a curator named; the older of the two survives."""
        other = find_named(request.GET.get("other", ""))
        researcher = _find(number).root
        if other is None or other.pk == researcher.pk:
            messages.error(request, "Give the number, the address or the ORCID iD of another researcher.")
            return HttpResponseRedirect(reverse("admin:researchers_researcher_change", args=[number]))
        survivor, loser = sorted((researcher.pk, other.pk))
        query = urlencode([("survivor", survivor), ("member", survivor), ("member", loser)])
        return HttpResponseRedirect(f"{reverse('admin:researchers_researcher_merge')}?{query}")

    def hide_name_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Hide a former name from everything that is shown."""
        hide_former_name(
            researcher=number,
            name=request.POST.get("name", ""),
            actor=request.user,  # type: ignore[arg-type]
            reason=sent.reason(request),
            show_instead=sent.words(request, "show_instead"),
        )
        messages.success(request, "The name is hidden: it still matches what sources print, and is shown nowhere.")
        return self._back(number)

    def show_name_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Show a hidden name again. It is typed, since no page may offer it."""
        show_name_again(
            researcher=number,
            name=sent.words(request, "name"),
            actor=request.user,  # type: ignore[arg-type]
            reason=sent.reason(request),
        )
        messages.success(request, "The name is shown again, among their names and where sources print it.")
        return self._back(number)

    def settle_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Say whether an identifier belongs to this researcher."""
        identifier = sent.number(request.POST.get("identifier", ""))
        root = _find(number).root_id
        if ResearcherIdentifier.objects.filter(pk=identifier).exclude(researcher__root=root).exists():
            raise Http404  # it is somebody else's, whose page says so
        settle_identifier(
            identifier=identifier,
            trusted=sent.one_of(request, "answer", "theirs", "not-theirs") == "theirs",
            actor=request.user,  # type: ignore[arg-type]
            reason=sent.reason(request),
        )
        messages.success(request, "It is decided: no source changes it again.")
        return self._back(number)

    def authorship_view(self, request: HttpRequest, number: int, authorship: int) -> HttpResponse:
        """Say that one author of one paper is somebody, or is not this researcher."""
        researcher = _find(number)
        place = Authorship.objects.select_related("paper").filter(pk=authorship).first()
        if place is None:
            raise Http404
        if request.method == "POST":
            return self._decide(request, researcher, place)
        attribution = Attribution.objects.filter(authorship=place).select_related("root").first()
        context = {
            "title": "Whose is this paper?",
            "researcher": researcher,
            "place": place,
            "paper_title": plain(place.paper.title),
            "printed": as_curators_see(place),
            "attribution": attribution,
            "decisions": Decision.objects.filter(authorship=place).select_related("by").order_by("-pk")[:MOST_LISTED],
            "in_the_way": decisions_in_the_way(authorship=place.pk, actor=request.user),  # type: ignore[arg-type]
        }
        return self.page(request, "researcher/authorship.html", context)

    def _decide(self, request: HttpRequest, researcher: Researcher, place: Authorship) -> HttpResponse:
        reason, user = sent.reason(request), request.user
        answer = sent.one_of(request, "answer", "is", "is-not")
        if answer == "is-not":
            decide_is_not(authorship=place.pk, researcher=researcher.root_id, actor=user, reason=reason)  # type: ignore[arg-type]
            messages.success(request, "Decided: it is not theirs, whatever the sources say. It is attributed anew.")
        else:
            text = request.POST.get("other", "").strip()
            target = find_named(text or str(researcher.root_id))
            if target is None:
                raise NotMergeable(f"“{text[:80]}” is the number, address or ORCID iD of nobody here.")
            decide_is(authorship=place.pk, researcher=target.pk, actor=user, reason=reason)  # type: ignore[arg-type]
            messages.success(request, f"Decided: it is {target.display_name}, number {target.pk}.")
        return self._back(researcher.root_id)

    @staticmethod
    def _back(number: int) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:researchers_researcher_change", args=[number]))


def _find(number: int) -> Researcher:
    researcher = Researcher.objects.select_related("root").filter(pk=number).first()
    if researcher is None:
        raise Http404
    return researcher
