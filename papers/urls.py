"""Addresses of papers, categories and search."""

from django.urls import URLPattern, URLResolver, path, re_path

from papers import views

app_name = "papers"
urlpatterns: list[URLPattern | URLResolver] = [
    path("search", views.search, name="search"),
    re_path(r"^search\.(?P<extension>bib|ris|json)$", views.export_search, name="export_search"),
    path("categories", views.category_list, name="category_list"),
    path("categories/<str:code>", views.category, name="category"),
    path("papers", views.paper_list, name="paper_list"),
    path("papers/doi/<path:name>", views.paper_by_doi, name="paper_by_doi"),
    re_path(r"^papers/(?P<address>.+)\.(?P<extension>bib|ris|json)$", views.download, name="download"),
    re_path(r"^papers/(?P<address>.+)/cite$", views.cite, name="cite"),
    re_path(r"^papers/(?P<address>.+)/references$", views.references, name="references"),
    re_path(r"^papers/(?P<address>.+)/cited-by$", views.cited_by, name="cited_by"),
    re_path(r"^papers/(?P<address>.+)/sources$", views.sources, name="sources"),
    path("papers/<path:address>", views.paper, name="paper"),
]
