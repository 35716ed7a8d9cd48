"""Every address of the site, by every method, for every kind of visitor: who may what, and what nobody may."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.contrib import admin
from django.core import mail
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.utils import override_settings
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from tests.flows.authorisation_matrix import ROUTES, SIGN_IN, Role, Route
from tests.flows.authorisation_world import World, filled, make_world

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(900)]  # thousands of requests, in the first to ask for them

MATRIX = "tests/flows/authorisation_matrix.py"
READING = ("SELECT ", "SAVEPOINT ", "RELEASE SAVEPOINT ", "ROLLBACK TO SAVEPOINT ")
COUNTING = re.compile(r"\bnextval\b|\bsetval\b")
REFUSALS = {SIGN_IN, "400", "403", "404", "405"}
STRICT = {
    "default-src": {"'none'"},
    "script-src": {"'self'"},
    "style-src": {"'self'"},
    "img-src": {"'self'", "data:"},
    "font-src": {"'self'"},
    "connect-src": {"'self'"},
    "form-action": {"'self'"},
    "base-uri": {"'none'"},
    "frame-ancestors": {"'none'"},
}
"""The only sources that a page may load anything from; a directive that is left out falls back to none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one visitor got at one address."""

    route: Route
    role: Role
    method: str
    status: str
    written: dict[str, int]
    """Rows inserted, updated or deleted, by table, also those that were rolled back."""
    response: HttpResponse
    text: str

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.response.request['PATH_INFO']} as {self.role}"


# --- the world and the visits ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[World]:
    """Made once; whatever is done to it is rolled back."""
    logging.disable(logging.ERROR)  # thousands of refusals
    easier = {
        # All visitors come from one address, and far too often.
        "ACCOUNT_RATE_LIMITS": False,
        "MFA_RATE_LIMITS": False,
        # Without a limit nothing is counted, and so nothing is written.
        "API_REQUESTS_PER_MINUTE": 0,
        # The visits take longer than anybody's proof of being the reader is good for.
        "ACCOUNT_REAUTHENTICATION_TIMEOUT": 3_600,
        "SOCIALACCOUNT_PROVIDERS": {
            name: {"APPS": [{"client_id": "loom", "secret": "shuttle"}]} for name in ("orcid", "github", "google")
        },
        # Passwords prove nothing here.
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        # So whatever is written to the database is written to more than the visitor's own session.
        "SESSION_ENGINE": "django.contrib.sessions.backends.signed_cookies",
    }
    with django_db_blocker.unblock(), override_settings(**easier), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)
    logging.disable(logging.NOTSET)


class Visits:
    """Visitors with a browser each, in which they stay signed in whatever they do."""

    def __init__(self, world: World, *, enforce_csrf_checks: bool = False) -> None:
        self.world = world
        self.clients = {role: world.client(role, enforce_csrf_checks=enforce_csrf_checks) for role in Role}
        self._sessions = {
            role: client.cookies.get(settings.SESSION_COOKIE_NAME) for role, client in self.clients.items()
        }
        self._known = written()
        self._statements: list[str] = []

    def visit(self, route: Route, role: Role, method: str, *, undo: bool = False) -> Answer:
        """One request, with what it did undone if ``undo``."""
        client = self._signed_in(role)
        address = route.address.format(**self.world.names)
        form = filled(route.form, self.world.names) if method == "post" else {}
        self._statements.clear()
        with connection.execute_wrapper(self._note), transaction.atomic() if undo else nullcontext():
            response = getattr(client, method)(address, **({"data": form} if form else {}))
            if undo:
                transaction.set_rollback(True)
        text = b"".join(response.streaming_content) if response.streaming else response.content
        return Answer(route, role, method, status_of(response, address), self._changed(), response, text.decode())

    def _signed_in(self, role: Role) -> Client:
        client = self.clients[role]
        client.cookies.clear()
        if session := self._sessions[role]:
            client.cookies[settings.SESSION_COOKIE_NAME] = session.value
        return client

    def _note(self, execute: Callable[..., object], sql: str, *arguments: object) -> object:
        self._statements.append(str(sql))
        return execute(sql, *arguments)

    def _changed(self) -> dict[str, int]:
        """By table. The server is asked only where something but a plain question was sent to it."""
        if all(statement.startswith(READING) and not COUNTING.search(statement) for statement in self._statements):
            return {}
        before, self._known = self._known, written()
        return dict(self._known - before)


def status_of(response: HttpResponse, address: str) -> str:
    """The status, or that one is led to sign in and comes back to an address of this site."""
    target = urlsplit(response.headers.get("location", ""))
    if response.status_code == 302 and target.path in ("/accounts/login/", "/admin/login/") and target.query:
        (back,) = parse_qs(target.query)["next"]
        assert back.startswith("/"), back
        assert not back.startswith(("//", "/\\")), back
        return SIGN_IN
    return str(response.status_code)


def written() -> Counter[str]:
    """Rows written in the transaction that is open, by table, as the server counts them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_xact_user_tables"
            " WHERE n_tup_ins + n_tup_upd + n_tup_del > 0"
        )
        return Counter(dict(cursor.fetchall()))


def contents() -> dict[str, str]:
    """A digest of every row of every table."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(
                f"SELECT md5(coalesce(string_agg(row::text, chr(10) ORDER BY row::text), '')) FROM \"{table}\" row"
            )
            found[table] = cursor.fetchone()[0]
    return found


@dataclass(frozen=True, slots=True)
class Looked:
    """All visits by GET and HEAD, and what they left behind."""

    answers: list[Answer]
    before: dict[str, str]
    after: dict[str, str]
    mails: int
    users: dict[Role, int | None]


@pytest.fixture(scope="module")
def looked(world: World) -> Looked:
    """Everybody looks at everything; nothing is undone."""
    cache.clear()
    visits, before, sent = Visits(world), contents(), len(getattr(mail, "outbox", []))
    answers = [visits.visit(route, role, method) for route in rows() for role in Role for method in ("get", "head")]
    users = {role: user.pk for role, user in world.users.items()}
    return Looked(answers, before, contents(), len(getattr(mail, "outbox", [])) - sent, users)


@pytest.fixture(scope="module")
def acted(world: World) -> list[Answer]:
    """Everybody tries to change everything, each time in the same world: what may succeed is undone."""
    cache.clear()
    visits = Visits(world)
    return [
        visits.visit(route, role, method, undo=method == "post" and route.expected(method)[role] not in REFUSALS)
        for route in rows()
        for role in Role
        for method in ("post", "put", "delete")
    ]


# --- tests -----------------------------------------------------------------------------------------------------------


def rows() -> list[Route]:
    """The matrix. The admin lists the applications in the route of their pages."""
    apps = "|".join(dict.fromkeys(model._meta.app_label for model in admin.site._registry))
    return [replace(row, route=row.route.replace("{apps}", apps)) for row in ROUTES]


def routes_of(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Every route, as ``ResolverMatch.route`` writes it."""
    for pattern in resolver.url_patterns:
        text = str(pattern.pattern)
        route = before + (text.removeprefix("^") if before else text)
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from routes_of(pattern, route)


def test_every_route_is_in_the_matrix_and_nothing_else():
    known, listed = set(routes_of(get_resolver())), Counter(row.route for row in rows())
    missing, gone = sorted(known - set(listed)), sorted(set(listed) - known)
    assert not missing, f"Say in {MATRIX} who may use these routes, as its first lines tell: {missing}"
    assert not gone, f"These routes are gone; take them out of {MATRIX}: {gone}"
    assert [route for route, count in listed.items() if count > 1] == []


def test_every_example_is_an_address_of_its_route(world):
    paths = {row.route: row.address.format(**world.names).partition("?")[0] for row in rows()}
    assert {route: resolve(path).route for route, path in paths.items()} == {route: route for route in paths}


def unexpected(answers: list[Answer]) -> list[str]:
    return [
        f"{answer}: {answer.status}, not {expected}"
        for answer in answers
        if answer.status != (expected := answer.route.expected(answer.method)[answer.role])
    ]


def test_who_may_look(looked):
    assert unexpected(looked.answers) == []


def test_who_may_act(acted):
    assert unexpected(acted) == []


def test_get_and_head_change_nothing(looked):
    assert [(str(one), one.written) for one in looked.answers if one.written] == []
    assert looked.after == looked.before
    assert looked.mails == 0


def test_head_is_get_without_a_body(looked):
    assert [str(one) for one in looked.answers if one.method == "head" and one.text] == []


def test_looking_signs_nobody_in_or_out(looked):
    signed_in = [one for one in looked.answers if one.role is not Role.ANONYMOUS]
    assert len(signed_in) == 2 * len(ROUTES) * (len(Role) - 1)
    changed = [one for one in signed_in if settings.SESSION_COOKIE_NAME in one.response.cookies]
    assert [str(one) for one in changed if not one.route.challenges] == []
    # Still the same reader's.
    assert [str(one) for one in changed if one.response.wsgi_request.user.pk != looked.users[one.role]] == []


def test_put_and_delete_change_nothing(acted):
    assert [(str(one), one.written) for one in acted if one.method != "post" and one.written] == []


def test_what_is_refused_changes_nothing(acted):
    refused = [one for one in acted if one.status in REFUSALS]
    assert [(str(one), one.written) for one in refused if one.written] == []


def test_the_forms_sent_are_those_that_would_change_something(acted):
    """Otherwise a refusal would prove nothing."""
    sent = [one for one in acted if one.method == "post" and one.route.acts and one.status not in REFUSALS]
    assert [str(one) for one in sent if not one.written] == []
    assert {one.route.route for one in sent} == {row.route for row in rows() if row.acts}


def test_a_forged_form_is_refused_and_changes_nothing(world):
    cache.clear()
    visits = Visits(world, enforce_csrf_checks=True)
    answers = [visits.visit(route, role, "post") for route in rows() for role in Role]
    assert [str(one) for one in answers if one.status != "403" and not one.route.exempt] == []
    assert [(str(one), one.written) for one in answers if one.written and not one.route.signed] == []
    exempt = [one for one in answers if one.route.exempt]
    assert {one.status for one in exempt if not one.route.signed} == {"405"}
    assert {one.route.route for one in exempt if one.route.signed} == {"unsubscribe/<str:token>"}


def test_every_answer_carries_the_strict_policy(looked):
    wrong = {str(one): one.response.headers.get("content-security-policy", "") for one in looked.answers}
    for name, header in list(wrong.items()):
        policy = {words[0]: set(words[1:]) for part in header.split(";") if (words := part.split())}
        if policy == STRICT:
            del wrong[name]
    assert wrong == {}


def test_no_page_relies_on_what_the_policy_forbids(looked):
    pages = [one for one in looked.answers if "text/html" in one.response.headers.get("content-type", "")]
    inline = re.compile(
        r"<script(?![^>]*\b(?:src=|type=\"application/))|<style|<[^>]+\s(?:style|on[a-z]+)=|javascript:"
    )
    assert {str(one): found[0] for one in pages if (found := inline.search(one.text))} == {}
