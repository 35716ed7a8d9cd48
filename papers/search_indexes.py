"""What the search engine holds of a paper: what is sought, what is counted, and what a list of hits shows."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, Prefetch, QuerySet, TextField, Value
from django.db.models.functions import Cast, Concat
from haystack import indexes
from haystack.fields import FacetMultiValueField

from papers.models import Authorship, Paper, PaperInstitution, SourceRecord
from papers.querysets import PaperQuerySet
from wovepaper.lib.markup import plain


class PaperIndex(indexes.SearchIndex, indexes.Indexable):
    """One document per visible paper, made with three queries per batch."""

    text = indexes.CharField(document=True)
    title = indexes.CharField(model_attr="title", boost=2.0)
    abstract = indexes.CharField(model_attr="abstract")
    # Names are not words of a language: "Green" shall not find "Greens".
    authors = indexes.MultiValueField(analyzer="exact")
    categories = indexes.MultiValueField(model_attr="categories", faceted=True)
    primary_category = indexes.CharField(model_attr="primary_category_id", default="", faceted=True)
    kind = indexes.CharField(model_attr="kind", faceted=True)
    status = indexes.CharField(model_attr="status", faceted=True)
    year = indexes.IntegerField(null=True, faceted=True)
    sort_date = indexes.DateField(model_attr="sort_date")
    announced_on = indexes.DateField(model_attr="announced_on", null=True)
    arxiv_id = indexes.CharField(model_attr="arxiv_id")
    doi = indexes.CharField(model_attr="doi")
    sources = indexes.MultiValueField(faceted=True)
    # Sought as they stand, which Haystack calls a facet.
    researchers = FacetMultiValueField(stored=False)
    institutions = FacetMultiValueField(stored=False)
    countries = FacetMultiValueField(stored=False)
    citation_order = indexes.IntegerField(model_attr="citation_order")
    author_count = indexes.IntegerField(model_attr="author_count")
    # Only stored: with these a line of a list needs no database.
    url = indexes.CharField(indexed=False)
    published_on = indexes.DateField(model_attr="published_on", null=True, indexed=False)
    published_precision = indexes.CharField(model_attr="published_precision", indexed=False)
    version_count = indexes.IntegerField(model_attr="version_count", indexed=False)
    venue = indexes.CharField(model_attr="venue", indexed=False)

    def get_model(self) -> type[Paper]:
        """Papers."""
        return Paper

    def get_updated_field(self) -> str:
        """What a rebuild by age looks at."""
        return "updated_at"

    def index_queryset(self, using: str | None = None) -> PaperQuerySet:
        """Visible papers with all that a document needs; the raw records themselves are not read."""
        return (
            Paper.objects.visible()
            .annotate(indexed_institutions=ArraySubquery(_institutions_of(OuterRef("pk"))))
            .defer("pinned", "comments", "licence", "publisher", "journal_reference", "report_number")
            .prefetch_related(
                Prefetch(
                    "authorships",
                    _with_researchers(Authorship.objects.only("paper_id", "position", "name")),
                    to_attr="indexed_authorships",
                ),
                Prefetch("source_records", SourceRecord.objects.only("paper_id", "source"), to_attr="indexed_records"),
            )
        )

    def prepare(self, obj: Paper) -> dict[str, Any]:
        """All fields; the names are put together once."""
        authorships = _authorships(obj)
        authors = [authorship.name for authorship in authorships]
        prepared: dict[str, Any] = super().prepare(obj)
        prepared["authors"] = authors
        prepared["researchers"] = [str(one.researcher) for one in authorships if one.researcher]
        prepared["title"], prepared["abstract"] = _readable(obj.title), _readable(obj.abstract)
        prepared["text"] = "\n".join((prepared["title"], prepared["abstract"], *authors))
        return prepared

    def prepare_year(self, obj: Paper) -> int | None:
        """The year of publication."""
        return obj.published_on.year if obj.published_on else None

    def prepare_sources(self, obj: Paper) -> list[str]:
        """The names of the sources that know the paper, each once."""
        records = getattr(obj, "indexed_records", None)
        return sorted({record.source for record in (obj.source_records.all() if records is None else records)})

    def prepare_institutions(self, obj: Paper) -> list[str]:
        """The numbers of the institutions that its authors name."""
        return [number for number, _ in _institutions(obj)]

    def prepare_countries(self, obj: Paper) -> list[str]:
        """The countries of these institutions, by ISO 3166 code, each once."""
        return sorted({country for _, country in _institutions(obj) if country})

    def prepare_url(self, obj: Paper) -> str:
        """The address of its page."""
        return obj.get_absolute_url()


def _readable(text: str) -> str:
    """Formulas as a reader would type them: this is sought, and shown where it matched."""
    return plain(text) if "$" in text or "\\" in text or "<" in text else text


def _with_researchers(authorships: QuerySet[Authorship]) -> QuerySet[Any]:
    """In order, each with the number of the researcher it is shown under, if there is one."""
    return authorships.annotate(researcher=F("attribution__root")).order_by("paper_id", "position")


def _institutions_of(paper: Any) -> QuerySet[Any, Any]:
    """Number and country of each in one text: rows of their own would cost more than all else of a document."""
    rows = PaperInstitution.objects.filter(paper=paper).order_by("institution_id")
    return rows.values_list(
        Concat(Cast("institution_id", TextField()), Value(" "), "institution__country", output_field=TextField()),
        flat=True,
    )


def _institutions(paper: Paper) -> list[tuple[str, str]]:
    """As read with the paper, or by a query of its own for a paper that came from elsewhere."""
    found: list[str] | None = getattr(paper, "indexed_institutions", None)
    texts = list(_institutions_of(paper.pk)) if found is None else found
    return [(number, country) for number, _, country in (text.partition(" ") for text in texts)]


def _authorships(paper: Paper) -> list[Any]:
    """The prefetched rows, or a query of its own for a paper that came from elsewhere."""
    rows: list[Any] | None = getattr(paper, "indexed_authorships", None)
    return list(_with_researchers(paper.authorships.all())) if rows is None else rows
