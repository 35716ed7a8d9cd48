"""What every template may use."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, str]:
    """The site's own absolute address, for canonical links and feeds."""
    return {"site_url": settings.SITE_URL}
