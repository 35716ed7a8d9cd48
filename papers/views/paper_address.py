"""The paper that an address names, or a 404 that says what to try."""

from __future__ import annotations

from django.http import Http404

from papers.addresses import PaperAddress, find_paper, parse_address
from papers.models import Paper


def parse_or_404(address: str) -> PaperAddress:
    """Take an address apart. Raises ``Http404`` where it cannot be a paper's."""
    parsed = parse_address(address)
    if parsed is None:
        raise Http404(
            "A paper’s address begins with its arXiv id, such as /papers/2311.01234, or with its number here."
        )
    return parsed


def find_or_404(parsed: PaperAddress) -> Paper:
    """The paper it leads to today. Raises ``Http404``."""
    found = find_paper(parsed.reference)
    if found is None:
        raise Http404("No paper here has this number. It may be mistyped, or not harvested yet.")
    return found
