"""Searches that readers keep."""

from __future__ import annotations

from urllib.parse import parse_qs

from django.db import transaction

from accounts.models import SavedSearch, User
from accounts.searches import key_of, normalise_query
from accounts.services.errors import SearchRefused

MOST_SEARCHES = 200
"""Of one account: each of them is asked of every new paper."""


@transaction.atomic
def save_search(*, user: User, query: str, name: str = "") -> SavedSearch:
    """Keep a search, given as what stands after the question mark of its address.

    The same search, however it is written, is kept once: a name given later replaces the earlier. Without one it is
    called by its words. Raises ``SearchRefused``.
    """
    normalised = normalise_query(query)
    if not normalised:
        raise SearchRefused("This search asks nothing: give it a word or a filter first.")
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    mine = SavedSearch.objects.of(user.pk)
    called = " ".join(name.replace("\0", "").split())[:120]
    known = mine.filter(key=key_of(normalised)).first()
    if known is not None:
        if called and called != known.name:
            known.name = called
            known.save(update_fields=["name"])
        return known
    if mine.count() >= MOST_SEARCHES:
        raise SearchRefused(f"One account keeps at most {MOST_SEARCHES} searches. Remove one first.")
    return SavedSearch.objects.create(
        user_id=user.pk, name=called or _called_by_itself(normalised), query=normalised, key=key_of(normalised)
    )


@transaction.atomic
def remove_search(*, user: User, search: int) -> bool:
    """Forget a search of this reader and cease to follow it; whether there was one."""
    return bool(SavedSearch.objects.of(user.pk).filter(pk=search).delete()[0])


def _called_by_itself(query: str) -> str:
    """``loom shuttles · article``: the words first, then the filters."""
    given = {name: values[0] for name, values in parse_qs(query).items()}
    words = [given.pop("q")] if "q" in given else []
    return " · ".join([*words, *given.values()])[:120]
