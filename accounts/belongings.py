"""What is a reader's: what an export holds and a deletion removes.

Every foreign key to an account, or to something listed here, whose rows go with it stands in ``BELONGINGS``; a test
holds that against the models. Whoever adds a model with a reader in it adds a line.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.apps import apps
from django.db import models
from django.db.models import ForeignObjectRel, Model, QuerySet

from accounts.models import User


@dataclass(frozen=True, slots=True)
class Belonging:
    """Rows of one table that are a reader's alone and go with the account."""

    name: str
    """What the export calls them."""
    label: str
    """The model, as ``app.Model``."""
    path: str = "user"
    """From the row to the account, as queries write it."""
    kept_back: tuple[str, ...] = ()
    """Columns that no export shows: what signs the reader in."""
    also: tuple[str, ...] = ()
    """Columns of other tables that say what a number stands for."""

    @property
    def model(self) -> type[Model]:
        """The model itself."""
        return apps.get_model(self.label)

    def rows(self, user_id: int) -> QuerySet[Model]:
        """Those of one reader, oldest first."""
        return self.model._default_manager.filter(**{self.path: user_id}).order_by("pk")

    def columns(self) -> list[str]:
        """What the export shows of each, its number first."""
        to_the_reader = self.path.split("__")[0]
        own = [field.name for field in self.model._meta.concrete_fields]
        return [name for name in own if name != to_the_reader and name not in self.kept_back] + list(self.also)


BELONGINGS: tuple[Belonging, ...] = (
    Belonging("email_addresses", "account.EmailAddress"),
    Belonging("pending_email_confirmations", "account.EmailConfirmation", "email_address__user", kept_back=("key",)),
    Belonging("accounts_elsewhere", "socialaccount.SocialAccount"),
    Belonging("tokens_elsewhere", "socialaccount.SocialToken", "account__user", kept_back=("token", "token_secret")),
    Belonging("second_factors", "mfa.Authenticator", kept_back=("data",)),
    Belonging("sessions", "usersessions.UserSession", kept_back=("session_key",)),
    Belonging("saved_searches", "accounts.SavedSearch", kept_back=("key",)),
    Belonging(
        "follows",
        "accounts.Follow",
        also=("researcher__display_name", "institution__display_name", "paper__title", "saved_search__name"),
    ),
    Belonging("notifications", "accounts.Notification", also=("paper__title", "event__kind", "event__detail")),
    Belonging("mail", "accounts.Delivery"),
    Belonging("votes_on_researchers", "researchers.SamePersonVote", also=("a__display_name", "b__display_name")),
    Belonging(
        "objections_to_attributions",
        "researchers.Contest",
        # The name that was printed may be a former one that nobody shall read; what is shown in its place stands here.
        kept_back=("handled_by", "handled_at", "printed_name"),
        also=("authorship__name",),
    ),
)


@dataclass(frozen=True, slots=True)
class Act:
    """A column that says who of the staff did something. The row stays, for it binds others; who did it goes."""

    label: str
    column: str

    @property
    def model(self) -> type[Model]:
        """The model itself."""
        return apps.get_model(self.label)


def acts() -> list[Act]:
    """Every column of an account that is emptied when the account goes, in order of their names."""
    emptied = [
        Act(relation.related_model._meta.label, relation.field.name)
        for relation in User._meta.get_fields(include_hidden=True)
        if isinstance(relation, ForeignObjectRel) and relation.on_delete is models.SET_NULL
    ]
    return sorted(emptied, key=lambda act: (act.label, act.column))


MARKED = ("admin.LogEntry.user",)
"""Columns that cannot be empty: they get an account that nobody has (``accounts.services.deletion``)."""
