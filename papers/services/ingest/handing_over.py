"""Papers between which records were handed over: both are resolved anew from the records that they have now."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from papers.changes import announce_changes
from papers.models import Authorship, PaperCitation, Reference
from papers.services.ingest.citations import settle_counts, show_counts
from papers.services.ingest.lock import lock_writers
from papers.services.ingest.writing import write_resolved
from wovepaper.pipeline.services import enqueue


def resolve_again(papers: Collection[int], *, reason: str) -> None:
    """Resolve papers anew after records of theirs went to or came from others.

    A paper that no record is left of is emptied: its row stays, for its number leads elsewhere. All of them pass the
    whole pipeline again. Authors keep their rows on a paper that keeps its records; on others they are made anew, and
    what people decided about them finds them again by the name that was printed (stage ``attribute``).
    """
    wanted = sorted(set(papers))
    lock_writers()
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM papers_paper WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", [wanted])
        cursor.execute(
            "SELECT id, EXISTS (SELECT FROM papers_sourcerecord AS record WHERE record.paper_id = paper.id)"
            " FROM papers_paper AS paper WHERE id = ANY(%s) AND redirect_to_id IS NOT NULL ORDER BY id",
            [wanted],
        )
        empty = [paper for paper, has_records in cursor.fetchall() if not has_records]
        living = sorted(set(wanted) - set(empty))
        announce_changes(wanted)
        _empty(cursor, empty)
        write_resolved(cursor, living, timezone.now(), reason=reason)
        cursor.execute("SELECT DISTINCT source FROM papers_sourcerecord WHERE paper_id = ANY(%s)", [living])
        sources = [row[0] for row in cursor.fetchall()]
        settle_counts(cursor, {(paper, source) for paper in living for source in sources})
        if empty:
            cursor.execute(
                "DELETE FROM papers_papermetric WHERE paper_id = ANY(%s) AND source = ANY(%s)", [empty, sources]
            )
            show_counts(cursor, empty)
    enqueue(kind="paper", ids=wanted, reason=reason)


def _empty(cursor: CursorWrapper, papers: Sequence[int]) -> None:
    """Take away all that followed from records. Counts that came without records stay, should the paper come back."""
    if not papers:
        return
    # Through the ORM, so that what other apps hang on authors goes too, or is let go of.
    Authorship.objects.filter(paper__in=papers).delete()
    PaperCitation.objects.filter(paper__in=papers).delete()
    PaperCitation.objects.filter(cited__in=papers).delete()
    Reference.objects.filter(cited__in=papers).update(cited=None)
    for table in (
        "papers_paperversion", "papers_categorylisting", "papers_paperidentifier", "papers_identifierclash",
        "papers_reference", "papers_notice",
    ):  # fmt: skip
        cursor.execute(f"DELETE FROM {table} WHERE paper_id = ANY(%s)", [list(papers)])  # noqa: S608
    cursor.execute(
        "UPDATE papers_paper SET arxiv_id = '', doi = '', title_key = '', author_count = 0, version_count = 0,"
        " references_digest = '', notice_count = 0, updated_at = now() WHERE id = ANY(%s)",
        [list(papers)],
    )
