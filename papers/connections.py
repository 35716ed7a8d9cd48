"""What ties a paper to others: its references, the papers here that cite it, and notices. Plain values, for pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import connection

from papers.models import Notice, Paper
from papers.models.paper import paper_address, slug_of

REFERENCES_SHOWN = 20
REFERENCES_A_PAGE = 100
CITING_SHOWN = 5
MOST_COUNTED = 10_000
"""Citing papers beyond are not counted on the page of a paper."""
_AUTHORS_NAMED = 3


class ReferenceLine(NamedTuple):
    """An entry of a list of references, with the paper here that it means, if any."""

    position: int
    doi: str
    arxiv_id: str
    openalex_id: str
    s2_id: str
    pmid: str
    text: str
    cited: int | None = None
    cited_arxiv_id: str = ""
    cited_title: str = ""
    cited_status: str = Paper.Status.CURRENT.value
    cited_on: dt.date | None = None

    @property
    def url(self) -> str:
        """The page of the paper here; empty where there is none."""
        return _address(self.cited, self.cited_arxiv_id, self.cited_title) if self.cited else ""


class CitingLine(NamedTuple):
    """A paper here that cites another."""

    id: int
    arxiv_id: str
    title: str
    status: str
    published_on: dt.date | None
    names: list[str]
    author_count: int

    @property
    def url(self) -> str:
        """Its page."""
        return _address(self.id, self.arxiv_id, self.title)


@dataclass(frozen=True, slots=True)
class Connections:
    """The first references of a paper, the newest papers that cite it, and how many there are of either."""

    references: Sequence[ReferenceLine] = ()
    linked: int = 0
    """References that are papers here."""
    citing: Sequence[CitingLine] = ()
    citing_count: int = 0
    """At most ``MOST_COUNTED`` and one."""


@dataclass(frozen=True, slots=True)
class ShownNotice:
    """A notice, of whom it is known, and the other side of it: the notice of this work, or the work of this notice."""

    kind: str
    day: dt.date | None
    precision: str
    doi: str
    url: str
    """The page here of what the DOI names; empty where there is none."""
    title: str
    asserted_by: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        """``Retraction``."""
        return str(Notice.Kind(self.kind).label)


@dataclass(frozen=True, slots=True)
class Notices:
    """Those about a paper, oldest first, and those that it is itself."""

    about: Sequence[ShownNotice] = ()
    issued: Sequence[ShownNotice] = ()

    def of(self, *kinds: str) -> list[ShownNotice]:
        """Those about the paper of these kinds."""
        return [notice for notice in self.about if notice.kind in kinds]


# A printed line can hold a name that somebody of that paper does not want to be shown: then its title is shown.
_ENTRY = (
    "entry.position, entry.doi, entry.arxiv_id, entry.openalex_id, entry.s2_id, entry.pmid,"
    " CASE WHEN EXISTS (SELECT FROM papers_authorship AS author"
    "  WHERE author.paper_id = cited.id AND author.replaced_name IS NOT NULL) THEN '' ELSE entry.text END,"
    " cited.id, coalesce(cited.arxiv_id, ''), coalesce(cited.title, ''), coalesce(cited.status, 'current'),"
    " cited.published_on"
)
_NOTHING = "NULL::bigint, NULL, NULL, NULL, NULL, NULL, NULL, NULL::bigint, NULL, NULL, NULL, NULL::date"
_CONNECTIONS = f"""SELECT 'reference', {_ENTRY}, NULL::text[], NULL::bigint, NULL::bigint
FROM (SELECT * FROM papers_reference WHERE paper_id = %(paper)s AND position <= %(references)s) AS entry
LEFT JOIN papers_paper AS cited ON cited.id = entry.cited_id
UNION ALL
SELECT 'citing', row_number() OVER (ORDER BY one.sort_date DESC, one.paper_id DESC), '', '', '', '', '', '', paper.id,
 paper.arxiv_id, paper.title, paper.status, paper.published_on,
 ARRAY(SELECT author.name FROM papers_authorship AS author
  WHERE author.paper_id = paper.id AND author.position <= {_AUTHORS_NAMED} ORDER BY author.position),
 paper.author_count, NULL
FROM (SELECT paper_id, sort_date FROM papers_papercitation WHERE cited_id = %(paper)s
 ORDER BY sort_date DESC, paper_id DESC LIMIT {CITING_SHOWN}) AS one
JOIN papers_paper AS paper ON paper.id = one.paper_id
UNION ALL
SELECT 'counts', {_NOTHING}, NULL,
 (SELECT count(*) FROM
  (SELECT FROM papers_papercitation WHERE cited_id = %(paper)s LIMIT {MOST_COUNTED + 1}) AS counted),
 (SELECT count(*) FROM papers_reference WHERE paper_id = %(paper)s AND position IS NOT NULL AND cited_id IS NOT NULL)
"""  # noqa: S608 - constants


def read_connections(paper: Paper) -> Connections:
    """What the page of a paper shows of them, in one query."""
    references, citing, counted, linked = [], [], 0, 0
    with connection.cursor() as cursor:
        cursor.execute(_CONNECTIONS, {"paper": paper.pk, "references": REFERENCES_SHOWN})
        for part, *values, names, number, other in cursor.fetchall():
            if part == "reference":
                references.append(ReferenceLine(*values))
            elif part == "citing":
                citing.append((values[0], CitingLine._make([*values[7:12], names, number])))
            else:
                counted, linked = number, other
    return Connections(sorted(references), linked, [one for _, one in sorted(citing)], counted)


def read_references(paper: Paper, *, after: int, size: int = REFERENCES_A_PAGE) -> list[ReferenceLine]:
    """Up to ``size`` entries behind a place in the list, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {_ENTRY} FROM papers_reference AS entry"  # noqa: S608 - constants
            " LEFT JOIN papers_paper AS cited ON cited.id = entry.cited_id"
            " WHERE entry.paper_id = %s AND entry.position > %s AND entry.position <= %s ORDER BY entry.position",
            [paper.pk, after, after + size],
        )
        return [ReferenceLine(*row) for row in cursor.fetchall()]


def read_notices(paper: Paper, dois: Collection[str]) -> Notices:
    """The notices about a paper with these DOIs, and those that it is, in one query. Of one notice each kind once."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT told.kind, told.day, told.precision, told.asserted_by, told.is_about, told.other, paper.id,"
            " coalesce(paper.arxiv_id, ''), coalesce(paper.title, '') FROM ("
            "  SELECT kind, day, precision, asserted_by, work = ANY(%(dois)s) AS is_about,"
            "   CASE WHEN work = ANY(%(dois)s) THEN notice ELSE work END AS other"
            "  FROM papers_notice WHERE work = ANY(%(dois)s) OR (notice = ANY(%(dois)s) AND notice <> '')) AS told"
            " LEFT JOIN papers_paperidentifier AS named ON named.scheme = 'doi' AND named.value = told.other"
            " LEFT JOIN papers_paper AS paper ON paper.id = named.paper_id"
            " ORDER BY told.day, told.kind, told.other, told.asserted_by",
            {"dois": list(dois)},
        )
        found: dict[tuple[bool, str, str], ShownNotice] = {}
        for kind, day, precision, asserted_by, is_about, other, number, arxiv_id, title in cursor.fetchall():
            doi = "" if other in dois else other  # the notice took the place of the work
            notice = found.setdefault(
                (is_about, kind, doi),
                ShownNotice(
                    kind, day, precision, doi, _address(number, arxiv_id, title) if number and doi else "", title
                ),
            )
            if asserted_by not in notice.asserted_by:
                notice.asserted_by.append(asserted_by)
    return Notices(
        [notice for (is_about, _, _), notice in found.items() if is_about],
        [notice for (is_about, _, _), notice in found.items() if not is_about],
    )


def _address(number: int, arxiv_id: str, title: str) -> str:
    return paper_address(arxiv_id or str(number), slug_of(title))
