"""What beat asks for."""

from __future__ import annotations

from celery import shared_task

from accounts.services.clearing import clear_up


@shared_task(name="wovepaper.accounts.clear_up")
def clear_up_accounts() -> None:
    """Nightly."""
    clear_up()
