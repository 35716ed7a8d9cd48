"""Application wiring."""

from django.apps import AppConfig


class RestConfig(AppConfig):
    name = "wovepaper.rest"
    label = "rest"
    verbose_name = "Programming interface"
