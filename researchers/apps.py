"""Application wiring."""

from django.apps import AppConfig


class ResearchersConfig(AppConfig):
    name = "researchers"
    label = "researchers"
    verbose_name = "Researchers"
