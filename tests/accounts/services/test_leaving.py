"""What an export holds is what a deletion removes, and after it nothing of the reader is anywhere."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core import mail
from django.db import connection
from django.db.models import CASCADE, SET_NULL, ForeignKey, ForeignObjectRel, Model
from django.test import Client

from accounts.belongings import BELONGINGS, MARKED, acts
from accounts.models import Delivery, Follow, Notification, PaperEvent, User
from accounts.services.deletion import MARKER, LastOfItsKind, delete_account
from accounts.services.export import export_account
from accounts.services.follows import Target, follow
from accounts.services.saved_searches import save_search
from papers.models import Paper
from papers.services.pins import pin_field
from researchers.models import MergeEvent
from researchers.services.contests import open_contest
from researchers.services.votes import cast_vote
from tests.accounts.passkeys import add_passkey
from tests.accounts.readers import PASSWORD, browser_of, code_in, reader
from tests.factories import CategoryFactory, PaperFactory
from tests.researchers.people import arrive, curator, different, merge, researcher, undo

EMAIL = "leaver-of-looms@papers.test"
NAME = "Leaver Ofloomsborough"
NUMBER = 987_654_321
NOW = dt.datetime(2026, 11, 30, 7, tzinfo=dt.UTC)


def everything() -> User:
    """A reader and curator who has something in every table that can have it."""
    user = curator("x")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    permissions = list(user.user_permissions.all())
    user.delete()
    user = User(pk=NUMBER, email=EMAIL, display_name=NAME, is_staff=True)
    user.set_password(PASSWORD)
    user.save()
    user.user_permissions.set(permissions)
    user.emailaddress_set.create(email=EMAIL, verified=True, primary=True)
    user.emailaddress_set.create(email=f"second-{EMAIL}", verified=True)
    SocialAccount.objects.create(user=user, provider="github", uid="77", extra_data={"email": EMAIL, "name": NAME})
    TOTP.activate(user, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(user)
    add_passkey(user)

    a, b, c, d = (researcher() for _ in range(4))
    for one in (a, b, c, d):
        arrive(one)
    cast_vote(voter=user, one=a.pk, other=b.pk, verdict="same")
    at = arrive(d)
    open_contest(reader=user, authorship=at.pk, claimed=None, reason="this is somebody else entirely", seen=d.pk)
    undo(merge(c, a, user).event, user)
    different(c, d, user)

    paper = PaperFactory()
    pin_field(paper_id=paper.pk, field="venue", value="Annals of Weaving", by=user.pk, reason="so")
    search = save_search(user=user, query="q=loom", name="Looms")
    for kind, key in (
        ("researcher", a.pk), ("category", CategoryFactory().pk), ("paper", paper.pk), ("saved_search", search.pk),
    ):  # fmt: skip
        follow(user=user, target=Target.read(kind, key))
    event = PaperEvent.objects.create(paper=paper, kind="revision", day=NOW.date(), noticed_at=NOW)
    sent = Delivery.objects.create(user=user, cadence="daily", period="2026-11-30", available_at=NOW, created_at=NOW)
    Notification.objects.create(
        user=user, paper=paper, event=event, reasons=[f"paper:{paper.pk}"], cadence="daily", created_at=NOW,
        delivery=sent,
    )  # fmt: skip
    client = Client()
    client.post("/accounts/login/", {"login": EMAIL, "password": PASSWORD})
    client.post("/accounts/2fa/authenticate/", {"code": RecoveryCodes.activate(user).generate_codes()[0]})
    mail.outbox.clear()
    LogEntry.objects.create(
        user=curator("other"), content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk),
        object_repr=NAME, action_flag=2, change_message=f"Changed {EMAIL}",
    )  # fmt: skip
    return user


def traces(*needles: str) -> dict[str, int]:
    """Rows, by table, in which any of these words or numbers stands, as text."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            # As a word: a number that is a part of a longer one is another.
            cursor.execute(
                f'SELECT count(*) FROM "{table}" AS row WHERE ' + " OR ".join(["row::text ~* %s"] * len(needles)),
                [rf"\m{needle}\M" for needle in needles],
            )
            if count := cursor.fetchone()[0]:
                found[table] = count
    return found


def exported(user: User) -> dict[str, object]:
    return json.loads("".join(export_account(user=user)))


@pytest.mark.django_db
class TestDeleting:
    def test_nothing_of_the_reader_is_left_in_any_table(self) -> None:
        user = everything()
        before = traces(EMAIL, NAME, str(NUMBER))
        assert {"accounts_user", "accounts_follow", "papers_paper", "researchers_mergeevent", "django_admin_log",
                "account_emailaddress", "socialaccount_socialaccount", "mfa_authenticator", "usersessions_usersession",
                "researchers_contest", "researchers_samepersonvote", "accounts_savedsearch",
                "researchers_assertion"} <= set(before)  # fmt: skip
        delete_account(user=user)
        assert traces(EMAIL, NAME, str(NUMBER)) == {}

    def test_what_the_export_holds_is_what_goes(self) -> None:
        user = everything()
        document = exported(user)
        held = {one.name: len(document[one.name]) for one in BELONGINGS}
        counted = {one.name: one.model.objects.count() for one in BELONGINGS}
        assert held == counted
        delete_account(user=user)
        assert {one.name: one.model.objects.count() for one in BELONGINGS} == dict.fromkeys(held, 0)
        empty = {name for name, count in held.items() if not count}
        assert empty == {"pending_email_confirmations", "tokens_elsewhere"}, "this site keeps neither"

    def test_what_a_curator_decided_stays_and_says_nobody(self) -> None:
        user = everything()
        events, logged = MergeEvent.objects.count(), LogEntry.objects.filter(user=user).count()
        assert events >= 2
        assert logged >= 2
        delete_account(user=user)
        assert MergeEvent.objects.filter(actor=None).count() == events
        marker = User.objects.get(email=MARKER)
        assert LogEntry.objects.filter(user=marker).count() == logged
        assert (marker.is_active, marker.is_staff, marker.has_usable_password()) == (False, False, False)
        pin = Paper.objects.exclude(pinned={}).get().pinned["venue"]
        assert (pin["value"], pin["by"], pin["reason"]) == ("Annals of Weaving", None, "so")

    def test_what_others_have_stays(self) -> None:
        user = everything()
        other = reader("other@papers.test")
        person = researcher()
        follow(user=other, target=Target.read("researcher", person.pk))
        browser = browser_of(other)
        delete_account(user=user)
        assert [one.user_id for one in Follow.objects.all()] == [other.pk]
        assert browser.get("/accounts/settings/").status_code == 200

    def test_whoever_is_signed_in_with_it_is_not_any_more(self) -> None:
        user = reader()
        browser = browser_of(user)
        delete_account(user=user)
        assert browser.get("/accounts/settings/").status_code == 302

    def test_the_last_who_may_do_everything_stays(self) -> None:
        head = User.objects.create_superuser("head@papers.test", PASSWORD)
        with pytest.raises(LastOfItsKind):
            delete_account(user=head)
        User.objects.create_superuser("second@papers.test", PASSWORD)
        delete_account(user=head)
        assert not User.objects.filter(pk=head.pk).exists()

    def test_in_the_admin_it_is_the_same(self) -> None:
        user = everything()
        head = User.objects.create_superuser("head@papers.test", PASSWORD)
        answer = browser_of(head).post(f"/admin/accounts/user/{user.pk}/delete/", {"post": "yes"})
        assert answer.status_code == 302
        assert traces(EMAIL, str(NUMBER)).keys() <= {"django_session"}
        assert MergeEvent.objects.filter(actor=None).exists()


@pytest.mark.django_db
class TestExport:
    def test_no_secret_is_in_it(self) -> None:
        user = everything()
        text = "".join(export_account(user=user))
        assert EMAIL in text
        for secret in (
            user.password,
            "JBSWY3DPEHPK3PXP",
            *RecoveryCodes.activate(user).generate_codes(),
            *user.usersession_set.values_list("session_key", flat=True),
        ):
            assert secret not in text

    def test_what_a_number_stands_for_is_said(self) -> None:
        user = everything()
        document = exported(user)
        followed = {
            next(str(value) for name, value in row.items() if "__" in name and value)
            for row in document["follows"]
            if not row["category"]
        }
        assert "Looms" in followed
        assert document["account"]["email"] == EMAIL
        assert document["researchers.MergeEvent.actor"] != []

    def test_nobody_elses_is_in_it(self) -> None:
        everything()
        text = "".join(export_account(user=reader("other@papers.test")))
        assert EMAIL not in text
        assert all(not rows for name, rows in json.loads(text).items()
                   if name not in ("account", "email_addresses"))  # fmt: skip

    def test_it_is_read_in_pieces(self) -> None:
        user = reader()
        pieces = export_account(user=user)
        assert next(pieces).startswith('{\n"account": {"id": ')
        assert len(list(pieces)) > len(BELONGINGS)


class TestTheRegistry:
    """Whoever adds a model with a reader in it hears of it here."""

    def test_everything_that_goes_with_an_account_is_listed(self) -> None:
        listed = {one.model for one in BELONGINGS}
        owners: list[type[Model]] = [User, *listed]
        missing = set()
        for owner in owners:
            for relation in owner._meta.get_fields(include_hidden=True):
                if not isinstance(relation, ForeignObjectRel) or relation.on_delete is not CASCADE:
                    continue
                model = relation.related_model
                column = f"{model._meta.label}.{relation.field.name}"
                if model not in listed and column not in MARKED and not model._meta.auto_created:
                    missing.add(column)
        assert missing == set(), "Add these to accounts/belongings.py"

    def test_every_other_column_of_an_account_is_emptied(self) -> None:
        known = {(act.label, act.column) for act in acts()}
        for relation in User._meta.get_fields(include_hidden=True):
            if isinstance(relation, ForeignObjectRel) and relation.on_delete not in (CASCADE, None):
                assert relation.on_delete is SET_NULL, relation
                assert (relation.related_model._meta.label, relation.field.name) in known
        assert ("researchers.MergeEvent", "actor") in known

    def test_paths_lead_to_accounts(self) -> None:
        for one in BELONGINGS:
            model: type[Model] = one.model
            for name in one.path.split("__"):
                field = model._meta.get_field(name)
                assert isinstance(field, ForeignKey)
                model = field.related_model
            assert model is User
            assert set(one.kept_back) <= {field.name for field in one.model._meta.concrete_fields}


@pytest.mark.django_db
class TestThePages:
    def test_both_ask_for_a_proof_first(self) -> None:
        user = reader()
        browser = browser_of(user)
        answer = browser.get("/accounts/settings/export/")
        assert answer.headers["Location"].startswith("/accounts/reauthenticate/code/?next=")
        answer = browser.post("/accounts/settings/delete/", {"understood": "yes"})
        assert answer.headers["Location"].startswith("/accounts/reauthenticate/code/?next=")
        assert User.objects.filter(pk=user.pk).exists()

    def test_a_code_is_the_proof_and_what_was_asked_for_is_done(self) -> None:
        user = reader()
        browser = browser_of(user)
        browser.post("/accounts/settings/delete/", {"understood": "yes"})
        browser.post("/accounts/reauthenticate/code/?next=/accounts/settings/delete/",
                     {"recipient": user.email, "next": "/accounts/settings/delete/"})  # fmt: skip
        (sent,) = mail.outbox
        browser.post("/accounts/reauthenticate/code/confirm/",
                     {"code": code_in(sent), "next": "/accounts/settings/delete/"})  # fmt: skip
        assert not User.objects.filter(pk=user.pk).exists()

    def test_a_password_is_one_too(self) -> None:
        user = reader(password=PASSWORD)
        browser = browser_of(user)
        answer = browser.get("/accounts/settings/export/")
        assert answer.headers["Location"] == "/accounts/reauthenticate/?next=%2Faccounts%2Fsettings%2Fexport%2F"
        answer = browser.post(answer.headers["Location"], {"password": PASSWORD})
        assert answer.headers["Location"] == "/accounts/settings/export/"
        answer = browser.get("/accounts/settings/export/")
        assert answer.headers["Content-Disposition"].startswith('attachment; filename="wovepaper-account-')
        assert json.loads(b"".join(answer.streaming_content))["account"]["id"] == user.pk

    def test_deleting_takes_a_tick(self) -> None:
        user = reader()
        browser = browser_of(user, proven=True)
        answer = browser.post("/accounts/settings/delete/")
        assert (answer.status_code, User.objects.filter(pk=user.pk).exists()) == (400, True)
        answer = browser.post("/accounts/settings/delete/", {"understood": "yes"}, follow=True)
        assert answer.redirect_chain == [("/", 302)]
        assert "is gone" in answer.content.decode()
        assert not User.objects.exists()

    def test_the_page_says_what_goes(self) -> None:
        user = reader()
        follow(user=user, target=Target.read("researcher", researcher().pk))
        text = browser_of(user, proven=True).get("/accounts/settings/delete/").content.decode()
        assert "follows: 1" in text
        assert "saved searches" not in text

    def test_nobody_is_led_there_unsigned(self) -> None:
        for address in ("/accounts/settings/export/", "/accounts/settings/delete/"):
            assert Client().get(address).headers["Location"] == f"/accounts/login/?next={address}"
