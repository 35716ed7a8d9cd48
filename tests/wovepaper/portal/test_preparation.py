from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from haystack import connections

from accounts.models import User
from tests.wovepaper.portal import papers_exist
from wovepaper.demo.users import ensure_demo_users
from wovepaper.portal import preparation, tables


@pytest.mark.django_db
def test_a_database_up_to_date_needs_no_migration(django_assert_max_num_queries) -> None:
    with django_assert_max_num_queries(2):
        assert tables.apply_migrations() == 0


@pytest.mark.django_db
def test_the_catalogue_is_empty_without_papers_and_accounts() -> None:
    assert preparation.catalogue_is_empty()
    user = User.objects.create_user("somebody@example.org")
    assert not preparation.catalogue_is_empty(), "somebody has begun to use it"
    user.delete()
    papers_exist()
    assert not preparation.catalogue_is_empty()


@pytest.mark.django_db
@pytest.mark.parametrize("changed", [False, True])
def test_an_index_is_built_where_papers_have_none_or_its_fields_changed(
    settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: bool
) -> None:
    backend = connections["default"].get_backend()
    monkeypatch.setattr(type(backend), "needs_rebuild", lambda self: changed)
    settings.SEARCH_URL = f"tantivy://{tmp_path}/search"
    assert not preparation.index_needs_building(), "nothing to search for"
    papers_exist()
    assert preparation.index_needs_building()
    (tmp_path / "search" / "generation-1").mkdir(parents=True)
    assert preparation.index_needs_building(), "one that was never put in use"
    (tmp_path / "search" / "current").symlink_to("generation-1")
    assert preparation.index_needs_building() is changed
    settings.SEARCH_URL = "solr://solr.example.org/solr/papers"
    assert not preparation.index_needs_building(), "that of a server is its own business"


@pytest.mark.django_db
def test_whom_to_sign_in_as() -> None:
    address = "http://localhost:8000/"
    how = "Nobody can sign in yet: `uv run manage.py createsuperuser` makes an account"
    assert preparation.ways_to_sign_in(address) == [how]
    User.objects.create_user("reader@example.org", "long enough")
    assert preparation.ways_to_sign_in(address) == [how]
    User.objects.create_superuser("head@example.org", "long enough")
    User.objects.create_superuser("gone@example.org", "long enough", is_active=False)
    assert preparation.ways_to_sign_in(address) == [f"Sign in at {address}accounts/login/ as head@example.org"]


@pytest.mark.django_db
def test_demo_accounts_are_told_with_passwords_that_open_them(client) -> None:
    assert not User.objects.exists()
    ensure_demo_users()
    User.objects.get(email="curator@demo.example").delete()
    changed = User.objects.get(email="reader@demo.example")
    changed.set_password("something of one's own")
    changed.save()
    head, *lines = preparation.ways_to_sign_in("http://localhost:8000/")
    assert head == "Sign in at http://localhost:8000/accounts/login/ as"
    assert preparation.ways_to_sign_in("http://localhost:8000/") == [head, *lines], "at every start, not only the first"
    told = {line.split()[0]: line.split()[1] for line in lines}
    assert client.login(username="admin@demo.example", password=told["admin@demo.example"])
    assert "reader@demo.example  (its password was changed)  (reader)" in " ".join(lines)
    assert lines.pop() == "  Forgotten? `uv run manage.py changepassword reader@demo.example` sets another"
    assert len(lines) == 2, "the deleted one is neither told nor made again"
    assert not User.objects.filter(email="curator@demo.example").exists()
    User.objects.filter(email="admin@demo.example").update(is_active=False)
    assert "admin@demo.example" not in " ".join(preparation.ways_to_sign_in("http://localhost:8000/"))


def test_static_files_are_collected_when_they_have_changed(settings, tmp_path: Path, monkeypatch) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "one.css").write_text("a { color: red }")
    settings.VAR_DIR = tmp_path
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATICFILES_DIRS = [files]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    assert preparation.collect_static_files()
    assert not preparation.collect_static_files()
    first = set((tmp_path / "static").glob("one.*.css"))
    assert len(first) == 1
    (files / "one.css").write_text("a { color: blue }")
    assert preparation.collect_static_files()
    second = set((tmp_path / "static").glob("one.*.css"))
    assert len(second) == 1, "the old file is gone"
    assert first != second
    monkeypatch.setattr(preparation, "call_command", lambda *a, **o: pytest.fail("collected for nothing"))
    assert not preparation.collect_static_files()


def test_up_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("up", "--help")
    assert ended.value.code == 0
    said = capsys.readouterr().out
    for flag in ("--port PORT", "--host HOST", "--no-demo"):
        assert flag in said
