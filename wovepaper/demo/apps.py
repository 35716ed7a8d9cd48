"""Application wiring."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "wovepaper.demo"
    label = "demo"
    verbose_name = "Demo catalogue"
