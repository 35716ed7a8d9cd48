"""A real Chromium against a live server; skipped with a reason where there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.db import connection, connections
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.searching import index_papers  # noqa: F401

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs a browser."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def browser(django_db_setup: None) -> Iterator[Browser]:
    """One browser for each module; each context of it has a profile of its own.

    Not for the session: while Playwright's event loop runs in this thread, Django keeps other connections here than
    before and after, and than in a child that a later test forks. So none is left open on either side.
    """
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        reason = f"no Chromium on this machine (looked for {', '.join(NAMES)})"
        if "browser" in os.environ.get("WOVEPAPER_REQUIRE", ""):
            pytest.fail(f"WOVEPAPER_REQUIRE names browser, but there is {reason}")
        pytest.skip(reason)
    # Playwright keeps an event loop in this thread, in which Django would refuse to ask the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    connections.close_all()
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield found
        found.close()
        connections.close_all()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@dataclass
class Complaints:
    """What the browser had to say against a page."""

    found: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        """Collect errors of the console and of scripts, refused requests, and violations of the policy."""
        page.add_init_script(
            "addEventListener('securitypolicyviolation', event => console.error('policy: ' + event.violatedDirective))"
        )
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.found.append(f"script: {error}"))
        page.on("requestfailed", lambda request: self.found.append(f"failed: {request.url} {request.failure}"))

    def _console(self, message: ConsoleMessage) -> None:
        # A page that is not there is no complaint against what stands on it.
        own = "status of 4" in message.text or "status of 5" in message.text
        if message.type in {"error", "warning"} and not (own and "/static/" not in message.location["url"]):
            self.found.append(f"{message.type}: {message.text} ({message.location['url']})")


@pytest.fixture
def complaints() -> Complaints:
    """Empty at the start; tests assert that it is at the end."""
    return Complaints()


@pytest.fixture
def open_page(browser: Browser, live_server, complaints: Complaints) -> Iterator[Callable[..., Page]]:
    """Open a page of a fresh profile: ``open_page("/papers", javascript=False, width=375)``."""
    contexts: list[BrowserContext] = []

    def open_(address: str, *, javascript: bool = True, width: int = 1280, scheme: str = "light") -> Page:
        context = browser.new_context(
            base_url=live_server.url,
            java_script_enabled=javascript,
            viewport={"width": width, "height": 800},
            color_scheme=scheme,
            reduced_motion="reduce",  # a colour in transition is no colour to judge
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        complaints.listen(page)
        page.goto(address)
        return page

    yield open_
    for context in contexts:
        context.close()
    _end_connections()


def _end_connections() -> None:
    """End what the server's threads hold: the browser kept their connections alive, and they keep the database's."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
