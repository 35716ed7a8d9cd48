"""Application wiring."""

from django.apps import AppConfig


class PortalConfig(AppConfig):
    name = "wovepaper.portal"
    label = "portal"
    verbose_name = "Portal on one machine"
