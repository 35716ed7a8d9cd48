"""Pinning a field, and letting go of it: both ask why."""

from __future__ import annotations

from typing import Any

from django import forms

from papers.models import Paper
from papers.services.ingest.pinned import CHOICE_FIELDS, SHORT_FIELDS

_CHOICES = {"kind": Paper.Kind.choices, "status": Paper.Status.choices}


class ReasonForm(forms.Form):
    """Why it is done, for those who come later."""

    reason = forms.CharField(
        max_length=500,
        widget=forms.TextInput(attrs={"size": 60}),
        help_text="One sentence for those who come later; kept with the pin and in the history.",
    )


class PinForm(ReasonForm):
    """A value for one field; ``papers.services.pins`` says whether it will do."""

    field_order = ("value", "reason")

    def __init__(self, *args: Any, field: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["value"] = _value_field(field)
        self.order_fields(self.field_order)


def _value_field(field: str) -> forms.Field:
    if field in CHOICE_FIELDS:
        return forms.ChoiceField(choices=_CHOICES[field])
    required = field == "title"
    if field == "published_on":
        return forms.CharField(required=False, max_length=10, help_text="2015, 2015-03 or 2015-03-04; empty for none.")
    if field in SHORT_FIELDS:
        return forms.CharField(required=False, max_length=SHORT_FIELDS[field])
    rows = {"abstract": 12, "title": 3, "comments": 4}.get(field, 2)
    return forms.CharField(
        required=required,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": rows, "cols": 80}),
        help_text="Plain text; TeX mathematics between dollar signs." if field in {"title", "abstract"} else "",
    )
