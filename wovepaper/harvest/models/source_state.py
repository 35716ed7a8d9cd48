"""What is known of a source over all its runs."""

from __future__ import annotations

from django.db import models


class SourceState(models.Model):
    """One source: may it be harvested, and when did that last go well."""

    name = models.CharField(max_length=24, primary_key=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_because = models.TextField(blank=True)
    not_before = models.DateTimeField(null=True, blank=True, help_text="The source asked not to be asked earlier.")
    postponed_because = models.TextField(blank=True)
    last_success_at = models.DateTimeField(null=True, blank=True)
    last_new_day = models.DateField(null=True, blank=True, help_text="Latest day that brought something new.")
    quota = models.JSONField(default=dict, blank=True, help_text="Rate-limit headers of the last answer.")
    allowance = models.JSONField(default=dict, blank=True, help_text="What these headers mean, where that is known.")
    enrolled_until = models.BigIntegerField(default=0, help_text="Last subject that was put on the list of look-ups.")
    reconciled_at = models.DateTimeField(null=True, blank=True)
    reconciled_until = models.DateField(null=True, blank=True, help_text="How far the reconciliation under way got.")

    def __str__(self) -> str:
        return self.name


class Watermark(models.Model):
    """The last day of a source, or of one of its sets, up to which every day is harvested."""

    source = models.CharField(max_length=24)
    set_spec = models.CharField(max_length=80, blank=True)
    day = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "set_spec"], name="watermark_once")]

    def __str__(self) -> str:
        return f"{self.source} {self.set_spec} {self.day}".replace("  ", " ")


class FieldProfile(models.Model):
    """How often each field of a stream's records was filled lately; the volume brake compares with it."""

    source = models.CharField(max_length=24)
    stream = models.CharField(max_length=24)
    records = models.PositiveBigIntegerField(default=0)
    filled = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "stream"], name="field_profile_once")]

    def __str__(self) -> str:
        return f"{self.source} {self.stream}"
