"""Fixtures over the fake sources, for every test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.upstreams.oai import ArxivUpstream


@pytest.fixture
def arxiv_upstream() -> Iterator[ArxivUpstream]:
    """A running fake of arXiv's new server without papers: set ``papers``, ``flavour``, ``page_size``, ``faults``."""
    with ArxivUpstream() as upstream:
        yield upstream


@pytest.fixture
def make_arxiv_upstream() -> Iterator[Callable[..., ArxivUpstream]]:
    """Start as many as needed, with the arguments of ``ArxivUpstream``."""
    with ExitStack() as stack:
        yield lambda *arguments, **options: stack.enter_context(ArxivUpstream(*arguments, **options))
