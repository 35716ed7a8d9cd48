"""Addresses of accounts: allauth's, but for what ``accounts.views`` does otherwise."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from accounts import views

urlpatterns: list[URLPattern | URLResolver] = [
    # As allauth writes it; the first one answers.
    re_path(r"^confirm-email/(?P<key>[-:\w]+)/$", views.confirm_email, name="account_confirm_email"),
    path("", include("allauth.urls")),
]
