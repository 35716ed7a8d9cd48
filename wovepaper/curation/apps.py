"""Application wiring."""

from django.apps import AppConfig


class CurationConfig(AppConfig):
    name = "wovepaper.curation"
    label = "curation"
    verbose_name = "Curation"
