"""Application wiring."""

from django.apps import AppConfig


class PipelineConfig(AppConfig):
    name = "wovepaper.pipeline"
    label = "pipeline"
    verbose_name = "Pipeline"
