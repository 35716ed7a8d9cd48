"""A whole harvest from the network, with nothing going wrong."""

from __future__ import annotations

import pytest

from tests.upstreams.catalogue import invented_papers
from tests.wovepaper.harvest.conftest import DAY
from tests.wovepaper.harvest.fakes import things
from wovepaper.harvest.models import HarvestRun, HarvestWindow, RawPage, Watermark


@pytest.mark.parametrize("flavour", ["new", "classic"])
def test_all_pages_of_a_day_are_taken_in_and_kept(harvest, arxiv_upstream, flavour):
    arxiv_upstream.flavour = flavour
    arxiv_upstream.papers = invented_papers(25)

    summary = harvest()

    assert summary.line == "fake: seen 25, new 25, changed 0, unchanged 0, quarantined 0"
    assert (summary.outcome, summary.problems, summary.warnings) == ("completed", (), ())
    assert things() == [("arXiv", paper.oai_id) for paper in arxiv_upstream.papers]
    window = HarvestWindow.objects.get()
    assert (window.state, window.pages, window.seen, window.new, window.next_token) == ("done", 3, 25, 25, "")
    assert window.complete_size == (25 if flavour == "classic" else None)
    pages = RawPage.objects.order_by("number")
    assert [(page.number, page.record_count) for page in pages] == [(1, 10), (2, 10), (3, 5)]
    assert all(page.body.startswith(b"<?xml") and len(page.body) == page.size for page in pages)
    run = HarvestRun.objects.get()
    assert (run.seen, run.requests, run.outcome) == (25, 3, "completed")
    assert run.bytes_received == sum(page.size for page in pages)
    assert Watermark.objects.get().day == DAY
