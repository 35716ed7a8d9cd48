"""Small pieces of a catalogue, for tests that need no harvest."""

from __future__ import annotations

import datetime as dt
import hashlib

import factory
from factory.django import DjangoModelFactory

from institutions.models import Institution
from papers.models import (
    Affiliation,
    Authorship,
    Category,
    CategoryListing,
    Paper,
    PaperIdentifier,
    PaperVersion,
    SourceRecord,
)
from wovepaper.lib.ror import check_digits


class CategoryFactory(DjangoModelFactory):
    class Meta:
        model = Category
        django_get_or_create = ("code",)

    code = "cs.CL"
    name = "Computation and Language"
    archive = "cs"
    archive_name = "Computer Science"
    group = "grp_cs"
    group_name = "Computer Science"


class InstitutionFactory(DjangoModelFactory):
    """An institution that no import brought, with an invented ROR id; it has no row of names."""

    class Meta:
        model = Institution

    ror_id = factory.Sequence(lambda n: (name := f"0z{n:05}") + check_digits(name))
    display_name = factory.Sequence(lambda n: f"Guild {n} of Weavers")
    kind = "education"
    kinds = ["education"]
    status = "active"
    country = "GB"
    city = "Threadham"
    hash = ""


class PaperFactory(DjangoModelFactory):
    """A preprint with an arXiv id; ``authors=[…]`` gives it authors, ``versions=3`` that many versions."""

    class Meta:
        model = Paper
        skip_postgeneration_save = True

    title = factory.Sequence(lambda n: f"On the {n}th knot of a loom")
    abstract = "We tie a knot and look at it."
    published_on = factory.Sequence(lambda n: dt.date(2021, 1, 1) + dt.timedelta(days=n % 700))
    sort_date = factory.LazyAttribute(lambda paper: paper.published_on or dt.date.min)
    primary_category = factory.SubFactory(CategoryFactory)
    categories = factory.LazyAttribute(lambda paper: [paper.primary_category.code] if paper.primary_category else [])
    arxiv_id = factory.Sequence(lambda n: f"{2101 + n // 90_000 % 12}.{n % 90_000 + 1:05}")

    @factory.post_generation
    def authors(self, create, extracted, **kwargs):
        names = extracted if extracted is not None else ["Ada Weaver", "Bo Spindle"]
        for position, name in enumerate(names, start=1):
            Authorship.objects.create(paper=self, position=position, name=name)
        Paper.objects.filter(pk=self.pk).update(author_count=len(names))
        self.author_count = len(names)

    @factory.post_generation
    def identifiers(self, create, extracted, **kwargs):
        for scheme, value in (("arxiv", self.arxiv_id), ("doi", self.doi)):
            if value:
                PaperIdentifier.objects.create(paper=self, scheme=scheme, value=value)

    @factory.post_generation
    def versions_made(self, create, extracted, **kwargs):
        for number in range(1, (extracted or 0) + 1):
            PaperVersion.objects.create(
                paper=self,
                number=number,
                submitted_at=dt.datetime(2021, 1, number, 12, tzinfo=dt.UTC),
                size=number * 1000,
            )
        if extracted:
            Paper.objects.filter(pk=self.pk).update(version_count=extracted)
            self.version_count = extracted


class SourceRecordFactory(DjangoModelFactory):
    class Meta:
        model = SourceRecord

    paper = factory.SubFactory(PaperFactory)
    source = "arxiv"
    format = "arXivRaw"
    external_id = factory.Sequence(lambda n: f"oai:arXiv.org:2101.{n:05}")
    stamp = "2021-02-03"
    payload = b"<arXivRaw/>"
    hash = factory.LazyAttribute(lambda record: hashlib.sha256(record.payload).hexdigest())
    harvested_at = dt.datetime(2021, 2, 4, 5, 30, tzinfo=dt.UTC)


class ListingFactory(DjangoModelFactory):
    class Meta:
        model = CategoryListing

    category = factory.SubFactory(CategoryFactory)
    paper = factory.SubFactory(PaperFactory)
    day = dt.date(2021, 1, 4)
    kind = CategoryListing.Kind.NEW


def affiliate(paper: Paper, position: int, *texts: str) -> None:
    """Give the author at ``position`` (from 1) affiliations."""
    authorship = paper.authorships.get(position=position)
    for text in texts:
        Affiliation.objects.create(authorship=authorship, text=text)
