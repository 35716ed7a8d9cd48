"""Small documents in the shapes of Semantic Scholar: answers of the Graph API and lines of its data sets, invented."""

from __future__ import annotations

import json
from typing import Any

HASH = "{:040x}"


def paper(number: int = 700, **values: Any) -> dict[str, Any]:
    """A paper as the Graph API sends it when all is asked for."""
    return {
        "paperId": HASH.format(number),
        "externalIds": {"CorpusId": number, "DOI": "10.5555/WOVEN.1", "DBLP": "journals/knots/VekT24", "MAG": "77"},
        "corpusId": number,
        "publicationVenue": {"id": "ab", "name": "Journal of Invented Research", "type": "journal"},
        "url": f"https://www.semanticscholar.org/paper/{HASH.format(number)}",
        "title": "A woven lattice",
        "abstract": "We weave.",
        "venue": "Journal of Invented Research",
        "year": 2024,
        "referenceCount": 2,
        "citationCount": 3,
        "influentialCitationCount": 1,
        "fieldsOfStudy": ["Mathematics"],
        "publicationTypes": ["JournalArticle"],
        "publicationDate": "2024-01-09",
        "journal": {"name": "Journal of Invented Research", "pages": "1-9", "volume": "7"},
        "authors": [{"authorId": "501", "name": "Zo\u00eb Vek"}, {"authorId": "502", "name": "A. Thorn"}],
        **values,
    }


def author(number: int = 501, **values: Any) -> dict[str, Any]:
    """An author as the Graph API sends it."""
    return {
        "authorId": str(number),
        "externalIds": {"DBLP": ["Zo\u00eb Vek", "Zo\u00eb Vek 0001"]},
        "url": f"https://www.semanticscholar.org/author/{number}",
        "name": "Z. Vek",
        "affiliations": [],
        "homepage": None,
        "paperCount": 12,
        "citationCount": 340,
        "hIndex": 6,
        **values,
    }


def dataset_paper(number: int = 700, **values: Any) -> dict[str, Any]:
    """A line of the data set ``papers``."""
    return {
        "corpusid": number,
        "externalids": {
            "ACL": None, "DBLP": None, "ArXiv": "2401.00001", "MAG": None, "CorpusId": str(number), "PubMed": None,
            "DOI": "10.5555/woven.1", "PubMedCentral": None,
        },
        "url": "https://www.semanticscholar.org/paper/x",
        "title": "A woven lattice",
        "authors": [{"authorId": "501", "name": "Zo\u00eb Vek"}, {"authorId": "502", "name": "A. Thorn"}],
        "venue": "Journal of Invented Research",
        "publicationvenueid": None,
        "year": 2024,
        "referencecount": 2,
        "citationcount": 3,
        "influentialcitationcount": 0,
        "isopenaccess": False,
        "s2fieldsofstudy": None,
        "publicationtypes": ["JournalArticle"],
        "publicationdate": "2024-01-09",
        "journal": {"name": "Journal of Invented Research", "pages": None, "volume": "7"},
        **values,
    }  # fmt: skip


def dataset_abstract(number: int = 700, **values: Any) -> dict[str, Any]:
    """A line of the data set ``abstracts``."""
    return {
        "corpusid": number,
        "openaccessinfo": {
            "externalids": {"MAG": None, "ACL": None, "DOI": "10.5555/woven.1", "PubMedCentral": None, "ArXiv": None},
            "license": "CCBY",
            "url": None,
            "status": "HYBRID",
        },
        "abstract": "We weave.",
        **values,
    }


def dataset_author(number: int = 501, **values: Any) -> dict[str, Any]:
    """A line of the data set ``authors``."""
    return {
        "authorid": str(number), "externalids": None, "url": "https://www.semanticscholar.org/author/501",
        "name": "Z. Vek", "aliases": None, "affiliations": None, "homepage": None, "papercount": "12",
        "citationcount": "340", "hindex": "6", **values,
    }  # fmt: skip


def corpus_paper(number: int = 700, **values: Any) -> dict[str, Any]:
    """A line of the Open Research Corpus, the former data set."""
    return {
        "entities": [], "magId": "77", "journalVolume": "7", "journalPages": "1-9", "pmid": "", "year": 2024,
        "fieldsOfStudy": ["Mathematics"], "outCitations": [HASH.format(9)], "inCitations": [], "s2PdfUrl": "",
        "s2Url": "https://semanticscholar.org/paper/x", "id": HASH.format(number), "pdfUrls": [], "sources": [],
        "authors": [{"name": "Zo\u00eb Vek", "ids": ["501"]}, {"name": "A. Thorn", "ids": []}],
        "journalName": "Journal of Invented Research", "paperAbstract": "We weave.", "title": "A woven lattice",
        "doi": "10.5555/woven.1", "doiUrl": "", "venue": "", **values,
    }  # fmt: skip


def reference(number: int, **values: Any) -> dict[str, Any]:
    """An entry of a paper's ``references``."""
    return {
        "paperId": HASH.format(number), "corpusId": number, "externalIds": {"CorpusId": number, "ArXiv": "1706.00009"},
        "title": "On loops", "year": 2017, "venue": "Knot Letters", "abstract": "A long text.",
        "authors": [{"authorId": "9", "name": "Ida Moor"}], **values,
    }  # fmt: skip


def lines(*documents: Any) -> bytes:
    """One a line."""
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)


def answer(*documents: Any, **envelope: Any) -> bytes:
    """An answer of the API that lists documents."""
    return json.dumps({"total": len(documents), "offset": 0, **envelope, "data": list(documents)}).encode()
