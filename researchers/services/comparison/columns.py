"""Two to four researchers side by side, as readers see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papers.models import Paper
from papers.sources.arxiv import taxonomy
from researchers.models import Researcher, ResearcherIdentifier
from researchers.services.comparison.affiliations import DatedAffiliation, affiliations_of
from researchers.services.comparison.co_authors import SharedCoAuthor, shared_co_authors
from researchers.services.comparison.names import shown_names
from researchers.services.comparison.papers import latest_papers
from researchers.services.comparison.venues import SharedVenue, shared_venues
from researchers.services.comparison.years import YearCount, on_one_scale, papers_by_year
from wovepaper.lib import orcid

MOST_COMPARED = 4
MOST_SHARED = 30
MOST_NAMES = 20
MOST_AFFILIATIONS = 12
RECENT_PAPERS = 5
MOST_FIELDS = 8


@dataclass(frozen=True, slots=True)
class Column:
    """One of those compared."""

    researcher: Researcher
    names: list[str]
    orcids: list[str]
    affiliations: tuple[DatedAffiliation, ...]
    fields: list[str]
    """Names of arXiv's categories, or the code of one that has no name here; the most frequent first."""
    years: list[YearCount]
    papers: list[Paper]

    @property
    def orcid_addresses(self) -> list[tuple[str, str]]:
        """Each ORCID with its address, or an empty one where it is invented."""
        return [(value, orcid.address(value)) for value in self.orcids]

    @property
    def years_in_words(self) -> str:
        """``2019: 2, 2021: 1``: the strip for who does not see it."""
        return ", ".join(f"{one.year}: {one.papers}" for one in self.years if one.papers)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The columns in the order asked for, and what they share."""

    columns: list[Column]
    co_authors: tuple[SharedCoAuthor, ...]
    venues: tuple[SharedVenue, ...]


def compare(roots: Sequence[Researcher]) -> Comparison:
    """Put two to four roots side by side, in eight queries. Hidden names are left out."""
    ids = [one.pk for one in roots]
    names = shown_names(roots)
    orcids: dict[int, list[str]] = {one: [] for one in ids}
    trusted = ResearcherIdentifier.objects.filter(researcher__root__in=ids, scheme="orcid", state="trusted")
    for root, value in trusted.order_by("value").values_list("researcher__root", "value"):
        orcids[root].append(value)
    affiliations = affiliations_of(ids, first="latest", most=MOST_AFFILIATIONS)
    years = on_one_scale(papers_by_year(ids))
    papers = latest_papers(ids, most=RECENT_PAPERS)
    columns = [
        Column(
            researcher=one,
            names=names[one.pk][:MOST_NAMES],
            orcids=orcids[one.pk],
            affiliations=affiliations[one.pk].shown,
            fields=_names_of(one.categories[:MOST_FIELDS]),
            years=years[one.pk],
            papers=papers[one.pk],
        )
        for one in roots
    ]
    return Comparison(columns, shared_co_authors(ids, most=MOST_SHARED).shown, shared_venues(ids, most=MOST_SHARED))


def _names_of(codes: Sequence[str]) -> list[str]:
    """Each category's name, with its code where another has the same: cs.LG and stat.ML are both Machine Learning."""
    known = taxonomy.load()
    names = [known[code].name if code in known else code for code in codes]
    return [f"{name} ({code})" if names.count(name) > 1 else name for name, code in zip(names, codes, strict=True)]
