"""The papers as an upstream server would send them: OAI-PMH pages in two formats, and lines of the snapshot."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from email.utils import format_datetime
from typing import Literal

from wovepaper.demo.fields import set_spec
from wovepaper.demo.papers import DemoAuthor, DemoPaper
from wovepaper.demo.tex import accents_to_tex

Format = Literal["arXiv", "arXivRaw"]
FORMATS: tuple[Format, ...] = ("arXiv", "arXivRaw")
ENDPOINT = "http://demo.invalid/oai"
"""Where the pages say they come from. The name can never exist (RFC 2606)."""

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;"})


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


def oai_page(papers: Iterable[DemoPaper], *, form: Format, until: dt.date) -> bytes:
    """One complete ListRecords answer in UTF-8, laid out as arXiv's present server does. ``papers`` is not empty."""
    write = _arxiv_metadata if form == "arXiv" else _raw_metadata
    records = "\n".join(_record(paper, write(paper)) for paper in papers)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" \n'
        '         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"\n'
        '         xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ '
        'http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">\n'
        f"    <responseDate>{until.isoformat()}T06:00:00Z</responseDate>\n"
        f'    <request verb="ListRecords" metadataPrefix="{form}" until="{until.isoformat()}">{ENDPOINT}</request>\n'
        f"    <ListRecords>\n{records}\n    </ListRecords>\n"
        "</OAI-PMH>"
    ).encode()


def _record(paper: DemoPaper, metadata: str) -> str:
    sets = "".join(f"            <setSpec>{set_spec(code)}</setSpec>\n" for code in _set_codes(paper))
    return (
        "        <record>\n"
        "            <header>\n"
        f"            <identifier>oai:arXiv.org:{paper.arxiv_id}</identifier>\n"
        f"            <datestamp>{paper.datestamp.isoformat()}</datestamp>\n"
        f"{sets}"
        "            </header>\n"
        f"            <metadata>\n{metadata}            </metadata>\n"
        "        </record>\n"
    )


def _set_codes(paper: DemoPaper) -> tuple[str, ...]:
    return tuple(code for code in paper.categories if code not in paper.field.aliases)


def _elements(*pairs: tuple[str, str]) -> str:
    return "".join(f"            <{name}>{_escape(value)}</{name}>\n" for name, value in pairs if value)


def _arxiv_metadata(paper: DemoPaper) -> str:
    """Structured names, accents in Unicode. As on the real server, ``created`` is the date of the current version."""
    people = "".join(_author_element(*parts) for parts in _structured_authors(paper))
    current = paper.versions[-1].submitted_at.date()
    return (
        '            <arXiv xmlns="http://arxiv.org/OAI/arXiv/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xsi:schemaLocation="http://arxiv.org/OAI/arXiv/ https://oaipmh.arxiv.org/OAI/arXiv.xsd">\n'
        + _elements(("id", paper.arxiv_id), ("created", current.isoformat()), ("updated", paper.datestamp.isoformat()))
        + f"            <authors>\n{people}            </authors>\n"
        + _elements(
            ("title", paper.title),
            ("categories", " ".join(paper.categories)),
            ("comments", paper.comments),
            ("report-no", paper.report_number),
            ("journal-ref", paper.journal_reference),
            ("doi", paper.doi),
            ("license", paper.licence),
            ("abstract", paper.abstract),
        )
        + "            </arXiv>\n"
    )


def _structured_authors(paper: DemoPaper) -> Iterator[tuple[str, str, str]]:
    """Key name, forenames and suffix of each entry; a collaboration is split as if it were a person."""
    if paper.collaboration:
        yield "Collaboration", paper.collaboration, ""
    for author in paper.authors:
        yield author.printed.keyname, author.printed.forenames, author.printed.suffix


def _author_element(keyname: str, forenames: str, suffix: str) -> str:
    return (
        f"                <author>\n                    <keyname>{_escape(keyname)}</keyname>\n"
        + (f"                    <forenames>{_escape(forenames)}</forenames>\n" if forenames else "")
        + (f"                    <suffix>{_escape(suffix)}</suffix>\n" if suffix else "")
        + "                </author>\n"
    )


def _raw_metadata(paper: DemoPaper) -> str:
    """What was submitted: every version, and the authors on one line, accents in TeX."""
    versions = "".join(
        f'            <version version="v{version.number}">\n'
        f"                <date>{format_datetime(version.submitted_at, usegmt=True)}</date>\n"
        f"                <size>{version.size}kb</size>\n"
        + (f"                <source_type>{version.source_type}</source_type>\n" if version.source_type else "")
        + "            </version>\n"
        for version in paper.versions
    )
    return (
        '            <arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xsi:schemaLocation="http://arxiv.org/OAI/arXivRaw/ https://oaipmh.arxiv.org/OAI/arXivRaw.xsd">\n'
        + _elements(("id", paper.arxiv_id), ("submitter", accents_to_tex(_submitter(paper))))
        + versions
        + _elements(
            ("title", accents_to_tex(paper.title)),
            ("authors", author_line(paper)),
            ("categories", " ".join(paper.categories)),
            ("comments", paper.comments),
            ("report-no", paper.report_number),
            ("journal-ref", paper.journal_reference),
            ("doi", paper.doi),
            ("license", paper.licence),
            ("abstract", accents_to_tex(paper.abstract)),
        )
        + "            </arXivRaw>\n"
    )


def _submitter(paper: DemoPaper) -> str:
    return paper.authors[0].person.name


def author_line(paper: DemoPaper) -> str:
    """The authors as submitted, in the three usual ways: plain, places in parentheses, numbered places at the end."""
    collaboration = f"{paper.collaboration} Collaboration: " if paper.collaboration else ""
    names = [accents_to_tex(author.printed.text) for author in paper.authors]
    places = [accents_to_tex(place) for place in paper.affiliations]
    if not places:
        return collaboration + _enumerate(names, last=" and " if paper.number % 3 else ", ")
    if len(places) > 1 and paper.number % 2:
        marked = [f"{name} ({_numbers(author)})" for name, author in zip(names, paper.authors, strict=True)]
        legend = ", ".join(f"({number}) {place}" for number, place in enumerate(places, start=1))
        return f"{collaboration}{', '.join(marked)} ({legend})"
    printed = [
        f"{name} ({', '.join(places[index] for index in author.affiliations)})" if author.affiliations else name
        for name, author in zip(names, paper.authors, strict=True)
    ]
    return collaboration + ", ".join(printed)


def _numbers(author: DemoAuthor) -> str:
    return " and ".join(str(index + 1) for index in author.affiliations)


def _enumerate(names: list[str], *, last: str) -> str:
    return last.join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]


def snapshot_line(paper: DemoPaper) -> bytes:
    """One line of the metadata snapshot, newline included."""
    rows = [[keyname, forenames, suffix] for keyname, forenames, suffix in _structured_authors(paper)]
    first = 1 if paper.collaboration else 0
    for row, author in zip(rows[first:], paper.authors, strict=True):
        row += [paper.affiliations[index] for index in author.affiliations]
    values = {
        "id": paper.arxiv_id,
        "submitter": accents_to_tex(_submitter(paper)),
        "authors": author_line(paper),
        "title": accents_to_tex(paper.title),
        "comments": paper.comments,
        "journal-ref": paper.journal_reference or None,
        "doi": paper.doi or None,
        "report-no": paper.report_number or None,
        "categories": " ".join(paper.categories),
        "license": paper.licence or None,
        "abstract": f"  {accents_to_tex(paper.abstract)}\n",
        "versions": [
            {"version": f"v{version.number}", "created": format_datetime(version.submitted_at, usegmt=True)}
            for version in paper.versions
        ],
        "update_date": paper.datestamp.isoformat(),
        "authors_parsed": rows,
    }
    return (json.dumps(values, ensure_ascii=True, separators=(",", ":")) + "\n").encode("ascii")
