"""What ties the invented publications to each other: references, conferences, dates by kind, and a few notices."""

from __future__ import annotations

import datetime as dt
from typing import Any

from wovepaper.demo.chance import Chance
from wovepaper.demo.publications import DemoWork
from wovepaper.demo.vocabulary import EPONYMS, SYSTEMS, eponym, system, write_title

ARTICLE_DOI = "10.5555/demo.article."
RETRACTED, CORRECTED, DOUBTED = 11, 5, 17
"""Of each ``NOTICE_EVERY`` articles, those that have a notice."""
NOTICE_EVERY = 40
_CITIES = ("Threadham", "Loomstadt", "Nadelburg", "Fadenfels", "Seamouth", "Garnwick")


def connections_of(work: DemoWork) -> dict[str, Any]:
    """What Crossref has of a work beside the work itself; it depends on nothing but the work."""
    chance = Chance("connections", work.doi)
    references = _references(work, chance)
    found: dict[str, Any] = {
        "reference": references,
        "reference-count": len(references),
        "references-count": len(references),
        **_dates(work, chance),
    }
    if work.venue.is_conference:
        found["event"] = _event(work, chance)
    if notices := _notices(work, chance):
        found["updated-by"] = notices
    return {key: value for key, value in found.items() if value or key.endswith("count")}


def _references(work: DemoWork, chance: Chance) -> list[dict[str, Any]]:
    """To older articles of the catalogue, to works that are nowhere, and printed lines."""
    found = []
    for place in range(chance.between(6, 36)):
        entry: dict[str, Any] = {"key": f"ref{place + 1}"}
        if work.older_articles and chance.happens(0.3):
            entry |= {
                "DOI": f"{ARTICLE_DOI}{1 + chance.below(work.older_articles)}",
                "doi-asserted-by": "crossref",
            }
        else:
            entry |= _elsewhere(work, chance)
        found.append(entry)
    return found


def _elsewhere(work: DemoWork, chance: Chance) -> dict[str, Any]:
    author = eponym(chance.below(EPONYMS))
    title = write_title(work.field.vocabulary, chance, system(chance.rank(SYSTEMS, shift=200)))
    year = work.published[0] - 1 - chance.rank(30)
    if chance.happens(0.3):
        return {"unstructured": f"{author}. {title}. Unheard-of Letters ({year})."}
    values = {"author": author, "year": str(year), "article-title": title, "journal-title": "Unheard-of Letters"}
    if chance.happens(0.4):
        values |= {"DOI": f"10.5555/demo.elsewhere.{chance.below(10**6)}", "doi-asserted-by": "publisher"}
    return values


def _dates(work: DemoWork, chance: Chance) -> dict[str, Any]:
    """Online first where the day is known; in print some months later, if that has come."""
    if len(work.published) < 3:
        return {}
    online = dt.date(*work.published)
    printed = online + dt.timedelta(days=chance.between(40, 200))
    found = {"published-online": _said(online)}
    if chance.happens(0.6) and printed <= work.indexed:
        found["published-print"] = {"date-parts": [[printed.year, printed.month]]}
    return found


def _event(work: DemoWork, chance: Chance) -> dict[str, Any]:
    year, *rest = work.published
    name = work.venue.name.removeprefix("Proceedings of the ")
    start = dt.date(year, rest[0] if rest else 6, chance.between(1, 24))
    return {
        "name": f"{name} {year}",
        "location": chance.one_of(_CITIES),
        "start": _said(start),
        "end": _said(start + dt.timedelta(days=chance.between(1, 5))),
    }


def _notices(work: DemoWork, chance: Chance) -> list[dict[str, Any]]:
    """A retraction by the publisher and in a register, a correction, or an expression of concern."""
    if not work.doi.startswith(ARTICLE_DOI):
        return []
    number = int(work.doi.removeprefix(ARTICLE_DOI))
    kinds = {RETRACTED: "retraction", CORRECTED: "correction", DOUBTED: "expression_of_concern"}
    kind = kinds.get(number % NOTICE_EVERY)
    if kind is None:
        return []
    day = min(dt.date(work.published[0], 12, 1) + dt.timedelta(days=chance.between(30, 700)), work.indexed)
    notice = {"DOI": f"10.5555/demo.notice.{number}", "type": kind, "updated": _said(day), "source": "publisher"}
    return [notice, {**notice, "source": "retraction-watch"}] if kind == "retraction" else [notice]


def _said(day: dt.date) -> dict[str, list[list[int]]]:
    return {"date-parts": [[day.year, day.month, day.day]]}
