"""Typed settings, read once from the environment.

Every variable is listed in the README. In production (``DEBUG`` off) a missing or unsafe value stops the
start with a message that names the variable; nothing falls back to a guess there.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from wovepaper.embedded.bootstrap import is_single_machine, var_dir
from wovepaper.embedded.paths import EmbeddedPaths

BASE_DIR: Path = Path(__file__).resolve().parent.parent
env = environ.Env()


def _switch(name: str, default: bool) -> bool:
    """Whether something is on, said in one of the usual ways."""
    value = env.str(name, default="").strip().lower()
    if value and value not in _ON | _OFF:
        raise ImproperlyConfigured(f"{name} must be true or false, not {value!r}.")
    return value in _ON if value else default


_ON = frozenset({"true", "on", "yes", "y", "ok", "1"})
_OFF = frozenset({"false", "off", "no", "n", "0"})

DEBUG: bool = _switch("DEBUG", default=False)
# Set by `manage.py up`, by the other commands on an unconfigured machine, and by the tests.
SINGLE_MACHINE: bool = is_single_machine()
PRODUCTION: bool = not (SINGLE_MACHINE or DEBUG)


def _text(name: str, what: str, otherwise: str = "") -> str:
    """A variable that production must set; elsewhere ``otherwise`` stands in for it."""
    value = env.str(name, default="").strip()
    if not value and PRODUCTION:
        raise ImproperlyConfigured(
            f"{name} is not set: give {what}. (Where `manage.py up` serves one machine, set WOVEPAPER_SINGLE_MACHINE=1 "
            "instead.)"
        )
    return value or otherwise


def _integer(name: str, default: int) -> int:
    """A whole number of at least 0."""
    value = env.str(name, default=str(default)).strip()
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value)


def _server(name: str, value: str, schemes: tuple[str, ...]) -> str:
    """``value``, the address of a server, or nothing. ``schemes`` are what it may begin with."""
    if value and value.partition("://")[0] not in schemes:
        raise ImproperlyConfigured(f"{name} must begin with {' or '.join(f'{s}://' for s in schemes)}, not {value!r}.")
    return value


def _base_url(name: str, default: str) -> str:
    """An absolute http(s) URL without a trailing slash: a source's, or the site's own."""
    value = (env.str(name, default="") or default).rstrip("/")
    if not value.startswith(("https://", "http://")):
        raise ImproperlyConfigured(f"{name} must be an absolute http(s) URL, not {value!r}.")
    return value


# --- where this instance lives -------------------------------------------------------------------------------

VAR_DIR: Path = var_dir()
EMBEDDED: EmbeddedPaths = EmbeddedPaths(VAR_DIR)

_text("SITE_URL", "the address under which readers reach this site, for example https://papers.example.org")
SITE_URL: str = _base_url("SITE_URL", "http://localhost:8000")
CONTACT_EMAIL: str = _text("CONTACT_EMAIL", "the address that sources and readers can write to")

SECRET_KEY: str = _text("SECRET_KEY", "a long random value, the same on every host and worker")
if not SECRET_KEY:
    SECRET_KEY = EMBEDDED.secret_key()

_text("ALLOWED_HOSTS", "the host names this site answers to, comma separated")
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[]) or ["localhost", "127.0.0.1", "[::1]"]

# --- applications --------------------------------------------------------------------------------------------

INSTALLED_APPS: list[str] = [
    "accounts",
    "researchers",
    "papers",
    "institutions",
    "wovepaper.harvest",
    "wovepaper.pipeline",
    "wovepaper.search",
    "wovepaper.curation",
    "wovepaper.rest",
    "wovepaper.pages",
    "wovepaper.demo",
    "wovepaper.portal",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.sites",
    "django.contrib.flatpages",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.orcid",
    "allauth.socialaccount.providers.github",
    "allauth.socialaccount.providers.google",
    "allauth.usersessions",
    "django_htmx",
    "csp",
    "haystack",
]

MIDDLEWARE: list[str] = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "wovepaper.pages.markdown_pages.MarkdownPages",
    "wovepaper.pages.middleware.NulIsABadRequest",
]

ROOT_URLCONF = "wovepaper.urls"
WSGI_APPLICATION = "wovepaper.wsgi.application"
ASGI_APPLICATION = "wovepaper.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SITE_ID = 1

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "wovepaper.pages.context.site",
            ],
        },
    }
]

# --- data ----------------------------------------------------------------------------------------------------

DATABASE_URL: str = _text("DATABASE_URL", "the address of a PostgreSQL, 15 or newer", EMBEDDED.database_url())
if not DATABASE_URL.startswith(("postgres://", "postgresql://")):
    raise ImproperlyConfigured("DATABASE_URL must begin with postgresql://: no other database will do.")
DATABASES: dict[str, dict[str, Any]] = {"default": env.db_url_config(DATABASE_URL)}
DATABASES["default"] |= {
    "ENGINE": "django.db.backends.postgresql",
    "CONN_MAX_AGE": 60,
    "CONN_HEALTH_CHECKS": True,
}

# Without one, on a single machine, whoever enqueues work also does it.
BROKER_URL: str = _server(
    "BROKER_URL",
    _text("BROKER_URL", "the address of a Valkey, Redis or RabbitMQ that hands work to the workers"),
    ("redis", "rediss", "redis+socket", "amqp", "amqps"),
)
SEARCH_URL: str = env.str("SEARCH_URL", default=f"tantivy://{VAR_DIR / 'search'}")

CACHE_URL: str = _server("CACHE_URL", env.str("CACHE_URL", default="").strip(), ("redis", "rediss", "unix"))
# It holds the counters behind the limits on guessing, so all processes share one. Without a server of its own it is a
# table: nothing is read from it but where somebody tries to sign in.
CACHES: dict[str, dict[str, Any]] = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": CACHE_URL}
        if CACHE_URL
        else {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "accounts_cache",
            "OPTIONS": {"MAX_ENTRIES": 20_000},
        }
    )
}

# --- search --------------------------------------------------------------------------------------------------

if SEARCH_URL.startswith("solr://"):
    HAYSTACK_CONNECTIONS: dict[str, dict[str, Any]] = {
        "default": {
            "ENGINE": "haystack.backends.solr_backend.SolrEngine",
            "URL": "http://" + SEARCH_URL.removeprefix("solr://"),
            "TIMEOUT": 10,
            "SILENTLY_FAIL": False,
        }
    }
elif SEARCH_URL.startswith("tantivy://"):
    HAYSTACK_CONNECTIONS = {
        "default": {
            "ENGINE": "wovepaper.search.backend.TantivyEngine",
            "PATH": SEARCH_URL.removeprefix("tantivy://"),
            "INCLUDE_SPELLING": True,
            "SILENTLY_FAIL": False,
        }
    }
else:
    raise ImproperlyConfigured(f"SEARCH_URL must begin with tantivy:// or solr://, not {SEARCH_URL!r}.")

# What turns texts into vectors: table, sentence-transformers:MODEL or endpoint:MODEL.
ENCODER: str = env.str("ENCODER", default="").strip() or "table"
ENCODER_FOLDER: Path = VAR_DIR / "encoder"
ENCODER_URL: str = _base_url("ENCODER_URL", "http://localhost:8080/v1/embeddings")
ENCODER_KEY: str = env.str("ENCODER_KEY", default="")

# --- programs ------------------------------------------------------------------------------------------------

# What one client may send to the programming interface. 0: as much as it likes.
API_REQUESTS_PER_MINUTE: int = _integer("API_REQUESTS_PER_MINUTE", 6_000)

# --- work in the background ----------------------------------------------------------------------------------

CELERY_BROKER_URL: str = BROKER_URL or "memory://"
# Nobody takes a task out of the memory of a process: without a broker it runs where it is sent, at once.
CELERY_TASK_ALWAYS_EAGER = not BROKER_URL
CELERY_TASK_EAGER_PROPAGATES = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    # What no message announced, and what failed and is due again. A message nobody took in time is dropped.
    "sweep the pipeline": {"task": "wovepaper.pipeline.sweep", "schedule": 60.0, "options": {"expires": 55}},
    # arXiv's day is complete at 04:30 UTC. Only sources that somebody began to harvest are followed.
    "follow the sources": {
        "task": "wovepaper.harvest.follow",
        "schedule": crontab(hour="4", minute="45"),
        "options": {"expires": 20 * 3600},
    },
    # Papers that came in since, and those that sources were asked about long ago.
    "look up papers": {"task": "wovepaper.harvest.enrich", "schedule": 300.0, "options": {"expires": 290}},
    # On Saturdays arXiv brings nothing new.
    "compare with the sources' lists": {
        "task": "wovepaper.harvest.compare",
        "schedule": crontab(hour="6", minute="30", day_of_week="sat"),
        "options": {"expires": 20 * 3600},
    },
    # Before the check, and before the day's harvest.
    "attribute grown": {"task": "wovepaper.researchers.attribute_grown", "schedule": crontab(hour="2", minute="15")},
    "look for duplicates": {
        "task": "wovepaper.researchers.find_duplicates",
        "schedule": crontab(day_of_week="sunday", hour="1", minute="15"),
    },
    "encode what has no vector": {
        "task": "wovepaper.papers.embed",
        "schedule": crontab(minute="20"),
        "options": {"expires": 3_000},
    },
    "send the alerts": {"task": "wovepaper.accounts.send_alerts", "schedule": 60.0, "options": {"expires": 55}},
    "clear up the accounts": {"task": "wovepaper.accounts.clear_up", "schedule": crontab(hour="2", minute="40")},
    "check the identities": {"task": "wovepaper.researchers.check", "schedule": crontab(hour="3", minute="15")},
    "harvest what was postponed": {
        "task": "wovepaper.harvest.postponed",
        "schedule": 900.0,
        "options": {"expires": 890},
    },
}
if BROKER_URL.startswith(("redis", "valkey")):
    # A broker that is gone shall not hold up the page that only wanted to tell it something.
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"socket_connect_timeout": 2}

# --- sources -------------------------------------------------------------------------------------------------

# How careful the harvest is: any field of wovepaper.harvest.options.HarvestOptions.
HARVEST: dict[str, Any] = {
    "raw_days": _integer("HARVEST_RAW_DAYS", 90),
    "refresh_days": _integer("HARVEST_REFRESH_DAYS", 30),
}

ARXIV_OAI_URL: str = _base_url("ARXIV_OAI_URL", "https://oaipmh.arxiv.org/oai")
OPENALEX_API_URL: str = _base_url("OPENALEX_API_URL", "https://api.openalex.org")
OPENALEX_API_KEY: str = env.str("OPENALEX_API_KEY", default="").strip()
# Which of its 270 million works are followed by day: arXiv's, as long as nothing else is said.
OPENALEX_FILTER: str = env.str("OPENALEX_FILTER", default="locations.source.id:S4306400194").strip()
# A free key buys 10,000 calls a day; some are left for whatever else the operator does with it. 0: no limit.
OPENALEX_DAILY_REQUESTS: int = _integer("OPENALEX_DAILY_REQUESTS", 9_000)
S2_API_URL: str = _base_url("S2_API_URL", "https://api.semanticscholar.org/graph/v1")
S2_API_KEY: str = env.str("S2_API_KEY", default="").strip()
CROSSREF_API_URL: str = _base_url("CROSSREF_API_URL", "https://api.crossref.org")
ROR_API_URL: str = _base_url("ROR_API_URL", "https://api.ror.org/v2")
# Empty: the newest release, unless the API is another's.
ROR_DUMP_URL: str = _base_url("ROR_DUMP_URL", "") if env.str("ROR_DUMP_URL", default="") else ""
ROR_CLIENT_ID: str = env.str("ROR_CLIENT_ID", default="").strip()

# --- people --------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
# Only allauth's: a second one would compute the slow hash of every wrong password twice.
AUTHENTICATION_BACKENDS: list[str] = ["accounts.backends.ReaderBackend"]
PASSWORD_HASHERS: list[str] = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_FORMS: dict[str, str] = {"signup": "accounts.sign_up.SignupForm"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS: set[str] = {"email"}
ACCOUNT_SIGNUP_FIELDS: list[str] = ["email*", "password1"]  # who gives no password signs in by code
ACCOUNT_SIGNUP_REDIRECT_URL = "onboarding"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60  # seconds, for mail that takes its time
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if SITE_URL.startswith("https://") else "http"
ALLAUTH_TRUSTED_PROXY_COUNT: int = _integer("TRUSTED_PROXY_COUNT", 0)
MFA_SUPPORTED_TYPES: list[str] = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_PASSKEY_SIGNUP_ENABLED = True
MFA_TOTP_ISSUER = "wovepaper"
MFA_TOTP_TOLERANCE = 1
# Browsers give passkeys to plain http nowhere but on this machine.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN: bool = SITE_URL.startswith("http://localhost")
SOCIALACCOUNT_ADAPTER = "accounts.adapter.SocialAccountAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False  # nobody gets into an account by what another site says of an address
SOCIALACCOUNT_STORE_TOKENS = False
USERSESSIONS_TRACK_ACTIVITY = False


def _sign_in_by(provider: str, **options: Any) -> dict[str, dict[str, Any]]:
    """What allauth needs of another site that readers may sign in by; nothing unless the operator is known there."""
    client, secret = (env.str(f"{provider.upper()}_CLIENT_{what}", default="").strip() for what in ("ID", "SECRET"))
    if not client and not secret:
        return {}
    if not client or not secret:
        missing = "SECRET" if client else "ID"
        raise ImproperlyConfigured(
            f"{provider.upper()}_CLIENT_{missing} is not set: give both id and secret of the application that you "
            "registered there, or neither."
        )
    return {provider: {"APPS": [{"client_id": client, "secret": secret}], **options}}


SOCIALACCOUNT_PROVIDERS: dict[str, dict[str, Any]] = {
    **_sign_in_by("orcid"),
    **_sign_in_by("github", SCOPE=["user:email"], OAUTH_PKCE_ENABLED=True),
    **_sign_in_by("google", SCOPE=["profile", "email"], OAUTH_PKCE_ENABLED=True),
}
LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "account_login"

# --- mail ----------------------------------------------------------------------------------------------------

_email_url = _text("EMAIL_URL", "the mail server, for example smtp+tls://user:password@host:587", "consolemail://")
try:
    globals().update(env.email_url_config(_email_url))
except (KeyError, ImproperlyConfigured, ValueError) as error:
    raise ImproperlyConfigured("EMAIL_URL names no kind of mail server: see the README for examples.") from error
EMAIL_TIMEOUT = 30  # seconds that a mail server may be silent
DEFAULT_FROM_EMAIL: str = CONTACT_EMAIL or "wovepaper@localhost"

# --- pages ---------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

STATIC_URL = "/static/"
STATIC_ROOT: Path = VAR_DIR / "static"
STATICFILES_DIRS: list[Path] = [BASE_DIR / "wovepaper" / "static"]
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": VAR_DIR / "media"}},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "wovepaper.pages.errors.csrf_failure"
SESSION_COOKIE_HTTPONLY = True
if SITE_URL.startswith("https://"):
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = _switch("SECURE_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS: int = _integer("SECURE_HSTS_SECONDS", 31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = _switch("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = _switch("SECURE_HSTS_PRELOAD", default=False)
    if ALLAUTH_TRUSTED_PROXY_COUNT:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    CSRF_TRUSTED_ORIGINS: list[str] = [SITE_URL]

# What only the operator can decide, for other hosts of the domain and for good, stays off unless asked for.
SILENCED_SYSTEM_CHECKS: list[str] = ["security.W005", "security.W021"]

LOG_LEVEL: str = env.str("LOG_LEVEL", default="").strip().upper() or "WARNING"
if LOG_LEVEL not in (levels := ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")):
    raise ImproperlyConfigured(f"LOG_LEVEL must be one of {', '.join(levels)}, not {LOG_LEVEL!r}.")

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain", "stream": sys.stderr}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
}
