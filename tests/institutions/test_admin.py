from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.urls import reverse

from institutions import hooks
from institutions.models import AffiliationRule, Institution
from tests.institutions.organisations import ror_id

pytestmark = pytest.mark.django_db
RULES = "admin:institutions_affiliationrule_changelist"
ADD = "admin:institutions_affiliationrule_add"


@pytest.fixture
def told(monkeypatch) -> list[bool]:
    heard: list[bool] = []
    monkeypatch.setattr(hooks, "_callbacks", [lambda: heard.append(True)])
    return heard


@pytest.fixture
def institution() -> Institution:
    made = Institution.objects.create(
        ror_id=ror_id(1), display_name="Loom Hall", kind="education", status="active", hash="0"
    )
    made.names.create(value="Loom Hall", kind="label", key=" loom hall")
    return made


def staff(client, *codenames: str):
    user = get_user_model().objects.create_user(email="curator@example.org", password="a long secret", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client.force_login(user)
    return user


def test_institutions_are_to_look_at(client, institution):
    staff(client, "view_institution", "change_institution", "delete_institution", "add_institution")
    changelist = reverse("admin:institutions_institution_changelist")
    for query, found in (("", True), ("?q=hall+loo", True), (f"?q={ror_id(1)}", True), ("?q=oom", False)):
        assert ("Loom Hall" in client.get(changelist + query).content.decode()) is found, query
    page = reverse("admin:institutions_institution_change", args=[institution.pk])
    assert client.get(page).status_code == 200
    assert client.post(page, {"display_name": "x"}).status_code == 403
    assert client.get(reverse("admin:institutions_institution_add")).status_code == 403


def test_rules_need_the_permission(client, institution):
    staff(client, "view_affiliationrule")
    assert client.get(reverse(RULES)).status_code == 200
    assert client.post(reverse(ADD), {"pattern": "loom hall *", "reason": "x"}).status_code == 403
    assert AffiliationRule.objects.count() == 0


def test_a_rule_is_kept_with_who_said_it_and_told_of(client, institution, told, django_capture_on_commit_callbacks):
    user = staff(
        client, "add_affiliationrule", "change_affiliationrule", "delete_affiliationrule", "view_affiliationrule"
    )
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(
            reverse(ADD), {"pattern": "  Loom   Hall *", "institution": institution.pk, "reason": "Known."}
        )
    assert answer.status_code == 302
    rule = AffiliationRule.objects.get()
    assert (rule.pattern, rule.institution, rule.by, rule.reason) == ("Loom Hall *", institution, user, "Known.")
    assert "Loom Hall *" in client.get(reverse(RULES)).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("admin:institutions_affiliationrule_delete", args=[rule.pk]), {"post": "yes"})
    assert AffiliationRule.objects.count() == 0
    assert told == [True, True]


@pytest.mark.parametrize("form", [{"pattern": "* a *", "reason": "x"}, {"pattern": "loom hall", "reason": ""}, {}])
def test_what_fits_everything_or_has_no_reason_is_refused(client, form, told):
    staff(client, "add_affiliationrule")
    assert client.post(reverse(ADD), form).status_code == 200
    assert AffiliationRule.objects.count() == 0
    assert told == []
