"""The settings as production reads them: run afresh from a prepared environment."""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

import wovepaper.settings

PRODUCTION = {
    "SECRET_KEY": "a-long-random-value-" * 4,
    "ALLOWED_HOSTS": "papers.example.org,www.papers.example.org",
    "DATABASE_URL": "postgresql://portal:secret@db.example.org:6432/portal",
    "BROKER_URL": "redis://broker.example.org/0",
    "SITE_URL": "https://papers.example.org/",
    "EMAIL_URL": "smtp+tls://user:word@mail.example.org:587",
    "CONTACT_EMAIL": "hello@papers.example.org",
    "WOVEPAPER_SINGLE_MACHINE": "0",
}
SOURCE = Path(wovepaper.settings.__file__)


def read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **changes: str | None) -> dict[str, Any]:
    for name in [*PRODUCTION, "DEBUG", "SEARCH_URL", "CACHE_URL", "TRUSTED_PROXY_COUNT"]:
        monkeypatch.delenv(name, raising=False)
    for name, value in {**PRODUCTION, "VAR_DIR": str(tmp_path / "var"), **changes}.items():
        if value is not None:
            monkeypatch.setenv(name, value)
    return runpy.run_path(str(SOURCE))


def test_a_complete_production(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = read(monkeypatch, tmp_path)
    assert settings["DEBUG"] is False
    assert settings["SECRET_KEY"] == PRODUCTION["SECRET_KEY"]
    assert settings["ALLOWED_HOSTS"] == ["papers.example.org", "www.papers.example.org"]
    assert settings["DATABASES"]["default"]["HOST"] == "db.example.org"
    assert settings["DATABASES"]["default"]["PORT"] == 6432
    assert settings["SITE_URL"] == "https://papers.example.org"
    assert settings["CELERY_BROKER_URL"] == "redis://broker.example.org/0"
    assert settings["CELERY_TASK_ALWAYS_EAGER"] is False
    assert (settings["EMAIL_HOST"], settings["EMAIL_USE_TLS"]) == ("mail.example.org", True)
    assert settings["SESSION_COOKIE_SECURE"] is True
    assert settings["SECURE_SSL_REDIRECT"] is True
    assert not (tmp_path / "var").exists(), "production makes no secret of its own"


@pytest.mark.parametrize("name", [name for name in PRODUCTION if name != "WOVEPAPER_SINGLE_MACHINE"])
@pytest.mark.parametrize("value", [None, "", "  "])
def test_production_names_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str | None
) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"^{name} is not set: give "):
        read(monkeypatch, tmp_path, **{name: value})


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DATABASE_URL", "mysql://db.example.org/x", "DATABASE_URL must begin with postgresql://: no other database"),
        ("SEARCH_URL", "http://solr.example.org", "SEARCH_URL must begin with tantivy:// or solr://, not 'http:"),
        ("SITE_URL", "papers.example.org", "SITE_URL must be an absolute http(s) URL, not 'papers.example.org'."),
        ("ARXIV_OAI_URL", "ftp://x", "ARXIV_OAI_URL must be an absolute http(s) URL, not 'ftp://x'."),
        ("EMAIL_URL", "pigeon://loft", "EMAIL_URL names no kind of mail server: see the README for examples."),
        (
            "BROKER_URL",
            "kafka://x",
            "BROKER_URL must begin with redis:// or rediss:// or redis+socket:// or amqp:// or",
        ),
        ("CACHE_URL", "memcached://x", "CACHE_URL must begin with redis:// or rediss:// or unix://, not 'memcached:"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL, not 'LOUD'."),
        ("DEBUG", "maybe", "DEBUG must be true or false, not 'maybe'."),
        ("SECURE_SSL_REDIRECT", "perhaps", "SECURE_SSL_REDIRECT must be true or false, not 'perhaps'."),
        ("TRUSTED_PROXY_COUNT", "one", "TRUSTED_PROXY_COUNT must be a whole number, not 'one'."),
    ],
)
def test_a_wrong_value_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str, sentence: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        read(monkeypatch, tmp_path, **{name: value})
    assert str(caught.value).startswith(sentence)


def test_one_machine_needs_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nothing: dict[str, str | None] = dict.fromkeys(PRODUCTION)
    settings = read(monkeypatch, tmp_path, **{**nothing, "WOVEPAPER_SINGLE_MACHINE": "1"})
    assert settings["DEBUG"] is False
    assert settings["SECRET_KEY"] == (tmp_path / "var" / "secret_key").read_text()
    assert settings["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert settings["DATABASES"]["default"]["OPTIONS"]["host"] == str(tmp_path / "var" / "postgres")
    assert settings["CELERY_TASK_ALWAYS_EAGER"] is True, "a task sent to nobody would never run"
    assert settings["SITE_URL"] == "http://localhost:8000"


def test_other_sites_to_sign_in_by_need_both_halves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert read(monkeypatch, tmp_path)["SOCIALACCOUNT_PROVIDERS"] == {}
    both = read(monkeypatch, tmp_path, ORCID_CLIENT_ID="APP-LOOM", ORCID_CLIENT_SECRET="shuttle")
    assert both["SOCIALACCOUNT_PROVIDERS"] == {"orcid": {"APPS": [{"client_id": "APP-LOOM", "secret": "shuttle"}]}}


@pytest.mark.parametrize(("given", "missing"), [("ID", "SECRET"), ("SECRET", "ID")])
def test_half_of_what_another_site_gave_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: str, missing: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"^GITHUB_CLIENT_{missing} is not set: give both"):
        read(monkeypatch, tmp_path, **{f"GITHUB_CLIENT_{given}": "x"})


def test_limits_on_guessing_are_counted_in_one_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert read(monkeypatch, tmp_path)["CACHES"]["default"]["BACKEND"].endswith("DatabaseCache")
    shared = read(monkeypatch, tmp_path, CACHE_URL="redis://cache.example.org/1")["CACHES"]["default"]
    assert shared["BACKEND"].endswith("RedisCache")


def test_a_solr_cluster_takes_the_place_of_the_embedded_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    connections = read(monkeypatch, tmp_path, SEARCH_URL="solr://solr.example.org:8983/solr/papers")[
        "HAYSTACK_CONNECTIONS"
    ]
    assert connections["default"]["ENGINE"] == "haystack.backends.solr_backend.SolrEngine"
    assert connections["default"]["URL"] == "http://solr.example.org:8983/solr/papers"
    assert connections["default"]["SILENTLY_FAIL"] is False


def test_https_behind_a_proxy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "SECURE_PROXY_SSL_HEADER" not in read(monkeypatch, tmp_path)
    settings = read(monkeypatch, tmp_path, TRUSTED_PROXY_COUNT="2")
    assert settings["SECURE_PROXY_SSL_HEADER"] == ("HTTP_X_FORWARDED_PROTO", "https")
    assert settings["ALLAUTH_TRUSTED_PROXY_COUNT"] == 2
    assert os.environ["TRUSTED_PROXY_COUNT"] == "2"


@pytest.mark.parametrize(
    ("value", "meant"),
    [("true", True), ("On", True), (" 1 ", True), ("false", False), ("no", False), ("0", False), ("", False)],
)
def test_debug_is_switched_in_the_usual_ways(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str, meant: bool
) -> None:
    assert read(monkeypatch, tmp_path, DEBUG=value)["DEBUG"] is meant
