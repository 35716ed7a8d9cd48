"""The figures of researchers, kept beside them: computed from the papers shown under them, never added up.

The number of papers is exact whenever a transaction that moves papers has ended. All the others (citations, h-index,
places in the author lists, years, categories, the latest affiliation, countries) may lag until the pipeline has worked
off what waits for the researcher.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from researchers.models import Researcher
from researchers.models.researcher import sort_name_of
from wovepaper.harvest.rows import update_rows
from wovepaper.pipeline.services import enqueue

KIND = "researcher"
BATCH = 1_000
"""Researchers counted by one statement."""

FIGURES = {
    "paper_count": "integer",
    "first_author_count": "integer",
    "middle_author_count": "integer",
    "last_author_count": "integer",
    "single_author_count": "integer",
    "cited_paper_count": "integer",
    "citation_count": "integer",
    "h_index": "integer",
    "first_year": "smallint",
    "last_year": "smallint",
    "years": "smallint[]",
    "categories": "varchar[]",
    "affiliation": "text",
    "countries": "varchar[]",
}
"""Columns of a researcher that are computed from the papers, with their types, in the order of ``_COUNT``."""

_COUNT = """
    WITH shown AS (
        SELECT given.root_id, paper.published_on, paper.categories, paper.citation_count, paper.author_count,
            place.position, place.id AS authorship_id
        FROM researchers_attribution AS given
        JOIN papers_paper AS paper ON paper.id = given.paper_id AND paper.redirect_to_id IS NULL
        JOIN papers_authorship AS place ON place.id = given.authorship_id
        WHERE given.root_id = ANY(%s)
    ),
    counted AS (
        SELECT root_id, count(*) AS papers,
            count(*) FILTER (WHERE author_count > 1 AND position = 1) AS first,
            count(*) FILTER (WHERE position > 1 AND position < author_count) AS middle,
            count(*) FILTER (WHERE position > 1 AND position = author_count) AS last,
            count(*) FILTER (WHERE author_count = 1 AND position = 1) AS single,
            count(citation_count) AS cited, sum(citation_count)::integer AS citations,
            array_agg(DISTINCT extract(year FROM published_on)::smallint) FILTER (WHERE published_on IS NOT NULL)
                AS years
        FROM shown GROUP BY root_id
    ),
    ranked AS (
        SELECT root_id, citation_count, row_number() OVER (PARTITION BY root_id ORDER BY citation_count DESC) AS rank
        FROM shown WHERE citation_count IS NOT NULL
    ),
    hirsch AS (SELECT root_id, count(*) FILTER (WHERE citation_count >= rank) AS h_index FROM ranked GROUP BY root_id),
    listed AS (
        SELECT root_id, code, count(*) AS papers FROM shown CROSS JOIN unnest(categories) AS code GROUP BY root_id, code
    ),
    fields AS (
        SELECT root_id, array_agg(code ORDER BY papers DESC, code COLLATE "C") AS categories
        FROM listed GROUP BY root_id
    ),
    printed AS (
        SELECT DISTINCT ON (shown.root_id) shown.root_id, left(affiliation.text, 300) AS affiliation
        FROM shown JOIN papers_affiliation AS affiliation USING (authorship_id)
        ORDER BY shown.root_id, shown.published_on DESC NULLS LAST, shown.authorship_id DESC, affiliation.id
    ),
    worked AS (
        SELECT shown.root_id, institution.country, count(DISTINCT shown.authorship_id) AS papers
        FROM shown JOIN papers_affiliation AS affiliation USING (authorship_id)
        JOIN institutions_institution AS named ON named.id = affiliation.institution_id
        JOIN institutions_institution AS institution ON institution.id = named.root_id
        WHERE institution.country <> '' GROUP BY shown.root_id, institution.country
    ),
    lands AS (
        SELECT root_id, array_agg(country ORDER BY papers DESC, country COLLATE "C") AS countries
        FROM worked GROUP BY root_id
    )
    SELECT counted.root_id, papers, first, middle, last, single, cited, citations, h_index,
        years[1], years[cardinality(years)], coalesce(years, '{}'), coalesce(categories, '{}'),
        coalesce(affiliation, ''), coalesce(countries, '{}')
    FROM counted LEFT JOIN hirsch USING (root_id) LEFT JOIN fields USING (root_id) LEFT JOIN printed USING (root_id)
        LEFT JOIN lands USING (root_id)
"""
_NO_PAPERS: tuple[Any, ...] = (0, 0, 0, 0, 0, 0, None, None, None, None, [], [], "", [])


@dataclass(frozen=True, slots=True)
class WrongFigures:
    """A researcher beside whom other figures are kept than follow from the papers; ``names`` says which."""

    researcher: int
    names: tuple[str, ...]


@transaction.atomic
def recount_papers(roots: Iterable[int]) -> None:
    """Count the papers shown under these roots, in one statement; merged researchers have none of their own.

    For whoever moves papers, inside the same transaction, with the roots locked. All other figures, and the search
    documents, wait for the pipeline.
    """
    wanted = sorted(set(roots))
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE researchers_researcher AS kept SET paper_count = counted.papers, updated_at = now()"
            " FROM (SELECT wanted.id, count(paper.id) AS papers FROM unnest(%s::bigint[]) AS wanted(id)"
            " LEFT JOIN researchers_attribution AS shown ON shown.root_id = wanted.id"
            " LEFT JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL"
            " GROUP BY wanted.id) AS counted"
            " WHERE kept.id = counted.id AND kept.paper_count <> counted.papers",
            [wanted],
        )
    enqueue(kind=KIND, ids=wanted, stage="index", reason="papers")


@transaction.atomic
def recount(roots: Iterable[int]) -> None:
    """Compute all figures of these researchers, and the names they are sorted by: four statements per ``BATCH``.

    Papers that redirect to others do not count, withdrawn ones do. Citations and h-index are over the papers whose
    count is known (``cited_paper_count`` of them), and empty where none is. Merged researchers come to have no figures.
    Locks the rows until the transaction ends, in the order in which merges do.
    """
    for batch in _batches(roots):
        kept = _kept(batch, lock=True)
        # A statement of its own: it sees what was committed while this transaction waited for the rows.
        counted = _count(batch)
        changed, same = [], []
        for researcher, (name, sort_name, figures) in kept.items():
            sorted_by = sort_name_of(name)
            if (sorted_by, counted[researcher]) == (sort_name, figures):
                same.append(researcher)
            else:
                columns = dict(zip(FIGURES, counted[researcher], strict=True))
                changed.append({"id": researcher, "sort_name": sorted_by, **columns})
        now = timezone.now()
        with connection.cursor() as cursor:
            update_rows(
                cursor,
                "researchers_researcher",
                {"sort_name": "varchar", "counted_at": "timestamptz", **FIGURES},
                [{"counted_at": now.isoformat(), **row} for row in changed],
                stamp="updated_at",
            )
        Researcher.objects.filter(pk__in=same).update(counted_at=now)


def find_wrong(roots: Iterable[int]) -> list[WrongFigures]:
    """Which of these researchers have other figures beside them than their papers give, rising. Writes nothing."""
    found = []
    for batch in _batches(roots):
        counted = _count(batch)
        for researcher, (name, sort_name, figures) in _kept(batch).items():
            pairs = zip(FIGURES, figures, counted[researcher], strict=True)
            wrong = [column for column, has, should in pairs if has != should]
            if sort_name != sort_name_of(name):
                wrong.append("sort_name")
            if wrong:
                found.append(WrongFigures(researcher, tuple(wrong)))
    return found


def _batches(roots: Iterable[int]) -> Iterator[list[int]]:
    wanted = sorted(set(roots))
    for start in range(0, len(wanted), BATCH):
        yield wanted[start : start + BATCH]


def _kept(batch: Sequence[int], *, lock: bool = False) -> dict[int, tuple[str, str, tuple[Any, ...]]]:
    """Name shown, name sorted by, and figures, in the order of the numbers."""
    rows = Researcher.objects.filter(pk__in=batch).order_by("pk")
    if lock:
        rows = rows.select_for_update(no_key=True)
    return {
        researcher: (name, sort_name, tuple(figures))
        for researcher, name, sort_name, *figures in rows.values_list("pk", "display_name", "sort_name", *FIGURES)
    }


def _count(batch: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [list(batch)])
        counted = {researcher: tuple(figures) for researcher, *figures in cursor.fetchall()}
    return {researcher: counted.get(researcher, _NO_PAPERS) for researcher in batch}
