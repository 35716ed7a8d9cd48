from __future__ import annotations

import gzip
import io
import json
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from papers.sources.crossref import CrossrefSource
from tests.papers.sources.crossref_documents import answer, answer_list, failure, lines, work
from wovepaper.harvest.contracts import DamagedRecord, Page, PageRefused, RawRecord, TokenExpired

SOURCE = CrossrefSource()
ONE, TWO = work(), work(DOI="10.5555/woven.2", title=["Second"])
BOTH = ["10.5555/woven.1", "10.5555/woven.2"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a-name-that-says-nothing"


def pages_of(path: Path, body: bytes) -> list[Page]:
    path.write_bytes(body)
    return list(SOURCE.read_file(path))


def read(path: Path, body: bytes) -> tuple[list[str], list[str]]:
    """The external ids, and the reasons of what is damaged."""
    pages = pages_of(path, body)
    assert all(len(page.records) + len(page.damaged) <= 1000 for page in pages)
    return (
        [record.external_id for page in pages for record in page.records],
        [damaged.reason for page in pages for damaged in page.damaged],
    )


def zipped(*bodies: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, body in enumerate(bodies):
            archive.writestr(f"{number}.json", body)
    return buffer.getvalue()


FORMS = {
    "lines": lines(ONE, TWO),
    "lines with empty ones between": b"\xef\xbb\xbf\n\n" + lines(ONE) + b"  \r\n" + lines(TWO),
    "no line break at the end": lines(ONE, TWO).rstrip(),
    "a part of the public data file": json.dumps({"items": [ONE, TWO]}).encode(),
    "with line breaks within": json.dumps({"items": [ONE, TWO]}, indent=1).encode(),
    "an array": json.dumps([ONE, TWO]).encode(),
    "an array with line breaks": json.dumps([ONE, TWO], indent=2).encode(),
    "an answer with items": answer_list(ONE, TWO),
    "an answer with line breaks": json.dumps(json.loads(answer_list(ONE, TWO)), indent=2).encode(),
    "two answers with a work each": answer(ONE) + b"\n" + answer(TWO),
    "an answer whose message comes first": json.dumps({"message": {"items": [ONE, TWO]}, "status": "ok"}).encode(),
    "items behind other keys": json.dumps({"total": 2, "items": [ONE, TWO]}).encode(),
    "items behind other keys, with line breaks": json.dumps({"total": 2, "items": [ONE, TWO]}, indent=1).encode(),
    "a work with line breaks, then a line": json.dumps(ONE, indent=1).encode() + b"\n" + lines(TWO),
}


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zipped], ids=["plain", "gzip", "zip"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_file_gives_the_works(path: Path, form: str, pack: object) -> None:
    assert callable(pack)
    assert read(path, pack(FORMS[form])) == (BOTH, [])


def test_the_works_of_several_files_in_a_zip(path: Path) -> None:
    assert read(path, zipped(lines(ONE), answer(TWO))) == (BOTH, [])


def test_a_record_keeps_its_text_as_it_was_sent(path: Path) -> None:
    body = b'{"items":[ {"title":["\\u00e9 \xc3\xa9"],  "DOI":"10.5555/X" } ]}'
    ((record,),) = [page.records for page in pages_of(path, body)]

    assert record == RawRecord("10.5555/x", "work", "", b'{"title":["\\u00e9 \xc3\xa9"],  "DOI":"10.5555/X" }')


def test_the_stamp_is_the_moment_of_indexing_as_exactly_as_it_is_known(path: Path) -> None:
    works = [
        work(),
        work(indexed={"date-parts": [[2025, 3, 4]]}),
        work(indexed={"date-time": {"$date": 1}}, deposited={"date-time": "2024-01-02T03:04:05Z"}),
        work(indexed=None),
    ]
    ((*records,),) = [page.records for page in pages_of(path, lines(*works))]

    assert [record.stamp for record in records] == ["2025-03-04T05:06:07Z", "2025-03-04", "2024-01-02T03:04:05Z", ""]


def test_a_damaged_line_is_damaged_by_itself(path: Path) -> None:
    body = lines(ONE) + b'{"DOI": "10.5555/half", "title": ["\n' + b"\xff\xfe\n" + b"[1]\n{}\n" + lines(TWO)
    found, reasons = read(path, body)

    assert found == BOTH
    assert [reason.split(":")[0] for reason in reasons] == [
        "Line 2 is not JSON",
        "Line 3 is not JSON",
        "Line 4 is not a JSON object.",
        'Line 5 has no "DOI", so it is no work of Crossref.',
    ]


def test_the_first_line_may_be_the_damaged_one(path: Path) -> None:
    found, reasons = read(path, b'{"DOI": "10.5555/half", \n' + lines(ONE, TWO))

    assert found == BOTH
    assert reasons[0].startswith("Line 1 is not JSON: ")


@pytest.mark.parametrize("breaks", [None, 1])
def test_behind_a_damaged_item_reading_goes_on_with_the_next(path: Path, breaks: int | None) -> None:
    items = [json.dumps(each, indent=breaks) for each in (ONE, work(DOI="10.5555/bad", page="BROKEN"), TWO)]
    items[1] = items[1].replace('"BROKEN"', "BROKEN")
    body = f'{{"items":[{",".join(items)}]}}'.encode()
    found, reasons = read(path, body)

    assert found == BOTH
    assert len(reasons) == 1
    assert reasons[0].startswith("Item 2 is damaged: Expecting value")


def test_a_file_that_breaks_off_gives_what_was_whole(path: Path) -> None:
    body = json.dumps({"items": [ONE, TWO]}).encode()
    found, reasons = read(path, body[:-40])

    assert found == BOTH[:1]
    assert reasons == [f"Item 2 is damaged: it ends in the middle of a value, after {len(body) - 40} characters."]


def test_a_gzip_that_breaks_off_says_so(path: Path) -> None:
    many = lines(*(work(DOI=f"10.5555/{number}", abstract=f"{number:x}" * 50) for number in range(4000)))
    found, reasons = read(path, gzip.compress(many)[:-2000])

    assert 1000 < len(found) < 4000
    assert "is damaged" in reasons[-1]
    assert f"{len(found)} records before the damage were read." in reasons[-1]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            failure("This route does not support sort."),
            "The answer tells of an error: This route does not support sort.",
        ),
        (
            json.dumps({"status": "error", "message": {}}).encode(),
            "The answer tells of an error: it does not say which.",
        ),
        (answer({"id": 7}, "member"), "The answer is a 'member', and works are wanted."),
        (answer({"items": [{"id": 7}]}, "member-list"), "The answer is a 'member-list', and works are wanted."),
        (answer({"title": ["no DOI"]}), 'The message has no "DOI", so it is no work of Crossref.'),
        (answer_list({"title": ["no DOI"]}), 'Item 1 has no "DOI", so it is no work of Crossref.'),
        (b'{"request": {"url": "x"},\n "status": 200}', 'The object has no "DOI", so it is no work of Crossref.'),
    ],
)
def test_what_is_json_but_no_work_says_what_it_is(path: Path, body: bytes, reason: str) -> None:
    assert read(path, body) == ([], [reason])


def test_a_file_of_another_kind_says_which_would_do(path: Path) -> None:
    with pytest.raises(PageRefused, match=r"XML.*JSON"):
        pages_of(path, b'<?xml version="1.0"?><crossref_result/>')
    with pytest.raises(PageRefused, match=r"^The file is not JSON: works come as lines of JSON"):
        pages_of(path, b"Resource not found.")


def test_an_answer_is_taken_apart_and_an_error_refused() -> None:
    page = SOURCE.read_page(answer_list(ONE, {"no": 1}, TWO), stream="any")
    assert [record.external_id for record in page.records] == BOTH
    assert [damaged.reason for damaged in page.damaged] == ['Item 2 has no "DOI", so it is no work of Crossref.']
    assert SOURCE.read_page(answer_list(), stream="any") == Page((), complete_size=0)
    with pytest.raises(PageRefused, match="does not support sort"):
        SOURCE.read_page(failure("This route does not support sort."), stream="any")
    with pytest.raises(TokenExpired, match="no longer knows the cursor"):
        SOURCE.read_page(b"Resource not found.", stream="any")


def test_a_part_of_any_size_is_read_in_bounded_memory(path: Path) -> None:
    body = b'{"items":[' + b",".join(lines(work(DOI=f"10.5555/{n}", abstract="x" * 4000)) for n in range(8000)) + b"]}"
    path.write_bytes(gzip.compress(body, 1))
    assert len(body) > 32_000_000
    del body

    tracemalloc.start()
    count = sum(len(page.records) for page in SOURCE.read_file(path))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 8000
    assert most < 16_000_000


def test_a_line_longer_than_any_work_is_damaged_by_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papers.sources.crossref.documents.LONGEST_LINE", 2048)
    found, reasons = read(path, lines(ONE, work(DOI="10.5555/long", abstract="x" * 10_000), TWO))

    assert found == BOTH
    assert len(reasons) == 1
    assert "longer than" in reasons[0]


def test_damage_keeps_a_piece_as_evidence(path: Path) -> None:
    (page,) = pages_of(path, b'{"items":[{"DOI":"10.5555/x","title":[}]}')
    (damaged,) = page.damaged

    assert isinstance(damaged, DamagedRecord)
    assert damaged.payload.startswith(b'{"DOI":"10.5555/x"')
