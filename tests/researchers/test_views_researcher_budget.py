"""What the pages of a researcher may cost, however much they wrote and with however many."""

import gzip

import pytest
from django.db import connection
from django.db.models import F, TextField, Value
from django.db.models.functions import Concat
from django.test.utils import CaptureQueriesContext

from papers.models import Authorship, Paper
from researchers.models import ResearcherMetric
from researchers.services.votes import cast_vote
from tests.factories import affiliate
from tests.html import Page
from tests.researchers.people import curator, orcid, researcher
from tests.researchers.works import count, crowd, name, paper_of, write_many, written_by

pytestmark = pytest.mark.django_db

MOST_QUERIES = 12
MOST_BYTES = 60_000
PAGES = ("", "?field=cs.CL&sort=oldest", "?sort=cited", "/co-authors", "/venues")


def queries(client, address):
    with CaptureQueriesContext(connection) as captured:
        response = client.get(address)
    assert response.status_code == 200
    return len(captured), response


def test_as_many_queries_at_1_3_and_100_papers(client):
    counts = {page: {} for page in PAGES}
    for size in (1, 3, 100):
        ada, *others = (researcher(f"{given} Weaver {size}") for given in ("Ada", "Bo", "Cem", "Dee"))
        numbers = [one.pk for one in others]
        made = write_many(ada, [numbers[: number % 4] for number in range(size)], citation_count=3, venue="Looms")
        for number, paper in enumerate(made):
            affiliate(paper, 1, f"Institute {number}")
        for page in PAGES:
            counts[page][size] = queries(client, ada.get_absolute_url() + page)[0]
    for page, found in counts.items():
        assert len(set(found.values())) == 1, (page, found)
        assert found[1] <= MOST_QUERIES, page


def test_with_everything_there_can_be(client):
    ada, bo, other = researcher("Ada Weaver"), researcher("Bo Spindle"), researcher("Ada Weaver")
    for number in range(30):
        affiliate(paper_of(ada, bo, venue="Journal of Looms", citation_count=number), 1, "Loom Institute")
    written_by({"Adamina Weaver": ada, "Bo": bo})
    written_by({"Adamina Weaver": ada, "Bodo": bo})
    name(ada, "韦阿达")
    name(bo, "Bodo", visibility="hidden")
    orcid(ada, "0000-0002-1825-0097")
    paper_of(other)
    count(ada, bo, other)
    found, response = queries(client, ada.get_absolute_url())
    page = Page(response)
    assert page.all("//aside[contains(@class, 'doubtful')]")
    assert page.all("//section[@id='same-name']")
    assert found <= MOST_QUERIES


@pytest.mark.parametrize("rows", [1, 3, 5])
def test_signed_in_with_so_many_rows_of_everything(client, rows):
    """Papers, co-authors, namesakes, votes, doubtful papers, names, identifiers, figures of sources, affiliations."""
    reader = curator("reader", [])
    ada = researcher("Ada Weaver")
    crew = [researcher(f"Bo Spindle{letter}") for letter in "abcde"[:rows]]
    namesakes = [researcher("Ada Weaver") for _ in range(rows)]
    for number in range(4 * rows):
        made = paper_of(ada, *crew, venue=f"Journal {number % rows}", citation_count=number)
        affiliate(made, 1, f"Institute {number % rows}")
    for number in range(rows):
        written_by({f"Quaestor{'abcde'[number]} Weaver": ada, crew[0].display_name: crew[0]})
        orcid(ada, f"0000-0002-1825-009{number}", state="conflict")
        name(ada, f"韦阿达{number}")
        ResearcherMetric.objects.create(
            researcher=ada,
            source=("openalex", "s2", "dblp", "inspire", "zbmath")[number],
            h_index=3,
            as_of="2026-01-01",
        )
        paper_of(namesakes[number])
        cast_vote(voter=reader, one=ada.pk, other=namesakes[number].pk, verdict="different")
    count(ada, *crew, *namesakes)
    client.force_login(reader)
    client.get("/about")  # the session is there by then
    found, response = queries(client, ada.get_absolute_url())
    page = Page(response)
    assert len(page.all("//aside[contains(@class, 'doubtful')]//li")) == rows
    assert len(page.all("//section[@id='same-name']//li")) >= rows
    assert found <= MOST_QUERIES


def test_a_thousand_papers_and_three_thousand_co_authors(client):
    ada = researcher("Ada Weaver")
    others = crowd(3_000)
    papers = [others, *([others[(7 * number + step) % 3_000] for step in range(number % 8)] for number in range(999))]
    write_many(ada, papers, primary_category_id="cs.CL", categories=["cs.CL"])
    Paper.objects.update(
        title=Concat(
            F("title"),
            Value(" of a loom with "),
            F("id"),
            Value(" of them, and what became of each"),
            output_field=TextField(),
        ),
        venue=Concat(Value("Journal of the Thread "), F("id") % 400, output_field=TextField()),
        citation_count=F("id"),
    )
    count(ada)
    path = ada.get_absolute_url()
    for page in PAGES:
        found, response = queries(client, path + page)
        assert found <= MOST_QUERIES, page
        assert len(gzip.compress(response.content)) <= MOST_BYTES, page
    whole = Page(client.get(path))
    assert len(whole.all("//svg[@class='network']//a")) == 36
    assert "the 36 closest of 3,000 co-authors" in whole.text
    assert len(whole.all("//section[@id='papers']//article")) == 24
    listed = Page(client.get(f"{path}/co-authors"))
    assert len(listed.all("//table[@class='coauthor-table']/tbody/tr")) == 50
    assert listed.one("//p[@class='lede']") == "3,000 researchers wrote with Ada Weaver."


def test_a_paper_of_three_thousand_authors_is_bounded(client):
    ada = researcher("Ada Weaver")
    paper = paper_of(ada, title="Of many")
    Authorship.objects.bulk_create(
        Authorship(paper=paper, position=position, name=f"Member {position}") for position in range(2, 3001)
    )
    Paper.objects.filter(pk=paper.pk).update(author_count=3000)
    page = Page(client.get(ada.get_absolute_url()))
    assert page.one("//section[@id='papers']//p[@class='paper-card__authors']") == (
        "Ada Weaver, Member 2, Member 3, Member 4, Member 5, Member 6 and 2,994 more"
    )
    assert page.texts("//section[@id='papers']//p[@class='work-role']/span") == ["First of 3,000 authors"]
    assert len(client.get(ada.get_absolute_url()).content) < 30_000
