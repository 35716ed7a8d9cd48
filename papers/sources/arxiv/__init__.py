"""arXiv: its OAI-PMH servers and its metadata snapshot."""

from papers.sources.arxiv.source import ArxivSource

__all__ = ["ArxivSource"]
