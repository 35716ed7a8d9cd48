"""Who we think wrote what, and what people decided about it."""

from researchers.models.attribution import Attribution
from researchers.models.curation import Assertion, Candidate, MergeEvent, MergeProposal, OldSlug
from researchers.models.decision import Decision
from researchers.models.researcher import Researcher, ResearcherIdentifier, ResearcherMetric, ResearcherName

__all__ = [
    "Assertion",
    "Attribution",
    "Candidate",
    "Decision",
    "MergeEvent",
    "MergeProposal",
    "OldSlug",
    "Researcher",
    "ResearcherIdentifier",
    "ResearcherMetric",
    "ResearcherName",
]
