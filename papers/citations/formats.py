"""The formats a reference can be had in, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from papers.citations.bibtex import to_biblatex, to_bibtex
from papers.citations.csl import to_csl_json
from papers.citations.data import CitationData
from papers.citations.ris import to_ris
from papers.citations.styles import TEXT_STYLES, to_text_reference


class UnknownFormat(LookupError):
    """There is no format of that name; the message lists those there are."""


@dataclass(frozen=True, slots=True)
class CitationFormat:
    """A format: ``write`` takes any number of papers and gives the whole file."""

    name: str
    label: str
    extension: str
    content_type: str
    write: Callable[[Sequence[CitationData]], str]


def _text_format(style: str, label: str) -> CitationFormat:
    def write(papers: Sequence[CitationData]) -> str:
        return "".join(f"{to_text_reference(data, style)}\n" for data in papers)

    return CitationFormat(style, label, "txt", "text/plain; charset=utf-8", write)


FORMATS: dict[str, CitationFormat] = {
    found.name: found
    for found in (
        CitationFormat("bibtex", "BibTeX", "bib", "application/x-bibtex; charset=utf-8", to_bibtex),
        CitationFormat("biblatex", "biblatex", "bib", "application/x-bibtex; charset=utf-8", to_biblatex),
        CitationFormat("ris", "RIS", "ris", "application/x-research-info-systems; charset=utf-8", to_ris),
        CitationFormat("csl-json", "CSL-JSON", "json", "application/vnd.citationstyles.csl+json", to_csl_json),
        *(_text_format(style.name, style.label) for style in TEXT_STYLES.values()),
    )
}
"""In the order of a menu: the files of reference managers, then the styles of text."""


def export(papers: Iterable[CitationData], name: str) -> str:
    """The papers in one of ``FORMATS``. Raises ``UnknownFormat``."""
    found = FORMATS.get(name)
    if found is None:
        raise UnknownFormat(f"There is no citation format {name!r}; known: {', '.join(FORMATS)}.")
    return found.write(list(papers))
