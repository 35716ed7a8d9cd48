"""The papers of the demo catalogue, one after the other, with the truth about who wrote them.

Paper *n* depends on the seed, the last day and *n* only, so a larger catalogue begins with the smaller one, and memory
does not grow with the size.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace

from wovepaper.demo import curiosities
from wovepaper.demo.cast import Scene, scene
from wovepaper.demo.chance import Chance
from wovepaper.demo.dates import Calendar, Numbering
from wovepaper.demo.fields import FIELD_WEIGHTS, FIELDS, Field
from wovepaper.demo.institutions import printed_place
from wovepaper.demo.people import Person, PrintedName, in_style, person, print_name
from wovepaper.demo.venues import venue_of
from wovepaper.demo.vocabulary import SYSTEMS, eponym, system, write_abstract, write_title

MAXIMUM = 1_000_000
NOTE = "Invented for demonstration"
"""Every paper's comments begin with it."""


@dataclass(frozen=True, slots=True)
class DemoAuthor:
    """A place in an author list: the name as printed, and who it truly is."""

    printed: PrintedName
    person: Person
    affiliations: tuple[int, ...] = ()
    """Indexes into the paper's affiliations."""
    places: tuple[str, ...] = ()
    """Where the author works at the time, whether the paper says so or not."""
    orcid: str = ""
    """What a publisher prints beside the name, where the name is ``fixed``; it may be wrong."""
    fixed: bool = False
    """Every source prints the name in this way."""


@dataclass(frozen=True, slots=True)
class DemoPublication:
    """Where a paper appeared."""

    venue: str
    volume: int
    year: int
    first_page: int
    doi: str = ""
    names_preprint: bool = False
    """The publisher names the preprint; else the preprint names the DOI."""


@dataclass(frozen=True, slots=True)
class DemoVersion:
    """One submitted version; ``size`` in kilobytes, 0 for a withdrawal."""

    number: int
    submitted_at: dt.datetime
    size: int
    source_type: str


@dataclass(frozen=True, slots=True)
class DemoPaper:
    """One invented paper and the truth about it."""

    number: int
    arxiv_id: str
    field: Field
    categories: tuple[str, ...]
    title: str
    abstract: str
    authors: tuple[DemoAuthor, ...]
    versions: tuple[DemoVersion, ...]
    datestamp: dt.date
    comments: str
    affiliations: tuple[str, ...] = ()
    collaboration: str = ""
    journal_reference: str = ""
    doi: str = ""
    report_number: str = ""
    licence: str = ""
    duplicate_of: str = ""
    """The arXiv id of the earlier paper that this one repeats."""
    publication: DemoPublication | None = None
    """Only where a publisher gave it a DOI."""
    scene: Scene | None = None

    @property
    def withdrawn(self) -> bool:
        """Whether the last version is a withdrawal."""
        return self.versions[-1].size == 0


_LICENCES = (
    ("http://arxiv.org/licenses/nonexclusive-distrib/1.0/", 0.62),
    ("http://creativecommons.org/licenses/by/4.0/", 0.90),
    ("http://creativecommons.org/licenses/by-nc-nd/4.0/", 0.95),
    ("http://creativecommons.org/licenses/by-sa/4.0/", 0.98),
    ("http://creativecommons.org/publicdomain/zero/1.0/", 1.0),
)


def generate(papers: int, *, seed: int, until: dt.date, start: int = 0) -> Iterator[DemoPaper]:
    """Papers ``start`` to ``papers`` - 1, nothing submitted or announced after ``until``.

    Raises ``ValueError`` for a size outside 1 to a million or a day before ``Calendar.EARLIEST_END``.
    """
    if not 1 <= papers <= MAXIMUM:
        raise ValueError(f"A demo catalogue has from 1 to {MAXIMUM:,} papers, not {papers:,}.")
    calendar = Calendar(until)
    numbering = Numbering()
    earlier_ids: dict[int, str] = {}
    for number in range(papers):
        paper = _write(number, seed, calendar)
        arxiv_id = numbering.next_id(paper.versions[0].submitted_at, paper.field.code)
        if number % _DUPLICATE_EVERY == _DUPLICATED:
            earlier_ids[number] = arxiv_id
        if number >= start:
            yield _with_id(paper, arxiv_id, earlier_ids.get(_duplicated_by(number), ""))
        earlier_ids.pop(_duplicated_by(number), None)


_DUPLICATE_EVERY = 250
_DUPLICATED, _DUPLICATE = 40, 75


def _duplicated_by(number: int) -> int:
    """The number of the earlier paper that this one repeats, or -1."""
    return number - _DUPLICATE + _DUPLICATED if number % _DUPLICATE_EVERY == _DUPLICATE else -1


def _write(number: int, seed: int, calendar: Calendar) -> DemoPaper:
    original = _duplicated_by(number)
    if original >= 0:
        return _repeat(_write(original, seed, calendar), number, seed, calendar)
    chance = Chance(seed, "paper", number)
    crowd = curiosities.crowd(number)
    played = None if crowd else scene(number, seed)
    field = curiosities.CROWD_FIELD if crowd else chance.weighted(FIELDS, FIELD_WEIGHTS)
    field = played.field if played else field
    own_system = system(chance.rank(SYSTEMS, shift=200))
    title = write_title(field.vocabulary, chance, own_system)
    abstract = write_abstract(field.vocabulary, chance, own_system)
    title, abstract = curiosities.disturb(number, field.vocabulary, title, abstract)
    first = calendar.first_submission(number, chance, old_style=field.old_style)
    if crowd:
        authors, affiliations, collaboration = _crowd(seed, field, crowd)
    elif played:
        authors, affiliations, collaboration = _play(played, first.year, Chance(seed, "play", number))
    else:
        authors, affiliations, collaboration = write_author_list(number, seed, field, first.year, chance)
    versions = _versions(first, calendar, chance)
    published = played is not None or (versions[-1].size > 0 and chance.happens(0.35))
    has_doi = played is not None or (published and chance.happens(0.8))
    publication = _publish(field, min(first.year + chance.below(2), calendar.until.year), chance) if published else None
    return DemoPaper(
        number=number,
        arxiv_id="",
        field=field,
        categories=_categories(field, chance),
        title=title,
        abstract=abstract,
        authors=authors,
        versions=versions,
        datestamp=calendar.datestamp(number, versions[-1].submitted_at, chance),
        comments=_comments(versions, chance),
        affiliations=affiliations,
        collaboration=collaboration,
        journal_reference=_journal_reference(publication) if publication else "",
        # Filled in with the identifier; a second DOI is a fault that the real source has, too.
        doi=("two" if chance.happens(0.02) else "none" if chance.happens(0.15) else "one") if has_doi else "",
        publication=publication if has_doi else None,
        scene=played,
        report_number="yes" if collaboration or chance.happens(0.03) else "",
        licence=_licence(chance),
    )


def _with_id(paper: DemoPaper, arxiv_id: str, duplicate_of: str) -> DemoPaper:
    plain = arxiv_id.replace("/", ".")
    # 10.5555 is the prefix that Crossref keeps for examples.
    doi = f"10.5555/demo.{plain}"
    written = {"": "", "none": "", "one": doi, "two": f"{doi} {doi}.erratum"}
    publication = paper.publication and replace(paper.publication, doi=doi, names_preprint=paper.doi == "none")
    return replace(
        paper,
        arxiv_id=arxiv_id,
        doi=written[paper.doi],
        publication=publication,
        report_number=f"DEMO-{paper.field.code.partition('.')[0].upper()}-{plain}" if paper.report_number else "",
        duplicate_of=duplicate_of,
    )


def _repeat(original: DemoPaper, number: int, seed: int, calendar: Calendar) -> DemoPaper:
    """The same work submitted once more, as happens: same title, same people, names printed anew."""
    chance = Chance(seed, "repeat", number)
    versions = _versions(calendar.first_submission(number, chance, old_style=False), calendar, chance)
    return replace(
        original,
        number=number,
        versions=versions,
        authors=tuple(replace(author, printed=print_name(author.person, chance)) for author in original.authors),
        datestamp=calendar.datestamp(number, versions[-1].submitted_at, chance),
        comments=_comments(versions, chance),
        doi="",
        journal_reference="",
        publication=None,
    )


def _categories(field: Field, chance: Chance) -> tuple[str, ...]:
    found = [field.code]
    for probability in (0.5, 0.3, 0.15):
        if not chance.happens(probability):
            break
        other = chance.common(field.cross_lists)
        if other not in found:
            found.append(other)
    return (*found, *(alias for alias in field.aliases if alias not in found))


def _versions(first: dt.datetime, calendar: Calendar, chance: Chance) -> tuple[DemoVersion, ...]:
    dates = [first]
    while len(dates) < 12 and chance.happens(0.38 if len(dates) < 3 else 0.2):
        later = calendar.revision_after(dates[-1], chance)
        if later is None:
            break
        dates.append(later)
    size, kind = chance.between(8, 900) + (chance.between(1_000, 40_000) if chance.happens(0.3) else 0), "D"
    if chance.happens(0.2):
        kind = chance.one_of(("", "A", "DS", "PS", "H"))
    versions = []
    for place, submitted_at in enumerate(dates, start=1):
        size += chance.between(0, 40)
        versions.append(DemoVersion(place, submitted_at, size, kind))
    if len(versions) > 1 and chance.happens(0.03):
        versions[-1] = replace(versions[-1], size=0, source_type="I")
        if len(versions) > 3 and chance.happens(0.4):  # withdrawn once, then submitted again
            versions[1] = replace(versions[1], size=0, source_type="I")
            versions[-1] = replace(versions[-1], size=size, source_type=kind)
    return tuple(versions)


def _comments(versions: tuple[DemoVersion, ...], chance: Chance) -> str:
    if versions[-1].size == 0:
        reason = chance.one_of(
            ("a crucial error in the proof of the main theorem", "an error in the calibration",
             "a substantial overlap with earlier work", "a mistake in equation 7")
        )  # fmt: skip
        return f"{NOTE}. This paper has been withdrawn by the authors due to {reason}"
    extra = chance.one_of(
        ("{} pages, {} figures", "{} pages, {} tables, comments welcome", "{} pages plus {} pages of appendix",
         "{} pages, {} figures. Accepted for publication", "{} pages, {} figures; minor corrections")
    )  # fmt: skip
    comments = f"{NOTE}. " + extra.format(chance.between(4, 60), chance.between(1, 14))
    return comments + (f"; v{versions[-1].number}: references added" if len(versions) > 1 else "")


def _publish(field: Field, year: int, chance: Chance) -> DemoPublication:
    return DemoPublication(venue_of(field, chance).name, chance.between(1, 120), year, chance.between(1, 9_999))


def _journal_reference(published: DemoPublication) -> str:
    return f"{published.venue} {published.volume} ({published.year}) {published.first_page}"


def _licence(chance: Chance) -> str:
    if chance.happens(0.03):
        return ""
    share = chance.fraction()
    return next(address for address, limit in _LICENCES if share < limit)


AuthorList = tuple[tuple[DemoAuthor, ...], tuple[str, ...], str]
"""The authors, the affiliations they share, and the collaboration that is named beside them, or nothing."""


def _crowd(seed: int, field: Field, size: int) -> AuthorList:
    people = [person(seed, field.code, -1, place) for place in range(size)]
    authors = [DemoAuthor(in_style(someone, someone.usual_style), someone) for someone in people]
    authors.sort(key=lambda author: (author.printed.keyname, author.printed.forenames, author.person.key))
    return tuple(authors), (), curiosities.COLLABORATION


def _play(played: Scene, year: int, chance: Chance) -> AuthorList:
    """Those whom the scene is about, among members of its group."""
    appearance = played.appearance(year)
    home = printed_place(played.field.code, appearance.group)
    members = list(dict.fromkeys(chance.rank(6, shift=2) for _ in range(3)))
    authors = [
        DemoAuthor(lead.printed, lead.person, (0,), (home,), lead.orcid, fixed=True) for lead in appearance.leads
    ]
    for member in members:
        someone = person(played.seed, played.field.code, appearance.group, member)
        authors.append(DemoAuthor(print_name(someone, chance), someone, (0,), (home,)))
    with_affiliations = chance.happens(0.3)
    if not with_affiliations:
        authors = [replace(author, affiliations=()) for author in authors]
    return tuple(chance.shuffled(authors)), (home,) if with_affiliations else (), ""


def write_author_list(number: int, seed: int, field: Field, year: int, chance: Chance) -> AuthorList:
    """People who work together, for a paper of that number."""
    groups = 3 + int((number + 1) ** 0.75 * field.weight / FIELD_WEIGHTS[-1])
    group = chance.rank(groups)
    size = _team_size(field, chance)
    senior = min(chance.rank(6, shift=2), 5)
    # Juniors come and go: the window of members moves with the years.
    window = 6 + (year - 1991)
    places: list[tuple[int, int]] = []
    while len(places) < size - 1:
        home = group if chance.happens(0.8) else chance.rank(groups)
        place = (home, window + chance.rank(8, shift=2) if chance.happens(0.6) else chance.rank(6, shift=2))
        if place not in places and place != (group, senior):
            places.append(place)
        elif chance.happens(0.2):
            break
    places.append((group, senior))
    institutions: list[str] = []
    with_affiliations = size < 40 and chance.happens(0.3)
    authors = []
    for home, member in places:
        someone = person(seed, field.code, home, member)
        indexes: tuple[int, ...] = ()
        if with_affiliations:
            names = [curiosities.workplace(field.code, home, member, year)]
            if chance.happens(0.1):
                names.append(printed_place(field.code, chance.rank(groups)))
            for name in names:
                if name not in institutions:
                    institutions.append(name)
            indexes = tuple(dict.fromkeys(institutions.index(name) for name in names))
        workplace = curiosities.workplace(field.code, home, member, year)
        authors.append(DemoAuthor(print_name(someone, chance), someone, indexes, (workplace,)))
    collaboration = ""
    if field.collaborations and chance.happens(0.08):
        collaboration = eponym(chance.rank(60)).upper()
    return tuple(authors), tuple(institutions), collaboration


def _team_size(field: Field, chance: Chance) -> int:
    """Mostly near the field's mean, at times much larger: a geometric body with a heavy tail."""
    size = 1
    while size < 40 and chance.happens(1 - 1 / field.team):
        size += 1
    if chance.happens(0.01):
        size += int(8 / max(chance.fraction(), 0.04))
    return size
