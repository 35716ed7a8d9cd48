"""How many requests a client may send: counted where all processes see it, by an address that cannot be made up."""

from __future__ import annotations

import ipaddress
import logging
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.db import connection
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

logger = logging.getLogger(__name__)

PERIOD = 60
"""Seconds."""
_KEPT = 10
"""Periods after which counters are swept away."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a client may still spend in the current period; ``limit`` 0: as much as it likes."""

    limit: int
    spent: int
    resets_in: int
    """Seconds."""

    @property
    def is_exceeded(self) -> bool:
        """Whether the request that was just counted is one too many."""
        return bool(self.limit) and self.spent > self.limit

    @property
    def headers(self) -> dict[str, str]:
        """The allowance as clients read it."""
        if not self.limit:
            return {}
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(max(0, self.limit - self.spent)),
            "RateLimit-Reset": str(self.resets_in),
            "RateLimit-Policy": f"{self.limit};w={PERIOD}",
        }


def spend(request: HttpRequest) -> Allowance:
    """Count a request of its client. Where the counters cannot be reached, nobody is held up."""
    limit: int = settings.API_REQUESTS_PER_MINUTE
    now = time.time()
    period = int(now // PERIOD)
    resets_in = PERIOD - int(now % PERIOD)
    if not limit:
        return Allowance(0, 0, resets_in)
    try:
        spent = _count(client_of(request), period)
    except Exception:
        # Redis raises what it likes; the answer itself needs none of it.
        logger.exception("The counters of the programming interface do not answer")
        spent = 0
    return Allowance(limit, spent, resets_in)


def client_of(request: HttpRequest) -> str:
    """The address of whoever asks; of IPv6 the network, since a household has as many addresses as it likes.

    Only what the operator's own proxies appended to ``X-Forwarded-For`` is believed: the entry as far from the end as
    there are proxies. A shorter list did not come through all of them, and the connection's own address stands.
    """
    address = request.META.get("REMOTE_ADDR", "")
    trusted: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    if trusted:
        hops = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
        if len(hops) >= trusted:
            address = hops[-trusted].strip() or address
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped:
            return str(known.ipv4_mapped)
        return str(ipaddress.ip_network((known, 64), strict=False).network_address)
    return str(known)


def _count(client: str, period: int) -> int:
    # Django's cache in the database reads a number, adds, and writes it back: two at once would count as one.
    cache = caches["default"]
    name = salted_hmac("wovepaper.rest.limits", client, algorithm="sha256").hexdigest()[:32]  # no address is kept
    if isinstance(cache, DatabaseCache):
        return _count_in_database(name, period)
    key = f"rest:{name}:{period}"
    cache.add(key, 0, timeout=2 * PERIOD)
    return cache.incr(key)


def _count_in_database(client: str, period: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH swept AS ("
            " DELETE FROM rest_spending WHERE (client, period) IN (SELECT client, period FROM rest_spending"
            " WHERE period < %s LIMIT 100 FOR UPDATE SKIP LOCKED))"
            " INSERT INTO rest_spending AS known (client, period, spent) VALUES (%s, %s, 1)"
            " ON CONFLICT (client, period) DO UPDATE SET spent = known.spent + 1 RETURNING spent",
            [period - _KEPT, client, period],
        )
        spent: int = cursor.fetchone()[0]
    return spent
