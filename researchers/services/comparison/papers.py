"""The papers of those compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection

from papers.models import Paper
from papers.querysets import NOT_IN_A_LIST
from researchers.former_names import NAME_FOR_CURATORS
from researchers.models import Attribution


@dataclass(frozen=True, slots=True)
class PrintedPaper:
    """A paper, and the name that it prints of one of those compared."""

    paper: int
    title: str
    name: str


@dataclass(frozen=True, slots=True)
class PaperOfBoth:
    """A paper on which several of those compared stand, given by number: they are several people, or one is wrong."""

    paper: int
    title: str
    researchers: tuple[int, ...]


def latest_papers(ids: Sequence[int], *, most: int) -> dict[int, list[Paper]]:
    """So many papers of each, the latest first, in two statements."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT wanted.id, latest.id FROM unnest(%s::bigint[]) AS wanted(id) CROSS JOIN LATERAL ("
            " SELECT paper.id, paper.sort_date FROM researchers_attribution AS shown"
            " JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL"
            " WHERE shown.root_id = wanted.id ORDER BY paper.sort_date DESC, paper.id DESC LIMIT %s"
            ") AS latest ORDER BY wanted.id, latest.sort_date DESC, latest.id DESC",
            [list(ids), most],
        )
        rows = cursor.fetchall()
    # Without author names: one of them may be hidden.
    papers = Paper.objects.defer(*NOT_IN_A_LIST).in_bulk({paper for _, paper in rows})
    found: dict[int, list[Paper]] = {one: [] for one in ids}
    for root, paper in rows:
        found[root].append(papers[paper])
    return found


def printed_papers(ids: Sequence[int]) -> dict[int, list[PrintedPaper]]:
    """All papers of each with the printed name as curators may see it, the latest first."""
    found: dict[int, list[PrintedPaper]] = {one: [] for one in ids}
    rows = Attribution.objects.filter(root__in=ids, paper__redirect_to=None)
    for root, paper, title, name in rows.order_by("-paper__sort_date", "-paper_id").values_list(
        "root_id", "paper_id", "paper__title", NAME_FOR_CURATORS
    ):
        found[root].append(PrintedPaper(paper, title, name))
    return found


def papers_of_both(papers: Mapping[int, Iterable[PrintedPaper]]) -> tuple[PaperOfBoth, ...]:
    """Of the papers of each those on which others of them stand, too, by number."""
    standing: defaultdict[int, list[int]] = defaultdict(list)
    titles = {}
    for root, own in papers.items():
        for one in own:
            standing[one.paper].append(root)
            titles[one.paper] = one.title
    return tuple(
        PaperOfBoth(paper, titles[paper], tuple(roots)) for paper, roots in sorted(standing.items()) if len(roots) > 1
    )
