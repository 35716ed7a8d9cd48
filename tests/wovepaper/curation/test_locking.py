"""The shape of a component, without a database."""

from __future__ import annotations

import pytest

from wovepaper.curation.locking import Component, Member

# 1 ← 2 ← 3, 2 ← 4, 1 ← 5
TREE = Component(
    1,
    {
        member.id: member
        for member in (
            Member(1, None, 1, 1),
            Member(2, 1, 1, 1),
            Member(3, 2, 1, 1),
            Member(4, 2, 1, 1),
            Member(5, 1, 1, 1),
        )
    },
)


@pytest.mark.parametrize(("top", "below"), [(1, {1, 2, 3, 4, 5}), (2, {2, 3, 4}), (3, {3}), (5, {5})])
def test_what_leaves_when_an_edge_is_cut(top: int, below: set[int]) -> None:
    assert TREE.below(top) == below
    assert TREE.ids == {1, 2, 3, 4, 5}
