"""Application wiring."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    label = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        """Register what the pipeline runs for readers."""
        from accounts.pipeline import register_stages

        register_stages()
