"""Institutions as ROR knows them: names, places, identifiers, relations."""

from __future__ import annotations

from typing import Any, ClassVar

from anyascii import anyascii
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.utils.text import slugify

from institutions.querysets import InstitutionQuerySet
from wovepaper.curation.models import MergeableModel
from wovepaper.lib.countries import country_name
from wovepaper.lib.ror import url_of

SLUG_LENGTH = 80
_SHOWN = Q(merged_into=None) & ~Q(status="withdrawn")
"""What ``InstitutionQuerySet.visible`` selects."""


class Institution(MergeableModel):
    """An organisation. The primary key is the public id: rows are never deleted, whatever becomes of their record.

    ``merged_into`` leads from an institution that is no more to what it became; see ``follows_successor``.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", "Active"
        INACTIVE = "inactive", "No longer active"
        WITHDRAWN = "withdrawn", "Withdrawn from the registry"

    class Kind(models.TextChoices):
        EDUCATION = "education", "Education"
        HEALTHCARE = "healthcare", "Healthcare"
        COMPANY = "company", "Company"
        GOVERNMENT = "government", "Government"
        FACILITY = "facility", "Facility"
        NONPROFIT = "nonprofit", "Non-profit"
        ARCHIVE = "archive", "Archive"
        FUNDER = "funder", "Funder"
        OTHER = "other", "Other"

    ror_id = models.CharField(max_length=9, unique=True, help_text="Nine characters, without the address before them.")
    display_name = models.TextField()
    slug = models.CharField(max_length=SLUG_LENGTH, blank=True, editable=False)
    kind = models.CharField(max_length=16, choices=Kind.choices, help_text="The first that is not only funding.")
    kinds = ArrayField(models.CharField(max_length=16), default=list, blank=True)
    status = models.CharField(max_length=9, choices=Status.choices)
    established = models.SmallIntegerField(null=True, blank=True, help_text="Year.")
    # Of the first place; ``places`` has all of them.
    country = models.CharField(max_length=2, blank=True, help_text="ISO 3166 code.")
    city = models.TextField(blank=True)
    latitude = models.FloatField(null=True, blank=True)
    longitude = models.FloatField(null=True, blank=True)
    places = models.JSONField(default=list, help_text="City, subdivision, country, coordinates of each.")
    homepage = models.TextField(blank=True)
    wikipedia = models.TextField(blank=True)
    domains = ArrayField(models.TextField(), default=list, blank=True)
    follows_successor = models.BooleanField(
        default=False, help_text="It is merged because its record names a single successor; imports keep that true."
    )
    stamp = models.CharField(max_length=10, blank=True, help_text="The day of the record's last change, as sent.")
    hash = models.CharField(max_length=64, help_text="SHA-256 of what the record says.")
    # Written by the stages of papers and researchers.
    paper_count = models.PositiveIntegerField(default=0, db_default=0, help_text="Papers here, of all its members.")
    researcher_count = models.PositiveIntegerField(default=0, db_default=0, help_text="Researchers on those papers.")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = InstitutionQuerySet.as_manager()

    class Meta(MergeableModel.Meta):
        indexes = [
            models.Index(fields=["-paper_count", "-id"], name="institution_most_papers", condition=_SHOWN),
            models.Index(fields=["-researcher_count", "-id"], name="institution_most_people", condition=_SHOWN),
            models.Index(fields=["country", "-paper_count", "-id"], name="institution_country", condition=_SHOWN),
            models.Index(fields=["slug", "id"], name="institution_by_name", condition=_SHOWN),
            GinIndex(fields=["kinds"], name="institution_kinds", condition=_SHOWN),
            models.Index(fields=["merged_into"], name="institution_merged", condition=Q(merged_into__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.display_name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A new institution's slug is made from its name."""
        if self._state.adding and not self.slug:
            self.slug = slug_of(self.display_name)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """Public ids are never reused, so rows stay. Always raises ``TypeError``."""
        raise TypeError("An institution is never deleted: its record is withdrawn, or it is merged.")

    def get_absolute_url(self) -> str:
        """The canonical address of this institution's page, whatever it became."""
        return f"/institutions/{self.pk}-{self.slug}" if self.slug else f"/institutions/{self.pk}"

    @property
    def ror_url(self) -> str:
        """The address that is its identifier."""
        return url_of(self.ror_id)

    @property
    def country_name(self) -> str:
        """The country in English, or nothing."""
        return country_name(self.country) if self.country else ""

    @property
    def place(self) -> str:
        """City and country, as far as they are known."""
        return ", ".join(part for part in (self.city, self.country_name) if part)


def slug_of(name: str) -> str:
    """The readable end of an address: at most ``SLUG_LENGTH`` characters, cut at a word; may be empty."""
    slug = slugify(anyascii(name))
    return slug if len(slug) <= SLUG_LENGTH else slug[: SLUG_LENGTH + 1].rsplit("-", 1)[0][:SLUG_LENGTH]


class InstitutionName(models.Model):
    """A name of an institution. One that its record calls two things at once has a row for each."""

    class Kind(models.TextChoices):
        LABEL = "label", "Name"
        ALIAS = "alias", "Also called"
        ACRONYM = "acronym", "Acronym"

    institution = models.ForeignKey(Institution, models.CASCADE, related_name="names")
    value = models.TextField()
    lang = models.CharField(max_length=8, blank=True, help_text="ISO 639 code; empty where the record does not say.")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    key = models.TextField(help_text="Folded for search: small letters without marks, one space before every word.")

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["institution", "value", "lang", "kind"], name="institution_name_once")
        ]
        indexes = [
            GinIndex(fields=["key"], opclasses=["gin_trgm_ops"], name="institution_name_search"),
            models.Index(fields=["key"], name="institution_name_key", opclasses=["text_pattern_ops"]),
        ]

    def __str__(self) -> str:
        return self.value


class InstitutionIdentifier(models.Model):
    """What another registry calls the institution. Some registries have one number for two of ROR's records."""

    class Scheme(models.TextChoices):
        FUNDREF = "fundref", "Crossref Funder"
        GRID = "grid", "GRID"
        ISNI = "isni", "ISNI"
        WIKIDATA = "wikidata", "Wikidata"

    institution = models.ForeignKey(Institution, models.CASCADE, related_name="identifiers")
    scheme = models.CharField(max_length=16, choices=Scheme.choices)
    value = models.CharField(max_length=64)
    preferred = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["institution", "scheme", "value"], name="institution_identifier_once")
        ]
        indexes = [models.Index(fields=["scheme", "value"], name="institution_identifier_value")]

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value}"


class InstitutionRelation(models.Model):
    """What an institution's record says of another one. The other may not have arrived yet, or never will."""

    class Kind(models.TextChoices):
        PARENT = "parent", "Part of"
        CHILD = "child", "Has part"
        RELATED = "related", "Related to"
        PREDECESSOR = "predecessor", "Continues"
        SUCCESSOR = "successor", "Continued by"

    institution = models.ForeignKey(Institution, models.CASCADE, related_name="relations")
    kind = models.CharField(max_length=11, choices=Kind.choices)
    target_ror_id = models.CharField(max_length=9)
    target = models.ForeignKey(
        Institution, models.SET_NULL, null=True, blank=True, related_name="relations_to", help_text="Once it is known."
    )
    label = models.TextField(blank=True, help_text="What the record calls the other.")

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["institution", "kind", "target_ror_id"], name="institution_relation_once")
        ]
        indexes = [
            models.Index(fields=["target_ror_id"], name="institution_relation_pending", condition=Q(target=None))
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.target_ror_id}"
