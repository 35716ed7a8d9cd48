"""Institutions to look at, and the rules that curators write for printed affiliations."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from institutions.hooks import announce_changed_rules
from institutions.matching.folding import fold
from institutions.matching.rules import BadPattern, compile_pattern
from institutions.models import (
    AffiliationRule,
    Institution,
    InstitutionIdentifier,
    InstitutionName,
    InstitutionRelation,
)
from wovepaper.lib import ror
from wovepaper.lib.bounded_paginator import BoundedPaginator
from wovepaper.lib.read_only_admin import ReadOnlyAdmin, moment

RULES_LATER = "The pipeline looks for the papers that this concerns, in batches: that may take some minutes."


class _ReadOnlyInline(admin.TabularInline):  # type: ignore[type-arg]
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody may."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody may."""
        return False


class NameInline(_ReadOnlyInline):
    """Its names."""

    model = InstitutionName
    fields = ("value", "lang", "kind")


class IdentifierInline(_ReadOnlyInline):
    """What other registries call it."""

    model = InstitutionIdentifier
    fields = ("scheme", "value", "preferred")


class RelationInline(_ReadOnlyInline):
    """Its relatives."""

    model = InstitutionRelation
    fk_name = "institution"
    fields = ("kind", "target_ror_id", "label")


@admin.register(Institution)
class InstitutionAdmin(ReadOnlyAdmin):
    """What the registry says; only imports write it."""

    list_display = ("display_name", "ror_id", "kind", "country", "city", "status", "paper_count")
    list_filter = ("status", "kind")
    search_fields = ("names__key",)
    search_help_text = "Words of a name in any language, or a ROR id"
    ordering = ("-paper_count", "-id")
    inlines = (NameInline, IdentifierInline, RelationInline)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Institution], search_term: str
    ) -> tuple[QuerySet[Institution], bool]:
        """By ROR id, or by words that begin words of one name."""
        if not search_term.strip():
            return queryset, False
        if ror_id := ror.normalise(search_term):
            return queryset.filter(ror_id=ror_id), False
        names = InstitutionName.objects.all()
        for word in fold(search_term).split()[:12]:
            names = names.filter(key__contains=f" {word}")
        return queryset.filter(pk__in=names.values("institution")), False


class AffiliationRuleForm(forms.ModelForm):  # type: ignore[type-arg]
    """A rule, with the pattern made sure of."""

    class Meta:
        model = AffiliationRule
        fields = ("pattern", "institution", "reason")

    def clean_pattern(self) -> str:
        """Raises ``ValidationError`` for a pattern that would fit everything."""
        pattern = " ".join(self.cleaned_data["pattern"].split())
        try:
            compile_pattern(pattern)
        except BadPattern as error:
            raise forms.ValidationError(str(error)) from error
        return pattern


@admin.register(AffiliationRule)
class AffiliationRuleAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Corrections that outlive harvests."""

    form = AffiliationRuleForm
    list_display = ("pattern", "institution", "by", moment("changed_at", "Changed"))
    list_select_related = ("institution", "by")
    raw_id_fields = ("institution",)
    search_fields = ("pattern", "institution__display_name", "reason")
    paginator = BoundedPaginator
    show_full_result_count = False

    def save_model(self, request: HttpRequest, obj: AffiliationRule, form: Any, change: bool) -> None:
        """Note who said it, and let the papers it concerns wait."""
        obj.by = request.user  # type: ignore[assignment]
        super().save_model(request, obj, form, change)
        _announce(request)

    def delete_model(self, request: HttpRequest, obj: AffiliationRule) -> None:
        """Let the papers it concerned wait."""
        super().delete_model(request, obj)
        _announce(request)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[AffiliationRule]) -> None:
        """Let the papers they concerned wait."""
        super().delete_queryset(request, queryset)
        _announce(request)


def _announce(request: HttpRequest) -> None:
    announce_changed_rules()
    messages.info(request, RULES_LATER)
