"""Application wiring."""

from django.apps import AppConfig


class InstitutionsConfig(AppConfig):
    name = "institutions"
    label = "institutions"
    verbose_name = "Institutions"
