"""A paper as it is shown: values chosen from its source records by precedence, or pinned by a curator."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar
from urllib.parse import quote

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Coalesce
from django.urls import get_script_prefix, reverse

from papers.querysets import PaperQuerySet
from wovepaper.lib.slug import slug_of_text


class DatePrecision(models.TextChoices):
    """How much of a date the source gave."""

    DAY = "day", "day"
    MONTH = "month", "month"
    YEAR = "year", "year"


class Paper(models.Model):
    """A work with a page of its own.

    Every field a source can fill is resolved anew from all source records of the paper whenever one of them changes
    (``papers.services.ingest``); ``pinned`` holds the values a curator fixed, which win over every source.
    """

    class Kind(models.TextChoices):
        PREPRINT = "preprint", "Preprint"
        ARTICLE = "article", "Journal article"
        PROCEEDINGS_ARTICLE = "proceedings-article", "Conference paper"
        BOOK = "book", "Book"
        BOOK_CHAPTER = "book-chapter", "Book chapter"
        THESIS = "thesis", "Thesis"
        REPORT = "report", "Report"
        DATASET = "dataset", "Data set"
        OTHER = "other", "Other"

    class Status(models.TextChoices):
        CURRENT = "current", "Current"
        WITHDRAWN = "withdrawn", "Withdrawn"
        RETRACTED = "retracted", "Retracted"

    title = models.TextField(help_text="Plain text with TeX mathematics between dollar signs.")
    abstract = models.TextField(blank=True, help_text="Plain text with TeX mathematics between dollar signs.")
    kind = models.CharField(max_length=24, choices=Kind.choices, default=Kind.PREPRINT)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.CURRENT)
    published_on = models.DateField(null=True, blank=True, help_text="First day of the period the precision names.")
    published_precision = models.CharField(max_length=5, choices=DatePrecision.choices, default=DatePrecision.DAY)
    dates = models.JSONField(
        default=dict,
        db_default=Value({}, models.JSONField()),
        blank=True,
        help_text="Kind to date, as much as is known.",
    )
    event = models.JSONField(
        null=True, blank=True, help_text="The conference: name, acronym, place, start and end, as far as known."
    )
    announced_on = models.DateField(null=True, blank=True, help_text="The day arXiv listed it as new.")
    sort_date = models.DateField(
        default="0001-01-01", help_text="published_on, or the first day of year 1 where no source gives a date."
    )
    primary_category = models.ForeignKey("papers.Category", models.PROTECT, null=True, blank=True, related_name="+")
    categories = ArrayField(models.CharField(max_length=32), default=list, blank=True, help_text="Primary first.")
    venue = models.TextField(blank=True)
    volume = models.CharField(max_length=64, blank=True)
    issue = models.CharField(max_length=64, blank=True)
    pages = models.CharField(max_length=64, blank=True)
    publisher = models.TextField(blank=True)
    licence = models.TextField(blank=True, help_text="Address of the licence.")
    comments = models.TextField(blank=True)
    journal_reference = models.TextField(blank=True)
    report_number = models.TextField(blank=True)
    # The two identifiers that addresses and lists need, copied from PaperIdentifier so that a list needs no join.
    arxiv_id = models.CharField(max_length=32, blank=True)
    doi = models.CharField(max_length=255, blank=True)
    title_key = models.CharField(max_length=64, blank=True, help_text="Fingerprint of the title, for matching.")
    author_count = models.PositiveIntegerField(default=0)
    reference_count = models.PositiveIntegerField(
        null=True, blank=True, help_text="How many references it has, by the source whose list is shown."
    )
    listed_reference_count = models.PositiveIntegerField(
        default=0, db_default=0, help_text="How many of them that source lists."
    )
    doi_reference_count = models.PositiveIntegerField(
        default=0, db_default=0, help_text="How many of those listed carry a DOI."
    )
    references_digest = models.CharField(
        max_length=32, blank=True, default="", db_default="", editable=False,
        help_text="Of all rows of Reference: while it stays, none is read or written.",
    )  # fmt: skip
    notice_count = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Notices about it, and those that it is itself."
    )
    version_count = models.PositiveIntegerField(default=0)
    citation_count = models.PositiveIntegerField(
        null=True, blank=True, help_text="The largest count any source gives; empty where none does."
    )
    citation_source = models.CharField(
        max_length=24, blank=True, default="", db_default="", help_text="The source that gives the largest count."
    )
    cited_as_of = models.DateField(null=True, blank=True, help_text="The day of that count.")
    citation_order = models.GeneratedField(
        expression=Coalesce("citation_count", -1), output_field=models.IntegerField(), db_persist=True
    )
    last_version_on = models.DateField(null=True, blank=True)
    pinned = models.JSONField(
        default=dict, blank=True, help_text="Field name to {value, by, at, reason}; wins over every source."
    )
    is_demo = models.BooleanField(default=False, help_text="Invented by the demo catalogue.")
    redirect_to = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="redirected_here")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = PaperQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["-sort_date", "-id"], name="paper_newest", condition=Q(redirect_to=None)),
            models.Index(fields=["kind", "-sort_date", "-id"], name="paper_kind_newest", condition=Q(redirect_to=None)),
            models.Index(
                fields=["status", "-sort_date", "-id"],
                name="paper_not_current",
                condition=Q(redirect_to=None) & ~Q(status="current"),
            ),
            models.Index(fields=["-announced_on", "-id"], name="paper_announced", condition=Q(redirect_to=None)),
            models.Index(fields=["-citation_order", "-id"], name="paper_most_cited", condition=Q(redirect_to=None)),
            models.Index(fields=["arxiv_id"], name="paper_arxiv_id", condition=~Q(arxiv_id="")),
            models.Index(fields=["title_key"], name="paper_title_key", condition=~Q(title_key="")),
            GinIndex(fields=["categories"], name="paper_categories"),
        ]
        permissions = [("pin_paper", "Can pin and unpin a field of a paper")]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """The canonical address of this paper's page."""
        return paper_address(self.reference, self.slug)

    @property
    def reference(self) -> str:
        """The part of the address before the slug: the arXiv id, or the number."""
        return self.arxiv_id or str(self.pk)

    @property
    def slug(self) -> str:
        """The readable end of the address, at most 60 characters, cut at a word; may be empty."""
        return slug_of(self.title)


def slug_of(title: str) -> str:
    """The readable end of an address, at most 60 characters, cut at a word; may be empty."""
    return slug_of_text(title, longest=60)


def paper_address(reference: str, slug: str) -> str:
    """The address of the paper of this reference."""
    rest = f"{reference}-{slug}" if slug else reference
    return _addresses(get_script_prefix()) + quote(rest, safe="/~:@!$&'()*+,;=")


@lru_cache(maxsize=4)
def _addresses(script_prefix: str) -> str:
    """What the addresses of all papers begin with; asked for every line of a list, and `reverse` takes its time."""
    return reverse("papers:paper", args=["1"])[:-1]


class PaperIdentifier(models.Model):
    """A name some registry gave the paper; it finds the paper whichever source brings it."""

    class Scheme(models.TextChoices):
        ARXIV = "arxiv", "arXiv"
        DOI = "doi", "DOI"
        OPENALEX = "openalex", "OpenAlex"
        S2 = "s2", "Semantic Scholar"
        PMID = "pmid", "PubMed"
        DBLP = "dblp", "DBLP"

    paper = models.ForeignKey(Paper, models.CASCADE, related_name="identifiers")
    scheme = models.CharField(max_length=10, choices=Scheme.choices)
    value = models.CharField(max_length=255, help_text="Normalised: lower-case DOI, arXiv id without version.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scheme", "value"], name="identifier_once")]

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value}"


class IdentifierClash(models.Model):
    """A paper that also claims an identifier which another paper owns; for a curator to look at.

    Papers that are one work are merged over such a claim (``papers.fusing``); what stays is for a curator to look at.
    Among arXiv papers the one with the smallest arXiv id owns the identifier, whatever came in first; the row vanishes
    when the claim does.
    """

    paper = models.ForeignKey(Paper, models.CASCADE, related_name="identifier_clashes")
    scheme = models.CharField(max_length=10, choices=PaperIdentifier.Scheme.choices)
    value = models.CharField(max_length=255)
    noted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "identifier clashes"
        constraints = [models.UniqueConstraint(fields=["scheme", "value", "paper"], name="clash_once")]

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value} claimed by {self.paper_id}"


class PaperVersion(models.Model):
    """One submitted version of a preprint."""

    paper = models.ForeignKey(Paper, models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()
    submitted_at = models.DateTimeField(null=True, blank=True)
    size = models.PositiveBigIntegerField(null=True, blank=True, help_text="Size of the source in bytes.")
    source_type = models.CharField(max_length=16, blank=True, help_text="arXiv's letter codes; I means withdrawn.")
    withdrawn = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["number"]
        constraints = [models.UniqueConstraint(fields=["paper", "number"], name="version_once")]

    def __str__(self) -> str:
        return f"v{self.number}"
