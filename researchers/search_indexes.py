"""What the search engine holds of a researcher: the words of their names, what lists are narrowed and sorted by."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db.models import OuterRef, TextField
from django.db.models.expressions import RawSQL
from haystack import indexes
from haystack.fields import FacetCharField, FacetMultiValueField

from researchers.former_names import FormerNames
from researchers.models import Researcher, ResearcherIdentifier, ResearcherName
from researchers.querysets import ResearcherQuerySet
from researchers.search_names import name_terms

MOST_AFFILIATIONS = 20
# By way of an array, so that the authorships are looked up first whatever the planner believes of new tables: it would
# read all affiliations for each researcher.
_AFFILIATIONS = """
    ARRAY(
        SELECT text FROM papers_affiliation WHERE authorship_id = ANY(ARRAY(
            SELECT authorship_id FROM researchers_attribution WHERE root_id = researchers_researcher.id
        ))
        GROUP BY text ORDER BY count(*) DESC, text LIMIT %s
    )
"""


class ResearcherIndex(indexes.SearchIndex, indexes.Indexable):
    """One document per root with papers, for everybody who is one with it; made with one query per batch.

    ``Facet…Field`` is Haystack's name for a value that is sought as it stands.
    """

    # Names are no words of a language, and how rare words are in papers shall not depend on them.
    text = indexes.CharField(document=True)
    name_terms = FacetMultiValueField(stored=False)
    affiliations = indexes.MultiValueField(analyzer="exact")
    orcids = FacetMultiValueField(stored=False)
    categories = indexes.MultiValueField(model_attr="categories", faceted=True)
    countries = FacetMultiValueField(model_attr="countries")
    years = FacetMultiValueField(model_attr="years", stored=False)
    paper_count = indexes.IntegerField(model_attr="paper_count")
    citation_count = indexes.IntegerField(model_attr="citation_count", null=True)
    h_index = indexes.IntegerField(model_attr="h_index", null=True)
    sort_name = FacetCharField(model_attr="sort_name", stored=False)
    # Only stored: with these a line of a list needs no database.
    display_name = indexes.CharField(indexed=False)
    names = indexes.MultiValueField(indexed=False)
    url = indexes.CharField(indexed=False)

    def get_model(self) -> type[Researcher]:
        """Researchers."""
        return Researcher

    def get_updated_field(self) -> str:
        """What a rebuild by age looks at."""
        return "updated_at"

    def index_queryset(self, using: str | None = None) -> ResearcherQuerySet:
        """Roots with papers, with all that a document needs."""
        here = {"researcher__root": OuterRef("pk")}
        names = ResearcherName.objects.filter(**here)
        public = names.filter(visibility="public").order_by("pk")
        trusted = ResearcherIdentifier.objects.filter(scheme="orcid", state="trusted", **here).order_by("value")
        return Researcher.objects.visible().annotate(
            indexed_names=ArraySubquery(public.values("value")),
            hidden_names=ArraySubquery(names.filter(visibility="hidden").values("value")),
            indexed_orcids=ArraySubquery(trusted.values("value")),
            indexed_affiliations=RawSQL(_AFFILIATIONS, [MOST_AFFILIATIONS], ArrayField(TextField())),  # noqa: S611 - constant
        )

    def prepare(self, obj: Researcher) -> dict[str, Any]:
        """All fields; the name shown is one of the names, whatever it was printed as."""
        prepared: dict[str, Any] = super().prepare(obj)
        # Hidden on one of those that were merged, it is hidden on all.
        former = FormerNames.of(_of(obj, "hidden_names"), shown=obj.display_name)
        known = dict.fromkeys([obj.display_name, *_of(obj, "indexed_names")])
        names = [name for name in known if not former.hide(name)]
        prepared["text"] = ""
        prepared["display_name"] = names[0] if names else ""
        prepared["names"] = names
        prepared["name_terms"] = name_terms(names)
        prepared["affiliations"] = _of(obj, "indexed_affiliations")
        prepared["orcids"] = _of(obj, "indexed_orcids")
        prepared["years"] = list(map(str, obj.years))
        return prepared

    def prepare_url(self, obj: Researcher) -> str:
        """The address of their page."""
        return obj.get_absolute_url()


def _of(researcher: Researcher, name: str) -> list[str]:
    """What ``index_queryset`` annotated. A researcher who came from elsewhere is read again."""
    if not hasattr(researcher, name):
        found = ResearcherIndex().index_queryset().filter(pk=researcher.pk).first()
        for annotated in ("indexed_names", "hidden_names", "indexed_orcids", "indexed_affiliations"):
            setattr(researcher, annotated, getattr(found, annotated, []))
    value: list[str] = getattr(researcher, name)
    return value
