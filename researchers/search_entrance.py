"""Researchers on the search page: ORCID iDs that lead straight to one."""

from __future__ import annotations

from researchers.services.finding import find_by_orcid
from wovepaper.lib import orcid
from wovepaper.search.entrances import Landing, register_jump


def register_search() -> None:
    """Called once the app is ready."""
    register_jump("researchers", find_researcher_landing)


def find_researcher_landing(text: str) -> Landing | None:
    """The researcher with a pasted ORCID iD, or the sentence that there is none."""
    normal = orcid.normalise(text)
    if normal is None:
        return None
    found = find_by_orcid(normal)
    if found is None:
        return Landing(remark="This looks like an ORCID iD, but nobody here has it.")
    return Landing(url=found.get_absolute_url())
