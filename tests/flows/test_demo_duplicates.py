"""The queue that the pipeline filed of the demo catalogue, looked for anew: the two must agree."""

from __future__ import annotations

import datetime as dt

import haystack
import pytest

from researchers.models import Candidate
from researchers.services.attribution import find_duplicates
from wovepaper.demo.catalogue import bring_in
from wovepaper.demo.recipe import Recipe

pytestmark = pytest.mark.django_db


@pytest.fixture
def own_index(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A search index of this test alone."""
    path = str(tmp_path_factory.mktemp("search") / "index")
    monkeypatch.setitem(haystack.connections.connections_info["default"], "PATH", path)
    haystack.connections.reload("default")


def test_nothing_that_was_just_filed_is_closed(own_index: None) -> None:
    brought = bring_in(Recipe(600, 1, dt.date(2026, 3, 16)))
    assert brought.summary.ok
    filed = dict(Candidate.objects.filter(state="open").values_list("pk", "key"))
    assert len(filed) > 20
    report = find_duplicates()
    still = set(Candidate.objects.filter(state="open").values_list("pk", flat=True))
    assert [key for number, key in sorted(filed.items()) if number not in still] == []
    assert report.removed == 0
    # Nobody has to look for those who are several people: the pipeline filed them. A pair whose names seemed rarer, or
    # commoner, when the first of them came in is found later.
    added = Candidate.objects.exclude(pk__in=filed)
    assert set(added.values_list("kind", flat=True)) <= {"pair"}
    assert added.count() < len(filed) / 5
    assert Candidate.objects.filter(pk__in=filed, kind="split").count() > 2
