from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from papers.sources.arxiv.fields import RANKS
from papers.sources.arxiv.records import parse
from papers.sources.records import AuthorRecord, PaperRecord, PartialDate, VersionRecord
from tests.papers.sources.arxiv_documents import (
    CLASSIC_SCHEMA,
    NEW_SCHEMA,
    arxiv,
    as_record,
    dublin_core,
    raw,
    snapshot,
    version,
)
from wovepaper.harvest.contracts import RecordRefused


def read(metadata: str | dict[str, Any], **header: Any) -> PaperRecord:
    return parse(as_record(metadata, **header))


def test_everything_that_a_structured_record_says() -> None:
    record = as_record(
        arxiv(
            authors=(
                "<author><keyname>van Example</keyname><forenames>Ada B.</forenames><suffix>Jr.</suffix>"
                "<affiliation>Institute X</affiliation><affiliation>University Y</affiliation></author>"
                "<author><keyname>XYZ Collaboration</keyname></author>"
            ),
            title="On invented\n  things",
            more=(
                "<comments>12 pages</comments><report-no>R-1</report-no><acm-class>05C80</acm-class>"
                "<msc-class>05C80</msc-class><journal-ref>J. Inv. 1 (2008) 2</journal-ref><doi>10.1000/ABC</doi>"
                "<license>http://creativecommons.org/licenses/by/4.0/</license>"
            ),
        )
    )
    parsed = parse(record)

    assert parsed == PaperRecord(
        source="arxiv",
        format="arXiv",
        external_id="0704.0001",
        stamp="2008-11-26",
        payload=record.payload,
        content_hash=parsed.content_hash,
        identifiers=(("arxiv", "0704.0001"), ("doi", "10.1000/abc")),
        title="On invented things",
        rank=10,
        abstract="Invented words.",
        kind="preprint",
        published=PartialDate(2007, 4, 2),
        primary_category="math.CO",
        categories=("math.CO", "cs.DM"),
        authors=(
            AuthorRecord(
                "Ada B. van Example Jr.", "Ada B.", "van Example", "Jr.", affiliations=("Institute X", "University Y")
            ),
            AuthorRecord("XYZ Collaboration", is_collaboration=True),
        ),
        withdrawn=None,
        licence="http://creativecommons.org/licenses/by/4.0/",
        comments="12 pages",
        journal_reference="J. Inv. 1 (2008) 2",
        report_number="R-1",
    )
    assert len(parsed.content_hash) == 64


def test_everything_that_a_raw_record_says_more() -> None:
    parsed = read(
        raw(
            versions=version(2, "Sat, 13 Dec 2008 17:26:00 GMT", "1.5mb", "DS")
            + version(1, "Mon, 2 Apr 2007 23:18:42 GMT", "395kb", "D"),
            authors=r"Ada Ex\'ample (1) and Bo Sample (2) ((1) X, (2) Universit\"at Y)",
            title=r"On Koll\'ar's {\it example} of $\mathbb{R}^n$",
        )
    )

    assert parsed.versions == (
        VersionRecord(1, dt.datetime(2007, 4, 2, 23, 18, 42, tzinfo=dt.UTC), 395 * 1024, "D"),
        VersionRecord(2, dt.datetime(2008, 12, 13, 17, 26, tzinfo=dt.UTC), 1536 * 1024, "DS"),
    )
    assert parsed.published == PartialDate(2007, 4, 2)
    assert parsed.title == r"On Kollár's example of $\mathbb{R}^n$"
    assert [(author.name, author.affiliations) for author in parsed.authors] == [
        ("Ada Exámple", ("X",)),
        ("Bo Sample", ("Universität Y",)),
    ]
    assert parsed.withdrawn is False
    assert (parsed.format, parsed.rank) == ("arXivRaw", 11)


@pytest.mark.parametrize(
    ("schema", "sets", "updated", "published"),
    [
        (CLASSIC_SCHEMA, ("cs",), "", PartialDate(2007, 3, 31)),
        (CLASSIC_SCHEMA, ("physics:hep-th",), "2008-11-26", PartialDate(2007, 3, 31)),
        (NEW_SCHEMA, ("physics:hep-th",), "2008-11-26", PartialDate(2007, 4)),
        (NEW_SCHEMA, (), "", PartialDate(2007, 4)),
        ("", ("cs:cs:AI",), "2008-11-26", PartialDate(2007, 4)),
        ("", ("cs",), "2008-11-26", PartialDate(2007, 3, 31)),
        ("", ("physics:hep-th",), "2008-11-26", PartialDate(2007, 4)),
        ("", ("physics:hep-th",), "2008-11-25", PartialDate(2007, 3, 31)),
        ("", ("physics:hep-th",), "", PartialDate(2007, 3, 31)),
    ],
)
def test_created_is_believed_only_on_the_server_where_it_means_the_first_version(
    schema: str, sets: tuple[str, ...], updated: str, published: PartialDate
) -> None:
    parsed = read(arxiv(schema=schema, created="2007-03-31", updated=updated), sets=sets)

    assert parsed.published == published


@pytest.mark.parametrize(
    ("identifier", "month"),
    [
        ("astro-ph/9901001", (1999, 1)),
        ("hep-th/9108001", (1991, 8)),
        ("math/0309136", (2003, 9)),
        ("2501.00001", (2025, 1)),
    ],
)
def test_an_unknown_first_date_has_the_month_of_the_id(identifier: str, month: tuple[int, int]) -> None:
    new = read(arxiv(identifier=identifier, schema=NEW_SCHEMA), identifier=identifier)
    without_date = read(arxiv(identifier=identifier, created=""), identifier=identifier)
    without_first = read(
        raw(identifier=identifier, versions=version(2, "Mon, 2 Apr 2007 19:18:42 GMT")), identifier=identifier
    )

    assert new.published == without_date.published == without_first.published == PartialDate(*month)
    assert new.identifiers == (("arxiv", identifier),)


@pytest.mark.parametrize(
    ("versions", "comments", "withdrawn", "by_version"),
    [
        (version(1, "Mon, 2 Apr 2007 19:18:42 GMT", "10kb", "D"), "12 pages", False, [False]),
        (version(1, "Mon, 2 Apr 2007 19:18:42 GMT", "0kb"), "", True, [True]),
        (
            version(1, "Mon, 2 Apr 2007 19:18:42 GMT", "10kb") + version(2, "2 May 2007 19:18:42 GMT", "1kb", "I"),
            "",
            True,
            [False, True],
        ),
        (
            version(1, "Mon, 2 Apr 2007 19:18:42 GMT", "0kb", "I") + version(2, "2 May 2007 19:18:42 GMT", "9kb"),
            "",
            False,
            [True, False],
        ),
        (
            version(1, "Mon, 2 Apr 2007 19:18:42 GMT", "10kb") + version(2, "2 May 2007 19:18:42 GMT", "9kb"),
            "This paper has been withdrawn by the author due to an error",
            True,
            [False, True],
        ),
        ("", "12 pages", None, []),
    ],
)
def test_withdrawal_is_per_version(
    versions: str, comments: str, withdrawn: bool | None, by_version: list[bool]
) -> None:
    parsed = read(raw(versions=versions, more=f"<comments>{comments}</comments>"))

    assert parsed.withdrawn is withdrawn
    assert [each.withdrawn for each in parsed.versions] == by_version


@pytest.mark.parametrize(
    "comments",
    [
        "This paper has been withdrawn",
        "this article was withdrawn by the authors, see v1",
        "12 pages; this submission has now been withdrawn due to a gap in Lemma 8",
        "Withdrawn.",
        "withdrawn by arXiv administrators because of overlap",
        "WITHDRAWN: superseded by another paper",
        "The authors have withdrawn this paper",
        "Paper withdrawn by the submitter",
        "We withdraw this manuscript",
        "This has been withdrawn by arXiv administrators due to an\n  unresolvable authorship dispute",
    ],
)
def test_comments_that_mean_withdrawal(comments: str) -> None:
    assert read(arxiv(more=f"<comments>{comments}</comments>")).withdrawn is True
    assert read(snapshot(comments=comments)).withdrawn is True
    assert read(snapshot(comments=comments)).versions[-1].withdrawn is True


@pytest.mark.parametrize(
    "comments",
    [
        "12 pages, 3 figures",
        "The energy of the withdrawn electrons is discussed",
        "This paper was withdrawn from the Journal of Examples and sent elsewhere",
        "Withdrawn from a conference, now extended",
        "An earlier claim about Theorem 2 has been withdrawn",
        "This paper has not been withdrawn",
        "Withdrawn samples were measured again",
        "A wrong figure is withdrawn",
        "",
    ],
)
def test_comments_that_do_not(comments: str) -> None:
    assert read(arxiv(more=f"<comments>{comments}</comments>")).withdrawn is None
    assert read(raw(more=f"<comments>{comments}</comments>")).withdrawn is False
    assert read(snapshot(comments=comments)).withdrawn is None


def test_an_abstract_that_begins_with_a_withdrawal_counts() -> None:
    assert read(raw(abstract=" This paper has been withdrawn by the author. It was wrong.")).withdrawn is True
    assert read(raw(abstract="We show that money is lost once it is withdrawn by the authorities.")).withdrawn is False


def test_a_field_of_several_dois_gives_them_all_and_drops_what_is_none() -> None:
    for dois, expected in (
        ("10.1000/A.1 10.1000/A.2", ["10.1000/a.1", "10.1000/a.2"]),
        ("10.1000/a.1, garbage; https://doi.org/10.1000/a.2", ["10.1000/a.1", "10.1000/a.2"]),
        ("see the journal", []),
        ("10.48550/arXiv.0704.0001", []),
    ):
        expected_pairs = (("arxiv", "0704.0001"), *(("doi", value) for value in expected))
        assert read(arxiv(more=f"<doi>{dois}</doi>")).identifiers == expected_pairs
        assert read(snapshot(doi=dois)).identifiers == expected_pairs


def test_text_is_cleaned_but_not_guessed_at() -> None:
    parsed = read(
        arxiv(
            title="Ã‰tude &amp; caf\u00e9\u0301 naïve",
            more="<journal-ref>Ã‰tudes de GÃ©omÃ©trie</journal-ref><comments>a&#x200b;b\n  c&#x9;d</comments>",
        )
    )

    assert parsed.title == "Ã‰tude & café\u0301 naïve"
    assert parsed.journal_reference == "Études de Géométrie"
    assert parsed.comments == "ab c d"


def test_control_characters_of_json_are_removed() -> None:
    parsed = read(snapshot(title="A\x00 title\x1b with \ud800 half", authors_parsed=[["Ex\x00ample", "A\x07da", ""]]))

    assert parsed.title == "A title with \ufffd half"
    assert parsed.authors[0].name == "Ada Example"


def test_categories_are_kept_in_order_each_once_and_unknown_ones_too() -> None:
    parsed = read(snapshot(categories="xyz.AB  math.CO xyz.AB cs.DM " + "x" * 40))

    assert parsed.categories == ("xyz.AB", "math.CO", "cs.DM")
    assert parsed.primary_category == "xyz.AB"
    assert read(snapshot(categories=None)).categories == ()


def test_everything_that_a_snapshot_says() -> None:
    parsed = read(
        snapshot(
            license=None,
            authors=r"Ada Ex\'ample (1) and Bo Sample, Jr. (1,2) ((1) X, (2) Y)",
            authors_parsed=[["Exámple", "Ada", ""], ["Sample", "Bo", "Jr.", "1", "2"]],
            versions=[
                {"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"},
                {"version": "v2", "created": "Sat, 13 Dec 2008 17:26:00 GMT"},
            ],
        )
    )

    assert parsed.licence == ""
    assert parsed.title == "An invented title"
    assert [(each.number, each.submitted_at) for each in parsed.versions] == [
        (1, dt.datetime(2007, 4, 2, 19, 18, 42, tzinfo=dt.UTC)),
        (2, dt.datetime(2008, 12, 13, 17, 26, tzinfo=dt.UTC)),
    ]
    assert parsed.authors == (
        AuthorRecord("Ada Exámple", "Ada", "Exámple", affiliations=("X",)),
        AuthorRecord("Bo Sample Jr.", "Bo", "Sample", "Jr.", affiliations=("X", "Y")),
    )
    assert (parsed.format, parsed.rank, parsed.stamp) == ("snapshot", 12, "2008-11-26")


@pytest.mark.parametrize(
    ("said", "names", "affiliations"),
    [
        ({"authors_parsed": [["Example", "Ada", "", "X", "Y"]]}, ["Ada Example"], [("X", "Y")]),
        ({"authors_parsed": [["Example", "Ada"]]}, ["Ada Example"], [()]),
        ({"authors_parsed": [["Example"], [], "junk", [None, None]]}, ["Example"], [()]),
        ({"authors_parsed": None, "authors": "Ada Example (X)"}, ["Ada Example"], [("X",)]),
        ({"authors_parsed": [["Example", "Ada", "", "X"]], "authors": "A (B), C (D)"}, ["Ada Example"], [("X",)]),
        ({"authors_parsed": [], "authors": None}, [], []),
    ],
)
def test_rows_of_parsed_authors_may_be_long_short_or_missing(
    said: dict[str, Any], names: list[str], affiliations: list[tuple[str, ...]]
) -> None:
    parsed = read(snapshot(**said))

    assert [author.name for author in parsed.authors] == names
    assert [author.affiliations for author in parsed.authors] == affiliations


def test_everything_that_dublin_core_says() -> None:
    parsed = read(
        dublin_core(
            "<dc:title>An invented\n title</dc:title>",
            "<dc:creator>Example, Ada</dc:creator><dc:creator>XYZ Collaboration</dc:creator>",
            "<dc:creator>Sample, Bo, Jr.</dc:creator>",
            "<dc:subject>Computer Science - Learning</dc:subject><dc:subject>Physics - Optics</dc:subject>",
            "<dc:subject>High Energy Physics - Theory</dc:subject><dc:subject>05C80, 05C15</dc:subject>",
            "<dc:description>  Invented words.</dc:description><dc:description>Comment: 12 pages</dc:description>",
            "<dc:date>2008-01-02</dc:date><dc:date>2007-03-30</dc:date><dc:type>text</dc:type>",
            "<dc:identifier>http://arxiv.org/abs/0704.0001</dc:identifier>",
            "<dc:identifier>J. Inv. 1 (2008) 2</dc:identifier><dc:identifier>doi:10.1000/ABC</dc:identifier>",
            "<dc:rights>http://creativecommons.org/licenses/by/4.0/</dc:rights>",
        )
    )

    assert replace(parsed, payload=b"", content_hash="") == PaperRecord(
        source="arxiv",
        format="oai_dc",
        external_id="0704.0001",
        stamp="2008-11-26",
        payload=b"",
        content_hash="",
        identifiers=(("arxiv", "0704.0001"), ("doi", "10.1000/abc")),
        title="An invented title",
        rank=40,
        abstract="Invented words.",
        kind="preprint",
        published=PartialDate(2007, 3, 30),
        primary_category="cs.LG",
        categories=("cs.LG", "physics.optics", "hep-th"),
        authors=(
            AuthorRecord("Ada Example", "Ada", "Example"),
            AuthorRecord("XYZ Collaboration", is_collaboration=True),
            AuthorRecord("Bo Sample Jr.", "Bo", "Sample", "Jr."),
        ),
        licence="http://creativecommons.org/licenses/by/4.0/",
        comments="12 pages",
        journal_reference="J. Inv. 1 (2008) 2",
    )


def test_a_date_of_dublin_core_that_cannot_be_the_first_gives_the_month() -> None:
    parsed = read(dublin_core("<dc:title>T</dc:title><dc:date>2008-01-02</dc:date>"))

    assert parsed.published == PartialDate(2007, 4)


@pytest.mark.parametrize(
    ("metadata", "header", "reason"),
    [
        (arxiv(identifier=""), {"identifier": ""}, "'oai:arXiv.org:' is not an arXiv id"),
        (arxiv(identifier="nonsense"), {"identifier": "nonsense"}, "'nonsense' is not an arXiv id"),
        (arxiv(identifier="0704.0001v2"), {}, "version 2 of 0704.0001"),
        (arxiv(identifier="0704.0002"), {}, "The header names 0704.0001, the metadata 0704.0002"),
        (arxiv(title=" \n "), {}, "The record has no title."),
        (raw(title=""), {}, "The record has no title."),
        (dublin_core(), {}, "The record has no title."),
        (snapshot(id="0704.0001v3"), {}, "version 3 of 0704.0001"),
        (snapshot(title=None), {}, "The record has no title."),
        (snapshot(id=""), {}, "The record has no id."),
        ("<datacite xmlns='urn:x'/>", {}, "The metadata is in the format 'datacite'"),
        ("", {}, "The record has a header but no metadata."),
    ],
)
def test_records_that_cannot_be_used_say_why(
    metadata: str | dict[str, Any], header: dict[str, Any], reason: str
) -> None:
    with pytest.raises(RecordRefused) as refused:
        read(metadata, **header)
    assert reason in str(refused.value)


def test_a_deleted_record_says_so() -> None:
    record = replace(
        as_record(""), payload=b'<record><header status="deleted"><identifier>x</identifier></header></record>'
    )

    with pytest.raises(RecordRefused, match="deleted"):
        parse(record)


def test_a_record_without_authors_is_a_record() -> None:
    assert read(arxiv(authors="")).authors == ()
    assert read(raw(authors="")).authors == ()


def test_a_record_with_three_thousand_authors_is_a_record() -> None:
    people = "".join(
        f"<author><keyname>Name{number}</keyname><forenames>A.</forenames></author>" for number in range(3000)
    )

    assert [author.family for author in read(arxiv(authors=people)).authors[::1000]] == [
        "Name0",
        "Name1000",
        "Name2000",
    ]


def test_namespaces_do_not_matter() -> None:
    usual, none = read(arxiv()), read(arxiv(namespace=""))

    assert none.title == usual.title == "An invented title"
    assert none.authors == usual.authors
    assert none.content_hash == usual.content_hash


@pytest.mark.parametrize(
    "metadata", [arxiv(schema=NEW_SCHEMA, updated="2008-11-26"), raw(), dublin_core("<dc:title>T</dc:title>")]
)
def test_the_hash_is_of_what_is_said_not_of_how(metadata: str) -> None:
    first = read(metadata)
    spaced = read(metadata.replace("><", ">\n      <").replace("An invented title", "An\n  invented title"))
    restamped = read(metadata.replace("2008-11-26", "2025-01-01"), stamp="2025-01-01", sets=("math:math:CO",))
    changed = read(metadata.replace("itle>", "itle>Not ", 1))

    assert spaced.content_hash == restamped.content_hash == first.content_hash
    assert changed.content_hash != first.content_hash


def test_the_hash_of_a_snapshot_is_of_what_is_said() -> None:
    first = read(snapshot())
    reordered = dict(reversed(snapshot(update_date="2020-01-01").items()))

    assert read(reordered).content_hash == first.content_hash
    assert read(snapshot(comments="new")).content_hash != first.content_hash


def test_the_hash_differs_where_created_means_something_else() -> None:
    assert read(arxiv(schema=NEW_SCHEMA)).content_hash != read(arxiv(schema=CLASSIC_SCHEMA)).content_hash


def test_ranks_leave_no_tie() -> None:
    assert len(set(RANKS.values())) == len(RANKS)
    assert sorted(RANKS, key=lambda name: RANKS[name]) == ["arXiv", "arXivRaw", "snapshot", "oai_dc"]
