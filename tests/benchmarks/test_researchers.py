"""Pages of researchers against the SQL they cannot do without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection

from papers.models import Authorship
from researchers.counts import BATCH, recount
from researchers.models import Researcher
from researchers.services.attributions import NewResearcher, create_researchers
from tests.benchmarks.building import Build
from tests.benchmarks.conftest import Record
from tests.benchmarks.test_pages import MOST_QUERIES, SIZES, judge_queries, measure

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7_200)]
TABLES = ("researchers_attribution", "researchers_researchername", "researchers_researcher")


@pytest.fixture(scope="module")
def attributed(catalogue: Build) -> Iterator[None]:
    """Everybody of one printed name is one researcher, for as long as these tests run."""
    names = list(Authorship.objects.filter(is_collaboration=False).values_list("name", flat=True).distinct())
    numbers = create_researchers([NewResearcher(name, "demo", "Latn") for name in names])
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO researchers_attribution"
            " (authorship_id, paper_id, base_id, root_id, decided_by, evidence, model_version, decided_at)"
            " SELECT place.id, place.paper_id, name.researcher_id, name.researcher_id, 'model', '[]', '', now()"
            " FROM papers_authorship AS place JOIN researchers_researchername AS name ON name.value = place.name"
            " ON CONFLICT DO NOTHING"
        )
        cursor.execute("ANALYZE researchers_attribution, researchers_researcher, researchers_researchername")
    for start in range(0, len(numbers), BATCH):
        recount(numbers[start : start + BATCH])
    yield
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"DELETE FROM {table}")


def researcher_with_papers(count: int) -> Researcher:
    """A researcher with so many papers, or the next larger number that occurs."""
    return Researcher.objects.filter(paper_count__gte=count).order_by("paper_count", "id")[:1].get()


def most_prolific() -> Researcher:
    """The researcher with the most papers."""
    return Researcher.objects.order_by("-paper_count", "id")[:1].get()


def test_researcher_page(attributed: None, record: Record) -> None:
    counts = {}
    for size in SIZES:
        person = researcher_with_papers(min(size, most_prolific().paper_count))
        name = f"researcher page, {person.paper_count} papers"
        counts[person.paper_count] = measure(record, name, person.get_absolute_url(), rows=person.paper_count)
    judge_queries(record, "the researcher page", counts)


@pytest.mark.parametrize("tab", ["co-authors", "venues"])
def test_tab(attributed: None, record: Record, tab: str) -> None:
    person = most_prolific()
    name = f"{tab} of a researcher, {person.paper_count} papers"
    queries = measure(record, name, f"{person.get_absolute_url()}/{tab}", rows=person.paper_count)
    assert queries <= MOST_QUERIES


def test_filtered_papers(attributed: None, record: Record) -> None:
    person = most_prolific()
    address = f"{person.get_absolute_url()}?kind=preprint&sort=oldest"
    assert measure(record, "filtered papers of a researcher", address, rows=24) <= MOST_QUERIES
