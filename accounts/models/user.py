"""The account of a reader, curator or member of staff."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.db import models, transaction
from django.db.models.functions import Lower


class UserManager(BaseUserManager["User"]):
    """Creates accounts by e-mail address."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create an account. Raises ``ValueError`` without an address."""
        if not email:
            raise ValueError("An account needs an e-mail address.")
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    @transaction.atomic
    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create an account that may do everything. Its address counts as confirmed, since whoever makes such an
        account runs the site: sign-in works before any mail does."""
        from allauth.account.models import EmailAddress  # needs the model of this module to be there

        user = self.create_user(email, password, **{**fields, "is_staff": True, "is_superuser": True})
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        """Sign-in ignores the case of the address."""
        return self.get(email__iexact=username)


class User(AbstractUser):
    """An account, known by its e-mail address."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField("e-mail address", unique=True)
    display_name = models.CharField(max_length=150, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC", help_text="IANA name, for example Asia/Kathmandu.")

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()  # type: ignore[assignment, misc]

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_any_case")]

    def __str__(self) -> str:
        return self.display_name or self.email

    def get_full_name(self) -> str:
        """The name to show, or the address."""
        return str(self)

    def get_short_name(self) -> str:
        """The name to show, or the address."""
        return str(self)
