"""What stands in a mail: the notifications of one delivery, grouped by the first of their reasons."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.models import Delivery, Notification
from accounts.reasons import Reason, explain, what_happened
from accounts.unsubscribing import Unsubscription
from papers.listed import ListedPaper, read_listed
from papers.models import Paper

MOST_ITEMS = 200
"""Of one mail; it says how many more there are, and where."""


@dataclass(frozen=True, slots=True)
class Item:
    """A paper, what happened to it, and why the reader hears of it."""

    what: str
    paper: ListedPaper
    url: str
    reasons: list[Reason]

    @property
    def authors(self) -> str:
        """The first names on one line."""
        names = ", ".join(self.paper.author_names)
        more = self.paper.author_count - len(self.paper.author_names)
        return f"{names} and {more:,} more" if names and more > 0 else names


@dataclass(slots=True)
class Group:
    """Everything that one follow brought."""

    reason: Reason
    unsubscribe_url: str
    items: list[Item] = field(default_factory=list)


def write_mail(delivery: Delivery, *, address: str) -> EmailMultiAlternatives | None:
    """The mail, as text and as HTML, with the Message-ID that it has whenever it is sent.

    ``None`` where none of its papers has a page any more.
    """
    told = list(delivery.notifications.with_events().order_by("pk"))
    groups, shown, left = _grouped(told, delivery.user_id)
    if not shown:
        return None
    everything = Unsubscription(delivery.user_id).url
    total = shown + left
    context = {
        "groups": groups,
        "total": total,
        "left": left,
        "unsubscribe_url": everything,
        "inbox_url": settings.SITE_URL + reverse("alerts:inbox"),
        "follows_url": settings.SITE_URL + reverse("alerts:follows"),
    }
    mail = EmailMultiAlternatives(
        subject=_subject(groups, total),
        body=render_to_string("alerts/mail/digest.txt", context),
        to=[address],
        headers={
            "Message-ID": delivery.message_id,
            "List-Unsubscribe": f"<{everything}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
            "Precedence": "bulk",
        },
    )
    mail.attach_alternative(render_to_string("alerts/mail/digest.html", context), "text/html")
    return mail


def _subject(groups: list[Group], total: int) -> str:
    (first, *others) = [item for group in groups for item in group.items]
    if others:
        return f"{total:,} things new in what you follow"
    return f"{first.what} in what you follow"


def _grouped(told: list[Notification], user: int) -> tuple[list[Group], int, int]:
    """Groups in the order of their names, how many items are in them, and how many did not fit."""
    numbers = {one.shown_paper for one in told}
    papers = {paper.id: paper for paper in read_listed(Paper.objects.visible().filter(pk__in=numbers))}
    there = [one for one in told if one.shown_paper in papers]
    words = explain(there[:MOST_ITEMS])
    groups: dict[str, Group] = {}
    for one in there[:MOST_ITEMS]:
        paper = papers[one.shown_paper]
        reasons = [words[code] for code in one.reasons]
        url = settings.SITE_URL + paper.get_absolute_url()
        first = one.reasons[0]
        if first not in groups:
            groups[first] = Group(reasons[0], Unsubscription.of_reason(user, first).url)
        groups[first].items.append(Item(what_happened(one.event), paper, url, reasons))
    rest = len(there) - len(there[:MOST_ITEMS])
    return sorted(groups.values(), key=lambda group: group.reason.sentence), len(there) - rest, rest
