"""From a pasted number, address or identifier to a researcher."""

from __future__ import annotations

import re

from researchers.models import Researcher, ResearcherIdentifier
from wovepaper.lib import orcid

_ADDRESS = re.compile(r"(?:https?://[^/\s]+)?/?(?:researchers/)?#?(\d{1,18})(?:-[^/?#\s]*)?(?:[/?#].*)?", re.ASCII)


def find_by_orcid(normal: str) -> Researcher | None:
    """The root of whose ORCID iD this is beyond doubt; ``normal`` is as ``wovepaper.lib.orcid.normalise`` gives it."""
    # From the identifier, of which there is one at most, to its root: never along all researchers in search of one.
    trusted = (
        ResearcherIdentifier.objects.filter(scheme="orcid", value=normal, state=ResearcherIdentifier.State.TRUSTED)
        .select_related("researcher__root")
        .first()
    )
    root = trusted.researcher.root if trusted else None
    return root if isinstance(root, Researcher) and root.erased_at is None else None


def find_by_number(number: int) -> Researcher | None:
    """The root that a number leads to today; erased people are nobody."""
    return Researcher.objects.roots().filter(members=number).first()


def find_named(text: str) -> Researcher | None:
    """The root named by a number, the address of a researcher's page, or an ORCID iD, as a reader pastes them."""
    text = text.strip()
    if normal := orcid.normalise(text):
        return find_by_orcid(normal)
    match = _ADDRESS.fullmatch(text)
    return find_by_number(int(match[1])) if match else None
