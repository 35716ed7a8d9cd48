import datetime as dt

import pytest

from papers.keyset import BadCursor, Cursor, KeysetPage, Place, read_page
from papers.models import Paper

pytestmark = pytest.mark.django_db


def make_papers(count, per_day=3):
    Paper.objects.bulk_create(
        Paper(title=str(number), sort_date=dt.date(2020, 1, 1) + dt.timedelta(days=number // per_day))
        for number in range(count)
    )


def titles(page):
    return [int(paper.title) for paper in page.rows]


def read(place, descending=True, size=4):
    return read_page(Paper.objects.visible(), place=place, key_field="sort_date", descending=descending, size=size)


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 8, 11, 12, 13])
def test_walking_there_and_back_shows_every_row_once(descending, count):
    make_papers(count)
    expected = sorted(range(count), reverse=descending)
    page = read(Place(), descending)
    there = [page]
    while page.after:
        page = read(Place(after=page.after), descending)
        there.append(page)
    assert [title for page in there for title in titles(page)] == expected
    assert all(len(page.rows) == 4 for page in there[:-1])
    back = [page]
    while page.before:
        page = read(Place(before=page.before), descending)
        back.insert(0, page)
    assert [titles(page) for page in back] == [titles(page) for page in there]


def test_rows_that_arrive_meanwhile_are_neither_skipped_nor_repeated():
    make_papers(12)
    first = read(Place())
    newer = Paper.objects.create(title="100", sort_date=dt.date(2021, 1, 1))
    older = Paper.objects.create(title="101", sort_date=dt.date(2019, 1, 1))
    second = read(Place(after=first.after))
    third = read(Place(after=second.after))
    last = read(Place(after=third.after))
    assert titles(second) + titles(third) + titles(last) == [7, 6, 5, 4, 3, 2, 1, 0, int(older.title)]
    assert titles(read(Place(before=first.rows[0] and Cursor(first.rows[0].sort_date, first.rows[0].pk)))) == [
        int(newer.title)
    ]


def test_a_page_before_the_beginning_is_the_first_page():
    make_papers(5)
    page = read(Place(before=Cursor(dt.date(2030, 1, 1), 1)))
    assert (titles(page), page.before) == ([4, 3, 2, 1], None)


def test_a_page_beyond_the_end_is_empty():
    make_papers(2)
    assert read(Place(after=Cursor(dt.date(1990, 1, 1), 1))) == KeysetPage([])


def test_a_page_takes_one_query_and_compares_the_key_as_one_value(django_assert_num_queries):
    make_papers(9)
    with django_assert_num_queries(1) as queries:
        read(Place(after=Cursor(dt.date(2020, 1, 2), 10**15)))
    assert '("papers_paper"."sort_date", "papers_paper"."id") < (' in queries[0]["sql"]


def test_a_cursor_reads_what_it_writes():
    cursor = Cursor(dt.date(2026, 11, 27), 1042)
    assert str(cursor) == "2026-11-27_1042"
    assert Cursor.parse(str(cursor)) == cursor


@pytest.mark.parametrize(
    "text",
    ["", "x", "2026-11-27", "2026-13-01_1", "2026-02-30_1", "0000-01-01_1", "2026-11-27_", "2026-11-27_-1",
     "2026-11-27_1 ", "2026-11-27_9999999999999999999", "٢٠٢٦-11-27_1", "2026-11-27_1;--"],
)  # fmt: skip
def test_a_cursor_that_cannot_be_read_says_so(text):
    with pytest.raises(BadCursor, match="begins at the start"):
        Cursor.parse(text)


def test_after_wins_over_before():
    assert Place.parse({"after": "2020-01-01_1", "before": "2020-01-02_2"}) == Place(
        after=Cursor(dt.date(2020, 1, 1), 1)
    )
    assert Place.parse({}) == Place()
