"""Every address that was ever given out leads to what is shown now, on each page of a researcher."""

import pytest
from django.utils import timezone

from researchers.models import Researcher
from researchers.services.names import hide_former_name
from tests.html import get
from tests.researchers.people import curator, merge, researcher, undo
from tests.researchers.works import name

pytestmark = pytest.mark.django_db

PAGES = ("", "/co-authors", "/venues", ".bib", ".ris")


def address(person, page=""):
    person.refresh_from_db()
    return person.get_absolute_url() + page


def redirect(client, path):
    response = client.get(path)
    assert response.status_code == 301, path
    assert response.headers["Cache-Control"] == "max-age=3600"
    return response.headers["Location"]


@pytest.mark.parametrize("page", PAGES)
def test_the_canonical_address_answers(client, page):
    person = researcher("Ada Weaver")
    assert address(person, page) == f"/researchers/{person.pk}-ada-weaver{page}"
    assert client.get(address(person, page)).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_the_number_alone_and_a_wrong_slug_redirect(client, page):
    person = researcher("Ada Weaver")
    for slug in ("", "-", "-bo-spindle", "-ADA-WEAVER", "-ada-weaver-", "-ада"):
        assert redirect(client, f"/researchers/{person.pk}{slug}{page}") == address(person, page)


def test_what_stands_behind_the_question_mark_is_kept(client):
    person = researcher()
    assert redirect(client, f"/researchers/{person.pk}?field=cs.CL&after=2020-01-01_5") == (
        address(person) + "?field=cs.CL&after=2020-01-01_5"
    )


def test_a_name_without_latin_letters_has_no_slug(client):
    person = researcher("李明")
    assert address(person) == f"/researchers/{person.pk}"
    assert client.get(address(person)).status_code == 200
    assert redirect(client, f"/researchers/{person.pk}-li-ming") == address(person)


@pytest.mark.parametrize("page", PAGES)
def test_a_chain_of_merges_is_one_hop(client, someone, page):
    one, two, three = researcher("Ada Weaver"), researcher("A. Weaver"), researcher("Ada M. Weaver")
    first = merge(one, two, someone)
    merge(two, three, someone)
    for number in (one.pk, two.pk):
        for slug in ("", "-ada-weaver", "-a-weaver"):
            assert redirect(client, f"/researchers/{number}{slug}{page}") == address(three, page)
    undo(first.event, someone)
    assert client.get(f"/researchers/{one.pk}-ada-weaver{page}").status_code == 200
    assert redirect(client, f"/researchers/{two.pk}{page}") == address(three, page)


@pytest.mark.parametrize("page", PAGES)
def test_who_asked_to_be_removed_is_gone(client, page):
    person = researcher("Ada Weaver")
    path = address(person, page)
    Researcher.objects.filter(pk=person.pk).update(erased_at=timezone.now())
    for asked in (path, f"/researchers/{person.pk}{page}", f"/researchers/{person.pk}-ada-weaver{page}"):
        response = client.get(asked)
        assert response.status_code == 410
        assert b"Ada" not in response.content
        assert b"weaver" not in response.content
    response = client.get(path, headers={"accept": "text/markdown"})
    assert response.status_code == 410
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert response.content.startswith(b"# This page is gone for good")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("number", ["0", "999999", "999999999999999999", "9999999999999999999999", "1x", "1.5"])
def test_numbers_never_given_out_are_not_here(client, number, page):
    researcher()
    page = get(client, f"/researchers/{number}{page}", status=404)
    assert page.one("//h1") == "This page isn’t here"


def test_digits_of_other_scripts_are_no_numbers(client):
    person = researcher()
    arabic = str(person.pk).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
    assert client.get(f"/researchers/{arabic}").status_code == 404


def test_the_slug_of_a_former_name_leads_on_and_is_not_repeated(client):
    person = researcher("Adam Weaver")
    name(person, "Ada Weaver")
    old = address(person)
    hide_former_name(
        researcher=person.pk, name="Adam Weaver", show_instead="Ada Weaver", actor=curator(), reason="on request"
    )
    assert old.endswith("-adam-weaver")
    response = client.get(old)
    assert response.status_code == 301
    assert response.headers["Location"] == address(person) == f"/researchers/{person.pk}-ada-weaver"
    assert "adam" not in client.get(address(person)).content.decode().lower()


@pytest.mark.parametrize("page", PAGES)
def test_head_answers_as_get_does_without_a_body(client, page):
    person = researcher()
    response = client.head(address(person, page))
    assert response.status_code == 200
    assert response.content == b"" if not response.streaming else True
    assert client.head(f"/researchers/{person.pk}{page}").status_code == 301


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_is_written_by_these_pages(client, method, page):
    person = researcher()
    assert getattr(client, method)(address(person, page)).status_code == 405


def test_an_address_costs_one_query(client, someone, django_assert_num_queries):
    one, two = researcher("Ada Weaver"), researcher("A. Weaver")
    merge(one, two, someone)
    with django_assert_num_queries(1):
        client.get(f"/researchers/{one.pk}")
