"""arXiv's dump files: what they are is told by their content, never by their name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from papers.sources.arxiv import oai, snapshot
from wovepaper.harvest import archives
from wovepaper.harvest.contracts import Page


def read_file(path: Path) -> Iterator[Page]:
    """The pages of an OAI-PMH document or a metadata snapshot, plain or in gzip or zip, in bounded memory.

    Raises ``PageRefused`` where nothing of the file can be read.
    """
    return archives.read_file(path, read_document)


def read_document(open_stream: archives.OpenStream) -> Iterator[Page]:
    """The pages of one unpacked document. Raises ``PageRefused``."""
    if archives.starts_like_json(open_stream):
        with open_stream() as stream:
            yield from snapshot.read_lines(stream)
    else:
        yield from oai.read_document(open_stream)
