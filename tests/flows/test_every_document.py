"""Every document of the sources beside the checkout: each is read, or refused with the reason, and none is passed over.

The numbers are exact. A parser that reads more or less of them than before is noticed here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from papers.services.ingest.validation import check
from papers.sources.crossref.source import CrossrefSource
from papers.sources.records import PaperRecord
from researchers.sources.orcid import read_record, read_search
from tests.shared_data import shared_data_dir
from wovepaper.harvest import registry
from wovepaper.harvest.contracts import Identifier, PageRefused, RecordRefused, Source

pytestmark = pytest.mark.shared_data


@dataclass
class Findings:
    """What became of the documents of a family. ``reasons`` are counted by how they begin."""

    files: int = 0
    read: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)


def walk(family: str, read: Callable[[Path], tuple[list[str], list[str]]]) -> Findings:
    """Read every file of a family but the notes of the requests that brought them (``.meta.json``)."""
    findings = Findings()
    for path in sorted(shared_data_dir(family).rglob("*")):
        if not path.is_file() or path.name.endswith(".meta.json"):
            continue
        found, reasons = read(path)
        assert found or reasons, f"{path} is neither read nor refused"
        assert all(reason.endswith(".") and len(reason) > 20 for reason in reasons), (path, reasons)
        findings.files += 1
        findings.read.update(found)
        findings.reasons.update(map(_kind, reasons))
    return findings


def _kind(reason: str) -> str:
    """The reason without what it says of the single record."""
    words = " ".join("#" if word.strip(".,;:()").isdigit() else word for word in reason.split())
    return words.partition(": ")[0].partition("'")[0].strip()


def by_harvest(source: Source) -> Callable[[Path], tuple[list[str], list[str]]]:
    """Read a file as ``manage.py harvest --file`` does."""

    def read(path: Path) -> tuple[list[str], list[str]]:
        found: list[str] = []
        reasons: list[str] = []
        try:
            for page in source.read_file(path):
                reasons += [damaged.reason for damaged in page.damaged]
                for raw in page.records:
                    try:
                        record = source.parse(raw)
                        if isinstance(record, PaperRecord):
                            check(record)
                    except RecordRefused as refused:
                        reasons.append(str(refused))
                    else:
                        found.append(type(record).__name__)
        except PageRefused as refused:
            reasons.append(refused.reason)
        if not found and not reasons:
            page = source.read_page(path.read_bytes(), stream=source.streams[0] if source.streams else "any")
            found += [] if page.records or page.damaged else ["an empty list"]
        return found, reasons

    return read


def by_orcid(path: Path) -> tuple[list[str], list[str]]:
    body = path.read_bytes()
    try:
        record = read_record(body)
    except RecordRefused as refused:
        if "search results" not in str(refused):
            return [], [str(refused)]
        read_search(body)
        return ["OrcidSearch"], []
    assert record.orcid or record.works
    return ["OrcidRecord"], []


def source_of(name: str) -> Source:
    return registry.get(name).source


def test_crossref() -> None:
    findings = walk("crossref", by_harvest(source_of("crossref")))

    assert findings.files == 136
    assert findings.read == {"PaperRecord": 3502}
    assert findings.reasons == {
        "The work has no title.": 129,
        "The record describes a component, which is not a paper.": 17,
        "The record describes a journal issue, which is not a paper.": 9,
        "The record describes a journal, which is not a paper.": 4,
        'Item # has no "DOI", so it is no work of Crossref.': 1,
        "The answer is a": 17,  # of journals, members, types
        "The answer tells of an error": 7,
        "The file is XML or HTML, not JSON": 19,  # other answers to the same requests
        "The file is not JSON": 6,
    }


def test_openalex() -> None:
    findings = walk("openalex", by_harvest(source_of("openalex")))

    assert findings.files == 48
    assert findings.read == {"PaperRecord": 239, "AuthorProfile": 3, "MergedAuthor": 4, "an empty list": 1}
    no_paper = {"a grant": 26, "a journal": 2, "paratext": 2, "proceedings": 1, "a book set": 1}
    other = {
        "Line # is a publisher": 16,
        "Item # is an institution": 10,
        "Line # is an institution": 2,
        "Line # is a concept": 1,
        "Line # is a topic": 1,
        "Line # is a source": 1,
        "The object is an award": 1,
        "The object is a funder": 1,
        "The object is a publisher": 1,
    }
    assert findings.reasons == {
        **{f"The record describes {what}, which is not a paper.": number for what, number in no_paper.items()},
        **{f"{what}, and works or authors are wanted.": number for what, number in other.items()},
        "The object is no work of OpenAlex": 9,
        "Line # is no work of OpenAlex": 3,
        "Line # tells of an error": 3,
        "The answer counts works and holds none.": 2,
        "The file is not JSON": 1,
    }


def test_ror() -> None:
    findings = walk("ror", by_harvest(source_of("ror")))

    assert findings.files == 8
    assert findings.read == {"OrganisationRecord": 35_991}
    assert findings.reasons == {
        'Record # has no "id", so it is no organisation of ROR.': 4_003,  # strings with their gold ids, schemas
        "The file is not JSON": 1,
    }


def test_orcid() -> None:
    findings = walk("orcid", by_orcid)

    assert findings.files == 38
    assert findings.read == {"OrcidRecord": 22, "OrcidSearch": 8}
    assert findings.reasons == {
        "The record is of ORCID": 2,  # of its sandbox
        "The document is XML or HTML": 2,
        "ORCID answers with status # The client application made a bad request to the ORCID API.": 2,
        "ORCID answers with status # Something went wrong in ORCID.": 1,
        "ORCID answers with status # The resource was not found.": 1,
    }


# --- answers that tell of an error ---------------------------------------------------------------------------


def errors_of(family: str) -> list[tuple[Path, int]]:
    """The documents of errors, with the status that each came with."""
    found = []
    for path in sorted(shared_data_dir(family, "errors").iterdir()):
        if not path.name.endswith(".meta.json"):
            meta = json.loads(path.with_name(f"{path.name.partition('.')[0]}.meta.json").read_bytes())
            found.append((path, int(meta["status"])))
    return found


def test_the_errors_of_crossref_are_told_apart() -> None:
    source = source_of("crossref")
    assert isinstance(source, CrossrefSource)
    seen = Counter[str]()
    for path, status in errors_of("crossref"):
        body = path.read_bytes()
        with pytest.raises(PageRefused) as refused:
            source.read_page(body, stream="work")
        seen[f"{status} {type(refused.value).__name__}"] += 1
        assert refused.value.retry is False
    assert seen == {
        "400 PageRefused": 5,  # what was asked for makes no sense
        "404 TokenExpired": 1,  # in plain text
        "500 TokenExpired": 2,  # a cursor that is none
    }
    (not_found,) = [path for path, status in errors_of("crossref") if status == 404]
    asked = Identifier("doi", "10.5555/unheard-of")
    assert source.read_lookup(not_found.read_bytes(), [asked], status=404).unknown == (asked,)


def test_the_errors_of_openalex_are_refused_with_its_words() -> None:
    source = source_of("openalex")
    said = []
    for path, _ in errors_of("openalex"):
        with pytest.raises(PageRefused) as refused:
            source.read_page(path.read_bytes(), stream="any")
        assert refused.value.retry is False
        said.append(refused.value.reason)
    assert ["DOESNTEXIST is not a valid" in reason for reason in said] == [True, True, False]
    assert "API key" in said[2]
