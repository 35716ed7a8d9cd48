"""A curator's value wins over every source, until it is taken away."""

from __future__ import annotations

import datetime as dt

import pytest

from papers.models import Paper
from papers.services.ingest import ingest_records
from papers.services.ingest.pinned import PinRefused
from papers.services.pins import pin_field, unpin_field
from tests.papers.services.invented import arxiv_record, pairs
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db


@pytest.fixture
def paper() -> Paper:
    ingest_records(pairs(arxiv_record()))
    WorkItem.objects.all().delete()
    return Paper.objects.get()


def test_a_pin_shows_at_once_and_says_who_when_and_why(paper: Paper) -> None:
    before = dt.datetime.now(dt.UTC)
    pin_field(paper_id=paper.pk, field="title", value="  The right   title ", by=7, reason="The source has a typo.")
    paper.refresh_from_db()
    assert paper.title == "The right title"
    pin = paper.pinned["title"]
    assert (pin["value"], pin["by"], pin["reason"]) == ("The right title", 7, "The source has a typo.")
    assert before <= dt.datetime.fromisoformat(pin["at"]) <= dt.datetime.now(dt.UTC)
    assert list(WorkItem.objects.values_list("stage", "object_id", "reason")) == [("index", paper.pk, "pin")]


def test_a_pin_survives_every_harvest(paper: Paper) -> None:
    pin_field(paper_id=paper.pk, field="title", value="The right title", by=None)
    ingest_records(pairs(arxiv_record(title="Another wrong one", comments="new", stamp="2020-02-02")))
    ingest_records(pairs(arxiv_record(format="raw", rank=1, title="And another")))
    paper.refresh_from_db()
    assert (paper.title, paper.comments) == ("The right title", "new")


def test_without_the_pin_the_latest_word_of_the_sources_shows(paper: Paper) -> None:
    pin_field(paper_id=paper.pk, field="title", value="The right title", by=None)
    ingest_records(pairs(arxiv_record(title="Corrected upstream", stamp="2020-02-02")))
    WorkItem.objects.all().delete()
    found = unpin_field(paper_id=paper.pk, field="title")
    assert (found.title, found.pinned) == ("Corrected upstream", {})
    assert list(WorkItem.objects.values_list("stage", "object_id", "reason")) == [("index", paper.pk, "pin")]


def test_a_date_is_pinned_with_its_precision_and_sorts_the_paper(paper: Paper) -> None:
    pin_field(paper_id=paper.pk, field="published_on", value="1998-11", by=None)
    paper.refresh_from_db()
    assert (paper.published_on, paper.published_precision) == (dt.date(1998, 11, 1), "month")
    assert paper.sort_date == dt.date(1998, 11, 1)
    pin_field(paper_id=paper.pk, field="published_on", value="", by=None)
    paper.refresh_from_db()
    assert (paper.published_on, paper.published_precision, paper.sort_date) == (None, "day", dt.date(1, 1, 1))
    unpin_field(paper_id=paper.pk, field="published_on")
    paper.refresh_from_db()
    assert (paper.published_on, paper.sort_date) == (dt.date(2020, 1, 1), dt.date(2020, 1, 1))


def test_an_empty_value_can_be_pinned(paper: Paper) -> None:
    ingest_records(pairs(arxiv_record(comments="wrong", stamp="2020-02-02")))
    pin_field(paper_id=paper.pk, field="comments", value="", by=None)
    ingest_records(pairs(arxiv_record(comments="wrong again", stamp="2020-03-03")))
    paper.refresh_from_db()
    assert paper.comments == ""


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("arxiv_id", "2001.00009", "'arxiv_id' cannot be pinned; these can: abstract, comments, issue"),
        ("title", " \x00 ", "A paper needs a title."),
        ("volume", "9" * 65, "At most 64 characters fit into volume."),
        ("status", "lost", "'lost' is no status; choose one of current, withdrawn, retracted."),
        ("published_on", "yesterday", "'yesterday' is no date: write 2015, 2015-03 or 2015-03-04."),
        ("published_on", "2015-02-30", "'2015-02-30' is no date: write 2015, 2015-03 or 2015-03-04."),
    ],
)
def test_what_cannot_be_pinned(paper: Paper, field: str, value: str, reason: str) -> None:
    with pytest.raises(PinRefused) as refusal:
        pin_field(paper_id=paper.pk, field=field, value=value, by=None)
    assert str(refusal.value).startswith(reason)
    assert Paper.objects.get().pinned == {}
    assert not WorkItem.objects.exists()


def test_what_is_not_pinned_cannot_be_let_go(paper: Paper) -> None:
    with pytest.raises(PinRefused, match="'title' of this paper is not pinned"):
        unpin_field(paper_id=paper.pk, field="title")


def test_an_unknown_paper() -> None:
    with pytest.raises(Paper.DoesNotExist):
        pin_field(paper_id=1, field="title", value="x", by=None)
    with pytest.raises(Paper.DoesNotExist):
        unpin_field(paper_id=1, field="title")
