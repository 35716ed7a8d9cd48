"""Semantic Scholar's files and answers: what is a record, of which kind, and what is told of all else."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from papers.sources.profiles import AuthorProfile
from papers.sources.semantic_scholar import SemanticScholarSource
from papers.sources.semantic_scholar.lookups import AUTHOR_FIELDS, AUTHORS_AT_ONCE, PAPERS_AT_ONCE, read, request
from tests.papers.sources.semantic_scholar_documents import (
    HASH,
    answer,
    author,
    corpus_paper,
    dataset_abstract,
    dataset_author,
    dataset_paper,
    lines,
    paper,
)
from wovepaper.harvest.contracts import Identifier, Merged, PageRefused, RawRecord, RecordRefused

SOURCE = SemanticScholarSource()
ORCID = "0000-0002-1825-0097"


def taken_apart(path: Path, body: bytes) -> tuple[list[tuple[str, str]], list[str]]:
    path.write_bytes(body)
    pages = list(SOURCE.read_file(path))
    return (
        [(record.format, record.external_id) for page in pages for record in page.records],
        [damaged.reason for page in pages for damaged in page.damaged],
    )


def test_a_file_tells_by_itself_what_it_holds(tmp_path: Path) -> None:
    body = lines(paper(), dataset_paper(), dataset_abstract(701), corpus_paper(), author(), dataset_author(502))
    for packed in (body, gzip.compress(body)):
        found, reasons = taken_apart(tmp_path / "lines", packed)
        assert found == [
            ("paper", HASH.format(700)), ("dataset", "700"), ("dataset", "701"), ("corpus", HASH.format(700)),
            ("author", "501"), ("author", "502"),
        ]  # fmt: skip
        assert reasons == []


@pytest.mark.parametrize(
    "body",
    [
        answer(paper(), author()),
        answer(paper(), author(), next=2, token="x"),
        json.dumps({"recommendedPapers": [paper(), author()]}).encode(),
        json.dumps([paper(), author()], indent=1).encode(),
        b"\xef\xbb\xbf" + lines(paper(), author()),
    ],
)
def test_answers_in_all_their_forms(tmp_path: Path, body: bytes) -> None:
    assert taken_apart(tmp_path / "x", body) == ([("paper", HASH.format(700)), ("author", "501")], [])


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ([None], "Item 1 is empty: the source does not know it."),
        ([7], "Item 1 is not a JSON object."),
        ({"error": "Paper with id 0 not found"}, "The object tells of an error: Paper with id 0 not found."),
        ({"message": "Too Many Requests", "code": "429"}, "The object tells of an error: Too Many Requests."),
        ({"total": 0, "offset": 0}, "The answer holds no records: the search found nothing."),
        ({"paperId": None, "title": "T"},
         'The object has no usable "paperId": Semantic Scholar did not tell which paper it means.'),
        ({"authorId": None, "name": "N"}, 'The object is an author without an "authorId".'),
        ({"citingPaper": {"paperId": HASH.format(1)}}, "The object is a citation, and papers or authors are wanted."),
        ({"citingcorpusid": 1, "citedcorpusid": 2}, "The object is a citation, and papers or authors are wanted."),
        ({"corpusid": 5, "model": "tldr@v2.0.0", "text": "x"},
         "The object is a summary or an embedding, and papers or authors are wanted."),
        ({"corpusid": 5, "content": {"text": "x"}}, "The object is a full text, and papers or authors are wanted."),
        ({"sha": HASH.format(1), "corpusid": 5, "primary": True},
         "The object is a table of ids, and papers or authors are wanted."),
        ({"corpusid": None, "title": "T"},
         "The object is a line without a corpus id, and papers or authors are wanted."),
        ({"title": "T"},
         'The object is neither a paper nor an author of Semantic Scholar: it has no "paperId" and no "authorId".'),
    ],
)  # fmt: skip
def test_what_is_no_record_is_told(tmp_path: Path, said: Any, reason: str) -> None:
    assert taken_apart(tmp_path / "x", json.dumps(said, indent=1).encode()) == ([], [reason])


@pytest.mark.parametrize("body", [b"<html>502</html>", b"", b"Resource not found."])
def test_what_is_no_json_is_refused(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "x").write_bytes(body)
    with pytest.raises(PageRefused, match="papers and authors come as lines of Semantic Scholar's data sets"):
        list(SOURCE.read_file(tmp_path / "x"))


def test_damage_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    body = lines(paper()) + b'{"paperId": "x\n' + lines(author())
    found, (reason,) = taken_apart(tmp_path / "x", body)
    assert found == [("paper", HASH.format(700)), ("author", "501")]
    assert reason.startswith("Line 2 is not JSON")
    found, (reason,) = taken_apart(tmp_path / "y", answer(paper(), paper(701))[:-400])
    assert found == [("paper", HASH.format(700))]
    assert "what follows was not read" in reason


def profile(said: dict[str, Any], stamp: str = "") -> AuthorProfile:
    found = SOURCE.parse(RawRecord("501", "author", stamp, json.dumps(said).encode()))
    assert isinstance(found, AuthorProfile)
    return found


def test_authors_of_answers_and_of_the_data_set_say_the_same() -> None:
    expected = AuthorProfile("semantic-scholar", "501", name="Z. Vek", h_index=6, cited_by_count=340, works_count=12)
    assert profile(author()) == expected
    assert profile(dataset_author()) == expected
    assert profile(author(501, hIndex=None, citationCount=-1, paperCount="many")) == AuthorProfile(
        "semantic-scholar", "501", name="Z. Vek"
    )
    assert profile(author(externalIds={"ORCID": ORCID})).orcid == ORCID
    assert profile(author(externalIds={"ORCID": ["0000-0000-0000-0000"]})).orcid == ""
    with pytest.raises(RecordRefused, match='no "authorId"'):
        profile({"name": "x"})


# --- look-ups ------------------------------------------------------------------------------------------------


def test_how_each_scheme_is_asked_by() -> None:
    asked = [Identifier("arxiv", "2401.00001"), Identifier("doi", "10.5555/a"), Identifier("pmid", "7"),
             Identifier("s2", HASH.format(1)), Identifier("s2", "CorpusId:9")]  # fmt: skip
    made = request("http://127.0.0.1/graph/v1/", "paper", asked, fields=("title", "authors"), key="k")
    assert (made.url, made.method, made.params) == (
        "http://127.0.0.1/graph/v1/paper/batch", "POST", {"fields": "title,authors"},
    )  # fmt: skip
    assert made.json_body == {"ids": ["ARXIV:2401.00001", "DOI:10.5555/a", "PMID:7", HASH.format(1), "CorpusId:9"]}
    assert made.secret_headers == {"x-api-key": "k"}
    assert "secret" not in repr(made)
    assert request("http://x", "author", asked, fields=AUTHOR_FIELDS, key="").secret_headers == {}
    assert (PAPERS_AT_ONCE <= 500, AUTHORS_AT_ONCE <= 1_000) == (True, True)


def test_an_answer_is_matched_with_what_was_asked_for() -> None:
    one, two, three = (Identifier("s2", HASH.format(number)) for number in (1, 2, 3))
    body = json.dumps([paper(1), None, paper(9)]).encode()
    found = read(body, [one, two, three], status=200, kind="paper", own=str)
    assert [(record.format, record.external_id) for record in found.records] == [
        ("paper", HASH.format(1)), ("paper", HASH.format(9)),
    ]  # fmt: skip
    assert found.unknown == (two,)
    assert found.merged == (Merged(three, Identifier("s2", HASH.format(9))),)


@pytest.mark.parametrize(
    ("said", "status", "retry"),
    [
        ({"error": "Unrecognized or unsupported fields: [x]"}, 400, False),
        ({"message": "Too Many Requests", "code": "429"}, 200, True),
        ({"message": "Internal server error"}, 200, True),
        ({}, 200, True),
        ([], 200, True),
        ([None, None], 200, True),
        ([None], 400, True),
        ("x", 200, True),
    ],
)
def test_what_is_no_answer_is_refused(said: Any, status: int, retry: bool) -> None:
    with pytest.raises(PageRefused) as refused:
        read(json.dumps(said).encode(), [Identifier("s2", "1")], status=status, kind="paper", own=str)
    assert refused.value.retry is retry


def test_html_and_half_an_answer_are_asked_for_again() -> None:
    for body in (b"<html>", json.dumps([paper()]).encode()[:-50]):
        with pytest.raises(PageRefused, match="not JSON") as refused:
            read(body, [Identifier("s2", "1")], status=200, kind="paper", own=str)
        assert refused.value.retry is True
