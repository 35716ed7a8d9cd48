"""What publishers make of the invented papers: articles with a DOI, of preprints and of works that never were one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace

from wovepaper.demo.aggregator import author_id
from wovepaper.demo.chance import Chance
from wovepaper.demo.dates import Calendar
from wovepaper.demo.fields import FIELD_WEIGHTS, FIELDS, Field
from wovepaper.demo.papers import DemoAuthor, DemoPaper, write_author_list
from wovepaper.demo.people import PrintedName, in_style, print_name
from wovepaper.demo.venues import Venue, venue_named, venue_of
from wovepaper.demo.vocabulary import SYSTEMS, system, write_abstract, write_title

PAPERS_FOR_AN_ARTICLE = 12
"""To so many papers there is one article that no preprint server has."""


@dataclass(frozen=True, slots=True)
class WorkAuthor:
    """A place in a publisher's author list. ``orcid`` is what the publisher prints, right or wrong."""

    printed: PrintedName
    author: DemoAuthor
    affiliations: tuple[str, ...] = ()
    orcid: str = ""
    author_id: str = ""
    """An aggregator's, right or wrong; see ``wovepaper.demo.aggregator``."""


@dataclass(frozen=True, slots=True)
class DemoWork:
    """One publication as the publisher registers it."""

    doi: str
    title: str
    abstract: str
    field: Field
    venue: Venue
    volume: str
    pages: str
    published: tuple[int, ...]
    """Year, and month and day where they are known."""
    indexed: dt.date
    authors: tuple[WorkAuthor, ...]
    collaboration: str = ""
    licence: str = ""
    arxiv_id: str = ""
    """Of the preprint that the publisher names."""
    cited_by: int = 0
    """How many other works refer to it."""
    older_articles: int = 0
    """How many articles of the catalogue come before it: to these it may refer."""


def publication_of(paper: DemoPaper, *, seed: int, until: dt.date) -> DemoWork | None:
    """The publication of a preprint, where its publisher registered one."""
    if paper.publication is None or len(paper.authors) > _MOST_AUTHORS:
        return None
    chance = Chance(seed, "work", paper.number)
    if paper.scene is None and not chance.happens(0.85):
        return None
    published = paper.publication
    others = Chance(seed, "citations", paper.number)
    authors = _printed_anew(paper.authors, paper.affiliations, chance, keep=paper.scene is not None)
    if paper.scene is None and len(authors) > 2 and chance.happens(0.05):
        authors = tuple(sorted(authors, key=lambda author: author.printed.keyname))
    work = DemoWork(
        doi=published.doi,
        title=_in_markup(paper.title) if chance.happens(0.1) else paper.title,
        abstract=paper.abstract if chance.happens(0.5) else "",
        field=paper.field,
        venue=venue_named(published.venue, paper.field),
        volume=str(published.volume),
        pages=f"{published.first_page}-{published.first_page + chance.between(3, 30)}",
        published=_day_of(published.year, chance, until),
        indexed=_indexed_on(others, paper.datestamp, until),
        authors=authors,
        collaboration=paper.collaboration,
        licence="https://creativecommons.org/licenses/by/4.0/" if chance.happens(0.4) else "",
        arxiv_id=paper.arxiv_id if published.names_preprint else "",
        cited_by=_cited_by(others, until.year - published.year),
        older_articles=paper.number // PAPERS_FOR_AN_ARTICLE,
    )
    return _identified(work, seed)


def articles(papers: int, *, seed: int, until: dt.date, start: int = 0) -> Iterator[DemoWork]:
    """The articles that belong to a catalogue of so many papers, or to those from ``start`` on."""
    calendar = Calendar(until)
    for number in range(start // PAPERS_FOR_AN_ARTICLE, papers // PAPERS_FOR_AN_ARTICLE):
        yield _article(number, seed, calendar)


_MOST_AUTHORS = 60
"""A crowd's papers are printed by arXiv only."""


def _article(number: int, seed: int, calendar: Calendar) -> DemoWork:
    chance = Chance(seed, "article", number)
    field = chance.weighted(FIELDS, FIELD_WEIGHTS)
    own_system = system(chance.rank(SYSTEMS, shift=200))
    day = calendar.first_submission(number + 1_000, chance, old_style=False).date()
    authors, affiliations, collaboration = write_author_list(
        number * PAPERS_FOR_AN_ARTICLE, seed, field, day.year, chance
    )
    others = Chance(seed, "citations of an article", number)
    venue = venue_of(field, chance)
    first_page = chance.between(1, 9_999)
    work = DemoWork(
        doi=f"10.5555/demo.article.{number + 1}",
        title=write_title(field.vocabulary, chance, own_system),
        abstract=write_abstract(field.vocabulary, chance, own_system) if chance.happens(0.6) else "",
        field=field,
        venue=venue,
        volume=str(chance.between(1, 120)),
        pages=f"{first_page}-{first_page + chance.between(3, 30)}",
        published=_day_of(day.year, chance, calendar.until),
        indexed=_indexed_on(others, day, calendar.until),
        authors=_printed_anew(authors, affiliations, chance, keep=False),
        collaboration=collaboration,
        licence="https://creativecommons.org/licenses/by/4.0/" if chance.happens(0.4) else "",
        cited_by=_cited_by(others, calendar.until.year - day.year),
        older_articles=number,
    )
    return _identified(work, seed)


def _identified(work: DemoWork, seed: int) -> DemoWork:
    """With the ids that an aggregator gives its authors."""
    authors = (replace(one, author_id=author_id(seed, work.doi, one.author.person)) for one in work.authors)
    return replace(work, authors=tuple(authors))


def _indexed_on(chance: Chance, earliest: dt.date, until: dt.date) -> dt.date:
    """A day of the last quarter: a work is indexed anew whenever another one that refers to it comes in."""
    return max(earliest, until - dt.timedelta(days=chance.below(90)))


def _cited_by(chance: Chance, years: int) -> int:
    """Few for most and very many for some, and more with the years, up to a dozen of them."""
    return int(2 * min(years + 0.5, 12) * ((1 - chance.fraction()) ** -0.7 - 1))


def _printed_anew(
    authors: tuple[DemoAuthor, ...], affiliations: tuple[str, ...], chance: Chance, *, keep: bool
) -> tuple[WorkAuthor, ...]:
    """The names in the publisher's way, with the ORCIDs and the places the publisher was told of."""
    capitals, with_places = chance.happens(0.05), chance.happens(0.75)
    found = []
    for author in authors:
        someone = author.person
        printed = author.printed
        if not author.fixed:
            printed = in_style(someone, "full") if chance.happens(0.6) else print_name(someone, chance)
            if capitals:
                printed = replace(printed, forenames=printed.forenames.upper(), keyname=printed.keyname.upper())
        orcid = author.orcid
        if not author.fixed and someone.orcid and chance.happens(0.8):
            orcid = someone.orcid
        places = tuple(affiliations[index] for index in author.affiliations) or author.places
        found.append(WorkAuthor(printed, author, places if with_places or keep else (), orcid))
    return tuple(found)


def _day_of(year: int, chance: Chance, until: dt.date) -> tuple[int, ...]:
    """A date of that year, not after the last day, as precise as publishers are."""
    day = dt.date(year, 1, 1) + dt.timedelta(days=chance.below(365))
    day = min(day, until)
    precision = 3 if chance.happens(0.5) else 2 if chance.happens(0.6) else 1
    return (day.year, day.month, day.day)[:precision]


def _in_markup(title: str) -> str:
    """A word in italics, and what has to be escaped escaped twice, as happens."""
    first, _, rest = title.partition(" ")
    escaped = rest.replace("&", "&amp;amp;").replace("<", "&lt;")
    return f"<i>{first.replace('&', '&amp;').replace('<', '&lt;')}</i> {escaped}" if rest else title
