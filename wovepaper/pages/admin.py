"""Flat pages in the admin: the text is Markdown."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.flatpages.admin import FlatPageAdmin
from django.contrib.flatpages.forms import FlatpageForm
from django.contrib.flatpages.models import FlatPage


class MarkdownPageForm(FlatpageForm):
    """Says what can be written."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["content"].widget = forms.Textarea(attrs={"rows": 30, "cols": 100, "spellcheck": "true"})
        self.fields["content"].help_text = (
            "Markdown: a blank line between paragraphs, ## for a heading, **bold**, *emphasis*, "
            "[words](https://address) for a link, - for a list, | columns | for a table. HTML that could do harm "
            "is left out."
        )


class MarkdownPageAdmin(FlatPageAdmin):
    """Without template names and comments, which nothing here reads."""

    form = MarkdownPageForm
    fieldsets = ((None, {"fields": ("url", "title", "content", "registration_required", "sites")}),)


admin.site.unregister(FlatPage)
admin.site.register(FlatPage, MarkdownPageAdmin)
