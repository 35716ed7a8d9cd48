"""What beat asks for."""

from __future__ import annotations

from celery import shared_task

from accounts.services.clearing import clear_up
from accounts.services.deliveries import send_alerts


@shared_task(name="wovepaper.accounts.clear_up")
def clear_up_accounts() -> None:
    """Nightly."""
    clear_up()


@shared_task(name="wovepaper.accounts.send_alerts")
def send_due_alerts() -> None:
    """Every minute."""
    send_alerts()
