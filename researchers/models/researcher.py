"""A person as we know them: names, identifiers, counts."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from anyascii import anyascii
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Case, Q, Value, When
from django.db.models.functions import Coalesce

from researchers.querysets import ResearcherQuerySet
from wovepaper.curation.models import MergeableModel
from wovepaper.lib.names import split_name
from wovepaper.lib.slug import slug_of_text

SORT_NAME_LENGTH = 200
_UNSORTED = re.compile(r"[^a-z0-9 ]+")
_LISTED = Q(merged_into=None, erased_at=None, paper_count__gt=0)
"""What ``ResearcherQuerySet.visible`` selects."""


class Researcher(MergeableModel):
    """Somebody to whom papers are attributed. The primary key is the public id: rows are never deleted.

    The counts of a root are those of all its members together; those of a merged researcher mean nothing.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", "Active"
        MERGED = "merged", "Merged"
        ERASED = "erased", "Erased"

    display_name = models.TextField(help_text="The name shown; one of the public names.")
    slug = models.CharField(max_length=80, blank=True, editable=False)
    erased_at = models.DateTimeField(null=True, blank=True, help_text="Removed at the person's demand.")
    claimed_at = models.DateTimeField(null=True, blank=True, help_text="When the person proved that it is them.")
    status = models.GeneratedField(  # follows from the facts, so it cannot contradict them
        expression=Case(
            When(erased_at__isnull=False, then=Value("erased")),
            When(merged_into__isnull=False, then=Value("merged")),
            default=Value("active"),
        ),
        output_field=models.CharField(max_length=6, choices=Status.choices),
        db_persist=True,
    )
    # Written by researchers.counts. The number of papers is exact at any time, the rest follows in the pipeline.
    paper_count = models.PositiveIntegerField(default=0, help_text="Papers here.")
    first_author_count = models.PositiveIntegerField(default=0, help_text="Papers with several authors, they first.")
    middle_author_count = models.PositiveIntegerField(default=0, help_text="Papers with them neither first nor last.")
    last_author_count = models.PositiveIntegerField(default=0, help_text="Papers with several authors, they last.")
    single_author_count = models.PositiveIntegerField(default=0, help_text="Papers they wrote alone.")
    cited_paper_count = models.PositiveIntegerField(default=0, help_text="Papers here with a known citation count.")
    citation_count = models.PositiveIntegerField(null=True, blank=True, help_text="Over papers with a known count.")
    h_index = models.PositiveIntegerField(null=True, blank=True, help_text="Over papers with a known count.")
    first_year = models.PositiveSmallIntegerField(null=True, blank=True)
    last_year = models.PositiveSmallIntegerField(null=True, blank=True)
    years = ArrayField(
        models.PositiveSmallIntegerField(), default=list, blank=True, help_text="Years with a dated paper, rising."
    )
    categories = ArrayField(
        models.CharField(max_length=32),
        default=list,
        blank=True,
        help_text="arXiv categories of their papers, the most frequent first.",
    )
    countries = ArrayField(
        models.CharField(max_length=2),
        default=list,
        blank=True,
        help_text="ISO 3166 codes of their institutions' countries, the most frequent first.",
    )
    affiliation = models.TextField(
        default="", db_default="", blank=True, help_text="What their latest paper prints that prints one; cut."
    )
    counted_at = models.DateTimeField(null=True, blank=True, help_text="When all the figures were last computed.")
    sort_name = models.CharField(
        max_length=SORT_NAME_LENGTH,
        default="",
        blank=True,
        editable=False,
        db_collation="C",
        help_text="The name shown, family name first, folded to ASCII.",
    )
    # Keyset paging compares keys, and an unknown figure has none: the unknown come after those with 0.
    citation_order = models.GeneratedField(
        expression=Coalesce("citation_count", -1), output_field=models.IntegerField(), db_persist=True
    )
    h_index_order = models.GeneratedField(
        expression=Coalesce("h_index", -1), output_field=models.IntegerField(), db_persist=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = ResearcherQuerySet.as_manager()

    class Meta(MergeableModel.Meta):
        indexes = [
            models.Index(
                fields=["-paper_count", "-id"],
                name="researcher_most_papers",
                condition=Q(merged_into=None, erased_at=None),
            ),
            models.Index(fields=["-citation_order", "-id"], name="researcher_most_cited", condition=_LISTED),
            models.Index(fields=["-h_index_order", "-id"], name="researcher_h_index", condition=_LISTED),
            models.Index(fields=["sort_name", "id"], name="researcher_by_name", condition=_LISTED),
            GinIndex(fields=["categories"], name="researcher_categories", condition=_LISTED),
            GinIndex(fields=["countries"], name="researcher_countries", condition=_LISTED),
            GinIndex(fields=["years"], name="researcher_years", condition=_LISTED),
        ]

    def __str__(self) -> str:
        return self.display_name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A new researcher's slug and sort name are made from the name."""
        if self._state.adding and not self.slug:
            self.slug = slug_of(self.display_name)
        if self._state.adding and not self.sort_name:
            self.sort_name = sort_name_of(self.display_name)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """Public ids are never reused, so rows stay. Always raises ``TypeError``."""
        raise TypeError("A researcher is never deleted: merge or erase them.")

    def get_absolute_url(self) -> str:
        """The canonical address of this researcher's page, whoever they are merged into."""
        return f"/researchers/{self.pk}-{self.slug}" if self.slug else f"/researchers/{self.pk}"

    @property
    def public_id(self) -> int:
        """The number in addresses and exports."""
        return self.pk


def slug_of(name: str) -> str:
    """The readable end of an address: at most 80 characters, cut at a word; may be empty."""
    return slug_of_text(name, longest=80)


def sort_name_of(name: str) -> str:
    """``scholkopf bernhard`` for ``Bernhard Schölkopf``: the letters of the family name in one, then the given names.

    So Li comes before Libai, hyphens and accents do not count, and particles belong to the family name. At most
    ``SORT_NAME_LENGTH`` characters; empty for a name without a letter or digit.
    """
    parts = split_name(name)
    family, given = (_UNSORTED.sub("", anyascii(part).lower()) for part in (parts.family, parts.given))
    return f"{family.replace(' ', '')} {' '.join(given.split())}".strip()[:SORT_NAME_LENGTH]


class ResearcherName(models.Model):
    """A name the researcher was printed under, or has asked to be called."""

    class Visibility(models.TextChoices):
        PUBLIC = "public", "Public"
        HIDDEN = "hidden", "Hidden"

    researcher = models.ForeignKey(Researcher, models.PROTECT, related_name="names")
    value = models.TextField(help_text="As printed.")
    script = models.CharField(max_length=4, blank=True, help_text="ISO 15924 code, for example Latn or Hani.")
    source = models.CharField(max_length=24, blank=True, help_text="Who printed it first.")
    visibility = models.CharField(
        max_length=6,
        choices=Visibility.choices,
        default=Visibility.PUBLIC,
        help_text="A hidden name matches imports and is shown nowhere.",
    )
    match_keys = ArrayField(models.CharField(max_length=200), default=list, blank=True, help_text="Blocks it is in.")

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints = [models.UniqueConstraint(fields=["researcher", "value"], name="researcher_name_once")]
        indexes = [
            GinIndex(fields=["match_keys"], name="researcher_name_keys", fastupdate=False),
            # Few, and every page with names of authors asks for them.
            models.Index(fields=["researcher"], name="researcher_name_hidden", condition=Q(visibility="hidden")),
        ]

    def __str__(self) -> str:
        return self.value if self.visibility == self.Visibility.PUBLIC else "a hidden name"


class ResearcherIdentifier(models.Model):
    """A name some registry or source gave the person."""

    class Scheme(models.TextChoices):
        ORCID = "orcid", "ORCID"
        OPENALEX = "openalex", "OpenAlex"
        S2 = "s2", "Semantic Scholar"
        DBLP = "dblp", "DBLP"

    class State(models.TextChoices):
        TRUSTED = "trusted", "Trusted"
        CLAIMED = "claimed", "Claimed"
        CONFLICT = "conflict", "In conflict"
        DEPRECATED = "deprecated", "No longer used by its source"

    researcher = models.ForeignKey(Researcher, models.PROTECT, related_name="identifiers")
    scheme = models.CharField(max_length=10, choices=Scheme.choices)
    value = models.CharField(max_length=64, help_text="Normalised.")
    provenance = models.JSONField(default=dict, help_text="Where it came from.")
    state = models.CharField(max_length=10, choices=State.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["researcher", "scheme", "value"], name="researcher_identifier_once"),
            models.UniqueConstraint(
                fields=["value"], condition=Q(scheme="orcid", state="trusted"), name="orcid_trusted_for_one"
            ),
        ]
        indexes = [models.Index(fields=["scheme", "value"], name="researcher_identifier_value")]

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value}"


class ResearcherMetric(models.Model):
    """What a source counts for the person, each source by its own rules and over its own works."""

    researcher = models.ForeignKey(Researcher, models.PROTECT, related_name="metrics")
    source = models.CharField(max_length=24)
    h_index = models.PositiveIntegerField(null=True, blank=True)
    cited_by_count = models.PositiveIntegerField(null=True, blank=True)
    works_count = models.PositiveIntegerField(null=True, blank=True)
    as_of = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["researcher", "source"], name="researcher_metric_once")]

    def __str__(self) -> str:
        return f"{self.source} on {self.as_of}"
