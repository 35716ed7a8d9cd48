"""Who is looking, and what they want to hear of."""

from accounts.models.cadence import Cadence
from accounts.models.follow import TARGETS, Follow
from accounts.models.saved_search import SavedSearch
from accounts.models.user import User

__all__ = ["TARGETS", "Cadence", "Follow", "SavedSearch", "User"]
