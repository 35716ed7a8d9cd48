"""Papers in the admin: found, looked through beside what the sources said, pinned, merged and split."""

from papers.admin.category import CategoryAdmin
from papers.admin.clashes import IdentifierClashAdmin
from papers.admin.history import PaperAssertionAdmin, PaperMergeEventAdmin
from papers.admin.paper import PaperAdmin
from papers.admin.queue import PaperCandidateAdmin

__all__ = [
    "CategoryAdmin",
    "IdentifierClashAdmin",
    "PaperAdmin",
    "PaperAssertionAdmin",
    "PaperCandidateAdmin",
    "PaperMergeEventAdmin",
]
