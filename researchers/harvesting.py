"""What sources say of authors rather than papers: wired here, in one place."""

from __future__ import annotations

from papers.harvesting import take_also
from papers.sources.profiles import AuthorProfile, MergedAuthor
from researchers.services.source_authors import take_merged, take_profiles


def register_profiles() -> None:
    """Called once all apps are loaded."""
    take_also(AuthorProfile, take_profiles)
    take_also(MergedAuthor, take_merged)
