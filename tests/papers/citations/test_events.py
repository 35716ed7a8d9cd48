"""Conferences and dates online in every format, read back."""

from __future__ import annotations

import json
from dataclasses import replace

import bibtexparser
import pytest
import rispy

from papers.citations import CitationData, export
from papers.citations.data import CitedEvent
from papers.models import Paper
from papers.sources.records import PartialDate
from papers.structured_data import citation_meta
from tests.papers.citations.samples import ARTICLE

EVENT = CitedEvent("SenWeave '23 & Friends", "Nowhere Islands", PartialDate(2023, 11, 12), PartialDate(2023, 11, 17))
PAPER = replace(
    ARTICLE,
    kind="proceedings-article",
    venue="Proceedings of the 21st Conference",
    event=EVENT,
    date=PartialDate(2024, 4),
    online=PartialDate(2023, 11, 12),
)


def biblatex(data: CitationData) -> dict[str, str]:
    library = bibtexparser.parse_string(export([data], "biblatex"))
    assert library.failed_blocks == []
    return {field.key: field.value for field in library.entries[0].fields}


def test_biblatex() -> None:
    fields = biblatex(PAPER)
    assert (fields["eventtitle"], fields["venue"]) == (r"SenWeave '23 {\&} Friends", "Nowhere Islands")
    assert (fields["eventdate"], fields["date"]) == ("2023-11-12/2023-11-17", "2024-04")
    assert fields["booktitle"] == "Proceedings of the 21st Conference"


@pytest.mark.parametrize(
    ("start", "end", "interval"),
    [
        (PartialDate(2023, 11), None, "2023-11"),
        (None, PartialDate(2023), "2023"),
        (PartialDate(2023, 11, 12), PartialDate(2023, 11, 12), "2023-11-12"),
        (PartialDate(2023, 11, 30), PartialDate(2023, 12, 2), "2023-11-30/2023-12-02"),
        (None, None, None),
    ],
)
def test_the_days_of_an_event(start: PartialDate | None, end: PartialDate | None, interval: str | None) -> None:
    assert biblatex(replace(PAPER, event=replace(EVENT, start=start, end=end))).get("eventdate") == interval


def test_bibtex_names_a_conference_without_proceedings_as_the_book() -> None:
    library = bibtexparser.parse_string(export([replace(PAPER, venue="")], "bibtex"))
    fields = {field.key: field.value for field in library.entries[0].fields}
    assert (library.entries[0].entry_type, fields["booktitle"]) == ("inproceedings", r"SenWeave '23 {\&} Friends")


def test_csl() -> None:
    (item,) = json.loads(export([PAPER], "csl-json"))
    assert (item["event-title"], item["event-place"]) == ("SenWeave '23 & Friends", "Nowhere Islands")
    assert item["event-date"] == {"date-parts": [[2023, 11, 12], [2023, 11, 17]]}
    assert (item["issued"], item["available-date"]) == ({"date-parts": [[2024, 4]]}, {"date-parts": [[2023, 11, 12]]})
    (plain,) = json.loads(export([replace(ARTICLE, online=ARTICLE.date)], "csl-json"))
    assert not plain.keys() & {"event-title", "event-place", "event-date", "available-date"}


def test_ris() -> None:
    (entry,) = rispy.loads(export([PAPER], "ris"))
    assert (entry["type_of_reference"], entry["secondary_title"], entry["custom3"], entry["place_published"]) == (
        "CPAPER",
        "SenWeave '23 & Friends",
        "Proceedings of the 21st Conference",
        "Nowhere Islands",
    )
    (article,) = rispy.loads(export([replace(ARTICLE, event=EVENT)], "ris"))
    assert article["secondary_title"] == ARTICLE.venue


@pytest.mark.django_db
def test_tags_for_machines() -> None:
    tags = dict(citation_meta(Paper(title="T", kind="proceedings-article"), site_url="", citation=PAPER))
    assert tags["citation_conference_title"] == "Proceedings of the 21st Conference"
    assert tags["citation_conference"] == "SenWeave '23 & Friends"
    assert (tags["citation_publication_date"], tags["citation_online_date"]) == ("2024/04", "2023/11/12")
    tags = dict(citation_meta(Paper(title="T"), site_url="", citation=replace(PAPER, venue="")))
    assert tags["citation_conference_title"] == "SenWeave '23 & Friends"
