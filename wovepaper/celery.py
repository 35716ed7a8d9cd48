"""The Celery application: ``celery -A wovepaper worker`` and ``celery -A wovepaper beat``."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wovepaper.settings")
app = Celery("wovepaper")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
