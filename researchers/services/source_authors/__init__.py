"""Profiles that sources keep of authors: taken in, and what follows from them for researchers."""

from researchers.services.source_authors.intake import take_merged, take_profiles
from researchers.services.source_authors.settling import settle_profiles

__all__ = ["settle_profiles", "take_merged", "take_profiles"]
