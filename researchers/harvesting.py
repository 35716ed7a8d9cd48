"""What sources say of authors rather than papers: wired here, in one place."""

from __future__ import annotations

from django.conf import settings

from papers.harvesting import take_also
from papers.sources.openalex.author_source import OpenAlexAuthors
from papers.sources.profiles import AuthorProfile, MergedAuthor
from papers.sources.semantic_scholar import SemanticScholarAuthors
from researchers.enriching import AuthorSubjects
from researchers.services.source_authors import take_merged, take_profiles
from wovepaper.harvest import registry
from wovepaper.harvest.sorting import SortingSink


def register_profiles() -> None:
    """Called once all apps are loaded. Profiles come in with the files of papers too."""
    take_also(AuthorProfile, take_profiles)
    take_also(MergedAuthor, take_merged)
    sink = SortingSink({AuthorProfile: take_profiles, MergedAuthor: take_merged})
    registry.register(
        OpenAlexAuthors(
            lambda: settings.OPENALEX_API_URL,
            key=lambda: settings.OPENALEX_API_KEY,
            daily_requests=lambda: settings.OPENALEX_DAILY_REQUESTS or None,
        ),
        sink=sink,
        subjects=AuthorSubjects("openalex"),
    )
    registry.register(
        SemanticScholarAuthors(lambda: settings.S2_API_URL, key=lambda: settings.S2_API_KEY),
        sink=sink,
        subjects=AuthorSubjects("semantic-scholar"),
    )
