"""Addresses of researchers. Those that begin with a number are a researcher's own; the order is free."""

from django.urls import URLPattern, URLResolver, re_path

from researchers.views import researcher as researcher_page

app_name = "researchers"

urlpatterns: list[URLPattern | URLResolver] = [
    re_path(r"^researchers/(?P<address>\d[^/]*)$", researcher_page.researcher, name="researcher"),
]
