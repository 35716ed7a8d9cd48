"""What sources are asked about of authors: the ids that papers here carry."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from papers.sources.profiles import MergedAuthor
from researchers.models import Attribution, ResearcherIdentifier
from researchers.services.attribution.identifiers import SCHEMES
from researchers.services.source_authors import take_merged
from wovepaper.harvest.contracts import Identifier, Merged, RawRecord, Subject


class AuthorSubjects:
    """The ids that a source gave researchers; neither those it gave up nor those of invented people."""

    noun = "ids of authors"

    def __init__(self, source: str) -> None:
        self._source = source
        self._scheme = SCHEMES[source]

    def after(self, last: int, limit: int) -> Sequence[int]:
        """See ``Subjects``."""
        rows = ResearcherIdentifier.objects.filter(pk__gt=last, scheme=self._scheme).order_by("pk")
        return list(rows.values_list("pk", flat=True)[:limit])

    def describe(self, ids: Sequence[int], *, source: str) -> Sequence[Subject]:
        """See ``Subjects``. One query."""
        invented = Attribution.objects.filter(base=OuterRef("researcher"), paper__is_demo=True)
        rows = (
            ResearcherIdentifier.objects.filter(pk__in=ids, scheme=self._scheme)
            .exclude(state=ResearcherIdentifier.State.DEPRECATED)
            .exclude(Exists(invented))
            .order_by("pk")
        )
        return [Subject(pk, (Identifier(self._scheme, value),)) for pk, value in rows.values_list("pk", "value")]

    def note_merged(self, merged: Sequence[Merged], *, source: str) -> None:
        """See ``Subjects``."""
        take_merged(
            [
                (
                    RawRecord(each.old.value, "merged-id", "", b""),
                    MergedAuthor(self._source, each.old.value, each.new.value),
                )
                for each in merged
            ]
        )
