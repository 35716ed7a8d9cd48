import pytest

from tests.html import get

pytestmark = pytest.mark.django_db


def test_the_whole_taxonomy_by_group(client):
    page = get(client, "/categories")
    assert page.texts("//section/h2") == [
        "Computer Science", "Economics", "Electrical Engineering and Systems Science", "Mathematics", "Physics",
        "Quantitative Biology", "Quantitative Finance", "Statistics",
    ]  # fmt: skip
    assert page.texts("//section[h2='Economics']//li") == [
        "econ.EMEconometrics", "econ.GNGeneral Economics", "econ.THTheoretical Economics"
    ]  # fmt: skip
    assert page.all("//section[h2='Economics']//li/a/@href")[0] == "/categories/econ.EM"


def test_aliases_are_left_out_and_closed_categories_marked(client):
    page = get(client, "/categories")
    assert "/categories/cmp-lg" not in page.all("//section//li/a/@href")
    assert "Astrophysics (closed to new papers)" in page.texts("//li[@class='is-closed']/span")


def test_one_query(client, django_assert_num_queries):
    with django_assert_num_queries(1):
        get(client, "/categories")


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, method):
    assert getattr(client, method)("/categories").status_code == 405
