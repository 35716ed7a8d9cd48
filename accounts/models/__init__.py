"""Who is looking, and what they want to hear of."""

from accounts.models.alert import Delivery, Notification, PaperEvent
from accounts.models.cadence import Cadence
from accounts.models.follow import TARGETS, Follow
from accounts.models.saved_search import SavedSearch
from accounts.models.user import User

__all__ = ["TARGETS", "Cadence", "Delivery", "Follow", "Notification", "PaperEvent", "SavedSearch", "User"]
