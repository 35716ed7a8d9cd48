"""Does a window get anywhere? Tokens and pages that come again mean that it does not."""

from __future__ import annotations

from dataclasses import dataclass

from wovepaper.harvest.contracts import Page
from wovepaper.harvest.models import HarvestWindow, RawPage
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.services.pages import digest_of


@dataclass(frozen=True, slots=True)
class NoProgress:
    """Why a window must stop, and whether its last page brought nothing that was not there before."""

    reason: str
    page_is_known: bool


def why_no_progress(window: HarvestWindow, page: Page, options: HarvestOptions) -> NoProgress | None:
    """Compare a page with those of the same attempt; ``None`` when all is well."""
    earlier = RawPage.objects.taken().filter(window=window, attempt=window.attempt)
    number = window.pages + 1
    digest = digest_of(page)
    if digest:
        twin = earlier.filter(records_digest=digest).order_by("number").values_list("number", flat=True).first()
        if twin is not None:
            return NoProgress(
                f"Page {number} has the same records as page {twin}: the source goes round in circles.", True
            )
    if not page.next_token:
        return None
    if page.next_token == window.next_token:
        return NoProgress(f"Page {number} names its own token as the next one.", False)
    twin = earlier.filter(next_token=page.next_token).order_by("number").values_list("number", flat=True).first()
    if twin is not None:
        return NoProgress(
            f"Page {number} names the same next token as page {twin}: the tokens go round in circles.", False
        )
    if number >= options.max_pages:
        return NoProgress(f"The window has more than {options.max_pages} pages.", False)
    if not digest:
        latest = list(earlier.order_by("-number").values_list("records_digest", flat=True)[: options.max_empty_pages])
        if len(latest) == options.max_empty_pages and not any(latest):
            return NoProgress(f"{options.max_empty_pages + 1} empty pages in a row, and no end.", False)
    return None
