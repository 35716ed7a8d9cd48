"""Readers who follow something, and papers to which something happens today."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from accounts.models import Follow, Notification, User
from accounts.services.follows import Target, follow
from accounts.services.notifications import notify_of_papers
from papers.models import Paper, PaperVersion
from tests.factories import ListingFactory, PaperFactory

KINDS = {"Researcher": "researcher", "Institution": "institution", "Category": "category", "Paper": "paper"}


def today() -> dt.date:
    return timezone.now().date()


def days_ago(days: int) -> dt.date:
    return today() - dt.timedelta(days=days)


def followed(user: User, thing: object, **fields: object) -> Follow:
    """Follow it, as of a month ago."""
    made = follow(user=user, target=Target.read(KINDS.get(type(thing).__name__, "saved_search"), thing.pk))
    Follow.objects.filter(pk=made.pk).update(**{"created_at": timezone.now() - dt.timedelta(days=30), **fields})
    return Follow.objects.get(pk=made.pk)


def new_paper(**fields: object) -> Paper:
    """Announced today, unless told otherwise."""
    made = PaperFactory(**{"announced_on": today(), **fields})
    if made.announced_on and made.primary_category:
        ListingFactory(paper=made, category=made.primary_category, day=made.announced_on)
    return made


def revise(paper: Paper, number: int = 2, *, day: dt.date | None = None, withdrawn: bool = False) -> None:
    at = dt.datetime.combine(day or today(), dt.time(0), dt.UTC)
    PaperVersion.objects.create(paper=paper, number=number, submitted_at=at, withdrawn=withdrawn)


def notify(*papers: Paper, quiet: bool = False) -> int:
    numbers = [paper.pk for paper in papers]
    return notify_of_papers(papers=numbers, quiet=frozenset(numbers if quiet else ()))


def told(user: User) -> list[tuple[int, str, list[str]]]:
    """Paper, what happened, and why, oldest first."""
    rows = Notification.objects.of(user.pk).select_related("event").order_by("pk")
    return [
        (one.paper_id, one.event.kind + (f" {one.event.detail}" if one.event.detail else ""), one.reasons)
        for one in rows
    ]
