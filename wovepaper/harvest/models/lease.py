"""When which host may be asked again."""

from __future__ import annotations

from django.db import models


class HostLease(models.Model):
    """The next moment, by the clock of the database, at which a request to a host may start."""

    host = models.CharField(max_length=255, primary_key=True, help_text="Host name with its port.")
    next_allowed_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.host
