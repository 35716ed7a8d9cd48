"""References: whose list is shown. Pure.

The list of one source is shown, for two lists of one paper cannot be laid over each other: one has printed lines, one
ids. What other lists name beyond it is kept without a place, so that who cites whom is as complete as the sources are
together. The rows of a paper are read only where they are not what they were (``Paper.references_digest``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from papers.models import Paper
from papers.sources.records import PaperRecord, ReferenceRecord

SCHEME_COLUMNS = {"doi": "doi", "arxiv": "arxiv_id", "openalex": "openalex_id", "s2": "s2_id", "pmid": "pmid"}
"""Schemes by which a reference finds its paper, strongest first, with the columns that hold them.

Of several identifiers of one scheme the first is kept; those of further schemes are not.
"""

_PREPRINT = ("", Paper.Kind.PREPRINT.value)


class ReferenceRow(NamedTuple):
    """What a row of Reference says."""

    position: int | None
    doi: str
    arxiv_id: str
    openalex_id: str
    s2_id: str
    pmid: str
    text: str


class ShownReferences(NamedTuple):
    """The references of a paper, from all its records."""

    rows: tuple[ReferenceRow, ...] = ()
    total: int | None = None
    """How many there are, by the source whose list is shown; those of no list may be more."""
    listed: int = 0
    with_doi: int = 0
    digest: str = ""

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of the paper."""
        return {
            "reference_count": self.total,
            "listed_reference_count": self.listed,
            "doi_reference_count": self.with_doi,
            "references_digest": self.digest,
        }


NO_REFERENCES = ShownReferences()


def shown_references(records: Sequence[PaperRecord]) -> ShownReferences:
    """Of all records of a paper, in the order of precedence.

    The list shown is the first that has printed lines, else the first: that of the publication before that of the
    preprint, as with all facts of a publication.
    """
    ordered = sorted(records, key=lambda record: record.kind in _PREPRINT) if len(records) > 1 else records
    with_lists = [record for record in ordered if record.references]
    if not with_lists:
        count = next((record.reference_count for record in ordered if record.reference_count), None)
        return ShownReferences(total=count) if count else NO_REFERENCES
    main = next((record for record in with_lists if any(one.shown_text for one in record.references)), with_lists[0])
    rows = [_row(position, one) for position, one in enumerate(main.references, start=1)]
    listed = len(rows)
    with_doi = sum(1 for row in rows if row.doi)
    if len(with_lists) > 1:
        named = {identifier for one in main.references for identifier in one.identifiers}
        for record in with_lists:
            for one in record.references if record is not main else ():
                if one.identifiers and named.isdisjoint(one.identifiers):
                    named.update(one.identifiers)
                    rows.append(_row(None, one)._replace(text=""))
    # By its contents alone: the hash of the language differs between processes.
    digest = hashlib.blake2b(repr(rows).encode("utf-8", "replace"), digest_size=16).hexdigest()
    return ShownReferences(tuple(rows), max(main.reference_count or 0, listed), listed, with_doi, digest)


def _row(position: int | None, one: ReferenceRecord) -> ReferenceRow:
    named = dict(reversed(one.identifiers)) if one.identifiers else {}
    return ReferenceRow(
        position,
        named.get("doi", ""),
        named.get("arxiv", ""),
        named.get("openalex", ""),
        named.get("s2", ""),
        named.get("pmid", ""),
        one.shown_text,
    )
