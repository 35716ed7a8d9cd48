"""From a pasted number, address or identifier to a researcher."""

from __future__ import annotations

import re

from researchers.models import Researcher, ResearcherIdentifier
from wovepaper.lib import orcid

_ADDRESS = re.compile(r"(?:https?://[^/\s]+)?/?(?:researchers/)?#?(\d{1,18})(?:-[^/?#\s]*)?(?:[/?#].*)?", re.ASCII)


def find_by_orcid(normal: str) -> Researcher | None:
    """The root of whose ORCID iD this is beyond doubt; ``normal`` is as ``wovepaper.lib.orcid.normalise`` gives it."""
    identifier = (
        ResearcherIdentifier.objects.select_related("researcher__root")
        .filter(scheme="orcid", value=normal, state=ResearcherIdentifier.State.TRUSTED)
        .first()
    )
    return _shown(identifier.researcher.root) if identifier else None


def find_by_number(number: int) -> Researcher | None:
    """The root that a number leads to today; erased people are nobody."""
    found = Researcher.objects.select_related("root").filter(pk=number).first()
    return _shown(found.root) if found else None


def find_named(text: str) -> Researcher | None:
    """The root named by a number, the address of a researcher's page, or an ORCID iD, as a reader pastes them."""
    text = text.strip()
    if normal := orcid.normalise(text):
        return find_by_orcid(normal)
    match = _ADDRESS.fullmatch(text)
    return find_by_number(int(match[1])) if match else None


def _shown(root: Researcher) -> Researcher | None:
    return root if root.erased_at is None else None
