"""A curator at a desk: items of the queue, and what the forms of the pages would send."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import User
from researchers.merging import ADAPTER
from researchers.models import Candidate, Researcher
from tests.researchers.people import arrive, curator, paper, place, researcher, versions
from wovepaper.curation.services import CandidateDraft, file_candidates


class Desk:
    """A browser in which a curator is signed in."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.client = Client()
        self.client.force_login(user)

    def get(self, name: str, /, *args: object, status: int = 200, **query: object) -> str:
        answer = self.client.get(reverse(f"admin:researchers_{name}", args=args), query)
        assert answer.status_code == status, answer.content[:2000]
        return answer.content.decode()

    def post(self, name: str, /, *args: object, **data: object) -> HttpResponse:
        return self.client.post(reverse(f"admin:researchers_{name}", args=args), data)

    def decide(self, item: Candidate, action: str, *people: Researcher, **data: object) -> HttpResponse:
        """Press a button of the comparison."""
        shown = data.pop("versions", None) or versions(*people)
        return self.post(
            "candidate_decide",
            item.pk,
            candidate=item.pk,
            action=action,
            member=[one.pk for one in people],
            version=[f"{number}:{version}" for number, version in shown.items()],
            **{"reason": "two faces", **data},
        )

    def merge(self, survivor: Researcher, *losers: Researcher, item: Candidate | None = None, **data: object):
        """Confirm a preview."""
        people = (survivor, *losers)
        shown = data.pop("versions", None) or versions(*people)
        return self.post(
            "researcher_merge",
            candidate=item.pk if item else "",
            survivor=survivor.pk,
            member=[one.pk for one in people],
            version=[f"{number}:{version}" for number, version in shown.items()],
            **{"reason": "one face", "key": key(), **data},
        )

    def undo(self, **data: object) -> HttpResponse:
        """Press the button of the banner on the page that comes next."""
        act = re.search(r'name="act"\s+value="([^"]*)"', self.get("candidate_changelist"))
        return self.post("candidate_undo", **{"act": act[1] if act else "", "key": key(), **data})


def key() -> str:
    return uuid.uuid4().hex


def item_of(*people: Researcher, score: float = 0.8, kind: str = "pair", **fields: object) -> Candidate:
    """An item of the queue about these."""
    draft = CandidateDraft(members=tuple(one.pk for one in people), kind=kind, score=score, **fields)
    file_candidates(ADAPTER, [draft])
    return Candidate.objects.get(key=draft.identity)


def pair(name: str = "Ada Weaver", **fields: object) -> tuple[Researcher, Researcher, Candidate]:
    """Two researchers with one paper each, and their item."""
    one, other = researcher(name), researcher(name)
    arrive(one)
    arrive(other)
    return one, other, item_of(one, other, **fields)


def together(*people: Researcher) -> object:
    """A paper on which these stand."""
    made = paper(*(one.display_name for one in people))
    for position, one in enumerate(people, start=1):
        arrive(one, place(made, position))
    return made


def states(items: Iterable[Candidate]) -> list[str]:
    found = dict(Candidate.objects.values_list("pk", "state"))
    return [found[item.pk] for item in items]


@pytest.fixture
def desk(db: None) -> Desk:
    return Desk(curator("someone"))


@pytest.fixture
def other_desk(db: None) -> Desk:
    return Desk(curator("another"))
