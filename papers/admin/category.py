"""The taxonomy, to look at."""

from __future__ import annotations

from django.contrib import admin

from papers.models import Category
from wovepaper.lib.read_only_admin import ReadOnlyAdmin


@admin.register(Category)
class CategoryAdmin(ReadOnlyAdmin):
    """Comes with the project, and is loaded at every migration."""

    list_display = ("code", "name", "archive_name", "group_name", "is_active", "canonical")
    list_filter = ("group_name", "is_active")
    search_fields = ("code", "name")
    list_select_related = ("canonical",)
    list_per_page = 200
