"""OpenAlex: an index of works, and of who wrote them, made from all of the other sources and more."""

from papers.sources.openalex.source import API, OpenAlexSource

__all__ = ["API", "OpenAlexSource"]
