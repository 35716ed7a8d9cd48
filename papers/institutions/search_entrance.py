"""Institutions on the search page: ROR ids that lead straight to one, and the tab of institutions."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse

from institutions.models import Institution
from institutions.services.finding import find_by_address, search_by_name
from papers.counts import count_rows
from wovepaper.lib import ror
from wovepaper.search.entrances import Landing, Tab, register_jump, register_tab

TAB = "institutions"


def register_search() -> None:
    """Called once all apps are loaded."""
    register_jump(TAB, find_institution_landing)
    register_tab(Tab(name=TAB, label="Institutions", address=search_address, count=count_institutions, rank=3))


def find_institution_landing(text: str) -> Landing | None:
    """The institution with a pasted ROR id, or the sentence that there is none."""
    ror_id = ror.normalise(text)
    if ror_id is None:
        return None
    found = find_by_address(ror_id).institution
    if found is None:
        return Landing(remark="This looks like a ROR id, but no institution here has it.")
    return Landing(url=found.get_absolute_url())


def search_address(text: str) -> str:
    """The search for institutions with this text."""
    return f"{reverse('institutions:institution_list')}?{urlencode({'q': text})}"


def count_institutions(text: str) -> int:
    """How many institutions have a name with these words."""
    return count_rows(search_by_name(Institution.objects.visible(), text)).number
