"""What is read from ORCID's documents, and why others are refused."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from researchers.sources.orcid import Employment, OrcidRecord, OrcidWork, read_record, read_search
from tests.researchers.sources import orcid_documents as documents
from tests.researchers.sources.orcid_documents import OWNER, body, external_id, group, summary, works
from wovepaper.harvest.contracts import RecordRefused

WORK = OrcidWork("A woven lattice", (("doi", "10.5555/woven.1"),), "journal-article", (2024, 12, 9))
EMPLOYMENT = Employment(
    "University of Threadham", "Department of Weaving", "Reader", "Threadham", "GB", "05gq02987", (2015, 9, None), None
)


def read(said: Any) -> OrcidRecord:
    return read_record(body(said))


def test_a_whole_record() -> None:
    record = read(documents.record())

    assert record == OrcidRecord(
        orcid=OWNER,
        given_names="Zoë",
        family_name="Vek",
        credit_name="Z. A. Vek",
        other_names=("Zoja Veková", "Zoë Vek"),
        identifiers=(("Loom ID", "L-17"),),
        employments=(EMPLOYMENT,),
        works=(WORK,),
    )
    assert record.names == ("Z. A. Vek", "Zoë Vek", "Zoja Veková")
    assert record.works[0].dois == ("10.5555/woven.1",)
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.orcid = "other"  # type: ignore[misc]


def test_the_same_of_the_older_schema() -> None:
    activities = {
        "employments": {"employment-summary": [documents.employment()]},
        "works": works(group(summary(external_id("DOI", "10.5555/woven.1", "SELF"), type="JOURNAL_ARTICLE"))),
    }

    record = read(documents.record(**{"activities-summary": activities}))

    assert record.employments == (EMPLOYMENT,)
    assert record.works == (WORK,)


def test_the_parts_of_a_record() -> None:
    assert read(documents.person()).names == ("Z. A. Vek", "Zoë Vek", "Zoja Veková")
    assert read(works(group(summary()))) == OrcidRecord(OWNER, works=(WORK,))
    assert read(works()) == OrcidRecord(OWNER)
    assert read({"bulk": [{"work": summary()}, {"error": documents.failure(404, "Gone.")}]}).works == (WORK,)


def test_a_record_that_keeps_everything_to_itself() -> None:
    nothing = {"name": None, "other-names": {"other-name": []}, "external-identifiers": None}

    assert read(documents.record(person=nothing, **{"activities-summary": None})) == OrcidRecord(OWNER)
    assert read(documents.record(person=None, **{"activities-summary": {}})) == OrcidRecord(OWNER)


def test_a_person_with_one_name_only() -> None:
    name = {"given-names": {"value": " Ansel\n"}, "family-name": None, "credit-name": None}

    assert read(documents.person(name=name, **{"other-names": None})).names == ("Ansel",)


def test_what_several_sources_say_of_one_work_is_one_work() -> None:
    first = summary(external_id("pmid", "0123"), title=None)
    second = summary(external_id("arxiv", "arXiv:2401.00001v2"), external_id("doi", "10.5555/b", "version-of"))
    whole = external_id("isbn", "978-0-00-000000-0", "part-of")

    (work,) = read(works(group(first, second, ids=(external_id("doi", "10.5555/b"), whole)))).works

    assert work.title == "A woven lattice"
    assert work.identifiers == (("doi", "10.5555/b"), ("pmid", "123"), ("arxiv", "2401.00001"))


def test_the_doi_of_the_book_around_a_chapter_is_not_the_chapters() -> None:
    (work,) = read(works(group(summary(external_id("doi", "10.5555/book", "part-of"))))).works

    assert work.dois == ()


@pytest.mark.parametrize(
    ("said", "day"),
    [
        (None, None),
        ({"year": None}, None),
        ({"year": {"value": "2024"}, "month": None, "day": None}, (2024, None, None)),
        ({"year": {"value": "2024"}, "month": {"value": "13"}, "day": {"value": "01"}}, (2024, None, None)),
        ({"year": {"value": "2024"}, "month": {"value": "02"}, "day": {"value": "77"}}, (2024, 2, None)),
        ({"year": {"value": "0000"}}, None),
        ({"year": {"value": "MMXX"}}, None),
        ({"year": {"value": 2024}}, (2024, None, None)),
    ],
)
def test_days_are_as_exact_as_they_are_given(said: Any, day: Any) -> None:
    (work,) = read(works(group(summary(**{"publication-date": said})))).works

    assert work.published == day


def test_an_organisation_is_known_by_its_ror_id_only() -> None:
    elsewhere = documents.employment()
    elsewhere["organization"]["disambiguated-organization"]["disambiguation-source"] = "RINGGOLD"
    nowhere = documents.employment(organization=None)
    bare = documents.employment(organization={"name": "Looms & Sons", "disambiguated-organization": None})
    said = {"employments": {"employment-summary": [elsewhere, nowhere, bare]}}

    found = read(documents.record(**{"activities-summary": said})).employments

    assert [(each.organisation, each.organisation_id) for each in found] == [
        ("University of Threadham", ""),
        ("Looms & Sons", ""),
    ]


SANDBOX = documents.record()
SANDBOX["orcid-identifier"]["host"] = "sandbox.orcid.org"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"", "The document is not JSON: "),
        (b"<html></html>", "The document is XML or HTML: ask ORCID for JSON."),
        (b'  <?xml version="1.0"?><record/>', "The document is XML or HTML: ask ORCID for JSON."),
        (b"[" * 100_000, "The document is not JSON: "),
        (b"[]", "The document is not a JSON object."),
        (b"{}", "The document is neither a record of ORCID nor a part of one."),
        (
            body(documents.failure(404, "The resource was not found.")),
            "ORCID answers with status 404: The resource was not found.",
        ),
        (body({"error": "invalid_token"}), "ORCID answers: invalid_token."),
        (body({"response-code": 503}), "ORCID answers with status 503: it does not say why."),
        (body({"result": None, "num-found": 0}), "The document is a list of search results, and a record is wanted."),
        (body(documents.record("0000-0002-1825-0098")), "'0000-0002-1825-0098' is no ORCID iD: its form or its check"),
        (body(SANDBOX), "The record is of ORCID's sandbox, whose records are nobody's."),
        (
            body(documents.record(history={"deactivation-date": {"value": 1700000000000}})),
            "The record was deactivated by its owner.",
        ),
        (body(works(owner="somebody")), "'/somebody/works' does not say whose record this is: it names no ORCID iD."),
        (body(works(*[{}] * 20_001)), "The record has a list of 20001 entries, more than 20000."),
    ],
)
def test_what_is_no_record_is_refused_with_the_reason(said: bytes, reason: str) -> None:
    with pytest.raises(RecordRefused) as refused:
        read_record(said)
    assert str(refused.value).startswith(reason)
    assert str(refused.value).endswith(".")


def test_a_search() -> None:
    found = {"orcid-identifier": {"path": OWNER}}

    page = read_search(body({"result": [found, found, {"orcid-identifier": {"path": "x"}}, None], "num-found": 14}))

    assert (page.orcids, page.total) == ((OWNER,), 14)
    assert read_search(body({"result": None, "num-found": 0})).orcids == ()
    with pytest.raises(RecordRefused, match="status 400: Bad rows"):
        read_search(body(documents.failure(400, "Bad rows.")))
    with pytest.raises(RecordRefused, match="no list of search results"):
        read_search(body(documents.record()))
