"""Crossref: the works of its REST API and of its public data file."""

from papers.sources.crossref.source import CrossrefSource

__all__ = ["CrossrefSource"]
