"""References, dates by kind, events and notices in Crossref's records; references in OpenAlex's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from papers.services.ingest.validation import check
from papers.sources.crossref import CrossrefSource
from papers.sources.openalex import OpenAlexSource
from papers.sources.records import EventRecord, NoticeRecord, PaperRecord, PartialDate, ReferenceRecord
from tests.papers.sources import openalex_documents
from tests.papers.sources.crossref_documents import work
from tests.papers.sources.test_crossref_real_documents import files, is_paper, works_of
from wovepaper.harvest.contracts import RawRecord


def parse(**values: Any) -> PaperRecord:
    record = CrossrefSource().parse(RawRecord("10.5555/woven.1", "work", "", json.dumps(work(**values)).encode()))
    check(record)
    return record


def reference(**values: Any) -> ReferenceRecord:
    said = {key.replace("_", "-") if key != "DOI" else key: value for key, value in values.items()}
    (found,) = parse(reference=[{"key": "ref1", **said}]).references
    return found


def test_a_reference_taken_apart() -> None:
    found = reference(
        DOI="10.5555/OLD.7",
        doi_asserted_by="crossref",
        author="Vek",
        year="1998",
        article_title="Knots &amp; <i>threads</i>",
        journal_title="Annals of Weaving",
        volume="12",
        first_page="385",
    )
    assert found == ReferenceRecord(
        identifiers=(("doi", "10.5555/old.7"),),
        title="Knots & threads",
        authors="Vek",
        year=1998,
        container="Annals of Weaving",
        volume="12",
        first_page="385",
    )
    assert found.shown_text == "Vek (1998). Knots & threads. Annals of Weaving 12, 385."


def test_a_printed_reference_is_shown_as_printed() -> None:
    printed = "Vek, Z., Thorn, A.:\n   Knots. Ann. Weav. 12, 385 (1998)."
    found = reference(unstructured=printed, author="Z Vek", year="1998")
    assert found.shown_text == "Vek, Z., Thorn, A.: Knots. Ann. Weav. 12, 385 (1998)."


@pytest.mark.parametrize(
    ("values", "identifiers", "year"),
    [
        # An arXiv id of which the parts were taken for those of a journal.
        (
            {"year": "1908", "journal_title": "arXiv preprint arXiv", "volume": "1908", "first_page": "07125"},
            (("arxiv", "1908.07125"),),
            2019,
        ),
        ({"year": "1908", "volume_title": "arXiv:1908.07125 [cs.LG]"}, (("arxiv", "1908.07125"),), 2019),
        ({"year": "1908", "unstructured": "Vek. Knots. arXiv:1908.07125"}, (("arxiv", "1908.07125"),), 2019),
        ({"year": "1908", "volume_title": "arXiv preprint"}, (), 2019),
        # A work of 1908.
        ({"year": "1908", "DOI": "10.5555/zpch-1908-6425"}, (("doi", "10.5555/zpch-1908-6425"),), 1908),
        ({"year": "1908", "journal_title": "Zeitschrift"}, (), 1908),
        ({"year": "2019", "unstructured": "arXiv:1908.07125v2 (2019)"}, (("arxiv", "1908.07125"),), 2019),
        ({"unstructured": "at https://arxiv.org/abs/1303.3997/"}, (("arxiv", "1303.3997"),), None),
        ({"unstructured": "arXiv: hep-th/9901001"}, (("arxiv", "hep-th/9901001"),), None),
        ({"unstructured": "arXiv:1908.07125 and arXiv:1908.07126"}, (), None),
        ({"unstructured": "arXiv:1913.07125"}, (), None),
        ({"DOI": "10.48550/ARXIV.1908.07125"}, (("doi", "10.48550/arxiv.1908.07125"), ("arxiv", "1908.07125")), None),
        (
            {"DOI": "10.5555/a", "unstructured": "Ann. Weav. arXiv:1908.07125"},
            (("doi", "10.5555/a"), ("arxiv", "1908.07125")),
            None,
        ),
        ({"DOI": "no doi at all"}, (), None),
        ({"DOI": None, "year": 2004}, (), 2004),
        ({"year": "1977a"}, (), 1977),
        ({"year": "19721"}, (), None),
        ({"year": "0"}, (), None),
        ({"year": "2001 (Ukrainian)"}, (), 2001),
        ({"year": ["2001"]}, (), None),
    ],
)
def test_identifiers_and_years(values: dict[str, Any], identifiers: tuple[Any, ...], year: int | None) -> None:
    found = reference(**values)
    assert (found.identifiers, found.year) == (identifiers, year)


def test_a_list_keeps_its_places() -> None:
    record = parse(
        reference=[{"key": "a", "DOI": "10.5555/a"}, {}, "no object", {"key": "b"}, {"key": "c", "DOI": "10.5555/A"}],
        reference_count=7,
    )
    assert [one.identifiers for one in record.references] == [
        (("doi", "10.5555/a"),),
        (),
        (),
        (("doi", "10.5555/a"),),
    ]
    assert record.reference_count == 7


@pytest.mark.parametrize(
    ("values", "count"),
    [
        ({"reference_count": 35}, 35),
        ({"references_count": 35}, 35),
        ({"reference_count": None}, None),
        ({"reference_count": "35"}, None),
        ({"reference_count": -1}, None),
        ({"reference_count": True}, None),
    ],
)
def test_how_many_references_there_are(values: dict[str, Any], count: int | None) -> None:
    record = parse(**values)
    assert (record.references, record.reference_count) == ((), count)


def test_a_long_footnote_is_cut() -> None:
    assert len(reference(unstructured="word " * 4_000).text) == 4_000


def test_dates_by_kind_with_their_precision() -> None:
    record = parse(
        published_print={"date-parts": [[2024, 4]]},
        published_online={"date-parts": [[2023, 11, 12]]},
        published_other={"date-parts": [[None]]},
        accepted={"date-parts": [[2023]]},
        posted=None,
        approved={"date-parts": [[2023, 2, 30]]},
    )
    assert record.dates == (
        ("accepted", PartialDate(2023)),
        ("approved", PartialDate(2023, 2)),
        ("published-online", PartialDate(2023, 11, 12)),
        ("published-print", PartialDate(2024, 4)),
    )


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (None, None),
        ({}, None),
        ("WEAVE", None),
        ({"location": "Nowhere"}, None),
        ({"name": "Weaving  2023"}, EventRecord("Weaving 2023")),
        (
            {
                "name": "SenWeave &apos;23: 21st Conference on Woven Systems",
                "acronym": "SenWeave &apos;23",
                "location": "Nowhere Islands",
                "theme": "Threads",
                "start": {"date-parts": [[2023, 11, 12]]},
                "end": {"date-parts": [[2023, 11, 17]]},
            },
            EventRecord(
                "SenWeave '23: 21st Conference on Woven Systems",
                "SenWeave '23",
                "Nowhere Islands",
                PartialDate(2023, 11, 12),
                PartialDate(2023, 11, 17),
            ),
        ),
        (
            {"name": "W", "start": {"date-parts": [[2023, 11]]}, "end": {"date-parts": [[2023, 10]]}},
            EventRecord("W", start=PartialDate(2023, 11)),
        ),
        ({"name": "W", "start": {"date-parts": [[None]]}}, EventRecord("W")),
    ],
)
def test_events(said: Any, expected: EventRecord | None) -> None:
    assert parse(event=said).event == expected


def update(doi: str, kind: str, **values: Any) -> dict[str, Any]:
    return {"DOI": doi, "type": kind, "label": kind.title(), "updated": {"date-parts": [[2022, 3, 4]]}, **values}


def test_the_record_of_a_notice_tells_which_work_it_is_about() -> None:
    record = parse(title=["Retraction: A knotted lattice"], update_to=[update("10.5555/KNOT.1", "retraction")])
    assert record.notices == (
        NoticeRecord("retraction", "10.5555/knot.1", "10.5555/woven.1", PartialDate(2022, 3, 4), "publisher"),
    )
    assert (record.title, record.retracted) == ("Retraction: A knotted lattice", False)


def test_the_record_of_a_work_tells_of_its_notices() -> None:
    record = parse(
        updated_by=[
            update("10.5555/notice.1", "retraction", source="retraction-watch", **{"record-id": "7"}),
            update("10.5555/notice.1", "retraction", source="publisher"),
            update("10.5555/woven.1", "expression_of_concern"),
            update("", "Corrigendum", updated={"date-parts": [[None]]}),
            update("10.5555/woven.2", "new_version"),
            {"DOI": "10.5555/x"},
            None,
        ]
    )
    own, day = "10.5555/woven.1", PartialDate(2022, 3, 4)
    assert record.notices == (
        NoticeRecord("retraction", own, "10.5555/notice.1", day, "retraction-watch"),
        NoticeRecord("retraction", own, "10.5555/notice.1", day, "publisher"),
        NoticeRecord("expression-of-concern", own, own, day, "publisher"),
        NoticeRecord("correction", own, "", None, "publisher"),
    )
    assert record.retracted is False  # which notices make a paper retracted, the catalogue decides


@pytest.mark.parametrize(
    ("title", "shown", "retracted", "withdrawn"),
    [
        ("RETRACTED: A woven lattice", "A woven lattice", True, None),
        ("RETRACTED ARTICLE: A woven lattice", "A woven lattice", True, None),
        ("Retracted article: A woven lattice", "A woven lattice", True, None),
        ("[Retracted] A woven lattice", "A woven lattice", True, None),
        ("[RETRACTED ARTICLE] A woven lattice", "A woven lattice", True, None),
        ("WITHDRAWN: A woven lattice", "A woven lattice", False, True),
        ("REMOVED: A woven lattice", "A woven lattice", False, True),
        # So some publishers call the notice, others the work.
        ("Retracted: A woven lattice", "Retracted: A woven lattice", False, None),
        ("Removed Sediments of the Delta", "Removed Sediments of the Delta", False, None),
        ("RETRACTED", "RETRACTED", False, None),
        ("Retraction: A woven lattice", "Retraction: A woven lattice", False, None),
    ],
)
def test_marks_before_a_title(title: str, shown: str, retracted: bool, withdrawn: bool | None) -> None:
    record = parse(title=[title])
    assert (record.title, record.retracted, record.withdrawn) == (shown, retracted, withdrawn)


def test_a_mark_counts_where_the_record_says_the_same_and_not_on_a_notice() -> None:
    told = parse(title=["Retracted: A lattice"], updated_by=[update("10.5555/n", "retraction")])
    assert (told.title, told.retracted) == ("A lattice", True)
    notice = parse(title=["RETRACTED: A lattice"], update_to=[update("10.5555/n", "retraction")])
    assert (notice.title, notice.retracted) == ("RETRACTED: A lattice", False)


def from_openalex(**values: Any) -> PaperRecord:
    payload = json.dumps(openalex_documents.work(**values)).encode()
    record = OpenAlexSource().parse(RawRecord("W1", "work", "", payload))
    check(record)
    return record


def test_what_openalex_refers_to() -> None:
    record = from_openalex(
        referenced_works=[
            "https://openalex.org/W12",
            "https://openalex.org/W11",
            "W12",
            None,
            "https://openalex.org/A1",
        ],
        referenced_works_count=2,
    )
    assert record.references == (
        ReferenceRecord((("openalex", "W12"),)),
        ReferenceRecord((("openalex", "W11"),)),
    )
    assert (record.reference_count, record.references[0].shown_text) == (2, "")


def test_marks_before_titles_of_openalex() -> None:
    plain = from_openalex(title="Retracted: A lattice", is_retracted=False)
    assert (plain.title, plain.retracted) == ("Retracted: A lattice", False)
    known = from_openalex(title="Retracted: A lattice", is_retracted=True)
    assert (known.title, known.retracted) == ("A lattice", True)
    shouted = from_openalex(title="WITHDRAWN: A lattice")
    assert (shouted.title, shouted.withdrawn, shouted.retracted) == ("A lattice", True, False)


@pytest.mark.shared_data
def test_references_of_real_works_are_counted_exactly() -> None:
    works = with_doi = total = 0
    for path in files("works"):
        if path.name.endswith((".meta.json", ".yml", ".txt")):
            continue
        try:
            given = works_of(path)
        except ValueError:
            continue
        for said in given:
            listed = said.get("reference") if isinstance(said, dict) else None
            if not listed or not is_paper(said):
                continue
            record = CrossrefSource().parse(RawRecord(said["DOI"], "work", "", json.dumps(said).encode()))
            check(record)
            works += 1
            total += len(record.references)
            assert len(record.references) == len(listed)
            dois = [one for one in record.references if dict(one.identifiers).get("doi")]
            assert len(dois) == sum(1 for one in listed if one.get("DOI")), said["DOI"]
            with_doi += len(dois)
            assert all(one.year is None or 1400 <= one.year <= 2030 for one in record.references)
    assert works > 50
    assert 0 < with_doi < total
