"""What the pages of a researcher show, read in a few statements whatever the number of their papers."""

from researchers.services.profile.affiliations import PrintedAffiliation, ShownAffiliations, read_affiliations
from researchers.services.profile.coauthors import (
    Coauthor,
    CoauthorPage,
    Companion,
    Company,
    read_coauthors,
    read_company,
)
from researchers.services.profile.doubts import DoubtfulPaper, doubtful_papers, strange_names
from researchers.services.profile.facts import Facts, ShownIdentifier, read_facts
from researchers.services.profile.summary import Bar, Summary, YearBar, read_summary
from researchers.services.profile.venues import Venue, VenuePage, read_venues

__all__ = [
    "Bar",
    "Coauthor",
    "CoauthorPage",
    "Companion",
    "Company",
    "DoubtfulPaper",
    "Facts",
    "PrintedAffiliation",
    "ShownAffiliations",
    "ShownIdentifier",
    "Summary",
    "Venue",
    "VenuePage",
    "YearBar",
    "doubtful_papers",
    "read_affiliations",
    "read_coauthors",
    "read_company",
    "read_facts",
    "read_summary",
    "read_venues",
    "strange_names",
]
