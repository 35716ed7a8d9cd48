"""The papers of a person, with their place on each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F, QuerySet

from papers.keyset import KeysetPage, Place, read_page
from papers.listed import AUTHORS_ON_A_CARD
from papers.models import Paper
from papers.querysets import PaperQuerySet
from researchers.services.profile.facts import Facts

MOST_CITED = 3


@dataclass(frozen=True, slots=True)
class Work:
    """A paper with the person's place in its author list, in words, and the name it prints where that differs."""

    paper: Paper
    authorship: int
    role: str
    printed: str = ""
    is_doubtful: bool = False
    """Whether the printed name is no variant of those the person goes by."""


def papers_of(root: int) -> PaperQuerySet:
    """Papers shown under a root."""
    return Paper.objects.visible().filter(attributions__root=root)


def read_works(papers: PaperQuerySet, *, place: Place, sort: str) -> KeysetPage[Paper]:
    """One page of ``papers_of``, in one statement. ``sort`` is newest, oldest or cited."""
    key_field = "citation_order" if sort == "cited" else "sort_date"
    return read_page(_for_cards(papers), place=place, key_field=key_field, descending=sort != "oldest")


def read_most_cited(root: int) -> list[Paper]:
    """The papers of a root with the highest citation counts, in one statement; those never cited are left out."""
    papers = papers_of(root).filter(citation_count__gt=0)
    return list(_for_cards(papers).order_by("-citation_count", "-sort_date", "-id")[:MOST_CITED])


def with_roles(papers: Iterable[Paper], *, shown: str, facts: Facts, strange: frozenset[str]) -> list[Work]:
    """The papers as they are listed under the name ``shown``; former ones are not repeated."""
    works = []
    for paper in papers:
        printed: str = paper.printed_name  # type: ignore[attr-defined]
        differs = printed.casefold() != shown.casefold() and not facts.hides(printed)
        works.append(
            Work(
                paper,
                paper.authorship_number,  # type: ignore[attr-defined]
                role_in_words(paper.author_position, paper.author_count),  # type: ignore[attr-defined]
                printed if differs else "",
                printed in strange,
            )
        )
    return works


def role_in_words(position: int, authors: int) -> str:
    """``First of 5 authors``; empty where the author list is not whole."""
    if position > authors:
        return ""
    if authors == 1:
        return "Only author"
    if position == 1:
        return f"First of {authors:,} authors"
    return f"Last of {authors:,} authors" if position == authors else f"Author {position:,} of {authors:,}"


def _for_cards(papers: PaperQuerySet) -> QuerySet[Paper]:
    return papers.for_list(AUTHORS_ON_A_CARD).annotate(
        authorship_number=F("attributions__authorship_id"),
        author_position=F("attributions__authorship__position"),
        printed_name=F("attributions__authorship__name"),
    )
