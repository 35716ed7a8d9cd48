"""Accounts in the admin: to make, to change, to put to sleep, to delete."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.mfa.admin import Authenticator
from allauth.socialaccount.admin import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.admin import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User
from accounts.services.deletion import delete_account

# With what readers sign in, and from where, is nobody's business but theirs; what other sites this one is known to is
# configured, not stored.
admin.site.unregister([Authenticator, SocialAccount, SocialApp, SocialToken, UserSession])


@admin.register(User)
class UserAdmin(DjangoUserAdmin):  # type: ignore[type-arg]
    """Django's own, for accounts that are known by their address. Needs the permissions on accounts.

    Whoever may change accounts can give rights: hand that permission to none but those who may do everything.
    """

    list_display = ("email", "display_name", "is_staff", "is_superuser", "is_active", "last_login")
    list_filter = ("is_staff", "is_superuser", "is_active", "groups")
    search_fields = ("email", "display_name")
    ordering = ("email",)
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (
            "Reader",
            {"fields": ("display_name", "time_zone", "cadence", "delivery_hour", "alerts_paused_at", "onboarding")},
        ),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),)

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """As readers delete their own."""
        delete_account(user=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Each as readers delete their own."""
        for user in queryset:
            delete_account(user=user)

    def get_deleted_objects(
        self, objs: Iterable[User], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """What goes with an account: all that is only theirs, also where nobody may delete it row by row."""
        deleted, counts, _, protected = super().get_deleted_objects(objs, request)  # type: ignore[arg-type]
        return deleted, counts, set(), protected
