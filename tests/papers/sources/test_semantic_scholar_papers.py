"""What Semantic Scholar's papers say, in each of the shapes that they come in, and what is not believed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from papers.sources.records import AuthorRecord, CitationCount, PaperRecord, PartialDate, ReferenceRecord
from papers.sources.semantic_scholar import SemanticScholarSource
from papers.sources.semantic_scholar.joining import ANSWERS_KEPT, join
from tests.papers.sources.semantic_scholar_documents import (
    HASH,
    corpus_paper,
    dataset_abstract,
    dataset_paper,
    paper,
    reference,
)
from wovepaper.harvest.contracts import RawRecord, RecordRefused

SOURCE = SemanticScholarSource()


def read(said: dict[str, Any], format: str = "paper") -> PaperRecord:  # noqa: A002
    record = SOURCE.parse(RawRecord("x", format, "", json.dumps(said).encode()))
    assert isinstance(record, PaperRecord)
    return record


def test_a_paper_of_the_api() -> None:
    nothing = reference(10, paperId=None, corpusId=None, externalIds=None, title=None)
    wrapped = {"citedPaper": reference(11, externalIds={"DOI": "10.5555/Loop"}, corpusId=None)}
    said = read(paper(references=[reference(9), nothing, wrapped]))
    assert said.identifiers == (
        ("s2", HASH.format(700)), ("s2", "CorpusId:700"), ("doi", "10.5555/woven.1"), ("dblp", "journals/knots/VekT24"),
    )  # fmt: skip
    assert (said.title, said.abstract, said.kind) == ("A woven lattice", "We weave.", "article")
    assert (said.venue, said.volume, said.pages) == ("Journal of Invented Research", "7", "1-9")
    assert said.published == PartialDate(2024, 1, 9)
    assert said.authors == (
        AuthorRecord("Zoë Vek", "Zoë", "Vek", source_author_id="501"),
        AuthorRecord("A. Thorn", "A.", "Thorn", source_author_id="502"),
    )
    assert said.citations == CitationCount(3)
    assert said.reference_count == 2
    assert said.references == (
        ReferenceRecord(
            (("s2", HASH.format(9)), ("s2", "CorpusId:9"), ("arxiv", "1706.00009")),
            title="On loops", authors="Ida Moor", year=2017, container="Knot Letters",
        ),
        ReferenceRecord(
            (("s2", HASH.format(11)), ("doi", "10.5555/loop")),
            title="On loops", authors="Ida Moor", year=2017, container="Knot Letters",
        ),
    )  # fmt: skip


def test_lines_of_the_data_sets_say_the_same() -> None:
    said = read(dataset_paper(), "dataset")
    assert said.identifiers == (("s2", "CorpusId:700"), ("arxiv", "2401.00001"), ("doi", "10.5555/woven.1"))
    assert (said.title, said.kind, said.venue, said.volume) == (
        "A woven lattice", "article", "Journal of Invented Research", "7",
    )  # fmt: skip
    assert (said.published, said.citations, said.reference_count) == (PartialDate(2024, 1, 9), CitationCount(3), 2)
    assert [author.source_author_id for author in said.authors] == ["501", "502"]
    bare = read(dataset_abstract(), "dataset")
    assert (bare.title, bare.abstract, bare.identifiers) == ("", "We weave.", (("s2", "CorpusId:700"),))

    old = read(corpus_paper(), "corpus")
    assert old.identifiers == (("s2", HASH.format(700)), ("doi", "10.5555/woven.1"))
    assert (old.abstract, old.venue, old.volume, old.pages) == ("We weave.", "Journal of Invented Research", "7", "1-9")
    assert old.published == PartialDate(2024)
    assert old.references == (ReferenceRecord((("s2", HASH.format(9)),)),)
    assert [author.source_author_id for author in old.authors] == ["501", ""]
    assert said.rank > read(paper()).rank
    assert old.rank > said.rank


@pytest.mark.parametrize(
    ("external", "found"),
    [
        ({"ArXiv": "2401.00001v2"}, [("arxiv", "2401.00001")]),
        ({"ArXiv": "hep-th/9901001"}, [("arxiv", "hep-th/9901001")]),
        ({"DOI": "10.48550/arXiv.2401.00001"}, [("arxiv", "2401.00001")]),
        ({"DOI": "https://doi.org/10.5555/ABC"}, [("doi", "10.5555/abc")]),
        ({"DBLP": ["conf/a/B1", "journals/a/C2", "no key"]}, [("dblp", "conf/a/B1"), ("dblp", "journals/a/C2")]),
        ({"PubMed": "0123"}, [("pmid", "123")]),
        ({"PubMed": 77, "DOI": None, "ArXiv": "", "MAG": "5", "ACL": "P1"}, [("pmid", "77")]),
        ({"PubMed": "0", "DOI": 7, "ArXiv": {"x": 1}, "DBLP": [None, 3]}, []),
        (None, []),
        ([], []),
    ],
)
def test_names_in_other_systems(external: Any, found: list[tuple[str, str]]) -> None:
    said = read(paper(externalIds=external))
    assert list(said.identifiers[2:]) == found


@pytest.mark.parametrize(
    ("date", "year", "found"),
    [
        ("2024-01-09", 2024, PartialDate(2024, 1, 9)),
        ("2024-02-01", 2024, PartialDate(2024, 2)),
        ("2024-01-01", 2024, PartialDate(2024)),
        (None, 2024, PartialDate(2024)),
        ("2024-13-40", 2023, PartialDate(2023)),
        (None, None, None),
        ("0000-00-00", 0, None),
        (20240109, "2024", None),
        (None, True, None),
    ],
)
def test_no_more_is_taken_from_a_date_than_it_says(date: Any, year: Any, found: PartialDate | None) -> None:
    assert read(paper(publicationDate=date, year=year)).published == found


NO_VENUE = {"journal": None, "venue": "", "publicationVenue": None}
ON_ARXIV = {"externalIds": {"ArXiv": "2401.00001"}}


@pytest.mark.parametrize(
    ("values", "kind", "venue"),
    [
        ({"publicationTypes": ["JournalArticle", "Conference"], "venue": "Knots", "journal": {"name": "Proc. of K."}},
         "proceedings-article", "Knots"),
        ({"publicationTypes": ["Book", "JournalArticle"]}, "article", "Journal of Invented Research"),
        ({"publicationTypes": ["Book"], **NO_VENUE}, "book", ""),
        ({"publicationTypes": ["BookSection"]}, "book-chapter", "Journal of Invented Research"),
        ({"publicationTypes": ["Dataset"], **NO_VENUE}, "dataset", ""),
        ({"publicationTypes": ["Review"]}, "article", "Journal of Invented Research"),
        ({"publicationTypes": ["News"], **NO_VENUE}, "other", ""),
        ({"publicationTypes": ["SomethingNew"], **NO_VENUE}, "", ""),
        ({"publicationTypes": None}, "article", "Journal of Invented Research"),
        ({"publicationTypes": None, **NO_VENUE}, "", ""),
        ({"publicationTypes": ["JournalArticle"], **ON_ARXIV, "venue": "arXiv.org",
          "journal": {"name": "ArXiv", "volume": "abs/2401.00001"}}, "", ""),
        ({"publicationTypes": ["JournalArticle"], **ON_ARXIV, **NO_VENUE}, "", ""),
        ({"publicationTypes": ["JournalArticle"], **ON_ARXIV, "venue": "arXiv.org"}, "article",
         "Journal of Invented Research"),
        ({"publicationTypes": "Book", "journal": [], "venue": {"name": "x"}, "publicationVenue": {"name": "V"}},
         "", "V"),
    ],
)  # fmt: skip
def test_kinds_and_venues(values: dict[str, Any], kind: str, venue: str) -> None:
    said = read(paper(**values))
    assert (said.kind, said.venue) == (kind, venue)
    if not venue:
        assert (said.volume, said.pages) == ("", "")


def test_authors_without_names_or_ids_and_collaborations() -> None:
    said = read(
        paper(
            authors=[
                {"authorId": None, "name": "Ida Moor"}, {"authorId": "9", "name": None}, {"authorId": "9", "name": "7"},
                {"authorId": "77", "name": "The Loom Collaboration"}, None, "Bert",
                {"authorId": 12, "name": "Moor, Ida"},
                {"authorId": "x1", "name": "Jos\u00e9 \\'Alvarez", "affiliations": ["Institute of Knots"]},
            ]
        )
    )  # fmt: skip
    assert [(one.name, one.source_author_id, one.is_collaboration, one.affiliations) for one in said.authors] == [
        ("Ida Moor", "", False, ()),
        ("The Loom Collaboration", "", True, ()),
        ("Ida Moor", "12", False, ()),
        ("José Álvarez", "", False, ()),
    ]


def test_thousands_of_authors_and_none() -> None:
    many = [{"authorId": str(number), "name": f"A. Weaver{number}"} for number in range(1, 3_001)]
    assert len(read(paper(authors=many)).authors) == 3_000
    assert read(paper(authors=[])).authors == ()
    assert read(paper(authors=None)).authors == ()
    assert read(paper(authors={"name": "x"})).authors == ()


@pytest.mark.parametrize("count", [None, -1, 10**8, True, "7", 1.5])
def test_counts_that_are_none(count: Any) -> None:
    assert read(paper(citationCount=count)).citations is None


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("A &amp;lt; B &amp;amp; C", "A < B & C"),
        ("On <i>loops</i>\n and H<sub>2</sub>O", "On loops and H$_{2}$O"),
        ("\u201cQuoted\u201d\u00a0title", "\u201cQuoted\u201d title"),
        ("", ""),
        (None, ""),
        (7, ""),
    ],
)
def test_titles_are_plain_text(title: Any, shown: str) -> None:
    assert read(paper(title=title)).title == shown


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"{", "The record is not JSON"),
        (b"[]", "The record is not a JSON object."),
        (b'{"paperId": null, "title": "T"}', "The record has no id of Semantic Scholar."),
        (b'{"paperId": "123", "title": "T"}', "The record has no id of Semantic Scholar."),
        (b"[" * 100_000, "The record is not JSON"),
    ],
)
def test_what_cannot_be_used_is_refused(payload: bytes, reason: str) -> None:
    with pytest.raises(RecordRefused, match=reason):
        SOURCE.parse(RawRecord("x", "paper", "", payload))


# --- joining -------------------------------------------------------------------------------------------------


def joined(*answers: dict[str, Any] | tuple[dict[str, Any], str]) -> dict[str, Any]:
    """The record after these answers, each by itself or with a stamp."""
    payload: bytes | None = None
    stamp = ""
    for answer in answers:
        said, of = answer if isinstance(answer, tuple) else (answer, "")
        payload, stamp = join(payload, stamp, json.dumps(said).encode(), of)
    assert payload is not None
    found: dict[str, Any] = json.loads(payload)
    return found


ID = {"paperId": HASH.format(1)}


def test_what_says_nothing_takes_nothing_away() -> None:
    said = joined(ID | {"title": "T", "abstract": "A", "authors": [{"name": "N"}], "externalIds": {"DOI": "d"}},
                  ID | {"title": None, "abstract": "", "authors": [], "externalIds": {}, "year": 2020})  # fmt: skip
    assert {name: said[name] for name in ("title", "abstract", "authors", "externalIds", "year")} == {
        "title": "T", "abstract": "A", "authors": [{"name": "N"}], "externalIds": {"DOI": "d"}, "year": 2020,
    }  # fmt: skip


def test_of_two_values_the_later_answer_stands_and_an_answer_goes_in_once() -> None:
    first, second = ID | {"title": "Old"}, ID | {"title": "New", "year": 2020}
    assert joined(first, second)["title"] == "New"
    assert joined(first, second, first)["title"] == "New", "an old file that is read again"
    assert joined(first, second, ID | {"title": "Old", "year": 2020})["title"] == "Old", "another answer, a correction"


def test_a_later_stamp_wins_whatever_comes_first() -> None:
    older, newer = (ID | {"title": "Old", "year": 2019}, "2026-01-01"), (ID | {"title": "New"}, "2026-02-01")
    for answers in ((older, newer), (newer, older), (older, newer, older)):
        said = joined(*answers)
        assert (said["title"], said["year"]) == ("New", 2019)
    again = (ID | {"title": "Old", "year": 2019}, "2026-03-01")
    assert joined(older, newer, again)["title"] == "Old", "the source came back to it"


def test_a_count_keeps_the_day_it_was_given_for() -> None:
    said = joined((ID | {"citationCount": 3}, "2026-01-01T10:00"), (ID | {"title": "T"}, "2026-02-01"))
    assert read(said).citations == CitationCount(3, PartialDate(2026, 1, 1).first_day)
    later = joined((ID | {"citationCount": 3}, "2026-01-01"), (ID | {"citationCount": 4}, "2026-03-01"))
    assert read(later).citations == CitationCount(4, PartialDate(2026, 3, 1).first_day)


def test_what_is_of_no_use_is_not_kept() -> None:
    said = joined(paper(embedding={"vector": [1.0]}, citations=[{"paperId": "x"}], references=[reference(9)]))
    assert not {"embedding", "citations"} & said.keys()
    assert "abstract" not in said["references"][0]
    answers = [ID | {"title": str(number)} for number in range(ANSWERS_KEPT + 5)]
    assert len(joined(*answers)["_answers"]) == ANSWERS_KEPT


def test_nothing_new_is_the_very_same_record() -> None:
    once = join(None, "", json.dumps(paper()).encode(), "")
    assert join(*once, json.dumps(paper()).encode(), "") == once
    assert (
        join(*once, json.dumps(ID | {"title": "A woven lattice"} | {"paperId": HASH.format(700)}).encode(), "") == once
    )
