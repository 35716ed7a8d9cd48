"""References to export: ordinary ones, and those that break naive writers."""

from __future__ import annotations

from dataclasses import replace

from papers.citations import CitationData, CitedName
from papers.sources.records import PartialDate

PREPRINT = CitationData(
    title=r"On the mRNA of $x^2$-fields & \emph{E. coli}",
    authors=(
        CitedName("van der Waals", "Jan"),
        CitedName("Müller", "Jörg A.", "Jr."),
        CitedName(literal="Loom Team"),
        CitedName("Plato"),
    ),
    kind="preprint",
    date=PartialDate(2021, 3),
    arxiv_id="2103.00001",
    primary_category="cs.CL",
    categories=("cs.CL", "cs.LG"),
    abstract="We weigh $x_i$.",
    address="https://papers.test/papers/2103.00001-on-the-mrna",
)
ARTICLE = CitationData(
    title="A loom for long threads",
    authors=(CitedName("Weaver", "Ada"), CitedName("Spindle", "Bo C.")),
    kind="article",
    date=PartialDate(2020, 11, 5),
    doi="10.1234/loom_5",
    arxiv_id="2010.00005",
    primary_category="cs.LG",
    venue="Weaving & Knots",
    volume="12",
    issue="3",
    pages="101-110",
    publisher="Thread Press",
)
CROWD = replace(ARTICLE, authors=tuple(CitedName(f"Author{number:03}", "Ann") for number in range(1, 701)))
ALL_KINDS = tuple(
    replace(ARTICLE, kind=kind)
    for kind in (
        "preprint", "article", "proceedings-article", "book", "book-chapter", "thesis", "report", "dataset", "other",
    )
)  # fmt: skip
