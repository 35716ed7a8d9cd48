"""What sources are known to put into their documents, in documents of our own: one test for each trap and family."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from institutions.sources.ror import RorSource
from papers.services.ingest.validation import check
from papers.sources.crossref.source import CrossrefSource
from papers.sources.openalex import OpenAlexSource
from papers.sources.records import PaperRecord, PartialDate
from researchers.sources.orcid import read_record
from tests.institutions.organisations import name, organisation, ror_id
from tests.papers.sources import crossref_documents, openalex_documents
from tests.researchers.sources import orcid_documents
from wovepaper.harvest.contracts import PageRefused, RawRecord, RecordRefused

CROSSREF, OPENALEX, ROR = CrossrefSource(), OpenAlexSource(), RorSource()


def crossref(**values: Any) -> PaperRecord:
    return CROSSREF.parse(
        RawRecord("10.5555/woven.1", "work", "", json.dumps(crossref_documents.work(**values)).encode())
    )


def openalex(**values: Any) -> PaperRecord:
    (record,) = OPENALEX.read_page(json.dumps(openalex_documents.work(**values)).encode(), stream="any").records
    parsed = OPENALEX.parse(record)
    assert isinstance(parsed, PaperRecord)
    return parsed


# --- dates ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "date"),
    [
        ([[None]], None),
        ([[]], None),
        ([], None),
        ([[2024]], PartialDate(2024)),
        ([[2024, 12]], PartialDate(2024, 12)),
        ([[2024, 12, None]], PartialDate(2024, 12)),
        ([[2024, None, 9]], PartialDate(2024)),
        ([[2024, 12, 9]], PartialDate(2024, 12, 9)),
    ],
)
def test_null_dates_and_halves_of_dates_of_crossref(parts: Any, date: PartialDate | None) -> None:
    assert crossref(issued={"date-parts": parts}, published=None).published == date


@pytest.mark.parametrize(
    ("day", "date"), [(None, PartialDate(2024)), ("", PartialDate(2024)), ("2024-12-09", PartialDate(2024, 12, 9))]
)
def test_null_dates_of_openalex(day: str | None, date: PartialDate) -> None:
    said = openalex_documents.work()
    said["publication_date"] = day
    (record,) = OPENALEX.read_page(json.dumps(said).encode(), stream="any").records
    assert OPENALEX.parse(record).published == date


def test_print_and_online_dates_months_apart_are_kept_apart() -> None:
    record = crossref(
        published_online={"date-parts": [[2023, 11, 12]]}, published_print={"date-parts": [[2024, 4, 26]]}
    )

    assert dict(record.dates) == {
        "published-online": PartialDate(2023, 11, 12),
        "published-print": PartialDate(2024, 4, 26),
    }


# --- people --------------------------------------------------------------------------------------------------


def test_authors_that_are_a_name_only_or_missing() -> None:
    record = crossref(author=[{"name": "The Loom Collaboration", "sequence": "first", "affiliation": []}])
    (author,) = record.authors
    assert (author.name, author.given, author.family, author.is_collaboration) == (
        "The Loom Collaboration",
        "",
        "",
        True,
    )
    assert crossref(author=None).authors == ()
    assert crossref(author=[]).authors == ()
    assert openalex(authorships=[]).authors == ()


def test_three_thousand_authors() -> None:
    people = [crossref_documents.person(f"A{number}", "Vek") for number in range(3_000)]
    assert len(crossref(author=people).authors) == 3_000
    entries = [openalex_documents.authorship(f"A{number} Vek", 1_000 + number) for number in range(3_000)]
    assert len(openalex(authorships=entries).authors) == 3_000


def test_the_author_that_stands_for_deleted_ones_is_nobody() -> None:
    (author,) = openalex(authorships=[openalex_documents.authorship("Zoë Vek", 5317838346)]).authors
    assert (author.name, author.source_author_id) == ("Zoë Vek", "")


# --- wording -------------------------------------------------------------------------------------------------

MATHML = "<mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>"


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("Looms &amp;amp; Threads", "Looms & Threads"),
        ("Looms &amp;lt;i&amp;gt;in vitro&amp;lt;/i&amp;gt;", "Looms in vitro"),
        ("A\n   woven<sub>2</sub>\r\n lattice", "A woven$_{2}$ lattice"),
        (f"Weaving {MATHML} threads", "Weaving $x^{2}$ threads"),
        ("Weaving <jats:italic>x</jats:italic> threads", "Weaving x threads"),
    ],
)
def test_titles_with_markup_escaped_twice_and_broken_lines(title: str, plain: str) -> None:
    assert crossref(title=[title]).title == plain


def test_an_abstract_in_jats() -> None:
    said = (
        "<jats:title>Abstract</jats:title><jats:sec><jats:title>Aims</jats:title>"
        f"<jats:p>We weave {MATHML} &amp;amp; more.</jats:p></jats:sec>"
    )
    abstract = crossref(abstract=said).abstract
    assert "<" not in abstract
    assert "&amp" not in abstract
    assert "We weave $x^{2}$ & more." in abstract
    assert not abstract.startswith("Abstract")


def test_an_abstract_turned_inside_out() -> None:
    index = {"We": [0], "weave": [1, 3], "and": [2], "again.": [4]}
    assert openalex(abstract_inverted_index=index).abstract == "We weave and weave again."
    assert openalex(abstract_inverted_index=None).abstract == ""
    assert openalex(abstract_inverted_index={}).abstract == ""
    # Positions that are missing, or claim to be far away, cost no more than what is there.
    assert openalex(abstract_inverted_index={"We": [0], "weave": [10**9]}).abstract == "We"


# --- organisations -------------------------------------------------------------------------------------------


def test_names_of_organisations_without_a_language_and_records_that_are_withdrawn() -> None:
    said = organisation(
        7, name("Woven Institute", "ror_display", lang=None), name("WI", "acronym", lang=None), status="withdrawn"
    )
    record = ROR.parse(RawRecord(ror_id(7), "v2", "", json.dumps(said).encode()))
    assert (record.display_name, record.status, record.relations) == ("Woven Institute", "withdrawn", ())
    assert [(each.value, each.lang) for each in record.names] == [("Woven Institute", ""), ("WI", "")]


# --- answers -------------------------------------------------------------------------------------------------


def test_nulls_in_a_list_cost_nothing_but_themselves() -> None:
    page = CROSSREF.read_page(crossref_documents.answer_list(None, crossref_documents.work(), None), stream="work")
    assert (len(page.records), len(page.damaged)) == (1, 2)
    page = OPENALEX.read_page(openalex_documents.answer(None, openalex_documents.work(), None), stream="any")
    assert (len(page.records), len(page.damaged)) == (1, 2)
    page = ROR.read_page(
        json.dumps({"number_of_results": 3, "items": [None, organisation(1), None]}).encode(), stream=""
    )
    assert (len(page.records), len(page.damaged)) == (1, 2)


@pytest.mark.parametrize("source", [CROSSREF, OPENALEX, ROR], ids=lambda source: source.name)
@pytest.mark.parametrize("body", [b"{}", b"<!DOCTYPE html><title>Busy</title>", b"", b"null", b'{"items":', b"Busy."])
def test_what_comes_with_status_200_and_is_no_answer_is_refused(source: Any, body: bytes) -> None:
    with pytest.raises(PageRefused) as refused:
        source.read_page(body, stream="any")
    assert refused.value.reason.endswith(".")


# --- whatever else -------------------------------------------------------------------------------------------

_POISON: tuple[Any, ...] = (None, [], {}, "", "\x00\ud800", 0, -1, 10**30, True, [None], [[]], [{}], {"a": None}, 1e308)


def places(said: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value of a document."""
    if path:
        yield path
    if isinstance(said, dict):
        for key, value in said.items():
            yield from places(value, (*path, key))
    elif isinstance(said, list) and said:
        yield from places(said[0], (*path, 0))


def poisoned(said: Any) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
    """The document with each of its values replaced by each poison, one at a time."""
    for path in places(said):
        for poison in _POISON:
            other = copy.deepcopy(said)
            place = other
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = poison
            yield path, poison, other


def read_crossref(said: Any) -> None:
    for record in CROSSREF.read_page(crossref_documents.answer_list(said), stream="work").records:
        check(CROSSREF.parse(record))


def read_openalex(said: Any) -> None:
    for record in OPENALEX.read_page(openalex_documents.answer(said), stream="any").records:
        parsed = OPENALEX.parse(record)
        if isinstance(parsed, PaperRecord):
            check(parsed)


def read_ror(said: Any) -> None:
    for record in ROR.read_page(json.dumps({"items": [said]}).encode(), stream="v2").records:
        ROR.parse(record)


def read_orcid(said: Any) -> None:
    read_record(json.dumps(said).encode())


DOCUMENTS: dict[str, tuple[Callable[[Any], None], Any]] = {
    "crossref": (
        read_crossref,
        crossref_documents.work(
            subtitle=["Part I"],
            abstract=f"<jats:p>We {MATHML}</jats:p>",
            author=[
                crossref_documents.person(
                    "Zoë", "Vek", ORCID="http://orcid.org/0000-0002-1825-0097", affiliation=[{"name": "Threadham"}]
                )
            ],
            published_print={"date-parts": [[2024, 12, 1]]},
            event={"name": "Looms '24", "location": "Threadham", "start": {"date-parts": [[2024, 11, 3]]}},
            reference=[{"key": "1", "DOI": "10.5555/b", "year": "1908", "unstructured": "Vek (1908)."}],
            relation={"has-preprint": [{"id-type": "doi", "id": "10.5555/c", "asserted-by": "subject"}]},
            update_to=[{"type": "correction", "DOI": "10.5555/d", "updated": {"date-parts": [[2025, 1, 2]]}}],
            updated_by=[{"type": "retraction", "DOI": "10.5555/e", "source": "retraction-watch"}],
        ),
    ),
    "openalex": (
        read_openalex,
        openalex_documents.work(
            locations=[openalex_documents.location(), openalex_documents.ARXIV],
            authorships=[
                openalex_documents.authorship(
                    "Zoë Vek",
                    501,
                    raw_orcid="https://orcid.org/0000-0002-1825-0097",
                    raw_affiliation_strings=["Threadham"],
                    institutions=[{"id": "https://openalex.org/I1", "ror": f"https://ror.org/{ror_id(1)}"}],
                )
            ],
            referenced_works=["https://openalex.org/W9"],
        ),
    ),
    "ror": (read_ror, organisation(1, relationships=[{"type": "parent", "id": f"https://ror.org/{ror_id(2)}"}])),
    "orcid": (read_orcid, orcid_documents.record()),
}


@pytest.mark.parametrize(("read", "said"), DOCUMENTS.values(), ids=DOCUMENTS.keys())
def test_no_value_of_any_field_makes_a_parser_stumble(read: Callable[[Any], None], said: Any) -> None:
    """Each is read, or refused with the reason; nothing else is ever raised."""
    read(said)
    reasons: list[str] = []
    tried = 0
    for path, poison, other in poisoned(said):
        tried += 1
        try:
            read(other)
        except (RecordRefused, PageRefused) as refused:
            reasons.append(str(refused))
        except Exception as error:
            raise AssertionError(f"{path} with {poison!r}: {error!r}") from error
    assert tried >= 400
    assert 0 < len(reasons) < tried / 3
    assert [reason for reason in reasons if not reason.endswith(".")] == []
