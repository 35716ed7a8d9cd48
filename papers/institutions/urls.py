"""Addresses of institutions."""

from django.urls import URLPattern, URLResolver, path

from papers.institutions import views

app_name = "institutions"

urlpatterns: list[URLPattern | URLResolver] = [
    path("institutions", views.institution_list, name="institution_list"),
    path("institutions/<path:address>", views.institution, name="institution"),
]
