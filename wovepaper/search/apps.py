"""Application wiring."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "wovepaper.search"
    label = "search"
    verbose_name = "Search"
