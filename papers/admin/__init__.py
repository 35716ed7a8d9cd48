"""Papers in the admin: found, looked through beside what the sources said, and pinned."""

from papers.admin.category import CategoryAdmin
from papers.admin.paper import PaperAdmin

__all__ = ["CategoryAdmin", "PaperAdmin"]
