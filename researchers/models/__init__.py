"""Who we think wrote what, and what people decided about it."""

from researchers.models.attributed import AttributedPaper, NameBlock, PopulationPart
from researchers.models.attribution import Attribution
from researchers.models.contest import Contest
from researchers.models.curation import Assertion, Candidate, MergeEvent, MergeProposal, OldSlug
from researchers.models.decision import Decision
from researchers.models.profile import SourceAuthor
from researchers.models.researcher import Researcher, ResearcherIdentifier, ResearcherMetric, ResearcherName
from researchers.models.vote import SamePersonVote

__all__ = [
    "Assertion",
    "AttributedPaper",
    "Attribution",
    "Candidate",
    "Contest",
    "Decision",
    "MergeEvent",
    "MergeProposal",
    "NameBlock",
    "OldSlug",
    "PopulationPart",
    "Researcher",
    "ResearcherIdentifier",
    "ResearcherMetric",
    "ResearcherName",
    "SamePersonVote",
    "SourceAuthor",
]
