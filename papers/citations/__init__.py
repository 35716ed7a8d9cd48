"""Papers as bibliographic references: values, and writers of the formats that reference managers read."""

from papers.citations.data import CitationData, CitedName, citation_prefetches, from_paper, read_authorships
from papers.citations.formats import FORMATS, TEXT_STYLES, CitationFormat, UnknownFormat, export
from papers.citations.streaming import STREAMED, stream

__all__ = [
    "FORMATS",
    "STREAMED",
    "TEXT_STYLES",
    "CitationData",
    "CitationFormat",
    "CitedName",
    "UnknownFormat",
    "citation_prefetches",
    "export",
    "from_paper",
    "read_authorships",
    "stream",
]
