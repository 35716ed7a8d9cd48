from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from papers.models import Paper
from papers.services.ingest.validation import check
from papers.sources.crossref import CrossrefSource
from papers.sources.records import AuthorRecord, CitationCount, PaperRecord, PartialDate
from tests.papers.sources.crossref_documents import person, work
from wovepaper.harvest.contracts import RawRecord, RecordRefused
from wovepaper.lib import orcid

SOURCE = CrossrefSource()
OWN = ("doi", "10.5555/woven.1")


def parse(said: dict[str, Any] | None = None, **values: Any) -> PaperRecord:
    payload = json.dumps(work(**values) if said is None else said).encode()
    record = SOURCE.parse(RawRecord("10.5555/woven.1", "work", "2025-03-04", payload))
    check(record)
    return record


def authors(*entries: Any) -> tuple[AuthorRecord, ...]:
    return parse(author=list(entries)).authors


def test_everything_a_record_can_hold() -> None:
    record = parse(abstract="<jats:p>We weave.</jats:p>", subtitle=["threads and knots"])

    assert (record.source, record.format, record.external_id) == ("crossref", "work", "10.5555/woven.1")
    assert record.stamp == "2025-03-04T05:06:07Z"
    assert record.identifiers == (OWN,)
    assert record.title == "A woven lattice: threads and knots"
    assert record.abstract == "We weave."
    assert record.kind == "article"
    assert record.published == PartialDate(2024, 12)
    assert (record.venue, record.volume, record.issue, record.pages) == (
        "Journal of Invented Research",
        "7",
        "2",
        "11-29",
    )
    assert record.publisher == "Nowhere Press"
    assert record.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert record.authors == (
        AuthorRecord("Zoë Vek", "Zoë", "Vek"),
        AuthorRecord("Ansel Thorn", "Ansel", "Thorn"),
    )
    assert record.citations == CitationCount(3, dt.date(2025, 3, 4))
    assert record.is_demo is False
    assert record.rank > 12  # behind arXiv's formats


def test_least_of_all() -> None:
    record = parse({"DOI": "10.5555/woven.1", "title": ["Least"]})

    assert (record.title, record.kind, record.published, record.authors) == ("Least", "other", None, ())
    assert record.stamp == ""
    assert record.citations is None


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"title": ["T"]}, 'The record has no "DOI", so it is no work of Crossref.'),
        ({"DOI": "", "title": ["T"]}, 'The record has no "DOI", so it is no work of Crossref.'),
        ({"DOI": "eleven/7", "title": ["T"]}, "'eleven/7' is not a DOI."),
        ({"DOI": "10.5555/x"}, "The work has no title."),
        ({"DOI": "10.5555/x", "title": []}, "The work has no title."),
        ({"DOI": "10.5555/x", "title": None}, "The work has no title."),
        ({"DOI": "10.5555/x", "title": ["", " <i></i> ", None, 7]}, "The work has no title."),
        (
            {"DOI": "10.5555/x", "title": ["Vol. 7"], "type": "journal-issue"},
            "The record describes a journal issue, which is not a paper.",
        ),
        (
            {"DOI": "10.5555/x", "title": ["Figure 7"], "type": "component"},
            "The record describes a component, which is not a paper.",
        ),
    ],
)
def test_what_is_no_paper_is_refused_with_the_reason(said: dict[str, Any], reason: str) -> None:
    with pytest.raises(RecordRefused) as refused:
        parse(said)
    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("journal-article", "article"),
        ("proceedings-article", "proceedings-article"),
        ("posted-content", "preprint"),
        ("monograph", "book"),
        ("edited-book", "book"),
        ("book-chapter", "book-chapter"),
        ("reference-entry", "book-chapter"),
        ("dissertation", "thesis"),
        ("report", "report"),
        ("dataset", "dataset"),
        ("peer-review", "other"),
        ("a-type-of-tomorrow", "other"),
        (None, "other"),
        (["journal-article"], "other"),
    ],
)
def test_kinds(kind: Any, expected: str) -> None:
    assert parse(type=kind).kind == expected
    assert expected in Paper.Kind.values


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ({"published": {"date-parts": [[2024, 2, 29]]}}, PartialDate(2024, 2, 29)),
        ({"published": {"date-parts": [[2024, 2]]}}, PartialDate(2024, 2)),
        ({"published": {"date-parts": [[2024]]}}, PartialDate(2024)),
        ({"published": {"date-parts": [["2024", "02", "9"]]}}, PartialDate(2024, 2, 9)),
        ({"published": {"date-parts": [[2024, None, None]]}}, PartialDate(2024)),
        ({"published": {"date-parts": [[2024, 2, 30]]}}, PartialDate(2024, 2)),
        ({"published": {"date-parts": [[2024, 13, 1]]}}, PartialDate(2024)),
        ({"published": {"date-parts": [[None]]}}, None),
        ({"published": {"date-parts": [[]]}}, None),
        ({"published": {"date-parts": []}}, None),
        ({"published": {"date-parts": None}}, None),
        ({"published": {"date-parts": [None]}}, None),
        ({"published": {"date-parts": [[0]]}}, None),
        ({"published": {"date-parts": [[20240]]}}, None),
        ({"published": {"date-parts": [[True]]}}, None),
        ({"published": "2024"}, None),
        ({"published": [[2024]]}, None),
        ({"published": {"date-parts": [[None]]}, "issued": {"date-parts": [[2023, 5]]}}, PartialDate(2023, 5)),
        (
            {
                "issued": {"date-parts": [[2023]]},
                "published-print": {"date-parts": [[2024, 1, 2]]},
                "published-online": {"date-parts": [[2023, 9, 9]]},
            },
            PartialDate(2023),
        ),
        (
            {
                "published-print": {"date-parts": [[2024, 1, 2]]},
                "published-online": {"date-parts": [[2023, 9, 9]]},
            },
            PartialDate(2023, 9, 9),
        ),
        ({"posted": {"date-parts": [[2022, 7, 1]]}}, PartialDate(2022, 7, 1)),
        ({"created": {"date-parts": [[2022, 7, 1]]}}, None),
    ],
)
def test_dates_keep_the_precision_they_were_given_in(dates: dict[str, Any], expected: PartialDate | None) -> None:
    said = {"DOI": "10.5555/x", "title": ["T"], **dates}

    assert parse(said).published == expected


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (person("Hal", "Daum\u00e9", suffix="III"), AuthorRecord("Hal Daumé III", "Hal", "Daumé", "III")),
        ({"family": "Suharto"}, AuthorRecord("Suharto", "", "Suharto")),
        ({"given": "Suharto", "family": ""}, AuthorRecord("Suharto", "", "Suharto")),
        ({"family": "Ansel van der Thorn"}, AuthorRecord("Ansel van der Thorn", "Ansel", "van der Thorn")),
        ({"family": "THORN, ANSEL B."}, AuthorRecord("ANSEL B. THORN", "ANSEL B.", "THORN")),
        ({"given": "Ansel Thorn"}, AuthorRecord("Ansel Thorn", "Ansel", "Thorn")),
        (person("MING-WEI", "CHANG"), AuthorRecord("MING-WEI CHANG", "MING-WEI", "CHANG")),
        (person("C. -P.", "Vek"), AuthorRecord("C.-P. Vek", "C.-P.", "Vek")),
        (person("and Zoë K.", "Vek"), AuthorRecord("Zoë K. Vek", "Zoë K.", "Vek")),
        (person("and", "Vek"), AuthorRecord("Vek", "", "Vek")),
        ({"family": "and Zoë K. Vek"}, AuthorRecord("Zoë K. Vek", "Zoë K.", "Vek")),
        (person("And", "Vek"), AuthorRecord("And Vek", "And", "Vek")),
        (person("andreea", "Vek"), AuthorRecord("andreea Vek", "andreea", "Vek")),
        ({"family": "and the LOOM Collaboration"}, AuthorRecord("the LOOM Collaboration", is_collaboration=True)),
        (person("明", "李"), AuthorRecord("李明", "明", "李")),
        (person("Zo&amp;euml;", "<b>Vek</b>\n"), AuthorRecord("Zoë Vek", "Zoë", "Vek")),
        ({"name": "Study Group of Threads"}, AuthorRecord("Study Group of Threads", is_collaboration=True)),
        ({"name": "Weavers of Nowhere"}, AuthorRecord("Weavers of Nowhere", is_collaboration=True)),
        ({"family": "LOOM Collaboration"}, AuthorRecord("LOOM Collaboration", is_collaboration=True)),
        (
            {"name": "LOOM Collaboration", "affiliation": [{"name": "Nowhere"}]},
            AuthorRecord("LOOM Collaboration", affiliations=("Nowhere",), is_collaboration=True),
        ),
        (person("Zoë", "Vek", suffix="x" * 65), AuthorRecord("Zoë Vek", "Zoë", "Vek")),
        (person("Zoë", "Vek", suffix=None, prefix="Dr."), AuthorRecord("Zoë Vek", "Zoë", "Vek")),
    ],
)
def test_names(entry: dict[str, Any], expected: AuthorRecord) -> None:
    assert authors(entry) == (expected,)


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"family": ""},
        {"family": "et al."},
        {"name": "others"},
        {"family": "and others"},
        {"family": "and"},
        {"family": "-"},
        "Zoë Vek",
        None,
        7,
    ],
)
def test_an_entry_that_names_nobody_is_left_out(entry: Any) -> None:
    assert [author.name for author in authors(entry, person("Zoë", "Vek"))] == ["Zoë Vek"]


@pytest.mark.parametrize("said", [None, {}, "Zoë Vek", 7])
def test_a_list_of_authors_that_is_none(said: Any) -> None:
    assert parse({"DOI": "10.5555/x", "title": ["T"], "author": said}).authors == ()


def test_a_list_in_one_name_is_taken_apart() -> None:
    assert [author.name for author in authors({"family": "Zoë Vek, Ansel B. Thorn"})] == ["Zoë Vek", "Ansel B. Thorn"]


def test_the_one_marked_as_first_comes_first() -> None:
    listed = [person("A", "One"), person("B", "Two"), person("C", "Three", sequence="first")]
    assert [author.family for author in authors(*listed)] == ["Three", "One", "Two"]
    listed[0]["sequence"] = "first"
    assert [author.family for author in authors(*listed)] == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("http://orcid.org/0000-0002-1825-0097", "0000-0002-1825-0097"),
        ("https://orcid.org/0000-0002-1694-233x", "0000-0002-1694-233X"),
        ("0000-0002-1694-233X", "0000-0002-1694-233X"),
        ("https://orcid.org/0000-0002-1825-0098", ""),
        ("https://orcid.org/0000-0000-0000-0000", ""),
        ("https://orcid.org/", ""),
        ("", ""),
        (None, ""),
        (7, ""),
    ],
)
def test_orcids(given: Any, expected: str) -> None:
    (author,) = authors(person("Zoë", "Vek", ORCID=given, **{"authenticated-orcid": False}))

    assert author.orcid == expected
    assert not expected or orcid.normalise(expected) == expected


def test_affiliations_by_name_each_once() -> None:
    (author,) = authors(
        person(
            "Zoë",
            "Vek",
            affiliation=[
                {"name": "Nowhere University,\n Loomtown"},
                {"name": " "},
                {"name": "Nowhere University, Loomtown"},
                {"id": [{"id": "https://ror.org/00x0x0x00", "id-type": "ROR"}]},
                {"name": "Institute of Knots", "place": ["Loomtown"], "id": [{"id": "x"}]},
                None,
            ],
        )
    )
    assert author.affiliations == ("Nowhere University, Loomtown", "Institute of Knots")


@pytest.mark.parametrize(
    ("relation", "more"),
    [
        ({"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2401.00001"}]}, [("arxiv", "2401.00001")]),
        ({"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.hep-th/9901001"}]}, [("arxiv", "hep-th/9901001")]),
        ({"has-preprint": [{"id-type": "arxiv", "id": "arXiv:2401.00001v2"}]}, [("arxiv", "2401.00001")]),
        ({"has-preprint": [{"id-type": "doi", "id": "10.5555/PRE.1"}]}, [("doi", "10.5555/pre.1")]),
        ({"is-preprint-of": [{"id-type": "doi", "id": "https://doi.org/10.5555/art.1"}]}, [("doi", "10.5555/art.1")]),
        ({"is-preprint-of": [{"id-type": "doi", "id": "10.5555/a"}] * 2}, [("doi", "10.5555/a")]),
        ({"has-preprint": [{"id-type": "doi", "id": "10.5555/a"}, {"id-type": "doi", "id": "10.5555/b"}]}, []),
        ({"is-version-of": [{"id-type": "doi", "id": "10.5555/a"}]}, []),
        ({"has-preprint": [{"id-type": "uri", "id": "https://example.org/"}, {"id-type": "doi", "id": "none"}]}, []),
        ({"has-preprint": [{"id-type": "doi"}, None], "is-preprint-of": {}}, []),
        ({"has-preprint": [{"id-type": "doi", "id": "10.5555/woven.1"}]}, []),
        ([], []),
        (None, []),
    ],
)
def test_a_preprint_and_its_article_name_each_other(relation: Any, more: list[tuple[str, str]]) -> None:
    assert parse(relation=relation).identifiers == (OWN, *more)


def test_an_arxiv_doi_is_an_arxiv_id() -> None:
    assert parse(DOI="10.48550/arXiv.2401.00001").identifiers == (("arxiv", "2401.00001"),)


def test_an_article_goes_before_its_preprint() -> None:
    assert parse().rank < parse(type="posted-content").rank


@pytest.mark.parametrize(
    ("licences", "expected"),
    [
        (
            [
                {"URL": "https://example.org/tdm", "content-version": "tdm"},
                {"URL": "https://example.org/vor", "content-version": "vor"},
            ],
            "https://example.org/vor",
        ),
        (
            [
                {"URL": "https://example.org/vor", "content-version": "vor"},
                {"URL": "http://creativecommons.org/licenses/by/4.0/", "content-version": "unspecified"},
            ],
            "http://creativecommons.org/licenses/by/4.0/",
        ),
        ([{"URL": "https://example.org/tdm", "content-version": "tdm"}], "https://example.org/tdm"),
        ([{"URL": ""}, {}, None], ""),
        (None, ""),
    ],
)
def test_licences(licences: Any, expected: str) -> None:
    assert parse(license=licences).licence == expected


def test_where_it_appeared_in_other_shapes() -> None:
    record = parse(container_title="One Title", volume=7, issue=None, page=None, article_number="e11")
    assert (record.venue, record.volume, record.issue, record.pages) == ("One Title", "7", "", "e11")
    record = parse(container_title=[], page="1, " * 40, publisher=None)
    assert (record.venue, len(record.pages), record.pages[-1], record.publisher) == ("", 64, "…", "")


@pytest.mark.parametrize(
    ("title", "subtitle", "expected"),
    [
        (["Threads"], ["Threads"], "Threads"),
        (["Threads: knots"], ["Knots"], "Threads: knots"),
        (["Why threads?"], ["A study"], "Why threads? A study"),
        (["Threads", "Fils"], [], "Threads"),
        (["", "Fils"], None, "Fils"),
        ("Threads", "", "Threads"),
    ],
)
def test_titles_and_subtitles(title: Any, subtitle: Any, expected: str) -> None:
    assert parse(title=title, subtitle=subtitle).title == expected


def test_the_original_title_where_there_is_no_other() -> None:
    assert parse(title=[], original_title=["糸"]).title == "糸"


def test_the_hash_is_of_what_the_work_says() -> None:
    known = parse().content_hash

    assert parse(indexed={"date-time": "2026-01-01T00:00:00Z"}, score=9.5).content_hash == known
    assert parse(is_referenced_by_count=99).content_hash == known
    assert parse(volume="8").content_hash != known
    assert parse(reference=[{"key": "1", "DOI": "10.5555/y"}]).content_hash != known
    shuffled = dict(reversed(work().items()))
    assert parse(shuffled).content_hash == known


@pytest.mark.parametrize(
    ("count", "indexed", "expected"),
    [
        (0, {"date-parts": [[2026, 1, 2]]}, CitationCount(0, dt.date(2026, 1, 2))),
        (12, {"date-time": "2026-01-02T03:04:05Z"}, CitationCount(12, dt.date(2026, 1, 2))),
        (12, {"date-parts": [[None]], "date-time": "2026-01-02T03:04:05Z"}, CitationCount(12, dt.date(2026, 1, 2))),
        (12, {"date-parts": [[2026, 1]]}, CitationCount(12)),
        (12, {"date-time": "yesterday"}, CitationCount(12)),
        (12, {"date-time": 7}, CitationCount(12)),
        (12, None, CitationCount(12)),
        (12, "2026-01-02", CitationCount(12)),
        (-1, {"date-parts": [[2026, 1, 2]]}, None),
        (True, {"date-parts": [[2026, 1, 2]]}, None),
        ("12", {"date-parts": [[2026, 1, 2]]}, None),
        (10**7 + 1, {"date-parts": [[2026, 1, 2]]}, None),
        (None, {"date-parts": [[2026, 1, 2]]}, None),
    ],
)
def test_how_often_others_cite_it(count: Any, indexed: Any, expected: CitationCount | None) -> None:
    assert parse(is_referenced_by_count=count, indexed=indexed).citations == expected
