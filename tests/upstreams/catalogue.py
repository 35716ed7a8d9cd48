"""Invented papers as the fake arXiv serves them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Author:
    keyname: str
    forenames: str = ""
    suffix: str = ""
    affiliations: tuple[str, ...] = ()
    tex: str = ""
    """As submitted, where that differs: printed by ``arXivRaw``."""

    @property
    def raw(self) -> str:
        name = self.tex or " ".join(filter(None, [self.forenames, self.keyname, self.suffix]))
        return name + "".join(f" ({each})" for each in self.affiliations)


@dataclass(frozen=True)
class Version:
    number: int
    submitted: dt.datetime
    size_kb: int = 12
    source_type: str = "D"


@dataclass(frozen=True)
class Paper:
    arxiv_id: str
    title: str
    datestamp: dt.date
    """The day of its last change: what windows select by."""
    abstract: str = "We study a question that nobody asked, and answer it."
    authors: tuple[Author, ...] = (Author("Quill", "Ada"),)
    categories: tuple[str, ...] = ("math.CO",)
    versions: tuple[Version, ...] = ()
    submitter: str = "Ada Quill"
    title_tex: str = ""
    comments: str = ""
    journal_ref: str = ""
    doi: str = ""
    report_no: str = ""
    msc_class: str = ""
    acm_class: str = ""
    license: str = "http://arxiv.org/licenses/nonexclusive-distrib/1.0/"
    hidden: frozenset[str] = field(default_factory=frozenset)
    """Elements that are left out, as when a field is suddenly null everywhere."""

    @property
    def oai_id(self) -> str:
        return f"oai:arXiv.org:{self.arxiv_id}"

    @property
    def all_versions(self) -> tuple[Version, ...]:
        if self.versions:
            return self.versions
        return (Version(1, dt.datetime.combine(self.datestamp, dt.time(17, 3, 9), tzinfo=dt.UTC)),)

    @property
    def sets(self) -> tuple[str, ...]:
        """Set specs of the new server, ``group:archive:CAT`` or ``archive:archive:CAT``."""
        return tuple(set_of(category) for category in self.categories)


PHYSICS = frozenset(
    {"astro-ph", "cond-mat", "gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th", "math-ph", "nlin", "nucl-ex", "nucl-th"}
    | {"physics", "quant-ph"}
)


def set_of(category: str) -> str:
    archive, _, subject = category.partition(".")
    group = "physics" if archive in PHYSICS else archive
    return f"{group}:{archive}:{subject}" if subject else f"{group}:{archive}"


def invented_papers(
    count: int,
    *,
    first_day: dt.date = dt.date(2025, 6, 2),
    days: int = 1,
    categories: tuple[str, ...] = ("math.CO", "cs.AI", "hep-th"),
) -> list[Paper]:
    """``count`` papers, spread evenly over ``days``."""
    papers = []
    for number in range(count):
        day = first_day + dt.timedelta(days=number * days // count)
        papers.append(
            Paper(
                arxiv_id=f"{day:%y%m}.{number + 1:05d}",
                title=f"On the woven lattice number {number + 1}",
                datestamp=day,
                authors=(Author("Quill", "Ada"), Author(f"Tessel{number % 7}", "Ben")),
                categories=(categories[number % len(categories)],),
                comments=f"{number % 30 + 1} pages",
            )
        )
    return papers
