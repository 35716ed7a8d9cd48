"""How often a reader wants to be told."""

from __future__ import annotations

from django.db import models


class Cadence(models.TextChoices):
    """Daily and weekly mean the reader's hour, in the reader's time zone; weekly means Mondays."""

    AT_ONCE = "at_once", "At once"
    DAILY = "daily", "Daily"
    WEEKLY = "weekly", "Weekly"
