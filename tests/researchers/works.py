"""Papers of researchers, for the tests of their pages: few and by hand, or thousands in a few statements."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from django.db import connection
from django.utils import timezone

from papers.models import Authorship, Category, Paper
from researchers.counts import recount
from researchers.models import Attribution, Researcher, ResearcherName
from researchers.services.attributions import AttributionDraft, NewResearcher, create_researchers, write_attributions
from tests.factories import PaperFactory
from tests.researchers.people import researcher


def written_by(authors: Mapping[str, Researcher | None], **fields: object) -> Paper:
    """A paper whose authors print these names, each attributed to the researcher given."""
    category = fields.pop("category", "cs.CL")
    fields.setdefault("categories", [category] if category else [])
    made = PaperFactory(
        authors=list(authors), primary_category=Category.objects.get(code=category) if category else None, **fields
    )
    places = Authorship.objects.filter(paper=made).order_by("position")
    report = write_attributions(
        AttributionDraft(authorship=place.pk, paper=made.pk, base=person.pk, decided_by="model", score=0.9)
        for place, person in zip(places, authors.values(), strict=True)
        if person is not None
    )
    assert report.refused == {}
    return made


def paper_of(person: Researcher, *others: Researcher, **fields: object) -> Paper:
    """A paper by these researchers in order, under the names shown."""
    return written_by({one.display_name: one for one in (person, *others)}, **fields)


def count(*people: Researcher) -> None:
    """What the pipeline does with researchers whose papers have changed."""
    recount([one.pk for one in people])
    for one in people:
        one.refresh_from_db()


def people(*names: str) -> list[Researcher]:
    return [researcher(name) for name in names]


def crowd(size: int) -> list[int]:
    """So many researchers with names of their own; their numbers."""
    return create_researchers([NewResearcher(f"Member {number} Crowder", "test", "Latn") for number in range(size)])


def write_many(person: Researcher, papers: Sequence[Sequence[int]], **fields: object) -> list[Paper]:
    """A paper for each list of co-authors, given by number; the person stands first. In a few statements."""
    names = dict(Researcher.objects.values_list("pk", "display_name"))
    made = Paper.objects.bulk_create(
        Paper(
            title=f"On the {number}th thread",
            sort_date=dt.date(2000, 1, 1) + dt.timedelta(days=number),
            published_on=dt.date(2000, 1, 1) + dt.timedelta(days=number),
            author_count=len(others) + 1,
            **fields,
        )
        for number, others in enumerate(papers)
    )
    standing = [
        (Authorship(paper=paper, position=position, name=names[one]), one)
        for paper, others in zip(made, papers, strict=True)
        for position, one in enumerate((person.pk, *others), start=1)
    ]
    Authorship.objects.bulk_create([place for place, _ in standing])
    Attribution.objects.bulk_create(
        Attribution(
            authorship=place, paper_id=place.paper_id, base_id=one, root_id=one, decided_by="model",
            decided_at=timezone.now(),
        )
        for place, one in standing
    )  # fmt: skip
    with connection.cursor() as cursor:
        # The server does so by itself soon after; until then it may plan as if there were a handful of rows.
        cursor.execute(
            "ANALYZE papers_paper, papers_authorship, researchers_attribution, researchers_researcher,"
            " researchers_researchername"
        )
    recount([person.pk])
    person.refresh_from_db()
    return made


def name(person: Researcher, value: str, **fields: object) -> ResearcherName:
    return ResearcherName.objects.create(researcher=person, value=value, **fields)
