import pytest
from django.db import connection

from papers.counts import RowCount, count_rows
from papers.models import Paper

pytestmark = pytest.mark.django_db


def test_few_rows_are_counted():
    Paper.objects.bulk_create(Paper(title=str(number)) for number in range(37))
    assert count_rows(Paper.objects.visible().newest()) == RowCount(37, exact=True)


def test_many_rows_are_estimated_by_the_planner_without_counting(django_assert_num_queries):
    Paper.objects.bulk_create(Paper(title=str(number)) for number in range(2345))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE papers_paper")
    with django_assert_num_queries(1):
        count = count_rows(Paper.objects.all(), exact_cost=1)
    assert not count.exact
    assert count.number == 2300
    assert str(count) == "about 2,300"


def test_an_exact_count_is_printed_without_about():
    assert str(RowCount(1234, exact=True)) == "1,234"
