"""arXiv identifiers: old (``hep-th/9901001``) and new (``0704.0001``, ``2501.00001``), in every form people write.

The forms are those of https://info.arxiv.org/help/arxiv_identifier.html.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

OLD_ARCHIVES: frozenset[str] = frozenset(
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga "
    "funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph "
    "q-alg q-bio quant-ph solv-int supr-con".split()
)
"""The archives whose names begin an old identifier."""

_FORM = re.compile(
    r"""
    (?:(?:https?://)?(?:[a-z0-9-]+\.)?(?:arxiv\.org|xxx\.lanl\.gov)/(?:abs|pdf|html|ps|format|e-print|src)/
      |(?:https?://)?(?:dx\.)?(?:doi\.org/)?10\.48550/arxiv\.
      |oai:arxiv\.org:
      |arxiv\s?:\s*
    )?
    (?:
      (?P<yymm>[0-9]{4})\.(?P<number>[0-9]{4,5})
      |(?P<archive>[a-z-]{2,8})(?:\.[a-z-]{2,8})?/(?P<old_yymm>[0-9]{4})(?P<old_number>[0-9]{3})
    )
    (?:v(?P<version>[1-9][0-9]{0,3}))?
    (?:\.(?:pdf|ps|ps\.gz)|/)?
    (?:[?\#]\S{0,2000})?
    (?:\s*\[[a-z.-]{2,20}\])?
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class ArxivId:
    """One identifier. ``value`` is canonical and without version: lower case, no subject class."""

    value: str
    year: int
    month: int
    version: int | None = None

    def __str__(self) -> str:
        return self.value


def normalise(text: str) -> ArxivId | None:
    """The identifier that ``text`` is, or ``None``.

    Takes bare ids, ``arXiv:`` and ``oai:arXiv.org:`` prefixes, addresses of abstracts and files, arXiv's DOIs, each
    with or without version. Checks what can be checked: the month, the archive of an old id, four digits up to
    1412 and five from 1501. Never raises.
    """
    match = _FORM.fullmatch(text.strip())
    if match is None:
        return None
    version = int(match["version"]) if match["version"] else None
    if match["yymm"]:
        yymm, number = match["yymm"], match["number"]
        year, month = 2000 + int(yymm[:2]), int(yymm[2:])
        if not 1 <= month <= 12 or (year, month) < (2007, 4) or int(number) == 0:
            return None
        if len(number) != (4 if year < 2015 else 5):
            return None
        return ArxivId(f"{yymm}.{number}", year, month, version)
    archive, yymm = match["archive"].lower(), match["old_yymm"]
    year, month = int(yymm[:2]), int(yymm[2:])
    year += 1900 if year >= 91 else 2000
    if archive not in OLD_ARCHIVES or not 1 <= month <= 12 or not (1991, 1) <= (year, month) <= (2007, 3):
        return None
    return ArxivId(f"{archive}/{yymm}{match['old_number']}", year, month, version)
