"""What the sources say, side by side."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.contrib.postgres.fields import ArrayField
from django.db.models import TextField, Value
from django.test import Client
from django.urls import reverse

from papers.models import Paper
from papers.services.ingest import ingest_records
from papers.services.pins import pin_field
from papers.services.shown_names import FORMER_NAME
from papers.views.sources import AUTHORS_LISTED
from tests.admin_people import user_with
from tests.papers.services.invented import arxiv_record, pairs, paper_record

pytestmark = pytest.mark.django_db

ARXIV = "2001.00001"


@pytest.fixture(autouse=True)
def _sources(invented_source: None) -> None:
    """Records can be parsed again."""


def article(**values: Any) -> Any:
    return paper_record(
        **{
            "source": "invented-2", "external_id": "10.1/x", "identifiers": [("doi", "10.1/x"), ("arxiv", ARXIV)],
            "rank": 60, "title": "On looms <b>revised</b>", "kind": "article", "venue": "Annals of Weaving",
            "authors": ["Ada Weaver", "Bo Spindle"], "published": {"year": 2024}, **values,
        }
    )  # fmt: skip


def fetch(client: Client) -> str:
    response = client.get(f"/papers/{ARXIV}/sources")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_differences_come_first_and_are_marked(client: Client) -> None:
    ingest_records(
        pairs(arxiv_record(ARXIV, rank=10, title="On looms", authors=["Ada Weaver", "Bo Spindle"]), article())
    )
    page = fetch(client)
    differing, agreeing = page.index("Where they differ"), page.index("Where they agree")
    title = page.index("On looms &lt;b&gt;revised&lt;/b&gt;") if "&lt;b&gt;revised" in page else page.index("revised")
    assert differing < title < agreeing
    assert page.index("Annals of Weaving") > agreeing
    assert page.count("is-different") == 2  # title and date
    assert "2 of 2 are printed alike" in page
    assert "10.1/x, dated 2020-01-02, harvested <time" in page
    paper_page = client.get(Paper.objects.get().get_absolute_url()).content.decode()
    assert f'href="/papers/{ARXIV}/sources"' in paper_page


def test_pinned_values_are_marked_without_saying_by_whom(client: Client) -> None:
    ingest_records(pairs(arxiv_record(ARXIV, rank=10), article()))
    paper = Paper.objects.get()
    curator = user_with(is_superuser=True)
    pin_field(paper_id=paper.pk, field="venue", value="Journal of Pins", by=curator.pk, reason="The cover says so")
    page = fetch(client)
    assert 'Journal of Pins <small>is shown, <span class="badge">fixed by a curator</span>' in page
    assert "The cover says so" not in page
    assert str(curator) not in page


def test_seven_hundred_authors_show_only_where_they_differ(client: Client, django_assert_max_num_queries: Any) -> None:
    names = [f"Given{number} Family{number}" for number in range(700)]
    other = [*names]
    other[3] = "G. Family3"
    ingest_records(pairs(arxiv_record(ARXIV, rank=10, authors=names), article(authors=other)))
    with django_assert_max_num_queries(12):
        page = fetch(client)
    assert "699 of 700 are printed alike" in page
    assert "4. Given3 Family3" in page
    assert "G. Family3" in page
    assert "Family77" not in page


def test_a_long_list_of_differences_is_cut(client: Client) -> None:
    names = [f"Given{number} Family{number}" for number in range(150)]
    ingest_records(pairs(arxiv_record(ARXIV, rank=10, authors=names), article(authors=names[:20])))
    page = fetch(client)
    assert page.count("not in its list") == AUTHORS_LISTED
    assert "And 30 more." in page


def test_a_hidden_name_is_not_shown(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest_records(
        pairs(
            arxiv_record(ARXIV, rank=10, authors=["Ada Weaver", "Bo Spindle"]),
            article(authors=["Adam Weaver", "B. Spindle"]),
        )
    )

    monkeypatch.setattr(
        import_module("papers.views.sources"),
        "hidden_names_here",
        lambda: Value(["Adam Weaver"], output_field=ArrayField(TextField())),
    )
    page = fetch(client)
    assert "Adam Weaver" not in page
    assert FORMER_NAME in page or "1 of 2 are printed alike" in page
    assert "B. Spindle" in page


def test_other_addresses_lead_there_and_others_are_not_found(client: Client) -> None:
    ingest_records(pairs(arxiv_record(ARXIV, title="On looms")))
    number = Paper.objects.get().pk
    assert client.get(f"/papers/{number}/sources")["Location"] == f"/papers/{ARXIV}/sources"
    assert client.get("/papers/1999.00001/sources").status_code == 404
    assert client.post(reverse("papers:sources", args=[ARXIV])).status_code == 405
    assert "No source says anything else than what is shown." in fetch(client)


def test_the_article_stands_among_the_versions(client: Client) -> None:
    ingest_records(pairs(arxiv_record(ARXIV, rank=10)))
    before = client.get(Paper.objects.get().get_absolute_url()).content.decode()
    assert "Journal article" not in before.split("Versions", 1)[1].split("</table>")[0]
    ingest_records(pairs(article()))
    page = client.get(Paper.objects.get().get_absolute_url()).content.decode()
    table = " ".join(page.split('id="versions"', 1)[1].split("</table>")[0].split())
    assert '<a href="https://doi.org/10.1/x" rel="external">Journal article</a>' in table
    assert "Published in Annals of Weaving, doi:10.1/x" in table
    assert ">v1</a>" in table
