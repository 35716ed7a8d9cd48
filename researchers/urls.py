"""Addresses of researchers. Those that begin with a number are a researcher's own; the order is free."""

from django.urls import URLPattern, URLResolver, path, re_path

from researchers.views import (
    compare,
    contests,
    orcid,
    researcher_download,
    researcher_list,
    researcher_tabs,
    votes,
    why,
)
from researchers.views import researcher as researcher_page

app_name = "researchers"

urlpatterns: list[URLPattern | URLResolver] = [
    path("researchers", researcher_list.researcher_list, name="researcher_list"),
    path("researchers/compare", compare.compare_researchers, name="compare"),
    path("researchers/votes", votes.vote, name="vote"),
    path("researchers/orcid/<path:text>", orcid.by_orcid, name="by_orcid"),
    re_path(r"^papers/(?P<address>.+)/authors$", why.authors_of_paper, name="authors_of_paper"),
    path("papers/<path:address>/authors/<int:authorship>/contest", contests.contest, name="contest"),
    re_path(
        r"^researchers/(?P<address>[0-9][^/]*)\.(?P<extension>bib|ris)$", researcher_download.download, name="download"
    ),
    re_path(r"^researchers/(?P<address>[0-9][^/]*)/co-authors$", researcher_tabs.coauthors, name="coauthors"),
    re_path(r"^researchers/(?P<address>[0-9][^/]*)/venues$", researcher_tabs.venues, name="venues"),
    re_path(r"^researchers/(?P<address>[0-9][^/]*)$", researcher_page.researcher, name="researcher"),
]
