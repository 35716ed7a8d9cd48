"""The publications as Crossref sends them: one work in JSON."""

from __future__ import annotations

import json
from typing import Any

from wovepaper.demo.connections import connections_of
from wovepaper.demo.publications import DemoWork, WorkAuthor

AUTHOR_ID = "aggregator-id"
"""Beside an author, what no publisher gives: the number that an aggregator of publications has for them."""


def work_line(work: DemoWork) -> bytes:
    """One work, newline included."""
    indexed = work.indexed
    values: dict[str, Any] = {
        "indexed": {"date-parts": [[indexed.year, indexed.month, indexed.day]]},
        "is-referenced-by-count": work.cited_by,
        "DOI": work.doi,
        "type": "proceedings-article" if work.venue.is_conference else "journal-article",
        "source": "Crossref",
        "title": [work.title],
        "container-title": [work.venue.name],
        "publisher": work.venue.publisher,
        "volume": work.volume,
        "page": work.pages,
        "issued": {"date-parts": [list(work.published)]},
        "published": {"date-parts": [list(work.published)]},
        "author": [_contributor(author, place) for place, author in enumerate(work.authors)],
    }
    if work.collaboration:
        name = f"{work.collaboration} Collaboration"
        values["author"].append({"name": name, "sequence": "additional", "affiliation": []})
    if work.abstract:
        escaped = work.abstract.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        values["abstract"] = f"<jats:title>Abstract</jats:title><jats:p>{escaped}</jats:p>"
    if work.licence:
        values["license"] = [{"URL": work.licence, "content-version": "vor", "delay-in-days": 0}]
    if work.arxiv_id:
        preprint = {"id-type": "doi", "id": f"10.48550/arXiv.{work.arxiv_id}", "asserted-by": "subject"}
        values["relation"] = {"has-preprint": [preprint]}
    values |= connections_of(work)
    return (json.dumps(values, ensure_ascii=True, separators=(",", ":")) + "\n").encode("ascii")


def _contributor(author: WorkAuthor, place: int) -> dict[str, Any]:
    printed = author.printed
    values: dict[str, Any] = {"given": printed.forenames, "family": printed.keyname, "suffix": printed.suffix}
    values = {key: value for key, value in values.items() if value}
    if author.orcid:
        values |= {"ORCID": f"http://orcid.org/{author.orcid}", "authenticated-orcid": False}
    values["sequence"] = "first" if place == 0 else "additional"
    values["affiliation"] = [{"name": name} for name in author.affiliations]
    if author.author_id:
        values[AUTHOR_ID] = author.author_id
    return values


def author_ids(payload: bytes) -> list[str]:
    """The aggregator's ids in one work, an entry for each of its author list."""
    found = json.loads(payload).get("author", [])
    return [one.get(AUTHOR_ID, "") if isinstance(one, dict) else "" for one in found]
