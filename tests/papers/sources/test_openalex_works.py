from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from papers.services.ingest.validation import check
from papers.sources.crossref.works import RANK as CROSSREF_RANK
from papers.sources.openalex import OpenAlexSource
from papers.sources.records import AuthorRecord, CitationCount, PaperRecord, PartialDate
from tests.papers.sources.openalex_documents import ARXIV, BASE, authorship, location, work
from wovepaper.harvest.contracts import RawRecord, RecordRefused

SOURCE = OpenAlexSource()
ORCID = "0000-0002-1825-0097"


def parse(said: dict[str, Any] | None = None, **values: Any) -> PaperRecord:
    payload = json.dumps(work(**values) if said is None else said).encode()
    record = SOURCE.parse(RawRecord("W700", "work", "", payload))
    check(record)
    return record


def authors(*entries: Any) -> tuple[AuthorRecord, ...]:
    return parse(authorships=list(entries)).authors


def test_everything_a_record_can_hold() -> None:
    record = parse(ids={"openalex": f"{BASE}W700", "pmid": "https://pubmed.ncbi.nlm.nih.gov/0042"})

    assert (record.source, record.format, record.external_id) == ("openalex", "work", "W700")
    assert record.stamp == "2025-03-04T05:06:07.123456"
    assert record.identifiers == (("openalex", "W700"), ("doi", "10.5555/woven.1"), ("pmid", "42"))
    assert (record.title, record.abstract) == ("A woven lattice", "We weave and weave again.")
    assert (record.kind, record.published) == ("article", PartialDate(2024, 12, 9))
    assert (record.venue, record.publisher) == ("Journal of Invented Research", "Nowhere Press")
    assert (record.volume, record.issue, record.pages) == ("7", "2", "11-29")
    assert record.licence == "CC BY"
    assert record.authors == (
        AuthorRecord("Zoë Vek", "Zoë", "Vek", source_author_id="A501"),
        AuthorRecord("Ansel Thorn", "Ansel", "Thorn", source_author_id="A502", corresponding=True),
    )
    assert record.citations == CitationCount(3, dt.date(2025, 3, 4))
    assert record.retracted is False
    assert CROSSREF_RANK < record.rank < parse(type="preprint").rank


def test_least_of_all() -> None:
    record = parse({"id": "W5", "title": "Least"})

    assert (record.external_id, record.identifiers) == ("W5", (("openalex", "W5"),))
    assert (record.kind, record.published, record.authors, record.citations) == ("other", None, (), None)
    assert (record.stamp, record.abstract, record.venue, record.pages) == ("", "", "", "")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"id": None}, 'The record has no "id" of a work, so it is no work of OpenAlex.'),
        ({"id": f"{BASE}A501"}, 'The record has no "id" of a work, so it is no work of OpenAlex.'),
        ({"id": 700}, 'The record has no "id" of a work, so it is no work of OpenAlex.'),
        ({"title": None, "display_name": None}, "The work has no title."),
        ({"title": " ", "display_name": "<i></i>"}, "The work has no title."),
        ({"type": "paratext"}, "The record describes paratext, which is not a paper."),
        ({"is_paratext": True}, "The record describes paratext, which is not a paper."),
        ({"type": "grant"}, "The record describes a grant, which is not a paper."),
        ({"type": "journal-issue"}, "The record describes a journal issue, which is not a paper."),
    ],
)
def test_what_is_no_paper_is_refused_with_the_reason(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(RecordRefused) as refused:
        parse(**values)
    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"type": "review"}, "article"),
        ({"type": "journal-article"}, "article"),
        ({"type": "preprint"}, "preprint"),
        ({"type": "posted-content"}, "preprint"),
        ({"type": "book-chapter"}, "book-chapter"),
        ({"type": "dissertation"}, "thesis"),
        ({"type": "dataset"}, "dataset"),
        ({"type": "editorial"}, "other"),
        ({"type": "of-tomorrow"}, "other"),
        ({"type": None}, "other"),
        ({"type": ["article"]}, "other"),
        ({"type_crossref": "proceedings-article"}, "proceedings-article"),
        ({"primary_location": location(raw_type="proceedings-article")}, "proceedings-article"),
        ({"primary_location": location(source={"type": "conference", "display_name": "Knots"})}, "proceedings-article"),
    ],
)
def test_kinds(values: dict[str, Any], expected: str) -> None:
    assert parse(**values).kind == expected


@pytest.mark.parametrize(
    ("day", "year", "expected"),
    [
        ("2024-02-29", 2024, PartialDate(2024, 2, 29)),
        ("2024-03-01", 2024, PartialDate(2024, 3)),
        ("2024-01-01", 2024, PartialDate(2024)),
        ("2024-01-02", 2024, PartialDate(2024, 1, 2)),
        ("2024-02-30", 2024, PartialDate(2024)),
        (None, 2024, PartialDate(2024)),
        ("0001-01-02", 2024, PartialDate(2024)),
        (None, None, None),
        (None, True, None),
        (7, "2024", None),
        (None, 0, None),
    ],
)
def test_dates_say_no_more_than_is_known(day: Any, year: Any, expected: PartialDate | None) -> None:
    assert parse(publication_date=day, publication_year=year).published == expected


class TestIdentifiers:
    def test_an_arxiv_id_by_its_locations(self) -> None:
        record = parse(locations=[location(), ARXIV])
        assert record.identifiers[1:] == (("doi", "10.5555/woven.1"), ("arxiv", "2401.00001"))

    def test_an_arxiv_doi_is_an_arxiv_id(self) -> None:
        record = parse(doi="https://doi.org/10.48550/arXiv.2401.00001", ids=None, locations=[ARXIV])
        assert record.identifiers == (("openalex", "W700"), ("arxiv", "2401.00001"))

    def test_a_location_by_its_arxiv_doi(self) -> None:
        record = parse(locations=[location(landing_page_url="https://doi.org/10.48550/arxiv.hep-th/9901001")])
        assert ("arxiv", "hep-th/9901001") in record.identifiers

    def test_of_two_arxiv_ids_none_is_taken(self) -> None:
        other = location(landing_page_url="https://arxiv.org/abs/2401.00002")
        assert parse(locations=[ARXIV, other]).identifiers == (("openalex", "W700"), ("doi", "10.5555/woven.1"))

    def test_nonsense_is_left_out(self) -> None:
        record = parse(
            doi="https://doi.org/nothing", ids={"pmid": "none", "doi": 7}, locations=[None, "x", {"pdf_url": 7}, {}]
        )
        assert record.identifiers == (("openalex", "W700"),)
        assert parse(ids="x", doi=None, locations="x", primary_location=None).identifiers == (("openalex", "W700"),)

    @pytest.mark.parametrize(
        "form", ["W7", "w7", f"{BASE}W7", f"{BASE}works/W7", "https://api.openalex.org/works/w007"]
    )
    def test_its_own_in_every_form(self, form: str) -> None:
        assert parse(id=form).external_id == "W7"


class TestAbstracts:
    @pytest.mark.parametrize(
        ("said", "expected"),
        [
            ({"b": [1], "a": [0, 2]}, "a b a"),
            ({"a": [0], "c": [7]}, "a c"),
            ({"a": [0], "b": [0]}, "a"),
            ({"a": [-1, None, "2", True, 10**9], "b": [1]}, "b"),
            ({"a": 0, "b": [1]}, "b"),
            ({"IndexLength": 2, "InvertedIndex": {"a": [0], "b": [1]}}, "a b"),
            ('{"IndexLength": 1, "InvertedIndex": {"a": [0]}}', "a"),
            ("{", ""),
            ("words", ""),
            ({}, ""),
            (None, ""),
            ([["a", 0]], ""),
            ({"Abstract": [0], "<jats:p>We": [1], "weave.</jats:p>": [2]}, "Abstract We weave."),
            ({"of": [0], "$\\alpha$": [1]}, "of $\\alpha$"),
        ],
    )
    def test_words_are_put_in_their_places(self, said: Any, expected: str) -> None:
        assert parse(abstract_inverted_index=said).abstract == expected


class TestAuthors:
    def test_as_printed_and_not_as_the_profile_is_called(self) -> None:
        entry = authorship("Vek, Zo\u00eb", 501)
        entry["author"] |= {"display_name": "Melba Other", "orcid": f"https://orcid.org/{ORCID}"}
        assert authors(entry) == (AuthorRecord("Zoë Vek", "Zoë", "Vek", source_author_id="A501"),)

    def test_the_name_of_the_profile_where_none_is_printed(self) -> None:
        entry = authorship("Zo\u00eb Vek", 501, raw_author_name=None)
        assert authors(entry) == (AuthorRecord("Zoë Vek", "Zoë", "Vek", source_author_id="A501"),)

    @pytest.mark.parametrize(
        ("entry", "profile", "expected"),
        [
            ({"raw_orcid": f"https://orcid.org/{ORCID}"}, {}, ORCID),
            ({"raw_orcid": "0000-0002-1825-0098"}, {"orcid": f"https://orcid.org/{ORCID}"}, ""),
            ({}, {"orcid": f"https://orcid.org/{ORCID}"}, ORCID),
            ({"raw_orcid": None}, {"orcid": ORCID}, ORCID),
            ({}, {"orcid": ORCID, "display_name": "Zora V\u00e9k"}, ORCID),
            ({}, {"orcid": ORCID, "display_name": "Ansel Vek"}, ""),
            ({}, {"orcid": ORCID, "display_name": None}, ""),
            ({}, {"orcid": 7}, ""),
        ],
    )
    def test_an_orcid_that_was_printed_or_is_of_a_profile_of_that_name(
        self, entry: dict[str, Any], profile: dict[str, Any], expected: str
    ) -> None:
        said = authorship("Zo\u00eb Vek", 501, **entry)
        said["author"] |= profile
        assert [author.orcid for author in authors(said)] == [expected]

    def test_the_deleted_author_is_nobody(self) -> None:
        entry = authorship("Zo\u00eb Vek", 5317838346)
        entry["author"]["display_name"] = "Deleted Author"
        bare = authorship(None, 5317838346)
        bare["author"]["display_name"] = "Deleted Author"
        assert authors(entry, bare) == (AuthorRecord("Zoë Vek", "Zoë", "Vek"),)

    def test_affiliations_as_printed(self) -> None:
        strings = ["Institute of Knots", "Institute of Knots", "", None, "Loom &amp; Co"]
        listed = [{"raw_affiliation_string": "Of the list", "institution_ids": [f"{BASE}I1"]}, None]
        found = authors(
            authorship("A Vek", 1, raw_affiliation_strings=strings, affiliations=listed),
            authorship("B Vek", 2, affiliations=listed),
            authorship("C Vek", 3, raw_affiliation_strings=None, affiliations=None, raw_affiliation_string="Alone"),
            authorship("D Vek", 4, raw_affiliation_strings="x", affiliations="y"),
        )
        assert [author.affiliations for author in found] == [
            ("Institute of Knots", "Loom & Co"), ("Of the list",), ("Alone",), (),
        ]  # fmt: skip

    def test_collaborations_and_what_is_no_author(self) -> None:
        found = authors(
            authorship("LOOM Collaboration", 9), authorship(None, None), authorship(" - ", None), None, "x",
            {"author": None, "raw_author_name": "7"}, {"author": "x", "raw_author_name": "Ute Ibarra"},
        )  # fmt: skip
        assert found == (
            AuthorRecord("LOOM Collaboration", is_collaboration=True),
            AuthorRecord("Ute Ibarra", "Ute", "Ibarra"),
        )

    def test_three_thousand(self) -> None:
        found = authors(*(authorship(f"A. Weaver{number}", number + 1) for number in range(3000)))
        assert len(found) == 3000
        assert found[-1].source_author_id == "A3000"


class TestPlaces:
    def test_a_repository_is_no_venue(self) -> None:
        record = parse(primary_location=ARXIV)
        assert (record.venue, record.publisher, record.licence) == ("", "", "")

    def test_the_place_of_older_parts(self) -> None:
        record = parse(primary_location=None, host_venue={"display_name": "Old Looms", "publisher": "Old Press"})
        assert (record.venue, record.publisher) == ("Old Looms", "Old Press")

    @pytest.mark.parametrize(
        ("said", "expected"),
        [
            ("cc-by-nc-nd", "CC BY-NC-ND"),
            ("cc0", "CC0"),
            ("public-domain", "Public domain"),
            ("publisher-specific-oa", ""),
            ("other-oa", ""),
            (None, ""),
            (7, ""),
        ],
    )
    def test_licences(self, said: Any, expected: str) -> None:
        assert parse(primary_location=location(license=said)).licence == expected

    @pytest.mark.parametrize(
        ("biblio", "expected"),
        [
            ({"first_page": "e12", "last_page": "e12"}, "e12"),
            ({"first_page": "3", "last_page": None}, "3"),
            ({"first_page": None, "last_page": "9"}, "9"),
            ({"first_page": 3, "last_page": 9}, "3-9"),
            ({"first_page": "x" * 90}, "x" * 63 + "…"),
            ({}, ""),
            (None, ""),
            ([], ""),
        ],
    )
    def test_pages(self, biblio: Any, expected: str) -> None:
        assert parse(biblio=biblio).pages == expected


@pytest.mark.parametrize("title", ["A &amp;lt;woven&amp;gt; <i>lattice</i>", "A <woven> lattice"])
def test_titles_are_plain(title: str) -> None:
    assert parse(title=title).title == "A <woven> lattice"


@pytest.mark.parametrize(
    ("count", "day", "expected"),
    [
        (0, "2025-03-04", CitationCount(0, dt.date(2025, 3, 4))),
        (5, None, CitationCount(5)),
        (5, "2025", CitationCount(5)),
        (-1, "2025-03-04", None),
        (True, "2025-03-04", None),
        ("5", "2025-03-04", None),
    ],
)
def test_how_often_others_cite_it(count: Any, day: Any, expected: CitationCount | None) -> None:
    assert parse(cited_by_count=count, updated_date=day).citations == expected


def test_a_retraction() -> None:
    assert parse(is_retracted=True).retracted is True


def test_the_hash_is_of_what_the_work_says() -> None:
    known = parse().content_hash
    assert parse(cited_by_count=9, updated_date="2026-01-01", concepts=[{"id": "C1"}]).content_hash == known
    assert parse(is_retracted=True).content_hash != known
    assert parse(dict(reversed(work().items()))).content_hash == known
