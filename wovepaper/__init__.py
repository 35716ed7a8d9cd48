"""wovepaper: a self-hosted scholarly portal."""

from wovepaper.celery import app as celery_app

__all__ = ["celery_app"]
