"""Researchers on the search page: ORCID iDs that lead straight to one, and the tab of researchers."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse

from researchers.searching import count_researchers
from researchers.services.finding import find_by_orcid
from wovepaper.lib import orcid
from wovepaper.search.entrances import Landing, Tab, register_jump, register_tab

TAB = "researchers"


def register_search() -> None:
    """Called once the app is ready."""
    register_jump("researchers", find_researcher_landing)
    register_tab(Tab(name=TAB, label="Researchers", address=search_address, count=count_researchers, rank=2))


def search_address(text: str) -> str:
    """The search for researchers with this text."""
    return f"{reverse('researchers:researcher_list')}?{urlencode({'q': text})}"


def find_researcher_landing(text: str) -> Landing | None:
    """The researcher with a pasted ORCID iD, or the sentence that there is none."""
    normal = orcid.normalise(text)
    if normal is None:
        return None
    found = find_by_orcid(normal)
    if found is None:
        return Landing(remark="This looks like an ORCID iD, but nobody here has it.")
    return Landing(url=found.get_absolute_url())
