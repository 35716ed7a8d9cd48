"""Application wiring."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "wovepaper.pages"
    label = "pages"
    verbose_name = "Pages"
