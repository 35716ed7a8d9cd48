"""Pages about accounts that differ from allauth's."""

from __future__ import annotations

from typing import Any

from allauth.account.views import ConfirmEmailView


class ConfirmEmail(ConfirmEmailView):
    """The page with the button that confirms an address.

    Allauth ends another account's session as soon as the page is opened; here only the button does. Otherwise anybody
    could sign a reader out with a link to the page of an address of their own.
    """

    def logout_other_user(self, confirmation: Any) -> None:
        """Never by GET."""
        if self.request.method == "POST":
            super().logout_other_user(confirmation)


confirm_email = ConfirmEmail.as_view()
