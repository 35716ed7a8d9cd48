"""Splitting a paper: choose which source records are another's."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from papers.addresses import find_paper, find_pasted
from papers.admin.screens import PaperCurationAdmin, remember
from papers.curating import split_paper, versions_of
from papers.disagreement import said_by
from papers.models import Paper, SourceRecord
from papers.querysets import hidden_names
from wovepaper.curation import sent
from wovepaper.curation.screens import READ, WRITE
from wovepaper.curation.services import Action, NotMergeable
from wovepaper.lib.markup import plain

MOST_RECORDS = 60
LONGEST_NUMBER = 18
SPLIT_PHRASES = ("Another work", "An erratum of it", "Another part of the series")


class SplittingViews(PaperCurationAdmin):
    """Part of ``PaperCandidateAdmin``."""

    def splitting_urls(self) -> list[URLPattern]:
        """``…/split/<paper>/``: GET shows the records, POST moves those that are picked."""
        view = self.screen(self.split_view, methods=(*READ, *WRITE), needs=Action.SPLIT)
        return [path("split/<int:number>/", view, name="papers_papercandidate_split")]

    def split_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """The records, and the move of those that are picked."""
        paper = Paper.objects.filter(pk=number, redirect_to=None).first()
        if paper is None:
            raise Http404
        if request.method == "POST":
            return self._split(request, paper)
        records = list(paper.source_records.order_by("source", "format", "external_id")[:MOST_RECORDS])
        names_hidden = bool(hidden_names(paper.pk))
        context = {
            "title": "Split by records",
            "paper": paper,
            "plain_title": plain(paper.title),
            "records": [
                (
                    record,
                    plain(said_by(record, "title")) or "can no longer be read",
                    "" if names_hidden else said_by(record, "authors"),
                    said_by(record, "published_on"),
                    said_by(record, "doi"),
                    said_by(record, "arxiv_id"),
                )
                for record in records
            ],
            "versions": versions_of([paper.pk]).items(),
            "phrases": SPLIT_PHRASES,
            "key": uuid.uuid4().hex,
        }
        return self.page(request, "split.html", context)

    def _split(self, request: HttpRequest, paper: Paper) -> HttpResponse:
        records = sent.numbers(request.POST.getlist("record"), most=MOST_RECORDS)
        versions = sent.versions(request)
        target = self._target(request)
        if target is not None:
            versions |= versions_of([target])
        actor: Any = request.user
        outcome = split_paper(
            paper=paper.pk,
            records=records,
            actor=actor,
            reason=sent.reason(request),
            versions=versions,
            key=sent.key(request),
            target=target,
        )
        went = SourceRecord.objects.filter(pk__in=records).count()
        where = outcome.event.survivor_id
        text = f"{went} record{'' if went == 1 else 's'} of paper {paper.pk} went to paper {where}."
        remember(request, "events", [outcome.event.pk], candidate=None, text=text)
        messages.success(request, f"{text} They stay there, whatever is harvested.")
        return HttpResponseRedirect(reverse("admin:papers_papermergeevent_change", args=[outcome.event.pk]))

    @staticmethod
    def _target(request: HttpRequest) -> int | None:
        match sent.one_of(request, "target", "new", "other"):
            case "new":
                return None
        text = sent.words(request, "other")
        if not text:
            raise BadRequest("Say which paper the records belong to.")
        is_number = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
        found = find_paper(text) if is_number else find_pasted(text)
        if found is None:
            raise NotMergeable(f"There is no paper {text[:60]!r} here.")
        return found.pk
