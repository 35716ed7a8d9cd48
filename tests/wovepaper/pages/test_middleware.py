"""A NUL in an address, and the one way to sign in."""

import pytest
from django.contrib.auth import get_user_model
from django.db import DataError, connection
from django.test import Client

from tests.html import get


@pytest.fixture
def signed_in() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("head@example.org", "correct horse battery"))
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/categories/\x00", "/categories/cs.CL\x00"])
def test_a_nul_in_an_address_is_a_bad_request(client, address):
    page = get(client, "/", status=400, PATH_INFO=address)
    assert page.one("//h1") == "This request can’t be read"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "/admin/papers/category/?category=%00",
        "/admin/papers/paper/?category=a%00",
        "/admin/papers/paper/?pinned__%00=1&kind=%00",
        "/admin/harvest/harvestrun/?source=%00",
        "/admin/pipeline/workitem/?stage=%00",
        "/admin/papers/category/%00/change/",
    ],
)
def test_a_nul_in_the_admin_is_a_bad_request(signed_in, address):
    assert signed_in.get(address).status_code == 400


@pytest.mark.django_db
def test_other_errors_of_the_database_stay_errors(client):
    def fail(*args, **kwargs):
        raise DataError("value out of range")

    client.raise_request_exception = False
    with connection.execute_wrapper(fail):
        assert client.get("/categories/cs.CL").status_code == 500


@pytest.mark.django_db
class TestSigningInToTheAdmin:
    def test_leads_to_the_one_form_for_signing_in(self, client):
        response = client.get("/admin/papers/paper/", follow=True)
        assert response.redirect_chain[-1] == ("/accounts/login/?next=%2Fadmin%2Fpapers%2Fpaper%2F", 302)

    def test_the_admin_has_no_form_of_its_own_to_guess_at(self, client):
        get_user_model().objects.create_superuser("head@example.org", "correct horse battery")
        response = client.post("/admin/login/", {"username": "head@example.org", "password": "correct horse battery"})
        assert (response.status_code, response.headers["location"]) == (
            302,
            "/accounts/login/?next=%2Fadmin%2Flogin%2F",
        )
        assert "_auth_user_id" not in client.session

    def test_a_reader_is_told_that_it_is_not_for_them(self, client):
        client.force_login(get_user_model().objects.create_user("reader@example.org", "correct horse battery"))
        assert client.get("/admin/", follow=True).status_code == 403
