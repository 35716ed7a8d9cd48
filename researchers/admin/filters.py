"""Filters of the queue. Each gives its condition apart, since "Next" leases among what is filtered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from researchers.models import Candidate


class _Filter(admin.SimpleListFilter):
    """A choice among conditions."""

    conditions: ClassVar[Mapping[str, tuple[str, Q]]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Values with their labels."""
        return [(value, label) for value, (label, _) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Candidate]) -> QuerySet[Candidate]:
        """What fulfils the chosen condition."""
        return queryset.filter(self.condition(self.value()))

    @classmethod
    def condition(cls, value: str | None) -> Q:
        """Of a value; of one that is not there, none."""
        return cls.conditions.get(value or "", ("", Q()))[1]


class KindFilter(_Filter):
    """What the item is about."""

    title = "kind"
    parameter_name = "kind"
    conditions: ClassVar[Mapping[str, tuple[str, Q]]] = {
        str(value): (str(label), Q(kind=value)) for value, label in Candidate.Kind.choices
    }


class ScoreFilter(_Filter):
    """How likely it is."""

    title = "score"
    parameter_name = "score"
    conditions: ClassVar[Mapping[str, tuple[str, Q]]] = {
        "high": ("90% and more", Q(score__gte=0.9)),
        "likely": ("60% to 90%", Q(score__gte=0.6, score__lt=0.9)),
        "shown-first": ("60% and more", Q(score__gte=0.6)),
        "low": ("less than 60%", Q(score__lt=0.6)),
    }


class ConflictFilter(_Filter):
    """Whether sources contradict each other."""

    title = "conflict"
    parameter_name = "conflict"
    conditions: ClassVar[Mapping[str, tuple[str, Q]]] = {
        "yes": ("in conflict", Q(has_conflict=True)),
        "no": ("no conflict", Q(has_conflict=False)),
    }


class PapersFilter(_Filter):
    """How many papers it is about."""

    title = "papers affected"
    parameter_name = "papers"
    conditions: ClassVar[Mapping[str, tuple[str, Q]]] = {
        "many": ("50 and more", Q(rows_affected__gte=50)),
        "some": ("10 to 49", Q(rows_affected__gte=10, rows_affected__lt=50)),
        "few": ("fewer than 10", Q(rows_affected__lt=10)),
    }


class FollowedFilter(_Filter):
    """Whether readers follow one of them."""

    title = "followed"
    parameter_name = "followed"
    conditions: ClassVar[Mapping[str, tuple[str, Q]]] = {
        "yes": ("followed", Q(followers__gt=0)),
        "no": ("not followed", Q(followers=0)),
    }


class StateFilter(admin.SimpleListFilter):
    """Waiting items by default: open ones, and those that were put off until now."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Waiting is the default and has no value."""
        return [("snoozed", "put off"), ("merged", "merged"), ("different", "different"), ("closed", "closed")]

    def choices(self, changelist: Any) -> Any:
        """With the default under its own name."""
        for value, label in ((None, "waiting"), *self.lookup_choices):
            new, remove = ({self.parameter_name: value}, []) if value else ({}, [self.parameter_name])
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string(new, remove),
                "display": label,
            }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Candidate]) -> QuerySet[Candidate]:
        """Handled ones by when they were, waiting ones by likelihood: both follow an index or are few."""
        value = self.value()
        if value == "snoozed":
            return queryset.filter(state="snoozed", snoozed_until__gt=timezone.now())
        if value:
            return queryset.filter(state=value)
        return queryset.filter(Q(state="open") | Q(state="snoozed", snoozed_until__lte=timezone.now()))


FILTERS = (KindFilter, ScoreFilter, ConflictFilter, PapersFilter, FollowedFilter)


def among(values: Mapping[str, str]) -> Q:
    """The condition of the filters with these values, by parameter; others are passed over."""
    condition = Q()
    for kind in FILTERS:
        condition &= kind.condition(values.get(str(kind.parameter_name)))
    return condition


def kept(values: Mapping[str, Any]) -> dict[str, str]:
    """Those of the values that are a filter's, to be kept for the next item."""
    return {
        str(kind.parameter_name): str(values[str(kind.parameter_name)])
        for kind in FILTERS
        if str(values.get(str(kind.parameter_name), "")) in kind.conditions
    }
