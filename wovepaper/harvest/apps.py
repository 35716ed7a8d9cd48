"""Application wiring."""

from django.apps import AppConfig


class HarvestConfig(AppConfig):
    name = "wovepaper.harvest"
    label = "harvest"
    verbose_name = "Harvest"
