"""Addresses of researchers. Those that begin with a number are a researcher's own; the order is free."""

from django.urls import URLPattern, URLResolver, path, re_path

from researchers.views import orcid, researcher_list, votes
from researchers.views import researcher as researcher_page

app_name = "researchers"

urlpatterns: list[URLPattern | URLResolver] = [
    path("researchers", researcher_list.researcher_list, name="researcher_list"),
    path("researchers/votes", votes.vote, name="vote"),
    path("researchers/orcid/<path:text>", orcid.by_orcid, name="by_orcid"),
    re_path(r"^researchers/(?P<address>\d[^/]*)$", researcher_page.researcher, name="researcher"),
]
