"""Semantic Scholar's ids, and how its documents look: answers of the Graph API, lines of its data sets, old and new.

https://api.semanticscholar.org/api-docs/graph and https://api.semanticscholar.org/api-docs/datasets
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from papers.sources.json_documents import NoRecord, Shape
from wovepaper.lib import text

NAME = "semantic-scholar"
"""The name of the source."""

PAPER = "paper"
"""A paper of the Graph API, known by the hash that is its ``paperId``."""
DATASET = "dataset"
"""A paper of the data sets, known by its corpus id: lines of ``papers`` and ``abstracts`` are parts of one record."""
CORPUS = "corpus"
"""A paper of the Open Research Corpus, as the data set was called until 2021."""
AUTHOR = "author"
"""An author of the Graph API or the data sets."""

_HASH = re.compile(r"[0-9a-f]{40}", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,18}")
_PASSAGES = ("citingPaper", "citedPaper", "citingcorpusid", "citedcorpusid")
_OTHER_LINES = {
    "tldr": "a summary", "vector": "an embedding", "content": "a full text", "model": "a summary or an embedding",
    "sha": "a table of ids", "alternate_issns": "a venue",
}  # fmt: skip


def hash_of(said: Any) -> str:
    """A ``paperId`` in lower case; empty for anything else."""
    return said.strip().lower() if isinstance(said, str) and _HASH.fullmatch(said.strip()) else ""


def number_of(said: Any) -> str:
    """A corpus id or an author's id as digits, from text or number; empty for anything else, and for 0."""
    if isinstance(said, bool) or not isinstance(said, int | str):
        return ""
    digits = str(said).strip()
    return str(int(digits)) if _NUMBER.fullmatch(digits) and int(digits) else ""


def format_and_id(said: Mapping[str, Any]) -> tuple[str, str]:
    """Of what kind a document is, and its id. Raises ``NoRecord``."""
    if "authorId" in said or ("authorid" in said and "corpusid" not in said):
        name = number_of(said.get("authorId", said.get("authorid")))
        if name:
            return AUTHOR, name
        raise NoRecord('is an author without an "authorId".')
    if "paperId" in said:
        name = hash_of(said["paperId"])
        if name:
            return PAPER, name
        raise NoRecord('has no usable "paperId": Semantic Scholar did not tell which paper it means.')
    if any(key in said for key in _PASSAGES):
        raise NoRecord("is a citation, and papers or authors are wanted.")
    if "corpusid" in said:
        name = number_of(said["corpusid"])
        if name and not (_OTHER_LINES.keys() & said.keys()):
            return DATASET, name
        other = next((what for key, what in _OTHER_LINES.items() if key in said), "a line without a corpus id")
        raise NoRecord(f"is {other}, and papers or authors are wanted.")
    if "paperAbstract" in said or "s2Url" in said:
        name = hash_of(said.get("id"))
        if name:
            return CORPUS, name
    if "error" in said or "message" in said:
        words = text.clean(str(said.get("error") or said.get("message")))[:200].rstrip(".")
        raise NoRecord(f"tells of an error: {words}.")
    if "total" in said or "offset" in said:
        raise NoRecord("holds no records: the search found nothing.")
    raise NoRecord('is neither a paper nor an author of Semantic Scholar: it has no "paperId" and no "authorId".')


def stamp_of(said: Mapping[str, Any]) -> str:
    """When the record was last changed. Only older data sets tell."""
    value = said.get("updated")
    return text.clean(value)[:40] if isinstance(value, str) and value[:4].isdigit() else ""


def _recognise(said: dict[str, Any]) -> tuple[str, str]:
    return format_and_id(said)[1], stamp_of(said)


def _format_of(said: dict[str, Any]) -> str:
    return format_and_id(said)[0]


SHAPE = Shape(
    format=PAPER,
    lists=frozenset({"data", "recommendedPapers"}),
    wrapper=frozenset({"data", "recommendedPapers", "total", "offset", "next", "token"}),
    recognise=_recognise,
    format_of=_format_of,
    forms="papers and authors come as lines of Semantic Scholar's data sets or as answers of its Graph API",
)
