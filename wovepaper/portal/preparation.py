"""What has to be true of database, files and index before the first page is served."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from haystack import connections

from wovepaper.demo.users import find_demo_users


def collect_static_files() -> bool:
    """Collect and compress the static files unless none has changed. Returns whether there was anything to do."""
    note = settings.VAR_DIR / "static.fingerprint"
    fingerprint = _static_fingerprint()
    try:
        if note.read_text(encoding="ascii") == fingerprint and any(settings.STATIC_ROOT.iterdir()):
            return False
    except FileNotFoundError:
        pass
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    note.write_text(fingerprint, encoding="ascii")
    return True


def catalogue_is_empty() -> bool:
    """Whether no paper and no account is there yet, so that invented ones are in nobody's way."""
    return not apps.get_model("papers", "Paper").objects.exists() and not get_user_model().objects.exists()


def demo_note() -> Path:
    """A file that lies there while an invented catalogue is being brought in: the next start goes on with it."""
    return Path(settings.VAR_DIR, "demo.unfinished")


def index_needs_building() -> bool:
    """Whether there are papers but no embedded search index, or one of fields that have changed since."""
    if not settings.SEARCH_URL.startswith("tantivy://"):
        return False
    if Path(settings.SEARCH_URL.removeprefix("tantivy://"), "current").exists():
        return connections["default"].get_backend().needs_rebuild()
    return apps.get_model("papers", "Paper").objects.exists()


def ways_to_sign_in(address: str, most: int = 5) -> list[str]:
    """Lines that tell whom to sign in as at ``address``, or how to make an account."""
    if invented := find_demo_users():
        lines = [f"  {user.email}  {user.password or '(its password was changed)'}  ({user.role})" for user in invented]
        changed = [user.email for user in invented if not user.password]
        forgotten = [f"  Forgotten? `uv run manage.py changepassword {changed[0]}` sets another"] if changed else []
        return [f"Sign in at {address}accounts/login/ as", *lines, *forgotten]
    users = get_user_model().objects.filter(is_active=True).order_by("pk")
    staff = users.filter(is_staff=True).values_list("email", flat=True)[:most]
    if staff:
        return [f"Sign in at {address}accounts/login/ as {' or '.join(staff)}"]
    return ["Nobody can sign in yet: `uv run manage.py createsuperuser` makes an account"]


@contextmanager
def database_session() -> Iterator[None]:
    """Hold no connection after the block: the server could not stop quickly otherwise."""
    try:
        yield
    finally:
        connection.close()


def _static_fingerprint() -> str:
    digest = hashlib.sha256(django.__version__.encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()
