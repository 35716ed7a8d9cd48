"""Single fields of arXiv's records, whatever the format that carries them."""

from __future__ import annotations

import re

from papers.sources.records import PartialDate, VersionRecord
from wovepaper.harvest.contracts import RecordRefused
from wovepaper.lib import arxiv_id, dates, doi, tex, text

NAME = "arxiv"
"""The name of the source."""

RANKS = {"arXiv": 10, "arXivRaw": 11, "snapshot": 12, "oai_dc": 40}
"""Precedence of the formats, lowest first. No two are equal, so no tie is left to break."""

LONGEST_CATEGORY = 32
"""Longer codes, in characters, are damage."""

_THIS_PAPER = (
    r"(?:this|the|our|my|present)\s+(?:present\s+)?(?:paper|article|manuscript|pre-?print|re-?print|e-?print|submission"
    r"|work|note|letter|report|thesis|document|draft|version|text|contribution|conference paper|proceeding)s?"
)
_ADVERBS = r"(?:(?:now|temporarily|formally|voluntarily|hereby|also|already|therefore|thus|permanently|completely)\s+)*"
_NOT_ELSEWHERE = r"(?!\s+from\s+(?!(?:the\s+)?arxiv))"
_WITHDRAWN = re.compile(
    rf"(?:^|\W)(?:{_THIS_PAPER}|^paper|^article|^manuscript|^submission|this|^it)\s+{_ADVERBS}"
    rf"(?:(?:has|have|had)\s+{_ADVERBS}been|is\s+being|is|was)\s+{_ADVERBS}withdrawn\b{_NOT_ELSEWHERE}"
    rf"|^\W*{_ADVERBS}withdrawn\b{_NOT_ELSEWHERE}(?=\W|$)(?!\s+(?!by|due|because|as|since|for|after|until|pending|temporarily|and|at|-)\w)"
    rf"|\bwithdrawn\s+by\s+(?:the\s+)?(?:arxiv|submitter|author|administrat)"
    rf"|\b(?:authors?|i|we|submitter)\s+(?:(?:has|have|had|must|hereby|wish(?:es)?\s+to|would\s+like\s+to|decided\s+to)\s+)*"
    rf"(?:withdraws?|withdrawn|withdrew)\s+(?:{_THIS_PAPER}|it\b)",
    re.IGNORECASE,
)
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(b|kb|mb)?", re.IGNORECASE)
_UNITS = {"": 1, "b": 1, "kb": 1024, "mb": 1024 * 1024}
_VERSION_NUMBER = re.compile(r"v?([1-9][0-9]{0,3})")


def read_text(raw: str | None) -> str:
    """A title, abstract, comment or other running text, fit to show."""
    if not raw:
        return ""
    plain = text.clean(raw)
    decoded = tex.to_unicode(plain)
    return plain if decoded is plain else text.fold_space(decoded)


def read_identifier(raw: str, *, header: str = "") -> arxiv_id.ArxivId:
    """The record's arXiv id. Raises ``RecordRefused`` where there is none, or not one of a paper as a whole."""
    raw = raw.strip() or header.strip()
    if not raw:
        raise RecordRefused("The record has no id.")
    found = arxiv_id.normalise(raw)
    if found is None:
        raise RecordRefused(
            f"{text.clean(raw)[:80]!r} is not an arXiv id (such as 0704.0001 or hep-th/9901001): "
            "is this a record of another repository?"
        )
    if found.version is not None:
        raise RecordRefused(
            f"The record describes version {found.version} of {found.value}, and records are per paper: "
            "give the id without its version."
        )
    if header.strip():
        named = arxiv_id.normalise(header)
        if named is None or named.value != found.value:
            shown = named.value if named else text.clean(header)[:80]
            raise RecordRefused(f"The header names {shown}, the metadata {found.value}: one of them is wrong.")
    return found


def read_title(raw: str | None) -> str:
    """The title. Raises ``RecordRefused`` where there is none."""
    title = read_text(raw)
    if not title:
        raise RecordRefused("The record has no title.")
    return title


def read_categories(raw: str | None) -> tuple[str, ...]:
    """The codes in order, primary first, each once. Codes that arXiv's taxonomy does not know are kept."""
    codes = dict.fromkeys(text.clean(raw).replace(",", " ").split()) if raw else {}
    return tuple(code for code in codes if len(code) <= LONGEST_CATEGORY)


def read_identifiers(found: arxiv_id.ArxivId, dois: str | None) -> tuple[tuple[str, str], ...]:
    """The arXiv id, and the article's DOIs: a field may hold several; what is none is dropped, as are arXiv's own."""
    article = doi.normalise_all(text.clean(dois)) if dois else []
    return (("arxiv", found.value), *(("doi", value) for value in article if not value.startswith("10.48550/arxiv.")))


def says_withdrawn(comments: str, abstract: str = "") -> bool:
    """Whether the comments, or the beginning of the abstract, say that this paper is withdrawn.

    Withdrawal from a journal or conference is not meant, nor are withdrawn things that are not the paper.
    """
    if "ithdr" in comments or "ITHDR" in comments:
        match = _WITHDRAWN.search(comments)
        if match is not None:
            return True
    opening = abstract[:200]
    match = _WITHDRAWN.search(opening) if "ithdr" in opening else None
    return match is not None and match.start() <= 1


def read_size(raw: str | None) -> int | None:
    """Bytes of ``395kb`` (1 kb is 1,024 bytes); ``None`` where unknown."""
    match = _SIZE.fullmatch(raw.strip()) if raw else None
    if match is None:
        return None
    return int(float(match[1][:15]) * _UNITS[(match[2] or "").lower()])


def read_version(
    number: str | None, date: str | None, size: str | None = None, source_type: str | None = None
) -> VersionRecord | None:
    """One version; ``None`` where it has no number. Withdrawn is source type ``I`` or a size of 0."""
    match = _VERSION_NUMBER.fullmatch(number.strip()) if number else None
    if match is None:
        return None
    try:
        submitted_at = dates.parse_rfc_822(date) if date else None
    except ValueError:
        submitted_at = None
    size_in_bytes = read_size(size)
    kinds = text.clean(source_type).strip()[:16] if source_type else ""
    return VersionRecord(int(match[1]), submitted_at, size_in_bytes, kinds, "I" in kinds or size_in_bytes == 0)


def order_versions(found: list[VersionRecord | None], *, withdrawn: bool) -> tuple[VersionRecord, ...]:
    """The versions by number, each once (the last said wins). ``withdrawn`` says it of the latest."""
    by_number = {version.number: version for version in found if version is not None}
    ordered = [by_number[number] for number in sorted(by_number)]
    if withdrawn and ordered and not ordered[-1].withdrawn:
        last = ordered[-1]
        ordered[-1] = VersionRecord(last.number, last.submitted_at, last.size, last.source_type, withdrawn=True)
    return tuple(ordered)


def first_published(found: arxiv_id.ArxivId, versions: tuple[VersionRecord, ...]) -> PartialDate:
    """The day of the first version in UTC; the month of the id where it is not known."""
    if versions and versions[0].number == 1 and versions[0].submitted_at is not None:
        return PartialDate.of(versions[0].submitted_at.date())
    return month_of(found)


def month_of(found: arxiv_id.ArxivId) -> PartialDate:
    """Year and month in which the id was given out; the submission can be from the end of the month before."""
    return PartialDate(found.year, found.month)
