"""Pages of papers, categories and search: parse, call, render."""

from papers.views.categories import category, category_list
from papers.views.citing import cite, download
from papers.views.paper import paper, paper_by_doi
from papers.views.paper_list import paper_list
from papers.views.references import cited_by, references
from papers.views.search import search
from papers.views.search_export import export_search
from papers.views.sources import sources

__all__ = [
    "category",
    "category_list",
    "cite",
    "cited_by",
    "download",
    "export_search",
    "paper",
    "paper_by_doi",
    "paper_list",
    "references",
    "search",
    "sources",
]
