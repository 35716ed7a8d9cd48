"""The account of a reader, curator or member of staff."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Lower

from accounts.models.cadence import Cadence
from accounts.time_zones import check_time_zone


class UserManager(BaseUserManager["User"]):
    """Creates accounts by e-mail address."""

    use_in_migrations = True

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """In small letters, as every address here is kept: allauth looks for it so."""
        return (email or "").strip().lower()

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

    class Onboarding(models.TextChoices):
        """The page of the first questions on which a reader goes on."""

        FIELDS = "fields", "Fields"
        PEOPLE = "people", "People and places"
        CADENCE = "cadence", "How often"
        DONE = "done", "Answered or skipped"

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField("e-mail address", unique=True)
    display_name = models.CharField(max_length=150, blank=True)
    time_zone = models.CharField(
        max_length=64, default="UTC", validators=[check_time_zone], help_text="IANA name, for example Asia/Kathmandu."
    )
    onboarding = models.CharField(max_length=7, choices=Onboarding.choices, default=Onboarding.FIELDS)
    cadence = models.CharField(
        max_length=7,
        choices=Cadence.choices,
        default=Cadence.DAILY,
        help_text="Of follows that have none of their own.",
    )
    delivery_hour = models.PositiveSmallIntegerField(
        default=7, validators=[MaxValueValidator(23)], help_text="From 0 to 23, in the reader's time zone."
    )
    alerts_paused_at = models.DateTimeField(null=True, blank=True, help_text="Since when nothing is told at all.")
    mail_stopped_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when no mail with alerts is sent: at the reader's wish, or see below."
    )
    mail_refusal = models.TextField(blank=True, default="", help_text="What the mail server said to the address.")
    last_visit_at = models.DateTimeField(
        null=True, blank=True, help_text="Up to when the reader has seen what is new on their home."
    )

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()  # type: ignore[assignment, misc]

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_any_case"),
            models.CheckConstraint(condition=Q(delivery_hour__lte=23), name="user_delivery_hour"),
        ]

    def __str__(self) -> str:
        return self.display_name or self.email

    def get_full_name(self) -> str:
        """The name to show, or the address."""
        return str(self)

    def get_short_name(self) -> str:
        """The name to show, or the address."""
        return str(self)
