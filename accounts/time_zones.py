"""Time zones by their IANA names."""

from __future__ import annotations

from functools import lru_cache
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError

_NOT_PLACES = ("Etc/", "SystemV/", "US/", "Brazil/", "Canada/", "Chile/", "Mexico/")


@lru_cache(maxsize=1)
def all_time_zones() -> frozenset[str]:
    """Every name that is known here; reading them from disk takes a while, so it happens once."""
    return frozenset(available_timezones())


@lru_cache(maxsize=1)
def offered_time_zones() -> tuple[str, ...]:
    """UTC, then those named after a continent and a city, in alphabetical order. Old names are known, not offered."""
    named = sorted(zone for zone in all_time_zones() if "/" in zone and not zone.startswith(_NOT_PLACES))
    return ("UTC", *named)


def check_time_zone(name: str) -> None:
    """Raises ``ValidationError`` unless a time zone has this name."""
    if name not in all_time_zones():
        raise ValidationError(f"“{name}” is no time zone. Choose one from the list, such as Asia/Kathmandu.")
