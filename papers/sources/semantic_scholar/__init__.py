"""Semantic Scholar: an index of papers and authors with citations (data licence ODC-BY: it is credited)."""

from papers.sources.semantic_scholar.source import API, SemanticScholarAuthors, SemanticScholarSource

__all__ = ["API", "SemanticScholarAuthors", "SemanticScholarSource"]
