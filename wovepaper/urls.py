"""Every address of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from wovepaper.api import api_patterns, site_patterns

# One way to sign in for everybody: with its limits on guessing, which the admin's own form does not have.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("", include("accounts.alert_urls")),
    path("", include("researchers.urls")),
    path("", include("papers.institutions.urls")),
    path("", include("papers.urls")),
    path("api/v1/", include((api_patterns, "api"))),
    path("", include((site_patterns, "machines"))),
    path("", include("wovepaper.pages.urls")),
]

handler400 = "wovepaper.pages.errors.bad_request"
handler403 = "wovepaper.pages.errors.permission_denied"
handler404 = "wovepaper.pages.errors.page_not_found"
handler429 = "wovepaper.pages.errors.too_many_requests"
handler500 = "wovepaper.pages.errors.server_error"
