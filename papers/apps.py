"""Application wiring."""

from django.apps import AppConfig


class PapersConfig(AppConfig):
    name = "papers"
    label = "papers"
    verbose_name = "Papers"
