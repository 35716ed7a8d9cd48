"""Who is looking."""

from accounts.models.user import User

__all__ = ["User"]
